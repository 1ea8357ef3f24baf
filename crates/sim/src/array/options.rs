//! The parameters of a volume: layout, members, and what happens when one fails.

use platterlab_units::Span;

/// A volume to be built over devices.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeOptions {
    /// How data lies on the devices.
    pub layout: LayoutOptions,
    /// The devices, by their places in the system.
    pub devices: Vec<u32>,
    /// Whether devices of different sizes are taken, each for no more than the smallest holds.
    pub accept_uneven: bool,
    /// What is done when a device fails; without it the volume stays degraded.
    pub rebuild: Option<RebuildOptions>,
}

/// How data lies on the devices of a volume.
#[derive(Clone, Debug, PartialEq)]
pub enum LayoutOptions {
    /// Devices one after the other; with one device, that device.
    Concat,
    /// Units of fixed size dealt out in turn (RAID 0).
    Stripe {
        /// Sectors of a unit.
        unit_sectors: u32,
    },
    /// Every device stands for all the data, and each request goes whole to one of them: what
    /// perfect balance would give. No real layout does this.
    Balanced(Balance),
    /// Each device has copies (RAID 1); the data devices are concatenated or striped (RAID 10).
    /// Copies of one data device stand next to each other in the list.
    Mirror {
        /// How many there are of everything, 2 or more.
        copies: u32,
        /// Striped in units of so many sectors; without it, concatenated.
        unit_sectors: Option<u32>,
        /// Which copy is read.
        read_choice: ReadChoice,
    },
    /// Striped data with parity (RAID 4, 5, 6).
    Parity(ParityOptions),
}

/// The device a request of a balanced volume goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// Any.
    Random,
    /// One after the other.
    RoundRobin,
}

/// Which copy of a mirror is read. Ties go to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadChoice {
    /// Always the first.
    Primary,
    /// Any.
    Random,
    /// One after the other.
    RoundRobin,
    /// The one whose arm is nearest; any of those that are equally near.
    ShortestSeek,
    /// The one with the fewest outstanding; any of those with equally few.
    ShortestQueue,
    /// The one with the fewest outstanding; of those with equally few, the nearest.
    ShortestQueueThenSeek,
    /// The one whose first sector is soonest under the head.
    ShortestPositioning,
}

/// Parity: where it is and how it is kept up to date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParityOptions {
    /// Parities of each row: 1, or 2 for the loss of any two devices (RAID 6).
    pub parities: u32,
    /// Where they are.
    pub rotation: Rotation,
    /// Sectors of a unit of data.
    pub unit_sectors: u32,
    /// Sectors of a device between two steps of the rotation; this or the unit is a multiple of the
    /// other.
    pub parity_unit_sectors: u32,
    /// How a write finds the new parity.
    pub update: ParityUpdate,
    /// Whether no write begins before all reads for the new parity are done; without it data
    /// that a read-modify-write overwrites is written as soon as it has been read.
    pub synch_writes: bool,
}

/// How parity moves from row to row (Lee 1990). The names say which way it moves and whether the
/// data of a row begins behind it (symmetric) or on the first device that is free (asymmetric).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// It stays on the last devices (RAID 4).
    Fixed,
    /// From the last device to the first, data behind it.
    LeftSymmetric,
    /// From the last device to the first, data in the order of the devices.
    LeftAsymmetric,
    /// From the first device to the last, data in the order of the devices.
    RightAsymmetric,
    /// From the first device to the last, data behind it.
    RightSymmetric,
}

/// How a write that covers part of a row finds the new parity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParityUpdate {
    /// From old data and old parity (read-modify-write) if the share of the data devices that are
    /// written is less than this; else from the data that stays (reconstruct).
    ModifyBelow(f64),
    /// As DiskSim: read-modify-write if no more than this share of a row's data is written; else the
    /// units that nothing is written to are read, as if those written in part were written whole,
    /// from which no right parity comes.
    ModifyUpTo(f64),
    /// Whichever has fewer commands; read-modify-write if they have equally many.
    FewestCommands,
}

/// What is done when a device of a volume fails.
#[derive(Clone, Debug, PartialEq)]
pub struct RebuildOptions {
    /// Devices that stand by, in the order in which they are taken.
    pub spares: Vec<u32>,
    /// How much of the devices the rebuild may have.
    pub rate: RebuildRate,
    /// Sectors of a device rebuilt at a time.
    pub chunk_sectors: u32,
    /// From the failure until the rebuild begins.
    pub delay: Span,
}

/// How fast a rebuild goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RebuildRate {
    /// As fast as the devices allow.
    Unlimited,
    /// No more than this, MiB of the failed device in a second.
    MibPerSecond(f64),
    /// At work for no more than this share of the time.
    Share(f64),
}
