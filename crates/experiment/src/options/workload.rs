//! The keys of `[[workload]]`: one variant for each kind of source.

use super::{FlowModel, Pattern, TagRule};
use platterlab_workload::synthetic::Law;
use platterlab_workload::trace::Beyond;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Requests and when they come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Workload {
    /// Requests come on their own, whatever the system makes of them.
    Open {
        /// Its name in figures; its kind where this is not given.
        #[schemars(length(min = 1))]
        name: Option<String>,
        /// How drives are to queue its commands, whatever their own `tags` say.
        tags: Option<TagRule>,
        /// Gaps between arrivals, in milliseconds.
        interval_ms: Law,
        /// The pattern of the requests.
        #[serde(default)]
        pattern: Pattern,
        /// The volumes they are for; all where this is not given.
        #[serde(default)]
        volumes: Vec<String>,
        /// At most this number of them.
        #[schemars(range(min = 1, max = 1_000_000_000_000_i64))]
        requests: Option<u64>,
    },
    /// Always `population` of them, outstanding or thought about.
    Closed {
        /// Its name in figures; its kind where this is not given.
        #[schemars(length(min = 1))]
        name: Option<String>,
        /// How drives are to queue its commands, whatever their own `tags` say.
        tags: Option<TagRule>,
        /// How many.
        #[schemars(range(min = 1, max = 1_000_000))]
        population: u32,
        /// From a completion to the next request, in milliseconds.
        #[serde(default = "none")]
        think_ms: Law,
        /// The pattern of the requests.
        #[serde(default)]
        pattern: Pattern,
        /// The volumes they are for; all where this is not given.
        #[serde(default)]
        volumes: Vec<String>,
        /// At most this number of them.
        #[schemars(range(min = 1, max = 1_000_000_000_000_i64))]
        requests: Option<u64>,
    },
    /// Processes that think, ask, and wait according to their requests' criticality.
    Processes {
        /// Its name in figures; its kind where this is not given.
        #[schemars(length(min = 1))]
        name: Option<String>,
        /// How drives are to queue its commands, whatever their own `tags` say.
        tags: Option<TagRule>,
        /// How many.
        #[schemars(range(min = 1, max = 1_000_000))]
        count: u32,
        /// Think time of a process before a request, in milliseconds.
        interval_ms: Law,
        /// The same before a sequential request; `interval_ms` where this is not given.
        sequential_interval_ms: Option<Law>,
        /// The same before a local request; `interval_ms` where this is not given.
        local_interval_ms: Option<Law>,
        /// Share of requests that the process waits for at once.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1.0))]
        critical_share: f64,
        /// Share of requests that the process waits for after a while.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1.0))]
        limited_share: f64,
        /// How long that while is, in milliseconds.
        #[serde(default = "none")]
        limit_ms: Law,
        /// The pattern of the requests.
        #[serde(default)]
        pattern: Pattern,
        /// The volumes they are for; all where this is not given.
        #[serde(default)]
        volumes: Vec<String>,
        /// At most this number of them.
        #[schemars(range(min = 1, max = 1_000_000_000_000_i64))]
        requests: Option<u64>,
    },
    /// Requests of a trace.
    Trace {
        /// Its name in figures; its kind where this is not given.
        #[schemars(length(min = 1))]
        name: Option<String>,
        /// How drives are to queue its commands, whatever their own `tags` say.
        tags: Option<TagRule>,
        /// The file, in the experiment's folder.
        #[schemars(length(min = 1))]
        file: String,
        /// Its format; recognized by its content where this is not given.
        format: Option<String>,
        /// The meaning of the columns, of a table in a format of its own:
        /// `time=ts_us:us, lba=offset:bytes, size=len:bytes, op=rw`.
        columns: Option<String>,
        /// Arrivals of the requests.
        #[serde(default)]
        timing: TraceTiming,
        /// Volumes of the devices. Without any, device `n` of the trace is the `n`-th volume.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        map: Vec<DeviceMap>,
        /// At most this number of them.
        #[schemars(range(min = 1, max = 1_000_000_000_000_i64))]
        requests: Option<u64>,
        /// The treatment of requests that do not lie on their volume.
        #[serde(default)]
        beyond: Beyond,
    },
    /// The actions of a computer's processes: a process flow.
    Flow {
        /// Its name in figures; its kind where this is not given.
        #[schemars(length(min = 1))]
        name: Option<String>,
        /// How drives are to queue its commands, whatever their own `tags` say.
        tags: Option<TagRule>,
        /// The file, in the experiment's folder.
        #[schemars(length(min = 1))]
        file: String,
        /// The computer that makes requests of it.
        #[serde(default)]
        model: FlowModel,
        /// The volume that its addresses are on; the first where this is not given.
        volume: Option<String>,
    },
}

impl Workload {
    /// Its name, if the file states one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Open { name, .. }
            | Self::Closed { name, .. }
            | Self::Processes { name, .. }
            | Self::Trace { name, .. }
            | Self::Flow { name, .. } => name.as_deref(),
        }
    }

    /// How drives are to queue its commands, if the file says so.
    #[must_use]
    pub fn tags(&self) -> Option<TagRule> {
        match self {
            Self::Open { tags, .. }
            | Self::Closed { tags, .. }
            | Self::Processes { tags, .. }
            | Self::Trace { tags, .. }
            | Self::Flow { tags, .. } => *tags,
        }
    }

    /// The word for its kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Open { .. } => "open",
            Self::Closed { .. } => "closed",
            Self::Processes { .. } => "processes",
            Self::Trace { .. } => "trace",
            Self::Flow { .. } => "flow",
        }
    }
}

fn none() -> Law {
    Law::Constant { value: 0.0 }
}

/// Arrivals of the requests of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum TraceTiming {
    /// As recorded.
    Open {
        /// All times are multiplied by this.
        #[serde(default = "unscaled")]
        #[schemars(range(min = 0.000_1, max = 1_000.0))]
        time_scale: f64,
        /// Whether the run begins at time zero of the trace's clock rather than with its first
        /// request. Of the format disksim-ascii alone: the clock of others begins anywhere.
        #[serde(default)]
        own_clock: bool,
    },
    /// A fixed number is always outstanding, recorded times disregarded (Ganger and Patt 1998,
    /// section 6.1).
    Closed {
        /// How many.
        #[schemars(range(min = 1, max = 1_000_000))]
        population: u32,
    },
}

fn unscaled() -> f64 {
    1.0
}

impl Default for TraceTiming {
    fn default() -> Self {
        Self::Open { time_scale: 1.0, own_clock: false }
    }
}

/// The target of the requests for one device of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeviceMap {
    /// The device, as the trace numbers them; or else its `named`.
    #[schemars(range(min = 0, max = 4_294_967_295_i64))]
    pub device: Option<u32>,
    /// The device, as the trace names them, or `major:minor`.
    #[schemars(length(min = 1))]
    pub named: Option<String>,
    /// The volume.
    pub volume: String,
    /// Bytes of one unit of the trace's addresses; the trace's sectors where this is not given.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub location_bytes: Option<u32>,
    /// Lengths are multiplied by this.
    #[serde(default = "unscaled")]
    #[schemars(range(min = 0.000_1, max = 10_000.0))]
    pub size_scale: f64,
    /// Added to each address, in sectors of the volume.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000_000_000_i64))]
    pub offset_sectors: u64,
}
