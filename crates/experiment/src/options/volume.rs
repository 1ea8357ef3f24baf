//! The keys of `[[volume]]`: array layouts, rebuilds, and failures.

use platterlab_profile::Size;
use platterlab_sim::array::{Balance, ParityUpdate, ReadChoice, Rotation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A volume over drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VolumeOptions {
    /// Its name.
    #[schemars(length(min = 1))]
    pub name: String,
    /// The drives, by name: `drive` for all of that name, `drive2` for one, `drive0..drive3`.
    #[schemars(length(min = 1))]
    pub drives: Vec<String>,
    /// How data lies on them.
    pub layout: VolumeKind,
    /// Whether drives of different sizes are taken, each for no more than the smallest holds.
    #[serde(default)]
    pub accept_uneven: bool,
    /// The action when a drive fails; without it the volume stays degraded.
    pub rebuild: Option<Rebuild>,
}

/// How data lies on the drives of a volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum VolumeKind {
    /// Drives one after the other; with one drive, that drive.
    Concat {},
    /// Units dealt out in turn (RAID 0).
    Stripe {
        /// The unit.
        unit: Size,
    },
    /// The same as `stripe`, by its number.
    Raid0 {
        /// The unit.
        unit: Size,
    },
    /// Each request goes whole to one drive, with perfect balance. No real layout does
    /// this.
    Balanced {
        /// The drive.
        #[serde(default)]
        choice: Balance,
    },
    /// Each drive has copies (RAID 1, RAID 10). Copies stand next to each other in `drives`.
    Mirror {
        /// How many there are of everything.
        #[serde(default = "two")]
        #[schemars(range(min = 2, max = 1_000))]
        copies: u32,
        /// Striped in units of this; without it, concatenated.
        unit: Option<Size>,
        /// The copy that is read.
        #[serde(default)]
        read: ReadChoice,
    },
    /// The same as `mirror` without a unit, by its number: every drive has a copy, unless `copies` says
    /// that there are fewer.
    Raid1 {
        /// How many there are of everything; as many as drives where this is not given.
        #[schemars(range(min = 2, max = 1_000))]
        copies: Option<u32>,
        /// The copy that is read.
        #[serde(default)]
        read: ReadChoice,
    },
    /// The same as `mirror` with a unit, by its number: data is striped over groups of copies.
    Raid10 {
        /// How many there are of everything.
        #[serde(default = "two")]
        #[schemars(range(min = 2, max = 1_000))]
        copies: u32,
        /// The unit.
        unit: Size,
        /// The copy that is read.
        #[serde(default)]
        read: ReadChoice,
    },
    /// Striped data with parity on the last drive (RAID 4).
    Raid4 {
        /// The unit of data.
        unit: Size,
        /// How a write finds the new parity.
        #[serde(default)]
        update: ParityUpdate,
        /// Whether no write begins before all reads for the new parity are done.
        #[serde(default)]
        synch_writes: bool,
    },
    /// Striped data with parity that moves from drive to drive (RAID 5).
    Raid5 {
        /// The unit of data.
        unit: Size,
        /// How much of a drive lies between two steps of the rotation; the unit where this is not
        /// given.
        parity_unit: Option<Size>,
        /// How parity moves.
        #[serde(default)]
        rotation: Rotation,
        /// How a write finds the new parity.
        #[serde(default)]
        update: ParityUpdate,
        /// Whether no write begins before all reads for the new parity are done.
        #[serde(default)]
        synch_writes: bool,
    },
    /// Striped data with two parities that move from drive to drive (RAID 6).
    Raid6 {
        /// The unit of data.
        unit: Size,
        /// How parity moves.
        #[serde(default)]
        rotation: Rotation,
        /// How a write finds the new parity.
        #[serde(default)]
        update: ParityUpdate,
        /// Whether no write begins before all reads for the new parity are done.
        #[serde(default)]
        synch_writes: bool,
    },
}

fn two() -> u32 {
    2
}

/// The action when a drive of a volume fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rebuild {
    /// Drives that stand by, in the order in which they are taken.
    #[schemars(length(min = 1))]
    pub spares: Vec<String>,
    /// The most that is rebuilt in a second, in MiB.
    #[schemars(range(min = 0.001, max = 1e6))]
    pub rate_mib_s: Option<f64>,
    /// The largest share of time the rebuild is at work.
    #[schemars(range(min = 0.001, max = 1.0))]
    pub rate_share: Option<f64>,
    /// The amount that is rebuilt at a time.
    #[serde(default = "chunk")]
    pub chunk: Size,
    /// From the failure until the rebuild begins, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e9))]
    pub delay_ms: f64,
}

fn chunk() -> Size {
    Size::from_bytes(1 << 20)
}

/// Something that goes wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaultOptions {
    /// When, in seconds of simulated time.
    #[schemars(range(min = 0.0, max = 1e7))]
    pub at_s: f64,
    /// What.
    pub what: FaultKind,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FaultKind {
    /// A drive does not answer any more.
    Drive {
        /// The drive.
        drive: String,
    },
    /// A controller loses its memory; what is dirty in it is lost unless a battery keeps it.
    CacheLoss {
        /// The controller.
        controller: String,
    },
}
