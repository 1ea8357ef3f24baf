//! Tests of DiskSim's parameter files, in one program.

mod accepted;
mod electronics;
mod files;
mod import;
mod index;
mod opposites;
mod parameters;
mod problems;
mod reference;
mod system;
