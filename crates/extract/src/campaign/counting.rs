//! The sectors per track near some address of the drive.

use super::Goal;
use crate::clock::Turn;
use crate::tracks::{Boundaries, Counted, Search};
use platterlab_probe::{Plan, Samples};
use std::ops::RangeInclusive;

/// Places to look for track boundaries before giving up.
const TRIES: usize = 3;

/// A search for the sectors per track between two addresses.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    from: u64,
    to: u64,
    guess: f64,
    /// The parts of the guess that are believed.
    believed: (f64, f64),
    tries: usize,
    search: Option<Boundaries>,
}

impl Counting {
    pub(super) fn new(from: u64, to: u64, guess: f64, believed: RangeInclusive<f64>) -> Self {
        let believed = (*believed.start(), *believed.end());
        Self { from, to, guess, believed, tries: 0, search: None }
    }

    /// What was counted.
    pub(super) fn found(&self) -> Option<Counted> {
        match self.search.as_ref().map(Boundaries::state) {
            Some(Search::Found { first_lba, sectors_per_track }) => {
                Some(Counted { first_lba: *first_lba, sectors_per_track: *sectors_per_track })
            }
            _ => None,
        }
    }

    /// Why nothing was.
    pub(super) fn failure(&self) -> String {
        match self.search.as_ref().map(Boundaries::state) {
            Some(Search::Failed(why)) => why.clone(),
            _ => "not measured".into(),
        }
    }

    /// The same at one address, where tracks may be much shorter.
    pub(super) fn at_end(&self, lba: u64) -> Self {
        Self::new(lba, lba, self.guess, 0.4..=1.1)
    }

    /// Where its stretch begins.
    pub(super) fn start(&self) -> u64 {
        self.from
    }

    /// Where it looks first.
    pub(super) fn middle(&self) -> u64 {
        u64::midpoint(self.from, self.to)
    }

    pub(super) fn next(&self, goal: &Goal, forget: &[u64]) -> Option<Plan> {
        if self.found().is_some() {
            return None;
        }
        if let Some(plan) = self.search.as_ref().and_then(|search| search.next(forget)) {
            return Some(plan);
        }
        self.fresh(goal)?.next(&[])
    }

    /// The next place to look at: the middle, then to either side.
    fn fresh(&self, goal: &Goal) -> Option<Boundaries> {
        let quarters = [2, 1, 3];
        let quarter = *quarters.get(self.tries).filter(|_| self.tries < TRIES)?;
        let end = goal.region_lba + goal.region_sectors;
        let latest = end.checked_sub(Boundaries::span_sectors(self.guess))?;
        let near = (self.from + (self.to - self.from) / 4 * quarter).min(latest);
        Some(Boundaries::new(goal.start_of_unit(near), goal.unit_sectors, self.guess))
    }

    pub(super) fn add(&mut self, run: &Samples, goal: &Goal, turn: Turn) {
        if self.search.as_ref().is_none_or(Boundaries::is_over) {
            self.search = self.fresh(goal);
            self.tries += 1;
        }
        if let Some(search) = &mut self.search {
            search.add(run, turn);
            search.expect(self.believed.0..=self.believed.1);
        }
    }
}
