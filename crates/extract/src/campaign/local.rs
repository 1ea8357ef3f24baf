//! One place of the drive: rotation, SKIPPY, track boundaries, skews, MTM and switches.

use super::Goal;
use crate::clock::Turn;
use crate::positioning::{Positioning, positioning};
use crate::rotation::{Rotation, rotation};
use crate::sawtooth::{Sawtooth, read, steps};
use crate::tracks::{Boundaries, Search, Starts, starts};
use platterlab_probe::{Pattern, Plan, Samples, Seeker, Skippy, Tracks, Visit, Walk};

/// Requests of one rotation run.
const ROTATION_REPEATS: u32 = 160;
/// Distances of one SKIPPY run: 5 s at 12 ms each, and 1.2 tracks of the largest era drive.
const SKIPPY_STEPS: u32 = 400;
/// SKIPPY runs, each with a larger stride than the one before.
const SKIPPY_RUNS: usize = 3;
/// Places to look for track boundaries before giving up.
const BOUNDARY_TRIES: usize = 4;
/// Tracks whose angles are taken, first and if that does not show the surfaces.
const TRACKS: [u64; 2] = [80, 240];
/// Cylinders whose tracks' angles are taken once the surfaces are known: the fewer, the worse the
/// cylinder skew.
const CYLINDERS: u64 = 24;
/// Times each short movement is searched.
const LOCAL_REPEATS: usize = 4;
/// Halvings of the period in SEEKER: a four thousandth of a revolution.
pub(super) const HALVINGS: u32 = 12;

/// What was learnt at one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Local {
    pub(super) rotations: Vec<Rotation>,
    skippy_runs: usize,
    pub(super) sawtooth: Option<Sawtooth>,
    boundary_tries: usize,
    boundaries: Option<Boundaries>,
    starts_runs: usize,
    pub(super) starts: Option<Starts>,
    pub(super) same_track: Movement,
    pub(super) next_track: Movement,
    pub(super) next_cylinder: Movement,
    known: Option<Known>,
}

/// A movement that is searched, found or not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Movement {
    tried: bool,
    pub(super) found: Option<Positioning>,
}

/// What the rest of the drive builds upon.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) turn: Turn,
    pub(super) first_lba: u64,
    pub(super) sectors_per_track: u64,
}

impl Local {
    pub(super) fn turn(&self) -> Option<Turn> {
        self.rotations.iter().find_map(|rotation| rotation.turn)
    }

    /// The geometry of this place, once its track boundaries are found.
    pub(super) fn known(&self) -> Option<&Known> {
        self.known.as_ref()
    }

    pub(super) fn surfaces(&self) -> Option<u64> {
        self.starts.as_ref()?.skews.surfaces.ok().map(|count| count as u64)
    }

    /// The first sector of some cylinder.
    pub(super) fn cylinder_lba(&self) -> Option<u64> {
        let known = self.known.as_ref()?;
        Some(known.first_lba + (self.boundary(true)? + 1) * known.sectors_per_track)
    }

    /// Why there is none.
    pub(super) fn failure(&self) -> String {
        match self.boundaries.as_ref().map(Boundaries::state) {
            Some(Search::Failed(why)) => why.clone(),
            _ => "no track boundary was looked for".into(),
        }
    }

    pub(super) fn next(&self, goal: &Goal) -> Option<Plan> {
        let Some(turn) = self.turn() else { return self.next_rotation(goal) };
        if let Some(plan) = self.next_skippy(goal, turn) {
            return Some(plan);
        }
        let sawtooth = self.sawtooth.as_ref()?;
        if self.known.is_none() {
            return self.next_boundary(goal, sawtooth, turn);
        }
        self.next_starts(goal).or_else(|| self.next_movement(goal, turn))
    }

