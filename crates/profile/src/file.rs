//! Checks of every TOML file of the project: a schema made from the structs that are its
//! format, and errors that name file, line and key.

use std::io;
use std::path::Path;

pub use crate::document::Document;
pub use crate::error::Fault;
pub use crate::key::{KeyPath, Step};
pub use crate::overrides::set;
pub use crate::schema::schema_of;
#[cfg(not(debug_assertions))]
pub use crate::schema::stored;
pub use crate::shape::check;

/// The largest file of values that is read; any is far below.
const MOST_BYTES: u64 = 64 << 20;

/// The bytes of a file of values.
///
/// # Errors
/// It is missing or unreadable, it is a folder, a pipe or a device, or it is far too large.
pub fn contents(path: &Path) -> io::Result<Vec<u8>> {
    let refuse = |what| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    // Asked before it is opened: opening a pipe would wait for somebody to write to it.
    let there = std::fs::metadata(path)?;
    if !there.is_file() {
        return refuse("it is not a regular file");
    }
    if there.len() > MOST_BYTES {
        return refuse("it is too large for what it should be");
    }
    std::fs::read(path)
}
