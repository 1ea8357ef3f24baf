//! The keys of buses, controllers and drives, and of how they are connected.

use super::{Rules, Scheduler, SystemCache, TagRule, TimeoutRule};
use platterlab_drive::LONGEST_MS;
use platterlab_profile::Size;
use platterlab_sim::bus::Arbitration;
use platterlab_sim::drive::AccessLaw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A bus, or several alike. Its upper end is the host or a controller.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BusOptions {
    /// Its name; several are called `name0`, `name1`, ...
    #[schemars(length(min = 1))]
    pub name: String,
    /// How many there are. Without it, one called `name`.
    #[schemars(range(min = 1, max = 10_000))]
    pub count: Option<u32>,
    /// The controller above it; without it, the host. Several buses take several controllers in
    /// equal parts.
    pub controller: Option<String>,
    /// The choice of the next user when the bus becomes free.
    #[serde(default)]
    pub arbitration: Arbitration,
    /// Time of each arbitration, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub arbitration_ms: f64,
    /// Whether a transfer holds the bus.
    #[serde(default)]
    pub sharing: Sharing,
    /// The least time of a sector read over the bus, in milliseconds; a slower drive sets the pace.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub read_sector_ms: f64,
    /// The least time of a sector written over the bus, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub write_sector_ms: f64,
}

/// Whether a transfer holds the bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// For as long as it lasts.
    #[default]
    Exclusive,
    /// Transfers interleave sector by sector, and nobody waits.
    Interleaved,
}

/// A controller, or several alike. Without a cache it passes everything through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControllerOptions {
    /// Its name; several are called `name0`, `name1`, ...
    #[schemars(length(min = 1))]
    pub name: String,
    /// How many there are. Without it, one called `name`.
    #[schemars(range(min = 1, max = 10_000))]
    pub count: Option<u32>,
    /// The bus above it; without it, it is in the host.
    pub bus: Option<String>,
    /// Its own time for a read, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub read_ms: f64,
    /// Its own time for a write, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub write_ms: f64,
    /// Commands of the host it takes at a time; more wait in the driver.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub depth: Option<u32>,
    /// Whether a command that found it full is thought of only when the next one for the same drive
    /// comes or is done, as in DiskSim, rather than as soon as there is room.
    #[serde(default)]
    pub forgetful: bool,
    /// Its cache.
    pub cache: Option<SystemCache>,
}

/// A drive, or several alike. Exactly one of `profile` and `simple` is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriveOptions {
    /// Its name; several are called `name0`, `name1`, ...
    #[serde(default = "drive_name")]
    #[schemars(length(min = 1))]
    pub name: String,
    /// How many there are. Without it, one called `name`.
    #[schemars(range(min = 1, max = 100_000))]
    pub count: Option<u32>,
    /// A drive of the library, or a `.toml` file in the experiment's folder.
    pub profile: Option<String>,
    /// A device without mechanics.
    pub simple: Option<Simple>,
    /// Drives that name the same set turn in step, from the same angle. The platters of all others
    /// begin anywhere, by the seed, unless `at_index` says where.
    #[schemars(length(min = 1))]
    pub in_step: Option<String>,
    /// Whether the index mark is under the heads at time zero.
    #[serde(default)]
    pub at_index: bool,
    /// The bus that it is attached to; without it, the host. Several drives take several buses in
    /// equal parts.
    pub bus: Option<String>,
    /// Commands it takes at a time, the one under way included.
    #[serde(default = "depth")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub depth: u32,
    /// The order in which the drive serves what it has taken.
    #[serde(default)]
    pub scheduler: Scheduler,
    /// Whether it begins nothing while it writes what it has reported, and then chooses from all that
    /// has come, as DiskSim's drives do. Else it takes up the next command at once, which waits for the
    /// media with it.
    #[serde(default)]
    pub choose_at_rest: bool,
    /// Requests that a process waits for go first in the drive, in this order.
    pub critical: Option<Scheduler>,
    /// Requests that have waited too long go before others in the drive.
    pub timeout: Option<TimeoutRule>,
    /// Rules that go before the scheduler in the drive.
    #[serde(default)]
    pub rules: Rules,
    /// How the host marks its commands; without it, the drive chooses.
    pub tags: Option<TagRule>,
}

fn drive_name() -> String {
    "drive".to_owned()
}

fn depth() -> u32 {
    1
}

/// A device without mechanics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Simple {
    /// Its capacity.
    pub size: Size,
    /// From command to data.
    pub access: AccessLaw,
    /// Before each command, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub overhead_ms: f64,
    /// For each sector of 512 bytes on the bus, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub sector_ms: f64,
}
