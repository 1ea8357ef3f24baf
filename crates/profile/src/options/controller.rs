//! The controller and what its work costs.

use platterlab_drive::LONGEST_MS;
use platterlab_units::Operation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The times of the controller's processor.
///
/// `read_ms` and `write_ms` run from the command's arrival until the mechanism or the buffer is
/// set to work. The tables below refine them: of `hit_after_write`, `hit`, `after_write` and the
/// plain values, the first that applies and states the operation holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Controller {
    /// Cost of a read in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub read_ms: f64,
    /// Cost of a write in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub write_ms: f64,
    /// From a read's last byte until the host sees the completion, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub read_completion_ms: f64,
    /// From a write's last byte until the host sees the completion, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub write_completion_ms: f64,
    /// Where the buffer serves the request: a read finds its data there, a write is reported from
    /// there.
    pub hit: Option<OperationTimes>,
    /// Where the previous command was a write.
    pub after_write: Option<OperationTimes>,
    /// Where the buffer serves the request and the previous command was a write.
    pub hit_after_write: Option<OperationTimes>,
    /// When the controller has no time for the host because the head comes to the end of the track on
    /// which a command ended; it always has some where this is not given.
    pub track_end: Option<TrackEnd>,
    /// Costs of commands that come close after another, in address, place or time; they replace
    /// all of the costs above, and the first rule that applies holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<OverheadRule>,
}

/// When the controller has no time for the host, as it prepares to continue to another track: what
/// would begin then begins when it is over. A write that ends with its track is reported once the
/// head is on the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TrackEnd {
    /// From so long before the track's end the data of a read cannot begin to go over the bus, in
    /// milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub read_before_ms: f64,
    /// From so long before it a write cannot be reported, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub write_before_ms: f64,
    /// Until so long after it, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub after_ms: f64,
}

/// A cost of commands that come close after another. A condition that is not stated always holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverheadRule {
    /// Of commands of this kind.
    pub operation: Operation,
    /// Whether the buffer serves them: a read finds its data there, a write is reported from there.
    pub hit: Option<bool>,
    /// After a command of this kind.
    pub after: Option<Operation>,
    /// After at least this number of commands of the same kind in a row, each of which begins where
    /// the one before it ended, as this one does.
    #[serde(default)]
    pub run: u32,
    /// Where they begin on the track on which the last command ended.
    #[serde(default)]
    pub same_track: bool,
    /// Where they begin at most this number of cylinders from where the last command ended.
    pub within_cylinders: Option<u32>,
    /// Where they come no later than this after the last completion, in milliseconds.
    #[schemars(range(min = 0.0, max = 100_000.0))]
    pub idle_at_most_ms: Option<f64>,
    /// Where read-ahead is under way as they arrive, or where it is not.
    pub reading_ahead: Option<bool>,
    /// The cost in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub ms: f64,
    /// From the last byte until the host sees the completion, in milliseconds, where that differs
    /// too.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub completion_ms: Option<f64>,
}

/// Costs that replace the controller's plain ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperationTimes {
    /// Cost of a read in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub read_ms: Option<f64>,
    /// Cost of a write in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub write_ms: Option<f64>,
}
