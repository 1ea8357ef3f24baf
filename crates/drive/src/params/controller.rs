//! Parameters of the controller's processor.

use platterlab_units::{Operation, Span};

/// The times of the controller's processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControllerParams {
    /// From the command's arrival until the mechanism or the buffer is set to work:
    /// `[operation][cache hit][previous operation]`, each indexed 0 = read / no, 1 = write / yes.
    pub overhead: [[[Span; 2]; 2]; 2],
    /// What replaces it; the first rule that applies holds.
    pub rules: Vec<OverheadRule>,
    /// From the last byte until the host sees the completion, by operation.
    pub completion: [Span; 2],
    /// When it has no time for the host because the head comes to the end of a track; always some
    /// where `None`.
    pub track_end: Option<TrackEnd>,
}

/// When the controller has no time for the host, as the head comes to the end of the track on which a
/// command ended: the data of a read that would begin to go over the bus then, and the report of a
/// write, come afterwards. A write that ends with its track is reported once the head is on the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackEnd {
    /// From so long before the head is there, by operation.
    pub before: [Span; 2],
    /// Until so long after it.
    pub after: Span,
}

/// An overhead for commands that come close after another, in address, place or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverheadRule {
    /// Of commands of this kind.
    pub operation: Operation,
    /// Whether the buffer serves them; either where `None`.
    pub hit: Option<bool>,
    /// After a command of this kind; any where `None`.
    pub after: Option<Operation>,
    /// After at least this number of commands of the same kind, each beginning where the one before it
    /// ended, the last of them where this one begins.
    pub run: u32,
    /// Where their first sector lies, seen from the last sector of the command before.
    pub near: Near,
    /// Where they come no later than this after the last completion.
    pub idle: Option<Span>,
    /// Whether read-ahead is under way as they arrive; either where `None`.
    pub reading_ahead: Option<bool>,
    /// The overhead.
    pub time: Span,
    /// From the last byte until the host sees the completion, where that differs too.
    pub completion: Option<Span>,
}

/// How close to each other two sectors lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// Anywhere.
    Anywhere,
    /// On the same track.
    Track,
    /// At most this number of cylinders away.
    Cylinders(u32),
}
