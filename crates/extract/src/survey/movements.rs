//! The least time from one track to others, by reads alone.
//!
//! A sector of another track is reached in the turn in which it was asked for, or a turn later:
//! all times from one completion to the next lie within one turn from the least on. Sectors spread
//! around the track show the least to a sixteenth of a turn, and three rounds, each within
//! what the one before left open, to a four-thousandth. No sector is read twice, so that no cache
//! has it.

use super::asked::{Asked, Why};
use super::orders::Timing;
use super::pieces::Pieces;
use super::walk::Walk;
use crate::clock::{Turn, timed};
use crate::positioning::densest_turn;
use crate::stats::{circular_median, wrap};
use platterlab_probe::Samples;

/// Pairs of reads in a round.
const PAIRS: u64 = 16;
const ROUNDS: u32 = 3;
/// What the rounds leave open, in parts of a turn.
const GRAIN: f64 = 1e-3;

/// One movement between tracks.
#[derive(Clone, Debug)]
pub(super) struct TrackMovement {
    pub(super) asked: Asked,
    /// The track's first sector, its length, and milliseconds a sector.
    from: (u64, u64, f64),
    to: (u64, u64, f64),
    rounds: u32,
    times: Vec<f64>,
    phases: Vec<f64>,
    /// Where the least time lies.
    pub(super) least: Option<(f64, f64)>,
}

/// All movements that are wanted.
#[derive(Clone, Debug)]
pub(super) struct Movements {
    unit: u64,
    turn: Turn,
    /// What is answered faster comes from a cache.
    hit_ms: f64,
    pub(super) list: Vec<TrackMovement>,
}

impl Movements {
    pub(super) fn new(asked: Vec<Asked>, walk: &Walk, unit: u64, turn: Turn, hit_ms: f64) -> Self {
        let list = asked
            .into_iter()
            .filter_map(|asked| {
                let track = |track| of_track(&walk.pieces, walk, track);
                let (from, to) = (track(asked.from)?, track(asked.to)?);
                Some(TrackMovement {
                    asked,
                    from,
                    to,
                    rounds: 0,
                    times: Vec::new(),
                    phases: Vec::new(),
                    least: None,
                })
            })
            .collect();
        Self { unit, turn, hit_ms, list }
    }

    /// Least times of the movements that were timed.
    pub(super) fn timings(&self) -> Vec<Timing> {
        let timing = |movement: &TrackMovement| {
            let (time, width) = movement.time(self.unit, self.turn)?;
            let Asked { from, to, .. } = movement.asked;
            Some(Timing { from, to, time, width })
        };
        self.list.iter().filter_map(timing).collect()
    }

    /// So many tracks from the middle on, with the least time and half the width of its interval.
    pub(super) fn profile(&self) -> impl Iterator<Item = (u64, f64, f64)> {
        self.list.iter().filter_map(|movement| {
            let Why::Profile(tracks) = movement.asked.why else { return None };
            let (time, width) = movement.time(self.unit, self.turn)?;
            Some((tracks, time, width))
        })
    }

    /// Sectors to visit next, in this order: anchor and target in turn.
    pub(super) fn next(&self) -> Option<Vec<u64>> {
        let pairs = self.wanted();
        (!pairs.is_empty())
            .then(|| pairs.into_iter().flat_map(|(_, pair)| [pair.0, pair.1]).collect())
    }

    /// The pairs of a round, each with its movement: all movements in turn, so that no cache has
    /// what is wanted of one.
    fn wanted(&self) -> Vec<(usize, (u64, u64))> {
        let open = self.list.iter().enumerate().filter(|(_, movement)| movement.is_open());
        let pairs: Vec<(usize, Vec<(u64, u64)>)> = open
            .map(|(number, movement)| (number, movement.pairs(self.unit, self.turn.period)))
            .collect();
        (0..PAIRS as usize)
            .rev()
            .flat_map(|index| pairs.iter().map(move |(number, pairs)| (*number, pairs[index])))
            .collect()
    }

    pub(super) fn add(&mut self, run: &Samples) {
        let samples = timed(run);
        let wanted = self.wanted();
        for (pair, (number, (from, to))) in samples.chunks_exact(2).zip(&wanted) {
            let movement = &mut self.list[*number];
            if pair.iter().all(|sample| sample.elapsed() > self.hit_ms) {
                let time = pair[1].completed - pair[0].completed;
                movement.times.push(time);
                movement.phases.push(time - movement.straight(*from, *to));
            }
        }
        let period = self.turn.period;
        for movement in self.list.iter_mut().filter(|movement| movement.is_open()) {
            movement.rounds += 1;
            movement.times.sort_unstable_by(f64::total_cmp);
            movement.least = densest_turn(&movement.times, period)
                .map(|(low, high)| (low.max(0.0), high.max(0.0)));
        }
    }
}

impl TrackMovement {
    fn is_open(&self) -> bool {
        self.rounds < ROUNDS && (self.rounds == 0 || self.least.is_some())
    }

    /// The angle from one sector to the other, but for a constant.
    fn straight(&self, from: u64, to: u64) -> f64 {
        (to - self.to.0) as f64 * self.to.2 - (from - self.from.0) as f64 * self.from.2
    }

    /// The sectors of one round, each pair a little later in the turn than the one before.
    fn pairs(&self, unit: u64, period: f64) -> Vec<(u64, u64)> {
        let (low, high) = self.least.unwrap_or((0.0, period));
        let constant = circular_median(&self.phases, period).unwrap_or(0.0);
        (0..PAIRS)
            .map(|index| {
                let number = u64::from(self.rounds) * PAIRS + index;
                // From the first third of the track: read-ahead goes on until the drive has
                // understood the next request, and must not have left the track by then.
                let units = (self.from.1 / unit / 3).max(1);
                let from = self.from.0 + number % 48 * units / 48 * unit;
                let wanted = low + (high - low) * (index as f64 + 0.5) / PAIRS as f64;
                let ahead = (from - self.from.0) as f64 * self.from.2;
                let place = wrap(wanted - constant + ahead, period) / self.to.2;
                let last = (self.to.1 / unit).saturating_sub(1);
                let to = self.to.0 + ((place / unit as f64) as u64).min(last) * unit;
                (from, to)
            })
            .collect()
    }

    /// Least time and half the width of its interval.
    fn time(&self, unit: u64, turn: Turn) -> Option<(f64, f64)> {
        let (low, high) = self.least.filter(|_| self.rounds == ROUNDS)?;
        let width = (high - low) / 2.0;
        // Targets are sectors: no time shows more exactly than one of them.
        let sector = self.from.2.max(self.to.2) * unit as f64;
        let narrow = width < (turn.period / 100.0).max(sector);
        narrow.then(|| (f64::midpoint(low, high), width + 2.0 * turn.jitter + GRAIN * turn.period))
    }
}

fn of_track(pieces: &Pieces, walk: &Walk, track: u64) -> Option<(u64, u64, f64)> {
    let (first, length) = pieces.track(track)?;
    Some((first, length, walk.slope(length)?))
}
