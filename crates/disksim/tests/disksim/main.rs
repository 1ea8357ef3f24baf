//! Tests of DiskSim's parameter files, in one program.

mod accepted;
mod electronics;
mod import;
mod index;
mod opposites;
mod parameters;
mod problems;
mod reference;
mod round_trip;
mod system;