    pub(super) fn add(&mut self, run: &Samples) {
        let Some(turn) = self.turn() else {
            self.rotations.push(rotation(run));
            return;
        };
        match &run.plan {
            Plan::Skippy(_) => self.add_skippy(run, turn),
            Plan::Tracks(Tracks { visit: Visit::Boundaries { near_lba }, .. }) => {
                self.add_boundary(run, *near_lba, turn);
            }
            Plan::Tracks(_) => self.add_starts(run),
            Plan::Seeker(_) => self.add_movement(run, turn),
            Plan::Rotation(_) | Plan::Overhead(_) | Plan::Zoned(_) => {}
        }
    }

    fn next_rotation(&self, goal: &Goal) -> Option<Plan> {
        // Descending passes need room.
        let patterns: &[Pattern] =
            if goal.writes { &[Pattern::Same] } else { &[Pattern::TwoSectors, Pattern::Backwards] };
        let pattern = *patterns.get(self.rotations.len())?;
        Some(Plan::Rotation(platterlab_probe::Rotation {
            lba: goal.region_lba,
            sectors: goal.unit_sectors,
            repeats: ROTATION_REPEATS,
            pattern,
        }))
    }

    fn next_skippy(&self, goal: &Goal, turn: Turn) -> Option<Plan> {
        let unit = f64::from(goal.unit_sectors);
        let stride = match &self.sawtooth {
            None if self.skippy_runs == 0 => 1,
            None => return None,
            Some(sawtooth) => {
                let complete =
                    sawtooth.slope.span(turn.period) > 0.45 && sawtooth.stm_sectors.ok().is_some();
                if complete || self.skippy_runs >= SKIPPY_RUNS {
                    return None;
                }
                let track = sawtooth.slope.sectors_per_track(turn.period) / unit;
                let stride = (1.3 * track / f64::from(SKIPPY_STEPS)).ceil();
                if stride <= 1.0 {
                    return None;
                }
                stride.min(1e6) as u32
            }
        };
        let walk = match (goal.writes, stride) {
            (false, _) => Walk::Backwards,
            (true, 1) => Walk::Running,
            (true, _) => Walk::Restart,
        };
        let mut plan = Skippy {
            lba: goal.region_lba,
            sectors: goal.unit_sectors,
            stride,
            steps: SKIPPY_STEPS,
            walk,
        };
        while plan.span_sectors() > goal.region_sectors && plan.steps > 1 {
            plan.steps = plan.steps * 9 / 10;
        }
        (plan.steps >= 32).then_some(Plan::Skippy(plan))
    }

    fn add_skippy(&mut self, run: &Samples, turn: Turn) {
        self.skippy_runs += 1;
        if let Some(sawtooth) = read(&steps(run), turn) {
            let better = self.sawtooth.as_ref().is_none_or(|old| {
                sawtooth.slope.tau_error < old.slope.tau_error || old.stm_sectors.ok().is_none()
            });
            if better {
                self.sawtooth = Some(sawtooth);
            }
        }
    }

    fn next_boundary(&self, goal: &Goal, sawtooth: &Sawtooth, turn: Turn) -> Option<Plan> {
        if let Some(plan) = self.boundaries.as_ref().and_then(Boundaries::next) {
            return Some(plan);
        }
        if self.boundary_tries >= BOUNDARY_TRIES {
            return None;
        }
        let guess = sawtooth.slope.sectors_per_track(turn.period);
        let span = Boundaries::span_sectors(guess);
        let offset = self.boundary_tries as u64 * 2 * span;
        (offset + span < goal.region_sectors).then_some(())?;
        Boundaries::new(goal.region_lba + offset, goal.unit_sectors, guess).next()
    }

