//! What is measured: a whole drive, or the map of its tracks.

use super::Facts;
use crate::error::{input, json};
use platterlab_extract::{Survey, SurveyGoal, Whole, Wish};
use platterlab_probe::{Plan, Samples};
use pyo3::prelude::*;

/// One of the two.
pub(super) enum Work {
    Drive(Box<Whole>),
    Tracks(Box<Survey>),
}

impl Work {
    pub(super) fn new(facts: &Facts) -> PyResult<Self> {
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
            fast,
        }))))
    }

    pub(super) fn next_plan(&self) -> Option<Plan> {
        match self {
            Self::Drive(campaign) => campaign.next_plan(),
            Self::Tracks(survey) => survey.next_plan(),
        }
    }

    pub(super) fn add(&mut self, run: &Samples) {
        match self {
            Self::Drive(campaign) => campaign.add(run),
            Self::Tracks(survey) => survey.add(run),
        }
    }

    /// What was found, as JSON.
    pub(super) fn found(&self) -> PyResult<String> {
        match self {
            Self::Drive(campaign) => json(&campaign.extraction()),
            Self::Tracks(survey) => json(&survey.map()),
        }
    }

    pub(super) fn mapped(&self) -> Option<(u64, u64)> {
        match self {
            Self::Drive(_) => None,
            Self::Tracks(survey) => Some(survey.progress()),
        }
    }
}
