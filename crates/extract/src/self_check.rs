//! What a simulation of the extracted drive says of what was extracted.

use crate::Status;
use schemars::JsonSchema;
use serde::Serialize;

/// How a simulation of what was extracted compares with what was measured.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SelfCheck {
    /// `ok` where all that could be compared agrees, `ambiguous` where something does not,
    /// `unsupported` where nothing could be simulated; `note` says why.
    pub status: Status,
    /// What a reader should know.
    pub note: String,
    /// Values that do not agree, each with what is wrong.
    pub disagreements: Vec<Disagreement>,
    /// Times of all requests by probe, measured and simulated.
    pub probes: Vec<Overlay>,
}

/// A value that the simulation contradicts.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Disagreement {
    /// The value's name.
    pub value: String,
    /// What did not come out.
    pub note: String,
}

/// Service times of a probe, measured and simulated.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Overlay {
    /// The probe.
    pub probe: &'static str,
    /// Requests that were measured and simulated.
    pub requests: u64,
    /// Quantiles of the measured times, from the least to the most, in even steps.
    pub measured_ms: Vec<f64>,
    /// The same of the simulated ones.
    pub simulated_ms: Vec<f64>,
    /// Root mean square of the distance between the two distributions.
    pub demerit_ms: f64,
}

impl SelfCheck {
    /// Of a drive of which nothing was simulated.
    pub(crate) fn none(note: &str) -> Self {
        let (disagreements, probes) = (Vec::new(), Vec::new());
        Self { status: Status::Unsupported, note: note.into(), disagreements, probes }
    }
}
