//! Errors in DiskSim's parameter files, with file, line and column.

use std::fmt;
use std::sync::Arc;

/// A place in a parameter file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The file.
    pub file: Arc<str>,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
}

impl Spot {
    /// An error here.
    #[must_use]
    pub fn error(&self, what: impl Into<String>) -> DiskSimError {
        DiskSimError {
            path: self.file.to_string(),
            line: Some(self.line),
            column: Some(self.column),
            what: what.into(),
        }
    }
}

/// A DiskSim parameter file that cannot be imported: which file, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskSimError {
    /// The file.
    pub path: String,
    /// Line, counted from 1; `None` where the error is of the whole file.
    pub line: Option<usize>,
    /// Column in characters, counted from 1.
    pub column: Option<usize>,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl DiskSimError {
    /// An error of a whole file.
    #[must_use]
    pub fn of_file(path: &str, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, column: None, what: what.into() }
    }
}

impl fmt::Display for DiskSimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, ", line {line}, column {column}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for DiskSimError {}
