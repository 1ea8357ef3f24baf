//! Microbenchmarks, generic over the block device (Talagala et al. 1999).
//!
//! A [`Plan`] says what to measure, and what it will cost, before anything moves. [`run`] carries
//! it out on any [`BlockDevice`](platterlab_device::BlockDevice) and returns raw [`Samples`]; what
//! they mean is for the extraction to say. A probe uses nothing but the device's own clock, so it
//! cannot tell a simulated drive from a real one.
//!
//! Distances are counted from the start of one request to the start of the next. The pseudocode of
//! the paper's Figure 1 counts from the end of the first: its step `i` is the distance `i + 1`.

mod bench;
mod cost;
mod overhead;
mod plan;
mod recall;
mod rotation;
mod run;
mod sample;
mod search;
mod seeker;
mod skippy;
mod tracks;
mod watch;
mod zoned;

pub use cost::Cost;
pub use overhead::Overhead;
pub use plan::Plan;
pub use recall::{Question, Recall, Trial};
pub use rotation::{Pattern, Rotation};
pub use run::{Samples, run};
pub use sample::{End, Sample};
pub use seeker::{PastCache, Searched, Seeker};
pub use skippy::{Skippy, Walk};
pub use tracks::{Tracks, Visit};
pub use watch::{Access, Progress, Watch};
pub use zoned::Zoned;
