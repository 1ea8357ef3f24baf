//! One command served by a drive: its times, the parts of its service, and its place.

use platterlab_units::{Lapse, Operation, Span, Stamp};

/// One served request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// When it came to the host's driver.
    pub arrival: Stamp,
    /// When the drive got it.
    pub issue: Stamp,
    /// When the host saw its completion.
    pub completion: Stamp,
    /// Where the service time went.
    pub parts: Parts,
    /// First sector, in the drive's sectors.
    pub lba: u64,
    /// Length in the drive's sectors.
    pub sectors: u32,
    /// The device, as the trace numbers them.
    pub device: u32,
    /// The request it is part of, by its number among those that came, from 0; [`Row::OWN`] for what
    /// a system does by itself.
    pub request: u64,
    /// The stream of that request; [`Row::OWN_STREAM`] for what a system does by itself.
    pub stream: u16,
    /// Read or write.
    pub operation: Operation,
    /// Number of the cache outcome, see the list given to [`crate::SummaryBuilder::new`].
    pub cache: u8,
    /// Cylinder of the first sector.
    pub cylinder: u32,
    /// Cylinders the arm crossed.
    pub seek_distance: u32,
    /// The service time the trace recorded.
    pub measured: Option<Span>,
}

/// The parts of a service time; they add up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Controller.
    pub overhead: Span,
    /// Mechanism busy with what it cannot break off.
    pub wait: Span,
    /// Arm and head switch.
    pub seek: Span,
    /// Rotational latency.
    pub rotation: Span,
    /// Media transfer.
    pub transfer: Span,
    /// Bus transfer that nothing overlaps.
    pub bus: Span,
}

impl Parts {
    /// Names of the parts, in the order of [`Parts::list`].
    pub const NAMES: [&'static str; 6] =
        ["overhead", "wait", "seek", "rotation", "transfer", "bus"];

    /// All parts, in order.
    #[must_use]
    #[inline]
    pub fn list(&self) -> [Span; 6] {
        [self.overhead, self.wait, self.seek, self.rotation, self.transfer, self.bus]
    }

    /// Whether the mechanics had a part in it.
    #[must_use]
    #[inline]
    pub fn has_moved(&self) -> bool {
        self.seek.as_ps() | self.rotation.as_ps() | self.transfer.as_ps() != 0
    }
}

impl Row {
    /// The number of no request.
    pub const OWN: u64 = u64::MAX;
    /// The number of no stream.
    pub const OWN_STREAM: u16 = u16::MAX;

    /// From issue to completion.
    #[must_use]
    #[inline]
    pub fn service(&self) -> Lapse {
        self.completion - self.issue
    }

    /// From arrival to issue.
    #[must_use]
    #[inline]
    pub fn queue(&self) -> Lapse {
        self.issue - self.arrival
    }

    /// The three times above and below, where none is longer than a span holds, as hardly any is.
    #[must_use]
    #[inline]
    pub fn spans(&self) -> Option<[Span; 3]> {
        Some([self.queue().span()?, self.service().span()?, self.response().span()?])
    }

    /// From arrival to completion.
    #[must_use]
    #[inline]
    pub fn response(&self) -> Lapse {
        self.completion - self.arrival
    }
}
