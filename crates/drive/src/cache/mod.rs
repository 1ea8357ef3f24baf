//! What the buffer memory keeps between requests.
//!
//! [`segments`] says which addresses are there, [`overwrite`] what a write leaves of them; [`extent`]
//! says how far is read beyond a request, and [`read_ahead`] is that work of the mechanism between
//! requests, computed only when the next request asks how far it came. [`write_back`] is written data
//! that waits for the media.

pub(crate) mod extent;
mod overwrite;
mod read_ahead;
mod segments;
mod write_back;

pub(crate) use read_ahead::{Behind, Growth, Stream};
pub(crate) use segments::Segments;
pub(crate) use write_back::Dirty;
