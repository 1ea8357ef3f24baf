//! The keys of a process flow as a workload: which model stands behind its requests.

use platterlab_drive::LONGEST_MS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The origin of the requests of a process flow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FlowModel {
    /// Its processes on a computer, which wait for what they need (Ganger and Patt 1998, section 3).
    System {
        /// The operating system of the file cache, read-ahead and daemons.
        software: Option<Software>,
        /// How many times as fast as the flow's computation times say.
        #[serde(default = "one")]
        #[schemars(range(min = 0.001, max = 1_000.0))]
        speed: f64,
        /// Processors; the flow's own number where this is not given.
        #[schemars(range(min = 1, max = 4_096))]
        processors: Option<u32>,
        /// Pages that the file cache can hold; the flow's own number where this is not given.
        #[schemars(range(min = 1, max = 4_294_967_294_i64))]
        memory_pages: Option<u64>,
        /// Time of the interrupt of a completed request, in milliseconds.
        #[schemars(range(min = 0.0, max = LONGEST_MS))]
        interrupt_ms: Option<f64>,
        /// Time to change the process of a processor, in milliseconds.
        #[schemars(range(min = 0.0, max = LONGEST_MS))]
        context_switch_ms: Option<f64>,
        /// How long a process that is ready takes to come to a processor, in milliseconds; as it was
        /// captured where this is not given.
        #[schemars(range(min = 0.0, max = LONGEST_MS))]
        wake_up_ms: Option<f64>,
        /// Computation of a process between issuing a read that it needs and going to sleep for it,
        /// in milliseconds; as it was captured where this is not given.
        #[schemars(range(min = 0.0, max = LONGEST_MS))]
        issue_to_sleep_ms: Option<f64>,
        /// Time of the drive to empty its own cache, in milliseconds; as it was captured where
        /// this is not given.
        #[schemars(range(min = 0.0, max = 100_000.0))]
        flush_ms: Option<f64>,
    },
    /// The requests that the traced system made, when it made them, whatever becomes of them.
    Open {
        /// All times are multiplied by this.
        #[serde(default = "one")]
        #[schemars(range(min = 0.000_1, max = 1_000.0))]
        time_scale: f64,
    },
    /// The same with a fixed number always outstanding (section 6.1).
    Closed {
        /// How many; as many as on the traced system, in the mean, where this is not given.
        #[schemars(range(min = 1, max = 1_000_000))]
        population: Option<u32>,
    },
}

/// Operating systems whose file cache, read-ahead and daemons are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Software {
    /// Linux, with the settings of the flow's header. What captured flows are of.
    Linux,
    /// UNIX SVR4 MP on a 33 MHz 80486 (Ganger and Patt 1998, section 5.2). What generated flows are
    /// for.
    Svr4Mp,
}

fn one() -> f64 {
    1.0
}

impl Default for FlowModel {
    fn default() -> Self {
        Self::System {
            software: None,
            speed: 1.0,
            processors: None,
            memory_pages: None,
            interrupt_ms: None,
            context_switch_ms: None,
            wake_up_ms: None,
            issue_to_sleep_ms: None,
            flush_ms: None,
        }
    }
}
