//! Whether sectors are those of one track: they lie on a line of a known slope, and it jumps at the
//! track's end.

use super::angles::Angles;
use super::find::MOST_SLIPS;
use crate::stats::median;
use std::collections::{BTreeMap, VecDeque};

/// The lines of tracks of known lengths.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    pub(super) unit: u64,
    /// Milliseconds per sector for each length of track: tracks that are short of spares and those of
    /// another zone may be as long. The one of late comes last.
    slopes: BTreeMap<u64, Vec<LineSlope>>,
    /// What tracks of each length told since the last one without sectors left out, that one's density
    /// taken for theirs.
    slipped: BTreeMap<u64, LineSlope>,
}

/// Tracks that a slope is told by, at most: the last ones.
const MOST_TRACKS: usize = 15;
/// How many of these may have come late.
const FEW_LATE: usize = 3;

/// What lines and whole tracks of a length said; one completion that came late moves no median.
#[derive(Clone, Debug, Default)]
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

    /// Whether as many tracks as count say the same to half a sector, but for a few late completions.
    fn is_steady(&self, half: f64) -> bool {
        let same = |slope: &&f64| (**slope - self.middle).abs() <= half;
        let alike = self.tracks.iter().filter(same).count();
        self.tracks.len() == MOST_TRACKS && alike + FEW_LATE >= MOST_TRACKS
    }
}

impl Lines {
    pub(super) fn new(unit: u64) -> Self {
        Self { unit, slopes: BTreeMap::new(), slipped: BTreeMap::new() }
    }

    pub(super) fn learn(&mut self, length: u64, slope: f64) {
        let half = self.half_sector(length, slope);
        let known = self.slopes.entry(length).or_default();
        let same = |known: &LineSlope| (known.middle - slope).abs() <= half;
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

    /// What half a sector of a track makes for each sector.
    fn half_sector(&self, length: u64, slope: f64) -> f64 {
        0.5 * slope * self.unit as f64 / length as f64
    }

    /// Milliseconds for each sector of tracks of this length, of late.
    pub(super) fn slope(&self, length: u64) -> Option<f64> {
        self.slopes.get(&length)?.last().map(|slope| slope.middle)
    }

    /// The same of all tracks of this length so far.
    pub(super) fn slopes(&self, length: u64) -> impl Iterator<Item = f64> {
        self.slopes.get(&length).into_iter().flatten().map(|slope| slope.middle)
    }

    /// Milliseconds for each sector of tracks of this length, of late, and how many of them told it.
    pub(super) fn told(&self, length: u64) -> Option<(f64, usize)> {
        self.slopes.get(&length)?.last().map(|slope| (slope.middle, slope.tracks.len()))
    }

    /// The same of those that are less dense than that. A track that is short of a few spares teaches its own
    /// density for its length; by that one, each of the next zone seems to leave as many sectors out.
    pub(super) fn told_wider(&self, length: u64, than: f64) -> Option<(f64, usize)> {
        let half = self.half_sector(length, than);
        let slipped = self.slipped.get(&length).filter(|it| it.is_steady(half));
        let slipped = slipped.map(|it| (it.middle, it.tracks.len()));
        let late = self.told(length)?;
        let wider = |it: &(f64, usize)| it.0 > than + half;
        Some(late).filter(wider).or(slipped.filter(wider)).or(Some(late)).filter(|it| it.0 > than)
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
            (off - slips * sector).abs() <= angles.line_tolerance()
        })
    }

    /// Whether what is no track may look like one with sectors left out: the end of one and the beginning of the next,
    /// with the skew of the boundary at `end` between them. Where tracks of this length were seen to leave sectors
    /// out, each looked at by itself, it is one more of these.
    pub(super) fn may_span(
        &self,
        track: (u64, u64),
        end: u64,
        slope: f64,
        angles: &Angles,
    ) -> bool {
        let (sector, tolerance) = (slope * self.unit as f64, angles.line_tolerance());
        let off = self.off(track.0, track.1 - self.unit, slope, angles);
        let skew = self.off(end - self.unit, end, slope, angles);
        // Tracks that are a sector shorter are as much less dense.
        let is_skew =
            |(off, skew): (f64, f64)| (-tolerance..=sector + tolerance).contains(&(off - skew));
        let leaves_out = off.is_some_and(|off| off > tolerance);
        leaves_out
            && !self.slipped.contains_key(&(track.1 - track.0))
            && off.zip(skew).is_some_and(is_skew)
    }

    fn off(&self, from: u64, to: u64, slope: f64, angles: &Angles) -> Option<f64> {
        angles.off_line(from, to, slope)
    }

    /// What a whole track's angle says of its slope counts as much as that of any other.
    pub(super) fn refine(&mut self, first: u64, next: u64, angles: &Angles) {
        let length = next - first;
        let Some(slope) = self.slope(length) else { return };
        let last = next - self.unit;
        let Some(off) = self.off(first, last, slope, angles).filter(|_| angles.knows(last)) else {
            return;
        };
        let units = (length - self.unit).max(1);
        let told = slope + off / units as f64;
        if off.abs() > angles.line_tolerance() {
            self.slipped.entry(length).or_default().add(told);
            return;
        }
        self.slipped.remove(&length);
        if let Some(known) = self.slopes.get_mut(&length).and_then(|known| known.last_mut()) {
            known.add(told);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Turn;
    use platterlab_probe::{End, Plan, Sample, Samples, Tracks, Visit};
    use platterlab_units::{Operation, Span, Time};

    /// Sectors that passed at these times, in milliseconds.
    fn passed(sectors: &[(u64, f64)]) -> Samples {
        let sample = |(lba, at): &(u64, f64)| Sample {
            lba: *lba,
            sectors: 1,
            operation: Operation::Read,
            distance_sectors: 0,
            submitted: Time::ZERO,
            completed: Time::ZERO + Span::from_ms(*at).expect("a short time"),
        };
        let samples = sectors.iter().map(sample).collect();
        let plan = Tracks::at_once(Visit::Survey, Vec::new(), 1);
        Samples { plan: Plan::Tracks(plan), samples, end: End::Complete }
    }

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

    #[test]
    fn tracks_that_all_leave_sectors_out_are_less_dense() {
        let turn = Turn { period: 11.1, error: 1e-6, jitter: 0.001 };
        let (spared, own) = (11.1 / 374.0, 11.1 / 371.0);
        // So many tracks of 371 sectors of this density, each begun at once after the one before.
        let seen = |lines: &mut Lines, count: u64, pace: f64| {
            for track in 0..count {
                let mut angles = Angles::new(turn, 0.0);
                let first = 371 * track;
                angles.add(&passed(&[(first, 1.0), (first + 370, 1.0 + 370.0 * pace)]));
                assert!(lines.is_line(first, first + 371, spared, &angles));
                lines.refine(first, first + 371, &angles);
            }
        };
        let mut lines = Lines::new(1);
        lines.learn(371, spared + 1e-7);
        let wider = |lines: &Lines| lines.told_wider(371, spared).expect("a pace");
        seen(&mut lines, MOST_TRACKS as u64 - 1, own);
        assert!((wider(&lines).0 - spared).abs() < 1e-6, "too few");
        seen(&mut lines, 1, own);
        assert!((wider(&lines).0 - own).abs() < 1e-6, "{:?}", wider(&lines));
        // One that leaves nothing out: the others had their defects.
        seen(&mut lines, 1, spared);
        assert!((wider(&lines).0 - spared).abs() < 1e-6);
    }
}
