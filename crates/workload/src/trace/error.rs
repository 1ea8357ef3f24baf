//! The one error of the trace readers: file, place and what is wrong.

use std::fmt;
use std::path::{Path, PathBuf};

/// Where in a trace file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// The file as a whole.
    File,
    /// A line of a text format, counted from 1.
    Line(u64),
    /// A row of a table that has no lines, counted from 1.
    Row(u64),
    /// A byte offset into a binary format, counted from 0.
    Byte(u64),
    /// A request of a list in memory, counted from 0.
    Request(u64),
}

/// A trace that cannot be read: what is wrong, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct TraceError {
    /// The file.
    pub path: PathBuf,
    /// The place in it.
    pub position: Position,
    /// What is wrong and what would be right, as one sentence without a full stop.
    pub what: String,
}

impl TraceError {
    /// An error at `position` of `path`.
    pub fn new(path: &Path, position: Position, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), position, what: what.into() }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match self.position {
            Position::File => write!(f, "{path}: {}", self.what),
            Position::Line(line) => write!(f, "{path}, line {line}: {}", self.what),
            Position::Row(row) => write!(f, "{path}, row {row}: {}", self.what),
            Position::Byte(byte) => write!(f, "{path}, byte {byte}: {}", self.what),
            Position::Request(request) => write!(f, "{path}, request {request}: {}", self.what),
        }
    }
}
