//! Controllers between the host and its devices: passing through, or with a cache.
//!
//! To add a replacement policy: a file in `replacement/` and a line in its list.

mod chain;
mod options;
mod replacement;
mod table;

pub use options::{CacheOptions, ControllerOptions, FlushOptions, Prefetch, Store, WriteScheme};
pub use replacement::Replacement;
