//! To which of two zones the track between them belongs: by how dense it is.
//!
//! The last track of a zone that is short of spares may be as long as those of the next. Its sectors
//! lie as close as those of its own zone, and pass in less time: the angle from its first ones to its
//! last ones tells, where tracks of both zones differ by more than completions scatter.

use super::angles::Angles;
use super::lines::Lines;
use super::pieces::Pieces;
use crate::stats::{fold, median};
use crate::stretches::{Before, FirstTrack, stretches};

/// Times that each track is looked at, and those that have to show an angle.
const LOOKS: u64 = 9;
const FEWEST: usize = 5;
/// Angles by both densities differ by at least so many jitters, or by so much of what completions are
/// gathered over: the angle and both densities may be off by as much, to either side.
const APART: f64 = 6.0;
/// How near the middle angle is to the one by a density, in parts of what both differ by.
const NEAR: f64 = 0.25;
/// Sectors are read on this part of the track, from either end.
const ENDS: u64 = 8;

/// A track that is as long as those behind it, in milliseconds a sector by their density and by that
/// of the tracks before it.
#[derive(Clone, Debug)]
struct Doubtful {
    first_lba: u64,
    sectors: u64,
    own: f64,
    before: f64,
    /// How much less the angles are than by its own density, in milliseconds a sector.
    less: Vec<f64>,
}

/// The first tracks of all zones before which no shorter track is.
#[derive(Clone, Debug, Default)]
pub(super) struct Densities {
    tracks: Vec<Doubtful>,
    looks: u64,
}

impl Doubtful {
    /// The sectors of a look, near both ends: others each time, so that no cache has them.
    fn ends(&self, look: u64, unit: u64) -> [u64; 2] {
        let inward = look % (self.sectors / unit / ENDS).max(1) * unit;
        let last = self.first_lba + self.sectors / unit * unit - unit;
        [self.first_lba + inward, last - inward]
    }

    fn look(&mut self, (from, to): (u64, u64), angles: &Angles) {
        let sectors = to.saturating_sub(from) as f64;
        let off = angles.between(from, to).map(|it| fold(it - sectors * self.own, angles.period()));
        self.less.extend(off.map(|off| -off / sectors));
    }

    /// Which it is, if what completions are off by leaves only one.
    fn told(&self, off_ms: f64, period: f64) -> Option<FirstTrack> {
        // No track takes more than a turn: completions that came late told its density.
        (self.own * self.sectors as f64 <= period + off_ms).then_some(())?;
        let apart = self.own - self.before;
        let part = median(&self.less).filter(|_| self.less.len() >= FEWEST)? / apart;
        (apart * self.sectors as f64 >= APART * off_ms).then_some(())?;
        match part {
            _ if part.abs() <= NEAR => Some(FirstTrack::Own),
            _ if (part - 1.0).abs() <= NEAR => Some(FirstTrack::OfZoneBefore),
            _ => None,
        }
    }
}

impl Densities {
    pub(super) fn new(pieces: &Pieces, lines: &Lines) -> Self {
        let zones = stretches(&pieces.list).unwrap_or_default();
        let doubtful = zones.windows(2).filter_map(|pair| {
            let (outer, zone) = (pair[0], pair[1]);
            let (first_lba, sectors) = pieces.track(zone.first_track)?;
            let (before, own) = (lines.slope(outer.sectors)?, lines.slope(sectors)?);
            let alike = zone.before == Before::Whole && sectors == zone.sectors;
            let less = Vec::new();
            (alike && own > before).then_some(Doubtful { first_lba, sectors, own, before, less })
        });
        Self { tracks: doubtful.collect(), looks: 0 }
    }

    /// Sectors to visit next; `None` when done.
    pub(super) fn next(&self, lines: &Lines) -> Option<Vec<u64>> {
        let open = self.looks < LOOKS && !self.tracks.is_empty();
        let ends = |track: &Doubtful| track.ends(self.looks, lines.unit);
        open.then(|| self.tracks.iter().rev().flat_map(ends).collect())
    }

    pub(super) fn add(&mut self, angles: &Angles, lines: &Lines) {
        for track in &mut self.tracks {
            let [from, to] = track.ends(self.looks, lines.unit);
            track.look((from, to), angles);
        }
        self.looks += 1;
    }

    /// Those that are told, by their first sectors, where completions may be off by so much.
    pub(super) fn told(
        &self,
        (off_ms, period): (f64, f64),
    ) -> impl Iterator<Item = (u64, FirstTrack)> {
        self.tracks.iter().filter_map(move |it| Some((it.first_lba, it.told(off_ms, period)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(angle_ms: f64, off_ms: f64) -> Option<FirstTrack> {
        told_by(angle_ms, off_ms, 16.0 / 104.0)
    }

    /// The same where the density of tracks as long as it is that.
    fn told_by(angle_ms: f64, off_ms: f64, own: f64) -> Option<FirstTrack> {
        // 104 sectors a turn of 16 ms, or 108 of which four are spare.
        let before = 16.0 / 108.0;
        let less = (0..LOOKS).map(|look| own - angle_ms / 103.0 + (look % 3) as f64 * 1e-4);
        let track = Doubtful { first_lba: 0, sectors: 104, own, before, less: less.collect() };
        track.told(off_ms, 16.0)
    }

    #[test]
    fn a_track_belongs_to_the_zone_that_is_as_dense() {
        let (own, before) = (103.0 * 16.0 / 104.0, 103.0 * 16.0 / 108.0);
        assert_eq!(told(own, 0.05), Some(FirstTrack::Own));
        assert_eq!(told(before, 0.05), Some(FirstTrack::OfZoneBefore));
        // As dense as neither, or completions are off by too much.
        assert_eq!(told(f64::midpoint(own, before), 0.05), None);
        assert_eq!(told(own, 0.15), None);
    }

    #[test]
    fn a_density_of_more_than_a_turn_tells_nothing() {
        let (own, late) = (103.0 * 16.0 / 104.0, 16.0 / 100.0);
        // As if all tracks had been late by half a sector, or by four.
        assert_eq!(told_by(own, 0.08, 16.0 / 103.5), Some(FirstTrack::Own));
        assert_eq!(told_by(own, 0.08, late), None);
    }
}
