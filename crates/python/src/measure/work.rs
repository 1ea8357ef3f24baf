//! The subject of a measurement: a whole drive, or the map of its tracks.

use super::MeasuredDevice;
use crate::error::input;
use platterlab_extract::{Extraction, Survey, SurveyGoal, TrackMap, Whole, Wish};
use platterlab_probe::{Plan, Samples};
use pyo3::prelude::*;

/// One of the two.
pub(super) enum Work {
    Drive(Box<Whole>),
    Tracks(Box<Survey>),
}

impl Work {
    pub(super) fn new(facts: &MeasuredDevice) -> PyResult<Self> {
        let goal = facts.goal();
        let fast = match facts.tracks.as_deref() {
            None => {
                let wish = Wish { goal, time_s: facts.time_s };
                return Ok(Self::Drive(Box::new(Whole::new(wish))));
            }
            Some("every") => false,
            Some("fast") => true,
            Some(other) => {
                return Err(input(format!(
                    "tracks are mapped `every` one or `fast`, not `{other}`"
                )));
            }
        };
        Ok(Self::Tracks(Box::new(Survey::new(SurveyGoal {
            region_lba: goal.region_lba,
            region_sectors: goal.region_sectors,
            unit_sectors: goal.unit_sectors,
            to_drive_end: goal.to_drive_end,
            fast,
            time_s: facts.time_s,
        }))))
    }

    pub(super) fn next_plan(&self) -> Option<Plan> {
        match self {
            Self::Drive(campaign) => campaign.next_plan(),
            Self::Tracks(survey) => survey.next_plan(),
        }
    }

    /// Whether the next plan is to read even where writes are allowed.
    pub(super) fn only_reads(&self) -> bool {
        match self {
            Self::Drive(whole) => whole.only_reads(),
            Self::Tracks(_) => true,
        }
    }

    pub(super) fn add(&mut self, run: &Samples) {
        match self {
            Self::Drive(campaign) => campaign.add(run),
            Self::Tracks(survey) => survey.add(run),
        }
    }

    /// What was found of a drive; none where tracks are mapped.
    pub(super) fn extraction(&self) -> Option<Extraction> {
        match self {
            Self::Drive(campaign) => Some(campaign.extraction()),
            Self::Tracks(_) => None,
        }
    }

    /// The self-check of what was found with one value put wrong; none where that is not sure.
    pub(super) fn falsified(&self, name: &str, value: f64) -> Option<Extraction> {
        match self {
            Self::Drive(whole) => Some(whole.checked(whole.agreed().falsified(name, value)?)),
            Self::Tracks(_) => None,
        }
    }

    /// What was found of the tracks; none where a drive is measured.
    pub(super) fn track_map(&self) -> Option<TrackMap> {
        match self {
            Self::Drive(_) => None,
            Self::Tracks(survey) => Some(survey.map()),
        }
    }

    pub(super) fn mapped(&self) -> Option<(u64, u64)> {
        match self {
            Self::Drive(_) => None,
            Self::Tracks(survey) => Some(survey.progress()),
        }
    }
}
