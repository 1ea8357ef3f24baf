//! Requests and where they come from: one reader per trace format under [`trace`], one generator
//! per kind of workload under [`synthetic`], the flows of whole systems' processes in [`flow`], and
//! what a trace holds, in numbers, in [`info`].

pub mod flow;
pub mod info;
pub mod synthetic;
pub mod trace;

mod devices;
mod record;

pub use record::{Criticality, Record};
