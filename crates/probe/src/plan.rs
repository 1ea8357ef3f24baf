//! The plan of a run: which probe, with what parameters, and what it costs.

use crate::{Overhead, Recall, Rotation, Seeker, Skippy, Tracks, Zoned};
use platterlab_units::Span;
use serde::{Deserialize, Serialize};

/// What to measure. All addresses and lengths are in logical sectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// What a plan takes, known beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Requests, at most.
    pub requests: u64,
    /// Revolutions the drive needs for them, roughly.
    pub revolutions: u64,
    /// Sectors transferred, at most.
    pub sectors: u64,
    /// Time in which nothing is asked of the drive.
    pub rest: Span,
}

impl Cost {
    /// The drive time to expect at a rotation period; 8.3 ms (7200 rpm) is a fair guess.
    #[must_use]
    pub fn drive_time(&self, rotation: Span) -> Span {
        let turns_ps = rotation.as_ps().saturating_mul(self.revolutions);
        Span::from_ps(turns_ps.saturating_add(self.rest.as_ps()))
    }

    /// `requests` single accesses that take `tenths` of a revolution each.
    pub(crate) fn accesses(requests: u64, sectors_each: u32, tenths: u64) -> Self {
        Self {
            requests,
            revolutions: requests.saturating_mul(tenths).div_ceil(10),
            sectors: requests.saturating_mul(u64::from(sectors_each)),
            rest: Span::ZERO,
        }
    }
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
