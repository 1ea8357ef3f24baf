//! To which of two zones the track between them belongs: by how dense it is.
//!
//! The last track of a zone that is short of spares may be as long as those of the next, or shorter, as a first one that
//! is. Its sectors lie as close as those of its own zone, and pass in less time: the angle from its first ones to its
//! last ones tells, where tracks of both zones differ by more than completions scatter.

use super::angles::Angles;
use super::lines::Lines;
use super::open_ends::open_ends;
use super::pieces::Pieces;
use super::stretches::{Before, FirstTrack, stretches};
use crate::stats::{fold, median};
use std::f64::consts::PI;

/// Times that each track is looked at, and those that have to show an angle.
const LOOKS: u64 = 9;
const FEWEST: usize = 5;
/// Angles by both densities differ by at least so much of what completions are gathered over: the angle and
/// both densities may be off by as much, to either side, and no repetition averages that.
const APART: f64 = 6.0;
/// Standard errors of the middle angle, less that by a density, that lead to the other density: an angle as
/// normal jitter makes it goes so far in one of 3.5 million times to one side.
const SURE: f64 = 5.0;
/// How near the middle angle is to the one by a density, in parts of what both differ by.
const NEAR: f64 = 0.25;
/// Fewer requests than this to a track show no density.
const SHORTEST: u64 = 4;
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
    /// How many tracks told the one of these that fewer told.
    tracks: usize,
    /// How much less the angles are than by its own density, in milliseconds a sector.
    less: Vec<f64>,
}

/// What a completion is off by, in milliseconds: each time anew, and by what it is gathered over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scatter {
    pub(super) jitter_ms: f64,
    pub(super) gathered_ms: f64,
}

/// The first tracks of all zones before which no shorter track is, and shorter ones of which it is not known whose
/// they are.
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
    fn told(&self, scatter: Scatter, period: f64) -> Option<FirstTrack> {
        let off_ms = scatter.jitter_ms.max(scatter.gathered_ms);
        // No track takes more than a turn: completions that came late told its density.
        (self.own * self.sectors as f64 <= period + off_ms).then_some(())?;
        let apart = self.own - self.before;
        let part = median(&self.less).filter(|_| self.less.len() >= FEWEST)? / apart;
        let apart_ms = apart * self.sectors as f64;
        (apart_ms >= APART * scatter.gathered_ms).then_some(())?;
        ((1.0 - NEAR) * apart_ms >= SURE * self.error_ms(scatter.jitter_ms)).then_some(())?;
        match part {
            _ if part.abs() <= NEAR => Some(FirstTrack::Own),
            _ if (part - 1.0).abs() <= NEAR => Some(FirstTrack::OfZoneBefore),
            _ => None,
        }
    }

    /// Standard error of the middle angle less that by a density. Each is a median of angles between two
    /// completions, of the looks and of tracks: its variance is pi / 2n of theirs, which is twice the jitter's.
    fn error_ms(&self, jitter_ms: f64) -> f64 {
        let parts = 1.0 / self.less.len() as f64 + 1.0 / self.tracks.max(1) as f64;
        jitter_ms * (PI * parts).sqrt()
    }
}

impl Densities {
    pub(super) fn new(pieces: &Pieces, lines: &Lines) -> Self {
        let zones = stretches(&pieces.list).unwrap_or_default();
        let open = open_ends(&zones, &pieces.list);
        let doubtful = zones.windows(2).zip(open.into_iter().skip(1)).filter_map(|(pair, open)| {
            let (outer, zone) = (pair[0], pair[1]);
            let (before, told_before) = lines.told(outer.sectors)?;
            let (own, told_own) = lines.told_wider(zone.sectors, before)?;
            let tracks = told_before.min(told_own);
            let whole = || pieces.track(zone.first_track).filter(|it| it.1 == zone.sectors);
            let whole = if zone.before == Before::Whole { whole() } else { None };
            let (first_lba, sectors) = open.or(whole).filter(|it| it.1 >= SHORTEST * lines.unit)?;
            Some(Doubtful { first_lba, sectors, own, before, tracks, less: Vec::new() })
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
        scatter: Scatter,
        period: f64,
    ) -> impl Iterator<Item = (u64, FirstTrack)> {
        self.tracks.iter().filter_map(move |it| Some((it.first_lba, it.told(scatter, period)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: f64 = 16.0 / 104.0;
    const BEFORE: f64 = 16.0 / 108.0;
    const FINE: Scatter = Scatter { jitter_ms: 0.05, gathered_ms: 0.0 };

    /// 104 sectors a turn of 16 ms, or 108 of which four are spare, by so many looks and tracks.
    fn track(angle_ms: f64, own: f64, looks: u64, tracks: usize) -> Doubtful {
        let less = (0..looks).map(|look| own - angle_ms / 103.0 + (look % 3) as f64 * 1e-4);
        let less = less.collect();
        Doubtful { first_lba: 0, sectors: 104, own, before: BEFORE, tracks, less }
    }

    fn told(pace: f64, scatter: Scatter) -> Option<FirstTrack> {
        track(103.0 * pace, OWN, LOOKS, 15).told(scatter, 16.0)
    }

    #[test]
    fn a_track_belongs_to_the_zone_that_is_as_dense() {
        assert_eq!(told(OWN, FINE), Some(FirstTrack::Own));
        assert_eq!(told(BEFORE, FINE), Some(FirstTrack::OfZoneBefore));
        // As dense as neither.
        assert_eq!(told(f64::midpoint(OWN, BEFORE), FINE), None);
    }

    #[test]
    fn densities_that_differ_by_less_than_completions_scatter_tell_nothing() {
        let apart = 104.0 * (OWN - BEFORE);
        // Nine looks and fifteen tracks average jitter, five looks or a single track less of it, and what
        // completions are gathered over nothing.
        for (looks, tracks, jitters) in [(9, 15, 4.98), (5, 15, 6.1), (9, 1, 12.45)] {
            for (more, is_told) in [(1.01, true), (0.99, false)] {
                let scatter = Scatter { jitter_ms: apart / (more * jitters), gathered_ms: 0.0 };
                for (pace, whose) in [(OWN, FirstTrack::Own), (BEFORE, FirstTrack::OfZoneBefore)] {
                    let found = track(103.0 * pace, OWN, looks, tracks).told(scatter, 16.0);
                    assert_eq!(found, is_told.then_some(whose), "{looks} {tracks} {more}");
                }
            }
        }
        for (part, whose) in [(6.1, Some(FirstTrack::Own)), (5.9, None)] {
            assert_eq!(told(OWN, Scatter { jitter_ms: 0.01, gathered_ms: apart / part }), whose);
        }
    }

    #[test]
    fn a_density_of_more_than_a_turn_tells_nothing() {
        let told_by = |own: f64| {
            let scatter = Scatter { jitter_ms: 0.08, gathered_ms: 0.0 };
            track(103.0 * OWN, own, LOOKS, 15).told(scatter, 16.0)
        };
        // As if all tracks had been late by half a sector, or by four.
        assert_eq!(told_by(16.0 / 103.5), Some(FirstTrack::Own));
        assert_eq!(told_by(16.0 / 100.0), None);
    }
}
