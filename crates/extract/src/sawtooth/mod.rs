//! What SKIPPY alone shows: the lines L1 to L4 of the paper's Figure 3.

mod reading;
mod slope;
mod step;
mod threshold;

pub(crate) use reading::{Sawtooth, read};
pub(crate) use slope::{Slope, slope};
pub(crate) use step::{Step, steps};
pub(crate) use threshold::turning_point;
