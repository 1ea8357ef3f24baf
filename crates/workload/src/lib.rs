//! Requests and where they come from: one reader per trace format under [`trace`], one generator
//! per kind of workload under [`synthetic`], and what a trace holds, in numbers, in [`info`].

pub mod info;
pub mod synthetic;
pub mod trace;

mod devices;
mod record;

pub use record::{Criticality, Record};
