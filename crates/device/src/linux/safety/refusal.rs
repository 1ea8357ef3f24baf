//! Reasons why a device is not opened for writing, and what to do about each.

use std::fmt;

/// What kind of thing speaks against writing to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalKind {
    /// The confirmation is neither its path nor its serial number.
    Confirmation,
    /// The region is empty, beyond the device, or cuts through a physical sector.
    Region,
    /// The disk, or a partition of it, is mounted.
    Mounted,
    /// It is swap space.
    Swap,
    /// Another process has it open.
    Open,
    /// Another device is built on top of it.
    Held,
    /// The running system is on it.
    RootDisk,
    /// Its sectors cannot be written in any order.
    Zoned,
    /// The kernel does not let it be written.
    ReadOnly,
    /// There is something on it.
    NotEmpty,
    /// A region of it is still to be repaired.
    Unrepaired,
}

/// One thing that speaks against writing to a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of thing.
    pub kind: RefusalKind,
    /// What was found.
    pub reason: String,
    /// What to do about it.
    pub way_out: String,
}

impl Refusal {
    pub(super) fn new(
        kind: RefusalKind,
        reason: impl Into<String>,
        way_out: impl Into<String>,
    ) -> Self {
        Self { kind, reason: reason.into(), way_out: way_out.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.reason, self.way_out)
    }
}

/// Everything that speaks against writing to a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The device.
    pub name: String,
    /// At least one.
    pub refusals: Vec<Refusal>,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} will not be written:", self.name)?;
        self.refusals.iter().try_for_each(|refusal| write!(f, "\n  {refusal}"))
    }
}
