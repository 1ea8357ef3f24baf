//! The plan of a run: which probe, with what parameters, and what it costs.

use crate::{Cost, Overhead, Recall, Rotation, Seeker, Skippy, Tracks, Zoned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What to measure. All addresses and lengths are in logical sectors.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "probe", rename_all = "kebab-case")]
pub enum Plan {
    /// What the host and the interface cost.
    Overhead(Overhead),
    /// The rotation period.
    Rotation(Rotation),
    /// The linearly increasing stride.
    Skippy(Skippy),
    /// The angles of chosen sectors.
    Tracks(Tracks),
    /// What a read cache holds.
    Recall(Recall),
    /// Positioning times.
    Seeker(Seeker),
    /// Bandwidth over position.
    Zoned(Zoned),
}

impl Plan {
    /// The word for the probe in files and messages.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Overhead(_) => "overhead",
            Self::Rotation(_) => "rotation",
            Self::Skippy(_) => "skippy",
            Self::Tracks(_) => "tracks",
            Self::Recall(_) => "recall",
            Self::Seeker(_) => "seeker",
            Self::Zoned(_) => "zoned",
        }
    }

    /// What it takes.
    #[must_use]
    pub fn cost(&self) -> Cost {
        match self {
            Self::Overhead(probe) => probe.cost(),
            Self::Rotation(probe) => probe.cost(),
            Self::Skippy(probe) => probe.cost(),
            Self::Tracks(probe) => probe.cost(),
            Self::Recall(probe) => probe.cost(),
            Self::Seeker(probe) => probe.cost(),
            Self::Zoned(probe) => probe.cost(),
        }
    }
}
