//! Tests of the profile file and of DiskSim's parameter files, in one program.

#[path = "../common/mod.rs"]
mod common;
#[path = "../written/mod.rs"]
mod written;

mod align;
mod disksim_accepted;
mod disksim_drawn;
mod disksim_electronics;
mod disksim_import;
mod disksim_index;
mod disksim_parameters;
mod disksim_problems;
mod disksim_reference;
mod errors;
mod library;
mod overrides;
mod properties;
