//! The one error of this crate: a raw capture that cannot become a flow.

use std::path::{Path, PathBuf};

/// A raw capture that cannot become a flow: which file, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {what}", path.display())]
pub struct CaptureError {
    /// The file.
    pub path: PathBuf,
    /// The error and what would be right.
    pub what: String,
}

impl CaptureError {
    pub(crate) fn new(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), what: what.into() }
    }
}
