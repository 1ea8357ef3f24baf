//! A short movement of the arm, searched or not yet.

use crate::positioning::Positioning;

/// A movement that is searched, found or not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Movement {
    pub(super) tried: bool,
    pub(super) found: Option<Positioning>,
}
