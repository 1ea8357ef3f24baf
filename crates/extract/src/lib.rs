//! From samples to drive parameters, with confidence.
pub mod analytic;
pub mod stats;
mod clock;
mod estimate;
mod pattern;
mod rotation;
mod sawtooth;
mod tracks;
mod positioning;
pub use estimate::{Estimate, Status};
