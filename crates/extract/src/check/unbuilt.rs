//! Extracted values that make no drive.

use super::Value;

/// Why there is no such drive.
pub(super) enum Unbuilt {
    /// Too few values are sure.
    Unknown(&'static str),
    /// These values contradict each other.
    Contradiction(Vec<Value>, String),
}
