//! Workloads made rather than recorded: the same seed gives the same requests on any machine.
//!
//! Nothing here touches a file, a clock, a thread or the environment.

mod av;
mod generator;
mod generators;
mod law;
mod mixed;
mod stream;
mod streams;
mod tasks;
mod zipf;

pub use av::{Allocator, AvFile, AvIo, AvPiece, AvRequests, Fragmentation, IndirectBlocks};
pub use generator::{Generated, Generator, GeneratorParams, Kind, Last, Spread};
pub use generators::Generators;
pub use law::Law;
pub use mixed::{Arrival, ArrivalLaw, Mixed, MixedRequests, ParameterError};
pub use stream::{exponential, unit};
pub use tasks::{Placing, Task};
