//! Controllers between the host and its devices: passing through, or with a cache.
//!
//! The cache is a machine of its own that knows neither time nor buses: `plan` says which commands a
//! command of the host leads to, `cache` what holds once they are done, `lines` keeps the lines.
//! To add a replacement policy: a file in `replacement/` and a line in its list.

mod cache;
mod chain;
mod check;
mod lines;
mod options;
mod plan;
mod replacement;
mod report;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use cache::{Cache, Ready};
pub use check::ControllerError;
pub(crate) use check::check;
pub use options::{
    Allocation, CacheOptions, ControllerOptions, FlushOptions, Prefetch, Store, WriteScheme,
};
pub use replacement::Replacement;
pub use report::CacheReport;
