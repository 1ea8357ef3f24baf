//! Reasons why a volume cannot be built.

/// Why a volume cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// A device that is not there.
    #[error("there is no device {device}: there are {devices}, numbered from 0")]
    UnknownDevice {
        /// Its number.
        device: u32,
        /// How many there are.
        devices: usize,
    },
    /// A device that stands in the volume twice, as a member or a spare.
    #[error("device {device} is in the volume twice: a device is one member or one spare")]
    Twice {
        /// Its number.
        device: u32,
    },
    /// Fewer devices than the layout needs, or a number that does not fit it.
    #[error("{given} devices are not what this layout takes: {needed}")]
    Devices {
        /// How many there are.
        given: usize,
        /// What it takes.
        needed: &'static str,
    },
    /// Units of no sectors, or that do not fit each other or the devices.
    #[error("{what} is {given} sectors: it has to be {needed}")]
    Unit {
        /// Which value.
        what: &'static str,
        /// What it is.
        given: u64,
        /// What it may be.
        needed: String,
    },
    /// Devices of different sizes, of which some could not be used whole.
    #[error(
        "device {device} has {sectors} sectors and the smallest of the volume {smallest}: \
         {} sectors would be lost; take devices of one size or accept that",
        sectors - smallest
    )]
    Uneven {
        /// A device that is too large.
        device: u32,
        /// Its size.
        sectors: u64,
        /// The size of the smallest.
        smallest: u64,
    },
    /// Devices whose sectors differ in size.
    #[error(
        "device {} has sectors of {} bytes and device {} of {}: they have to be alike",
        devices[0], bytes[0], devices[1], bytes[1]
    )]
    SectorSizes {
        /// The first device and another.
        devices: [u32; 2],
        /// Bytes in their sectors.
        bytes: [u32; 2],
    },
    /// A share or a rate outside its range.
    #[error("{what} has to be {needed}")]
    Range {
        /// Which value.
        what: &'static str,
        /// What it may be.
        needed: &'static str,
    },
    /// A rebuild where nothing holds the data a second time.
    #[error(
        "a volume without copies or parity cannot be rebuilt: leave spares out, or take a mirror or \
         parity"
    )]
    NothingToRebuildFrom,
    /// A spare that does not hold what a member does.
    #[error("spare {device} has {sectors} sectors: a member of this volume holds {needed}")]
    SpareTooSmall {
        /// The spare.
        device: u32,
        /// Its size.
        sectors: u64,
        /// What it would have to hold.
        needed: u64,
    },
}
