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
    /// The action when a device fails; without it the volume stays degraded.
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
        /// Striped in units of this many sectors; without it, concatenated.
        unit_sectors: Option<u32>,
        /// The copy that is read.
        read_choice: ReadChoice,
    },
    /// Striped data with parity (RAID 4, 5, 6).
    Parity(ParityOptions),
}

/// The drive a request of a balanced volume goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Balance {
    /// One after the other.
    #[default]
    RoundRobin,
    /// Any.
    Random,
}

/// The choice of a mirror's copy to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum ReadChoice {
    /// Always the first.
    Primary,
    /// Any.
    Random,
    /// One after the other.
    RoundRobin,
    /// The one whose arm is nearest.
    ShortestSeek,
    /// The one with the fewest outstanding.
    ShortestQueue,
    /// The one with the fewest outstanding; of those with equally few, the nearest.
    #[default]
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

/// How parity moves from row to row (Lee 1990).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Rotation {
    /// It stays on the last drives (RAID 4).
    #[cfg_attr(feature = "file", serde(skip))]
    Fixed,
    /// From the last drive to the first, data behind it.
    #[default]
    LeftSymmetric,
    /// From the last drive to the first, data in the order of the drives.
    LeftAsymmetric,
    /// From the first drive to the last, data in the order of the drives.
    RightAsymmetric,
    /// From the first drive to the last, data behind it.
    RightSymmetric,
}

/// How a write that covers part of a row finds the new parity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum ParityUpdate {
    /// Whichever has fewer commands.
    #[default]
    FewestCommands,
    /// As DiskSim: from old data and old parity if no more than a share of the row's data is written;
    /// else from the units that nothing is written to, as if those that are written in part were
    /// written whole. No right parity comes of that: `modify-below` is for all other uses.
    ModifyUpTo {
        /// The share.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1.0)))]
        share: f64,
    },
    /// From old data and old parity (read-modify-write) if less than a share of the row is written;
    /// else from the data that stays (reconstruct).
    ModifyBelow {
        /// The share.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1.0)))]
        share: f64,
    },
}

/// The action when a device of a volume fails.
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
