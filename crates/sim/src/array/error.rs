//! Reasons why a volume cannot be built.

use std::fmt;

/// Why a volume cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrayError {
    /// A device that is not there.
    UnknownDevice {
        /// Its number.
        device: u32,
        /// How many there are.
        devices: usize,
    },
    /// A device that stands in the volume twice, as a member or a spare.
    Twice {
        /// Its number.
        device: u32,
    },
    /// Fewer devices than the layout needs, or a number that does not fit it.
    Devices {
        /// How many there are.
        given: usize,
        /// What it takes.
        needed: &'static str,
    },
    /// Units of no sectors, or that do not fit each other or the devices.
    Unit {
        /// Which value.
        what: &'static str,
        /// What it is.
        given: u64,
        /// What it may be.
        needed: String,
    },
    /// Devices of different sizes, of which some could not be used whole.
    Uneven {
        /// A device that is too large.
        device: u32,
        /// Its size.
        sectors: u64,
        /// The size of the smallest.
        smallest: u64,
    },
    /// Devices whose sectors differ in size.
    SectorSizes {
        /// The first device and another.
        devices: [u32; 2],
        /// Bytes in their sectors.
        bytes: [u32; 2],
    },
    /// A share or a rate outside its range.
    Range {
        /// Which value.
        what: &'static str,
        /// What it may be.
        needed: &'static str,
    },
    /// A rebuild where nothing holds the data a second time.
    NothingToRebuildFrom,
    /// A spare that does not hold what a member does.
    SpareTooSmall {
        /// The spare.
        device: u32,
        /// Its size.
        sectors: u64,
        /// What it would have to hold.
        needed: u64,
    },
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownDevice { device, devices } => {
                write!(f, "there is no device {device}: there are {devices}, numbered from 0")
            }
            Self::Twice { device } => write!(
                f,
                "device {device} is in the volume twice: a device is one member or one spare"
            ),
            Self::Devices { given, needed } => {
                write!(f, "{given} devices are not what this layout takes: {needed}")
            }
            Self::Unit { what, given, needed } => {
                write!(f, "{what} is {given} sectors: it has to be {needed}")
            }
            Self::Uneven { device, sectors, smallest } => write!(
                f,
                "device {device} has {sectors} sectors and the smallest of the volume {smallest}: \
                 {} sectors would be lost; take devices of one size or accept that",
                sectors - smallest
            ),
            Self::SectorSizes { devices: [a, b], bytes: [x, y] } => write!(
                f,
                "device {a} has sectors of {x} bytes and device {b} of {y}: they have to be alike"
            ),
            Self::Range { what, needed } => write!(f, "{what} has to be {needed}"),
            Self::NothingToRebuildFrom => write!(
                f,
                "a volume without copies or parity cannot be rebuilt: leave spares out, or take a \
                 mirror or parity"
            ),
            Self::SpareTooSmall { device, sectors, needed } => write!(
                f,
                "spare {device} has {sectors} sectors: a member of this volume holds {needed}"
            ),
        }
    }
}

impl std::error::Error for ArrayError {}
