//! The experiment file as it is written: one struct per table, each field documented with its unit.
//!
//! These structs are the file format. The JSON schema is generated from them, the checks of shape
//! and range read that schema, and the doc comments are the reference documentation.

mod cache;
mod flow;
mod host;
mod pattern;
mod topology;
mod volume;
mod workload;

pub use cache::{CacheStore, SystemCache};
pub use flow::{FlowModel, Software};
pub use host::Host;
pub use pattern::Pattern;
pub use topology::{BusOptions, ControllerOptions, DriveOptions, Sharing, Simple};
pub use volume::{FaultKind, FaultOptions, Rebuild, VolumeKind, VolumeOptions};
pub use workload::{DeviceMap, TraceTiming, Workload};

// What has one meaning in the file and in the simulator is declared there.
pub use platterlab_sim::array::{Balance, ParityUpdate, ReadChoice, Rotation};
pub use platterlab_sim::bus::Arbitration;
pub use platterlab_sim::controller::{
    Allocation, FlushOptions, Prefetch, Replacement, WriteScheme,
};
pub use platterlab_sim::drive::AccessLaw;
pub use platterlab_sim::scheduler::{
    Combine, Key, Overlap, Scheduler, Tag, TagRule, TimeoutRule, Together,
};
pub use platterlab_sim::source::Woken;
pub use platterlab_workload::synthetic::{Law, Spread};
pub use platterlab_workload::trace::Beyond;

/// Rules about addresses, with sizes in bytes.
pub type Rules = platterlab_sim::scheduler::Rules<Size>;

use platterlab_profile::Size;
use platterlab_units::{Lapse, Stamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An experiment: a storage subsystem, what is asked of it, and when that is enough.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExperimentOptions {
    /// Its name in reports.
    pub name: Option<String>,
    /// Anything a reader should know.
    pub notes: Option<String>,
    /// Seed of every random choice. Replications take the seeds that follow.
    #[serde(default)]
    pub seed: u32,
    /// How many times the whole is run, each time with another seed.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 100_000))]
    pub replications: u32,
    /// The end of a run.
    #[serde(default)]
    pub stop: Stop,
    /// The host and its driver.
    #[serde(default)]
    pub host: Host,
    /// Buses. A drive without one is attached to the host directly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bus: Vec<BusOptions>,
    /// Controllers between buses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub controller: Vec<ControllerOptions>,
    /// Drives.
    #[schemars(length(min = 1))]
    pub drive: Vec<DriveOptions>,
    /// Targets of requests. Without any, each drive is a volume under its own name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volume: Vec<VolumeOptions>,
    /// Sources of requests, several at once.
    #[schemars(length(min = 1, max = 10_000))]
    pub workload: Vec<Workload>,
    /// Faults in the course of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fault: Vec<FaultOptions>,
}

fn one() -> u32 {
    1
}

/// The end of a run: whichever condition is met first. What is under way then is still served.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Stop {
    /// After this number of requests.
    #[schemars(range(min = 1, max = 1_000_000_000_000_i64))]
    pub requests: Option<u64>,
    /// After so much simulated time, in seconds.
    #[schemars(range(min = 0.000_001, max = 1_000_000_000_000.0))]
    pub time_s: Option<f64>,
    /// When the 95 % confidence interval of the mean response time is no wider than this to either
    /// side, in percent of the mean (batch means).
    #[schemars(range(min = 0.01, max = 100.0))]
    pub precision_percent: Option<f64>,
    /// Requests served before figures are kept.
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub warm_up_requests: u64,
    /// And simulated time before figures are kept, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.000_001, max = 1_000_000_000_000.0))]
    pub warm_up_s: Option<f64>,
    /// The run is broken off when more than this wait for one device.
    #[schemars(range(min = 1, max = 100_000_000))]
    pub queue_limit: u32,
}

impl Stop {
    /// From when on figures are kept.
    pub(crate) fn warm_up_until(&self) -> Stamp {
        let lapse = self.warm_up_s.and_then(|s| Lapse::from_ms(s * 1e3));
        Stamp::ZERO + lapse.unwrap_or(Lapse::ZERO)
    }
}

impl Default for Stop {
    fn default() -> Self {
        Self {
            requests: None,
            time_s: None,
            precision_percent: None,
            warm_up_requests: 0,
            warm_up_s: None,
            queue_limit: 100_000,
        }
    }
}
