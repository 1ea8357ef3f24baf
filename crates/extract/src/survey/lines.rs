//! Whether sectors are those of one track: they lie on a line of a known slope, and it jumps at the
//! track's end.

use super::angles::Angles;
use super::find::MOST_SLIPS;
use crate::stats::{fold, median};
use std::collections::{BTreeMap, VecDeque};

/// The lines of tracks of known lengths.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) unit: u64,
    /// Milliseconds per sector for each length of track: tracks that are short of spares and those of
    /// another zone may be as long. The one of late comes last.
    slopes: BTreeMap<u64, Vec<LineSlope>>,
}

/// Tracks that a slope is told by, at most: the last ones.
const MOST_TRACKS: usize = 15;

/// What lines and whole tracks of a length said; one completion that came late moves no median.
#[derive(Clone, Debug)]
struct LineSlope {
    middle: f64,
    tracks: VecDeque<f64>,
}

impl LineSlope {
    fn add(&mut self, slope: f64) {
        if self.tracks.len() == MOST_TRACKS {
            self.tracks.pop_front();
        }
        self.tracks.push_back(slope);
        self.middle = median(self.tracks.make_contiguous()).unwrap_or(slope);
    }
}

impl Lines {
    pub(super) fn new(unit: u64) -> Self {
        Self { unit, slopes: BTreeMap::new() }
    }

    pub(super) fn learn(&mut self, length: u64, slope: f64) {
        let known = self.slopes.entry(length).or_default();
        let half = 0.5 * slope * self.unit as f64;
        let same = |known: &LineSlope| (known.middle - slope).abs() * length as f64 <= half;
        match known.iter().position(same) {
            Some(place) => {
                known[place..].rotate_left(1);
                if let Some(last) = known.last_mut() {
                    last.add(slope);
                }
            }
            None => {
                known.push(LineSlope { middle: slope, tracks: VecDeque::from([slope]) });
            }
        }
    }

    /// Milliseconds for each sector of tracks of this length, of late.
    pub(super) fn slope(&self, length: u64) -> Option<f64> {
        self.slopes.get(&length)?.last().map(|slope| slope.middle)
    }

    /// The same of all tracks of this length so far.
    pub(super) fn slopes(&self, length: u64) -> impl Iterator<Item = f64> {
        self.slopes.get(&length).into_iter().flatten().map(|slope| slope.middle)
    }

    /// Whether a track ends at `next` and is one line from `first` to there.
    pub(super) fn is_track(&self, first: u64, next: u64, angles: &Angles) -> bool {
        self.slope(next - first).is_some_and(|slope| {
            self.ends(next, slope, angles) && self.is_line(first, next, slope, angles)
        })
    }

    /// Whether the angle jumps before `next`.
    pub(super) fn ends(&self, next: u64, slope: f64, angles: &Angles) -> bool {
        self.off(next - self.unit, next, slope, angles)
            .is_some_and(|jump| jump.abs() > angles.tolerance())
    }

    /// Whether it is one line from `first` to before `next`, or one with a few sectors left out.
    pub(super) fn is_line(&self, first: u64, next: u64, slope: f64, angles: &Angles) -> bool {
        let sector = slope * self.unit as f64;
        self.off(first, next - self.unit, slope, angles).is_some_and(|off| {
            let slips = (off / sector).round().clamp(0.0, MOST_SLIPS);
            (off - slips * sector).abs() <= angles.tolerance()
        })
    }

    fn off(&self, from: u64, to: u64, slope: f64, angles: &Angles) -> Option<f64> {
        let straight = to.saturating_sub(from) as f64 * slope;
        angles.between(from, to).map(|angle| fold(angle - straight, angles.period()))
    }

    /// What a whole track's angle says of its slope counts as much as that of any other.
    pub(super) fn refine(&mut self, first: u64, next: u64, angles: &Angles) {
        let length = next - first;
        let Some(slope) = self.slope(length) else { return };
        let Some(off) = self.off(first, next - self.unit, slope, angles) else { return };
        let units = (length - self.unit).max(1);
        if let Some(known) = self.slopes.get_mut(&length).and_then(|known| known.last_mut())
            && off.abs() <= angles.tolerance()
        {
            known.add(slope + off / units as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_of_one_length_may_be_of_two_densities() {
        let mut lines = Lines::new(1);
        for slope in [0.1, 0.1, 0.12, 0.1001] {
            lines.learn(80, slope);
        }
        let known: Vec<f64> = lines.slopes(80).collect();
        assert_eq!(known.len(), 2, "{known:?}");
        assert!(lines.slope(80).is_some_and(|late| (late - 0.1).abs() < 1e-3), "{known:?}");
        assert_eq!(lines.slopes(79).count(), 0);
    }
}
