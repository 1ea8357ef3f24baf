//! DiskSim 4.0's parameter files, in and out.
//!
//! `syntax` reads the text of a file and of those it draws in: tokens, blocks, parameters with their
//! places. `drive` makes a [`Profile`](platterlab_profile::Profile) of a drive's blocks, `system` an
//! [`Experiment`](platterlab_experiment::Experiment) of a whole file, `export` writes a profile for
//! DiskSim, and `choices` holds its scheduling decisions against ours. What cannot be said in our
//! terms is reported parameter by parameter: nothing is left out in silence (DiskSim 4.0 reference
//! manual, CMU-PDL-08-101).

pub mod drive;
pub mod export;
pub mod syntax;
pub mod system;

mod choices;

pub use choices::{Choices, Served, choices};
