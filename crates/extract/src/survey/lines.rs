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
    /// Milliseconds per sector for each length of track.
    slopes: BTreeMap<u64, LineSlope>,
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
        // Tracks that are short of spares and those of another zone may be as long.
        let same = |known: &&mut LineSlope| {
            (known.middle - slope).abs() * length as f64 <= 0.5 * slope * self.unit as f64
        };
        match self.slopes.get_mut(&length).filter(same) {
            Some(known) => known.add(slope),
            None => {
                let tracks = VecDeque::from([slope]);
                self.slopes.insert(length, LineSlope { middle: slope, tracks });
            }
        }
    }

    /// Milliseconds for each sector of tracks of this length.
    pub(super) fn slope(&self, length: u64) -> Option<f64> {
        self.slopes.get(&length).map(|slope| slope.middle)
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
        if let Some(known) = self.slopes.get_mut(&length)
            && off.abs() <= angles.tolerance()
        {
            known.add(slope + off / units as f64);
        }
    }
}
