//! One place of the drive: the least time on a track, to the next track and to the next cylinder.

use super::Goal;
use super::local::Local;
use super::movement::Movement;
use crate::clock::Turn;
use crate::positioning::positioning;
use platterlab_probe::{PastCache, Plan, Samples, Seeker};

/// Times each short movement is searched.
const LOCAL_REPEATS: usize = 4;
/// Halvings of the period in SEEKER: a four thousandth of a revolution.
pub(super) const HALVINGS: u32 = 12;

impl Local {
    /// The first boundary of the sequence, from the track `from` on, that leads to another
    /// cylinder, or does not.
    pub(super) fn boundary(&self, to_cylinder: bool, from: u64) -> Option<u64> {
        let starts = self.starts.as_ref()?;
        (usize::try_from(from).ok()?..starts.boundaries)
            .find(|index| starts.skews.is_cylinder(*index) == Some(to_cylinder))
            .map(|index| index as u64)
    }

    pub(super) fn next_movement(&self, goal: &Goal, turn: Turn) -> Option<Plan> {
        let track = self.known.as_ref()?.sectors_per_track;
        let (first, quarter) = self.first_rest(goal)?;
        let (rest, target) = if !self.same_track.tried {
            let rest = quarter + first * track;
            (rest, rest + goal.whole_units(track / 2))
        } else {
            let rest = quarter + self.boundary(self.open_switch(first)?, first)? * track;
            (rest, rest + track)
        };
        let (reach, past_cache) = self.past_cache(goal);
        Some(Plan::Seeker(Seeker {
            anchor_lba: rest - reach,
            targets: vec![target; LOCAL_REPEATS],
            sectors: goal.unit_sectors,
            rotation_ps: (turn.period * 1e9).round() as u64,
            halvings: HALVINGS,
            past_cache,
        }))
    }

    /// Sectors that the drive reads ahead, and how that is waited out.
    pub(super) fn past_cache(&self, goal: &Goal) -> (u64, Option<PastCache>) {
        let track = self.track().filter(|_| !goal.writes);
        match track.and_then(|track| self.read_cache.past(goal, track)) {
            Some((reach, past)) => (reach, Some(past)),
            None => (0, None),
        }
    }

    /// The first track on which the head can rest, as read-ahead has to begin on the drive, and
    /// the place on track 0.
    fn first_rest(&self, goal: &Goal) -> Option<(u64, u64)> {
        let known = self.known.as_ref()?;
        let quarter = known.first_lba + goal.whole_units(known.sectors_per_track / 4);
        let short = self.past_cache(goal).0.saturating_sub(quarter - goal.region_lba);
        Some((short.div_ceil(known.sectors_per_track), quarter))
    }

    /// The switch to be timed next: to another cylinder, or not.
    fn open_switch(&self, first: u64) -> Option<bool> {
        let open = |movement: Movement, to_cylinder| {
            !movement.tried && self.boundary(to_cylinder, first).is_some()
        };
        if open(self.next_track, false) {
            Some(false)
        } else {
            open(self.next_cylinder, true).then_some(true)
        }
    }

    pub(super) fn add_movement(&mut self, run: &Samples, goal: &Goal, turn: Turn) {
        let found = positioning(run, turn, None).first().copied();
        let movement = Movement { tried: true, found };
        if !self.same_track.tried {
            self.same_track = movement;
            return;
        }
        let Some((first, _)) = self.first_rest(goal) else { return };
        if self.open_switch(first) == Some(false) {
            self.next_track = movement;
        } else {
            self.next_cylinder = movement;
        }
    }
}
