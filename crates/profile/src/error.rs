//! Errors of profiles: a fault of one value, and the same with file and line.

use crate::key::KeyPath;
use std::fmt;

/// A profile that cannot be used: which file, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError {
    /// The file, or what stands for it.
    pub path: String,
    /// Line of the key, counted from 1; `None` where the value does not stand in the file.
    pub line: Option<usize>,
    /// Column of the key in characters, counted from 1.
    pub column: Option<usize>,
    /// The key as a dotted path, such as `zone[1].sectors_per_track`; empty if there is none.
    pub key: String,
    /// What is wrong, and what would be right.
    pub what: String,
}

/// Behind the name of a file some of whose values were replaced.
pub(crate) const OVERRIDDEN: &str = " with overrides";

impl ProfileError {
    /// What is wrong with a file as a whole.
    pub(crate) fn of_file(path: &str, what: String) -> Self {
        Self { path: path.to_owned(), line: None, column: None, key: String::new(), what }
    }

    /// The file, or what stands for it, whether or not values of it were replaced.
    #[must_use]
    pub fn file(&self) -> &str {
        self.path.strip_suffix(OVERRIDDEN).unwrap_or(&self.path)
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if !self.key.is_empty() {
            write!(f, ", {}", self.key)?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for ProfileError {}

/// What is wrong with one value, before anyone knows on which line it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The value.
    pub key: KeyPath,
    /// What is wrong, and what would be right.
    pub what: String,
}

impl Fault {
    /// A fault of the value at `key`.
    #[must_use]
    pub fn new(key: KeyPath, what: impl Into<String>) -> Self {
        Self { key, what: what.into() }
    }
}

impl From<platterlab_drive::ParamError> for Fault {
    fn from(error: platterlab_drive::ParamError) -> Self {
        Self::new(KeyPath::parse(&error.key).unwrap_or_default(), error.what)
    }
}
