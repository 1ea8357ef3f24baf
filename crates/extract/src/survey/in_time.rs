//! A survey in the time that there is: what a part of the tracks tells of the layout is worth more than more of
//! them.

use super::Survey;
use crate::budget::reckoned_s;
use platterlab_probe::{Plan, Samples};

/// The shares of the time by when the walk over the tracks ends, and that back to odd ones; later where most
/// of it is done.
const WALK: f64 = 0.6;
const MEND: f64 = 0.7;
const ADVANCED: f64 = 0.15;
/// Requests of a fast walk behind a cache by which it is told how many there are to be in all, and of these the most:
/// an hour and a half of a drive.
const TOLD_BY: u64 = 150_000;
const MOST_REQUESTS: f64 = 1.5e6;

impl Survey {
    /// What to measure next; `None` once there is no more to learn, or no time.
    #[must_use]
    pub fn next_plan(&self) -> Option<Plan> {
        self.wanted().filter(|plan| self.has_time_for(plan))
    }

    /// Takes in what [`Survey::next_plan`] asked for.
    pub fn add(&mut self, run: &Samples) {
        self.budget.spend(run, self.reckoned_s(&run.plan));
        self.take_in(run);
    }

    fn has_time_for(&self, plan: &Plan) -> bool {
        self.budget.fits(plan, self.reckoned_s(plan))
    }

    fn reckoned_s(&self, plan: &Plan) -> f64 {
        reckoned_s(plan.cost(), self.turn.map(|turn| turn.period))
    }

    /// Whether the walk is to end where it is, so that the layout is looked at.
    pub(super) fn is_to_be_cut(&self) -> bool {
        let walks = self.walk.at() < self.walk.end();
        let share = if walks { WALK } else { MEND };
        let spent = self.budget.is_spent(if self.is_advanced() { share + ADVANCED } else { share });
        spent || walks && self.is_endless()
    }

    /// Whether each look has so much read that makes a cache forget that leaps over all tracks would take hours.
    pub(super) fn is_endless(&self) -> bool {
        let ((done, all), requests) = (self.progress(), self.held.requests());
        let of_all = requests as f64 * all as f64 / done.max(1) as f64;
        self.goal.fast && requests > TOLD_BY && of_all > MOST_REQUESTS
    }

    /// The first sector that there was no time for; none where the walk came to the end.
    pub(super) fn cut_at(&self) -> Option<u64> {
        let end = self.goal.region_lba + self.goal.region_sectors;
        (self.walk.at() < end).then(|| self.walk.at())
    }

    /// Whether there is more to learn, and no time for it.
    pub(super) fn is_out_of_time(&self) -> bool {
        !self.lingers() && self.wanted().is_some_and(|plan| !self.has_time_for(&plan))
    }
}
