//! Workloads made rather than recorded: the same seed gives the same requests on any machine.
//!
//! Nothing here touches a file, a clock, a thread or the environment.

mod av;
mod mixed;
mod stream;
mod tasks;

pub use av::{Allocator, AvFile, AvIo, AvPiece, AvRequests, Fragmentation};
pub use mixed::{Arrival, ArrivalLaw, Mixed, MixedRequests, ParameterError};
pub use tasks::Task;
