//! One place of the drive: rotation, SKIPPY, track boundaries, skews, MTM and switches.

use super::Goal;
use super::movement::Movement;
use super::read_cache::{ReadCache, Track};
use crate::Estimate;
use crate::clock::Turn;
use crate::grain::{Grain, span_ms};
use crate::overhead::overhead;
use crate::rotation::{Rotation, rotation};
use crate::sawtooth::{Sawtooth, read, steps};
use crate::tracks::{Boundaries, Search, Starts};
use platterlab_probe::{Overhead, Pattern, Plan, Samples, Skippy, Tracks, Visit, Walk};

/// Requests of the first rotation run, and at most of the second.
const ROTATION_REPEATS: u32 = 160;
const MOST_REPEATS: f64 = 20_000.0;
/// Error of the period that the second run leaves to the host's clock and interrupts.
const CLOCK_ERROR: f64 = 3e-5;
/// Requests of the overhead run.
const OVERHEAD_REPEATS: u32 = 16;
/// Distances of one SKIPPY run: within 5 s at 4,002 rpm, and more than the longest track of the
/// drives the paper measured.
const SKIPPY_STEPS: u32 = 380;
/// SKIPPY runs, each with a larger stride than the one before.
const SKIPPY_RUNS: usize = 3;
/// What was learnt at one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Local {
    pub(super) rotations: Vec<Rotation>,
    pub(super) grain: Grain,
    /// How long the run took that found the period.
    pub(super) rotation_span_ms: f64,
    pub(super) overhead_ms: Option<Estimate>,
    skippy_runs: usize,
    pub(super) sawtooth: Option<Sawtooth>,
    pub(super) boundary_tries: usize,
    pub(super) boundaries: Option<Boundaries>,
    pub(super) starts_runs: u32,
    pub(super) starts: Option<Starts>,
    pub(super) read_cache: ReadCache,
    pub(super) same_track: Movement,
    pub(super) next_track: Movement,
    pub(super) next_cylinder: Movement,
    pub(super) known: Option<Known>,
}

/// What the rest of the drive builds upon.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) turn: Turn,
    pub(super) first_lba: u64,
    pub(super) sectors_per_track: u64,
    /// What the host's clock counts in.
    pub(super) grain_ms: f64,
}

impl Local {
    /// The last run that found the period, or the last one.
    pub(super) fn rotation(&self) -> Option<&Rotation> {
        let found = self.rotations.iter().rev().find(|rotation| rotation.turn.is_some());
        found.or(self.rotations.last())
    }

    pub(super) fn turn(&self) -> Option<Turn> {
        self.rotation()?.turn
    }

    /// Whether a cache answered at some point.
    pub(super) fn cached(&self) -> bool {
        self.rotations.iter().any(|rotation| rotation.cached) || self.hit_ms().is_some()
    }

    /// What an answer from the cache takes, if one answers; answers that are too far apart to be sure are such too.
    pub(super) fn hit_ms(&self) -> Option<f64> {
        self.overhead_ms.as_ref()?.value
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
        Some(known.first_lba + (self.boundary(true, 0)? + 1) * known.sectors_per_track)
    }

    /// Why there is none.
    pub(super) fn failure(&self) -> String {
        match self.boundaries.as_ref().map(Boundaries::state) {
            Some(Search::Failed(why)) => why.clone(),
            _ => "no track boundary was looked for".into(),
        }
    }

    pub(super) fn next(&self, goal: &Goal) -> Option<Plan> {
        if let Some(plan) = self.next_rotation(goal) {
            return Some(plan);
        }
        let turn = self.turn()?;
        if self.overhead_ms.is_none() {
            return Some(Plan::Overhead(Overhead {
                lba: goal.region_lba,
                sectors: goal.unit_sectors,
                repeats: OVERHEAD_REPEATS,
            }));
        }
        if let Some(plan) = self.next_skippy(goal, turn) {
            return Some(plan);
        }
        let sawtooth = self.sawtooth.as_ref()?;
        if let Some(plan) = self.next_recall(goal) {
            return Some(plan);
        }
        if self.known.is_none() {
            return self.next_boundary(goal, sawtooth, turn);
        }
        self.next_starts(goal).or_else(|| self.next_movement(goal, turn))
    }

    pub(super) fn add(&mut self, run: &Samples, goal: &Goal) {
        self.grain.add(run);
        if let Plan::Rotation(_) = run.plan {
            let found = rotation(run, self.turn());
            if found.turn.is_some() {
                self.rotation_span_ms = span_ms(run);
            }
            self.rotations.push(found);
        }
        let Some(turn) = self.turn() else { return };
        match &run.plan {
            Plan::Skippy(_) => self.add_skippy(run, turn),
            Plan::Tracks(Tracks { visit: Visit::Boundaries { near_lba }, .. }) => {
                self.add_boundary(run, *near_lba, turn);
            }
            Plan::Tracks(_) => self.add_starts(run),
            Plan::Recall(_) => {
                if let Some(hit_ms) = self.hit_ms() {
                    self.read_cache.add(run, goal, turn, hit_ms);
                }
            }
            Plan::Seeker(_) => self.add_movement(run, goal, turn),
            Plan::Overhead(_) => self.overhead_ms = Some(overhead(run, turn)),
            Plan::Rotation(_) | Plan::Zoned(_) => {}
        }
    }

    fn next_rotation(&self, goal: &Goal) -> Option<Plan> {
        // Whatever a read cache holds, descending passes give the period; two sectors in turn give
        // it more exactly, once it is known which of their completions can be the platter's.
        let patterns: &[Pattern] = if goal.writes {
            &[Pattern::Same; 2]
        } else {
            &[Pattern::Backwards, Pattern::TwoSectors]
        };
        let pattern = *patterns.get(self.rotations.len())?;
        if !self.rotations.is_empty() && self.turn().is_none() {
            return None;
        }
        Some(Plan::Rotation(platterlab_probe::Rotation {
            lba: goal.region_lba,
            sectors: goal.unit_sectors,
            repeats: self.turn().map_or(ROTATION_REPEATS, |turn| {
                let long = self.grain.unseen_ms() / CLOCK_ERROR / turn.period;
                (long.min(MOST_REPEATS) as u32).max(ROTATION_REPEATS)
            }),
            pattern,
        }))
    }

    fn next_recall(&self, goal: &Goal) -> Option<Plan> {
        let _ = self.hit_ms().filter(|_| !goal.writes)?;
        self.read_cache.next(goal, self.track()?)
    }

    /// A revolution, SKIPPY having seen it.
    pub(super) fn track(&self) -> Option<Track> {
        let period = self.turn()?.period;
        let sectors = self.sawtooth.as_ref()?.slope.sectors_per_track(period).round();
        Some(Track { period, sectors: (sectors as u64).clamp(1, 1 << 16) })
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
}
