//! One place of the drive: the least time on a track, to the next track and to the next cylinder.

use super::Goal;
use super::local::Local;
use crate::clock::Turn;
use crate::positioning::{Positioning, positioning};
use platterlab_probe::{Plan, Samples, Seeker};

/// Times each short movement is searched.
const LOCAL_REPEATS: usize = 4;
/// Halvings of the period in SEEKER: a four thousandth of a revolution.
pub(super) const HALVINGS: u32 = 12;

/// A movement that is searched, found or not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Movement {
    tried: bool,
    pub(super) found: Option<Positioning>,
}

impl Local {
    /// The first boundary of the sequence that leads to another cylinder, or does not.
    pub(super) fn boundary(&self, to_cylinder: bool) -> Option<u64> {
        let starts = self.starts.as_ref()?;
        (0..starts.boundaries)
            .find(|index| starts.skews.is_cylinder(*index) == Some(to_cylinder))
            .map(|index| index as u64)
    }

    pub(super) fn next_movement(&self, goal: &Goal, turn: Turn) -> Option<Plan> {
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

    pub(super) fn add_movement(&mut self, run: &Samples, turn: Turn) {
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
