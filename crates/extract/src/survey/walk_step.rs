//! What a walk over tracks does next, and the sectors by which it is told.

use super::angles::Angles;
use super::find::Find;
use super::leap;
use super::round_leaps::Leap as RoundLeap;

/// What the walk does now.
#[derive(Clone, Debug)]
pub(super) enum WalkStep {
    Find(Box<Find>),
    /// The first sectors of the next tracks, as predicted.
    Ahead(Vec<u64>),
    /// So many cycles in one go.
    Leap(u64),
    /// Rounds of passes.
    Rounds(RoundLeap),
}

impl WalkStep {
    /// Sectors to visit, in any order, where a track begins with sector `at` and tracks of these lengths come again.
    pub(super) fn lbas(&self, at: u64, lengths: &[u64], unit: u64, angles: &Angles) -> Vec<u64> {
        match self {
            Self::Find(find) => find.lbas(angles, &|lba| lba),
            Self::Ahead(starts) => {
                let both = |start: &u64| [*start, start - unit];
                // Just seen, it may be in a cache; long ago, the platter has drifted.
                let again = starts.len() > 8 || !angles.has_fresh(at, 2 * starts.len());
                starts.iter().flat_map(both).chain(again.then_some(at)).collect()
            }
            Self::Rounds(leap) => leap.round().lbas(at, leap.rounds(), unit),
            Self::Leap(cycles) => leap::lbas(lengths, at, *cycles, unit),
        }
    }

    /// Whether a cache that has all of a track tells it.
    pub(super) fn is_by_track(&self) -> bool {
        match self {
            Self::Find(find) => find.is_by_track(),
            Self::Ahead(_) | Self::Leap(_) | Self::Rounds(_) => true,
        }
    }
}
