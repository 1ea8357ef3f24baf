//! One place of the drive: track boundaries, skews and surfaces.

use super::Goal;
use super::local::{Known, Local};
use crate::clock::Turn;
use crate::sawtooth::Sawtooth;
use crate::tracks::{Boundaries, Search, starts};
use platterlab_probe::{Plan, Samples, Tracks, Visit};

/// Places to look for track boundaries before giving up.
const BOUNDARY_TRIES: usize = 4;
/// Tracks whose angles are taken first, and how often their number is doubled.
const FIRST_TRACKS: u64 = 80;
const STARTS_RUNS: u32 = 4;
/// Half the width of a skew's interval that is narrow enough, in parts of the skew.
const SKEW_ERROR: f64 = 0.004;

impl Local {
    pub(super) fn next_boundary(
        &self,
        goal: &Goal,
        sawtooth: &Sawtooth,
        turn: Turn,
    ) -> Option<Plan> {
        let forget = self.past_cache(goal).1.map_or_else(Vec::new, |past| past.forget_lbas);
        if let Some(plan) = self.boundaries.as_ref().and_then(|search| search.next(&forget)) {
            return Some(plan);
        }
        if self.boundary_tries >= BOUNDARY_TRIES {
            return None;
        }
        let guess = sawtooth.slope.sectors_per_track(turn.period);
        let span = Boundaries::span_sectors(guess);
        let offset = self.boundary_tries as u64 * 2 * span;
        (offset + span < goal.region_sectors).then_some(())?;
        let first = goal.start_of_unit(goal.region_lba + offset);
        Boundaries::new(first, goal.unit_sectors, guess).next(&[])
    }

    pub(super) fn add_boundary(&mut self, run: &Samples, near_lba: u64, turn: Turn) {
        let Some(sawtooth) = &self.sawtooth else { return };
        let guess = sawtooth.slope.sectors_per_track(turn.period);
        let unit = run.samples.first().map_or(1, |sample| sample.sectors);
        if self.boundaries.as_ref().is_none_or(Boundaries::is_over) {
            self.boundaries = Some(Boundaries::new(near_lba, unit, guess));
            self.boundary_tries += 1;
        }
        let Some(search) = &mut self.boundaries else { return };
        search.add(run, turn);
        if let Search::Found { first_lba, sectors_per_track } = *search.state() {
            search.expect(0.9..=1.1);
            if let Search::Found { .. } = search.state() {
                let grain_ms = self.grain.ms();
                self.known = Some(Known { turn, first_lba, sectors_per_track, grain_ms });
            }
        }
    }

    pub(super) fn next_starts(&self, goal: &Goal) -> Option<Plan> {
        let known = self.known.as_ref()?;
        let fine = self.starts.as_ref().is_some_and(|starts| starts.skews.within(SKEW_ERROR));
        if fine || self.starts_runs >= STARTS_RUNS {
            return None;
        }
        let tracks = FIRST_TRACKS << self.starts_runs;
        let room = (goal.region_lba + goal.region_sectors).saturating_sub(known.first_lba);
        let tracks = tracks.min(room / known.sectors_per_track);
        let unit = u64::from(goal.unit_sectors);
        let middle = known.sectors_per_track / 2 / unit * unit;
        let lbas =
            (0..tracks).rev().map(|i| known.first_lba + i * known.sectors_per_track + middle);
        Some(Plan::Tracks(Tracks::at_once(
            Visit::Starts { first_lba: known.first_lba },
            lbas.collect(),
            goal.unit_sectors,
        )))
    }

    pub(super) fn add_starts(&mut self, run: &Samples) {
        self.starts_runs += 1;
        let Some(known) = &self.known else { return };
        let mut new = starts(run, known.turn, known.sectors_per_track, known.grain_ms);
        new.skews = new.skews.read_by(known.grain_ms);
        // A longer run may leave the zone and see a worse pattern, or none, or another skew.
        let better = match &self.starts {
            Some(old) if old.skews.surfaces.ok().is_some() => new.skews.clearer_than(&old.skews),
            Some(old) => {
                new.skews.surfaces.ok().is_some() || new.skews.goes_on(&old.skews, known.turn)
            }
            None => true,
        };
        if better {
            self.starts = Some(new);
        }
    }
}
