//! The experiment file: one TOML file that states a whole storage subsystem, what is asked of it and
//! when that is enough; and how it is run.
//!
//! A file passes these modules in turn: the `options` are its keys and make its schema; `resolve`
//! checks what no schema can (names, the topology, sizes, rates) and makes a [`Plan`]; `run` builds
//! the system and its sources from the plan, one for each replication, and runs them.

pub mod computer;
pub mod options;

mod examples;
mod experiment;
mod memory;
mod plan;
mod resolve;
mod run;

pub use examples::{EXAMPLES, Example};
pub use experiment::{Experiment, schema_json};
pub use memory::Memory;
pub use plan::{OutsideSource, Plan, Within, Workloads};
pub use resolve::{Profiles, ms, scheduler_named};
pub use run::{Interval, Job, JobReport, Progress, Replication, Rows, Run, RunError, saturated};
