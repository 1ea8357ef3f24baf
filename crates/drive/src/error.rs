//! The one error of this crate: a parameter with which no drive can be built.

use std::fmt;

/// A drive that cannot be built: which parameter, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamError {
    /// The parameter, as a dotted path in the terms of the profile file: `zone[1].cylinders`.
    pub key: String,
    /// What is wrong and what would be right, as one sentence without a full stop.
    pub what: String,
}

impl ParamError {
    /// An error in `key`.
    pub fn new(key: impl Into<String>, what: impl Into<String>) -> Self {
        Self { key: key.into(), what: what.into() }
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.what)
    }
}

impl std::error::Error for ParamError {}