    fn add_boundary(&mut self, run: &Samples, near_lba: u64, turn: Turn) {
        let Some(sawtooth) = &self.sawtooth else { return };
        let guess = sawtooth.slope.sectors_per_track(turn.period);
        let unit = run.samples.first().map_or(1, |sample| sample.sectors);
        if self.boundaries.as_ref().and_then(Boundaries::next).is_none() {
            self.boundaries = Some(Boundaries::new(near_lba, unit, guess));
            self.boundary_tries += 1;
        }
        let Some(search) = &mut self.boundaries else { return };
        search.add(run, turn);
        if let Search::Found { first_lba, sectors_per_track } = *search.state() {
            search.expect(guess, turn);
            if let Search::Found { .. } = search.state() {
                self.known = Some(Known { turn, first_lba, sectors_per_track });
            }
        }
    }

    fn next_starts(&self, goal: &Goal) -> Option<Plan> {
        let known = self.known.as_ref()?;
        let tracks = match (self.starts_runs, self.surfaces()) {
            (0, _) => TRACKS[0],
            (1, None) => TRACKS[1],
            (1 | 2, Some(surfaces)) => {
                let seen = self.starts.as_ref().map_or(0, |starts| starts.boundaries as u64);
                if seen / surfaces >= CYLINDERS * 2 / 3 {
                    return None;
                }
                CYLINDERS * surfaces
            }
            _ => return None,
        };
        let room = (goal.region_lba + goal.region_sectors).saturating_sub(known.first_lba);
        let tracks = tracks.min(room / known.sectors_per_track);
        let unit = u64::from(goal.unit_sectors);
        let middle = known.sectors_per_track / 2 / unit * unit;
        let lbas =
            (0..tracks).rev().map(|i| known.first_lba + i * known.sectors_per_track + middle);
        Some(Plan::Tracks(Tracks {
            visit: Visit::Starts { first_lba: known.first_lba },
            lbas: lbas.collect(),
            sectors: goal.unit_sectors,
        }))
    }

    fn add_starts(&mut self, run: &Samples) {
        self.starts_runs += 1;
        let Some(known) = &self.known else { return };
        let new = starts(run, known.turn, known.sectors_per_track);
        // A longer run may leave the zone and see no pattern any more.
        if self.surfaces().is_none() || new.skews.surfaces.ok().is_some() {
            self.starts = Some(new);
        }
    }

    /// The first boundary of the sequence that leads to another cylinder, or does not.
    fn boundary(&self, to_cylinder: bool) -> Option<u64> {
        let starts = self.starts.as_ref()?;
        (0..starts.boundaries)
            .find(|index| starts.skews.is_cylinder(*index) == Some(to_cylinder))
            .map(|index| index as u64)
    }

    fn next_movement(&self, goal: &Goal, turn: Turn) -> Option<Plan> {
        let known = self.known.as_ref()?;
        let track = known.sectors_per_track;
        let unit = u64::from(goal.unit_sectors);
        let quarter = known.first_lba + track / 4 / unit * unit;
        let (anchor_lba, target) = if !self.same_track.tried {
            (quarter, quarter + track / 2 / unit * unit)
        } else if !self.next_track.tried && self.boundary(false).is_some() {
            let anchor = quarter + self.boundary(false)? * track;
            (anchor, anchor + track)
        } else if !self.next_cylinder.tried && self.boundary(true).is_some() {
            let anchor = quarter + self.boundary(true)? * track;
            (anchor, anchor + track)
        } else {
            return None;
        };
        Some(Plan::Seeker(Seeker {
            anchor_lba,
            targets: vec![target; LOCAL_REPEATS],
            sectors: goal.unit_sectors,
            rotation_ps: (turn.period * 1e9).round() as u64,
            halvings: HALVINGS,
        }))
    }

    fn add_movement(&mut self, run: &Samples, turn: Turn) {
        let found = positioning(run, turn).first().copied();
        let movement = Movement { tried: true, found };
        if !self.same_track.tried {
            self.same_track = movement;
        } else if !self.next_track.tried && self.boundary(false).is_some() {
            self.next_track = movement;
        } else {
            self.next_cylinder = movement;
        }
    }
}
