//! What the buffer memory keeps between requests.
//!
//! [`segments`] says which addresses are there; [`read_ahead`] is the mechanism's work between
//! requests, computed only when the next request asks how far it came.

mod read_ahead;
mod segments;

pub(crate) use read_ahead::Stream;
pub(crate) use segments::Segments;
