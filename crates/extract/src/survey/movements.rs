//! The least time from one track to others, by reads alone.
//!
//! A sector of another track is reached in the turn in which it was asked for, or a turn later:
//! all times from one completion to the next lie within one turn from the least on. Sectors spread
//! around the track show the least to a sixteenth of a turn, and three rounds, each within
//! what the one before left open, to a four-thousandth. No sector is read twice, so that no cache
//! has it.

use super::asked::{Asked, Why};
use super::held::Visited;
use super::least::{confirmed, likely};
use super::orders::Timing;
use super::pieces::Pieces;
use super::walk::Walk;
use crate::clock::{Turn, timed};
use crate::grain::Grain;
use crate::positioning::densest_turn;
use crate::stats::{circular_median, fold, wrap};
use platterlab_probe::Samples;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of reads in a round.
const PAIRS: u64 = 16;
const ROUNDS: u32 = 3;
/// Rounds more of a movement that is wanted exactly, and how exactly, in milliseconds: the standard
/// error that those at the end are to leave.
const MORE_ROUNDS: u32 = 8;
const EXACT_MS: f64 = 0.01;
/// Pairs spread over some jitters around a time leave this variance of it, in that of jitter.
const SPREAD_PAIRS: f64 = 3.3;
/// Movements in a run at most: more than any cache has places.
const MOST: usize = 200;
/// Rounds of a movement that may be lost to a cache.
const MOST_LOST: u32 = 4;
/// What the rounds leave open, in parts of a turn.
const GRAIN: f64 = 2.5e-4;

/// One movement between tracks.
#[derive(Clone, Debug)]
pub(super) struct TrackMovement {
    pub(super) asked: Asked,
    /// The track's first sector, its length, and milliseconds a sector.
    from: (u64, u64, f64),
    to: (u64, u64, f64),
    rounds: u32,
    /// Rounds of which a cache answered most.
    lost: u32,
    times: Vec<f64>,
    phases: Vec<f64>,
    /// Whether it was begun again, as a disturbance left nothing of it or it contradicts others.
    again: bool,
    /// Where the least time lies.
    pub(super) least: Option<(f64, f64)>,
}

/// A sector to begin on, one to go to, and how long to wait on the way, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct ReadPair {
    from: u64,
    to: u64,
    wait: f64,
}

/// What a round of pairs searches.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: f64,
    high: f64,
    /// From angle to time.
    constant: f64,
    period: f64,
}

/// All movements that are wanted.
#[derive(Clone, Debug)]
pub(super) struct Movements {
    unit: u64,
    turn: Turn,
    /// What is answered faster comes from a cache.
    hit_ms: f64,
    grain: Grain,
    pub(super) list: Vec<TrackMovement>,
}

impl Movements {
    pub(super) fn new(asked: Vec<Asked>, walk: &Walk, unit: u64, turn: Turn, hit_ms: f64) -> Self {
        let (grain, list) = (Grain::default(), Vec::new());
        let mut movements = Self { unit, turn, hit_ms, grain, list };
        movements.ask(asked, walk);
        movements
    }

    /// Some more of them.
    pub(super) fn ask(&mut self, asked: Vec<Asked>, walk: &Walk) {
        let mut known: BTreeSet<(u64, u64)> = BTreeSet::new();
        for movement in &mut self.list {
            let Asked { why, from, to } = movement.asked;
            let again = asked.iter().find(|asked| (asked.from, asked.to) == (from, to));
            if let Some(again) = again.filter(|_| why == Why::Order) {
                // Begins to be wanted more exactly, perhaps.
                movement.asked.why = again.why;
            }
            known.insert((from, to));
        }
        let asked = asked.into_iter().filter(|asked| !known.contains(&(asked.from, asked.to)));
        let new = asked.filter_map(|asked| {
            let track = |track| of_track(&walk.pieces, walk, track);
            let (from, to) = (track(asked.from)?, track(asked.to)?);
            let new = TrackMovement::new(asked, from, to);
            Some(if asked.why == Why::Mean { self.known(new) } else { new })
        });
        let new: Vec<TrackMovement> = new.collect();
        self.list.extend(new);
    }

    /// The same, where another movement over as many tracks of these lengths was timed: it needs the
    /// last round only.
    fn known(&self, mut movement: TrackMovement) -> TrackMovement {
        let tracks = |it: &TrackMovement| (it.asked.to - it.asked.from, it.from.1, it.to.1);
        let alike = self.list.iter().filter(|other| {
            other.asked.to > other.asked.from && tracks(other) == tracks(&movement)
        });
        let mut timed = alike.filter_map(|other| Some((other, self.time_of(other)?)));
        if let Some((other, (time, width))) = timed.next() {
            movement.rounds = ROUNDS - 1;
            movement.least = Some(((time - width).max(0.0), time + width));
            movement.phases =
                circular_median(&other.phases, self.turn.period).into_iter().collect();
        }
        movement
    }

    /// Least times of the movements that were timed.
    pub(super) fn timings(&self) -> Vec<Timing> {
        let timing = |movement: &TrackMovement| {
            (movement.asked.why != Why::Still).then_some(())?;
            let (time, width) = self.time_of(movement)?;
            let (likely, _) = likely(&movement.times, time, self.turn);
            let Asked { from, to, .. } = movement.asked;
            Some(Timing { from, to, time, width, likely })
        };
        self.list.iter().filter_map(timing).collect()
    }

    /// So many tracks from the middle on, with the least time and half the width of its interval.
    pub(super) fn profile(&self) -> impl Iterator<Item = (u64, f64, f64)> {
        self.list.iter().filter_map(|movement| {
            let Why::Profile(tracks) = movement.asked.why else { return None };
            let (time, width) = self.time_of(movement)?;
            Some((tracks, time, width))
        })
    }

    /// Sectors to visit next, in this order: anchor and target in turn.
    pub(super) fn next(&self) -> Option<Vec<Visited>> {
        let visits = |(_, pair): (usize, ReadPair)| {
            let wait_ps = (pair.wait * 1e9).round() as u64;
            [Visited::at_once(pair.from), Visited { lba: pair.to, wait_ps }]
        };
        let pairs = self.wanted();
        (!pairs.is_empty()).then(|| pairs.into_iter().flat_map(visits).collect())
    }

    /// The least time from one track to another and half the width of its interval, and what the
    /// sector takes that is read there.
    pub(super) fn timed(&self, from: u64, to: u64) -> Option<(f64, f64, f64)> {
        let movement = self.list.iter().find(|it| it.asked.from == from && it.asked.to == to)?;
        let (time, width) = self.time_of(movement)?;
        Some((time, width, movement.to.2 * self.unit as f64))
    }

    /// The pairs of a round, each with its movement: all movements in turn, so that no cache has
    /// what is wanted of one, and each from a lower sector than those before that went from the same
    /// track, so that no read-ahead has that.
    fn wanted(&self) -> Vec<(usize, ReadPair)> {
        let mut visits: BTreeMap<u64, u64> = BTreeMap::new();
        let open = self.list.iter().enumerate().filter(|(_, movement)| movement.is_open(self.turn));
        let open = open.take(MOST);
        let open: Vec<(usize, Window)> =
            open.map(|(number, movement)| (number, movement.window(self.turn))).collect();
        let mut pairs = Vec::with_capacity(open.len() * PAIRS as usize);
        for index in (0..PAIRS).rev() {
            for (number, window) in &open {
                let movement = &self.list[*number];
                let visit = visits.entry(movement.asked.from).or_default();
                *visit += 1;
                pairs.push((*number, movement.pair(window, (index, *visit), self.unit)));
            }
        }
        pairs
    }

    /// Least time of a movement and half the width of its interval, with the grain of the clock.
    fn time_of(&self, movement: &TrackMovement) -> Option<(f64, f64)> {
        let (time, width) = movement.time(self.unit, self.turn)?;
        Some((time, width + self.grain.ms()))
    }

    /// What the times of all of them are multiples of, in milliseconds.
    pub(super) fn grain_ms(&self) -> f64 {
        self.grain.gathered_ms()
    }

    /// Takes in a run; whether a cache answered what was to come from another track.
    pub(super) fn add(&mut self, run: &Samples) -> bool {
        self.grain.add(run);
        let samples = timed(run);
        let wanted = self.wanted();
        let mut pairs = samples.windows(2);
        let mut told = vec![0; self.list.len()];
        for (number, ReadPair { from, to, wait }) in &wanted {
            // Others may have been read between them.
            let Some(pair) = pairs.find(|pair| (pair[0].lba, pair[1].lba) == (*from, *to)) else {
                continue;
            };
            let movement = &mut self.list[*number];
            let time = pair[1].completed - pair[0].completed;
            let phase = time - movement.straight(*from, *to);
            let by_media = if movement.asked.why == Why::Still {
                // As fast as a cache's answers, but when the sector comes by.
                fold(phase, self.turn.period).abs() <= self.turn.tolerance()
            } else {
                pair.iter().all(|sample| sample.elapsed() > self.hit_ms)
            };
            if by_media {
                movement.times.push(time - wait);
                movement.phases.push(phase);
                told[*number] += 1;
            }
        }
        let (period, mut lost) = (self.turn.period, false);
        let open =
            self.list.iter_mut().zip(told).filter(|(movement, _)| movement.is_open(self.turn));
        let open = open.take(MOST);
        for (movement, told) in open {
            if 2 * told < PAIRS && movement.lost < MOST_LOST {
                movement.lost += 1;
                lost |= movement.asked.why != Why::Still;
                continue;
            }
            movement.rounds += 1;
            movement.times.sort_unstable_by(f64::total_cmp);
            movement.least = densest_turn(&movement.times, period)
                .map(|(low, high)| (low.max(0.0), high.max(0.0)));
            if !movement.is_open(self.turn) && movement.time(self.unit, self.turn).is_none() {
                movement.begin_again();
            }
        }
        lost
    }

    /// Times these movements once more, by their tracks, those that were not yet.
    pub(super) fn doubt(&mut self, doubted: &[(u64, u64)]) {
        for movement in &mut self.list {
            if doubted.contains(&(movement.asked.from, movement.asked.to)) {
                movement.begin_again();
            }
        }
    }
}

impl TrackMovement {
    fn new(asked: Asked, from: (u64, u64, f64), to: (u64, u64, f64)) -> Self {
        let (times, phases) = (Vec::new(), Vec::new());
        Self { asked, from, to, rounds: 0, lost: 0, times, phases, again: false, least: None }
    }

    /// Forgets what was seen of it, once.
    fn begin_again(&mut self) {
        if !self.again {
            *self = Self { again: true, ..Self::new(self.asked, self.from, self.to) };
        }
    }

    fn is_open(&self, turn: Turn) -> bool {
        self.rounds < self.wanted_rounds(turn) && (self.rounds == 0 || self.least.is_some())
    }

    /// How long read-ahead may be gone from a track before it is over, where the arm rests: what holds
    /// no data there.
    fn gap(&self, period: f64) -> f64 {
        if self.asked.why != Why::Still {
            return 0.0;
        }
        (period - self.from.1 as f64 * self.from.2).max(0.0)
    }

    /// A seek is wanted more exactly than by how much orders differ.
    fn wanted_rounds(&self, turn: Turn) -> u32 {
        if !matches!(self.asked.why, Why::Seek | Why::Still) {
            return ROUNDS;
        }
        let pairs = SPREAD_PAIRS * 2.0 * (turn.jitter / EXACT_MS).powi(2);
        ROUNDS + ((pairs / PAIRS as f64).ceil() as u32).clamp(1, MORE_ROUNDS)
    }

    /// The angle from one sector to the other, but for a constant.
    fn straight(&self, from: u64, to: u64) -> f64 {
        (to - self.to.0) as f64 * self.to.2 - (from - self.from.0) as f64 * self.from.2
    }

    /// What a round searches.
    fn window(&self, turn: Turn) -> Window {
        let period = turn.period;
        let (low, high) = self.least.unwrap_or((0.0, period));
        // Those at the end look at a little more to either side: what one pair showed is confirmed.
        let more = match (self.rounds + 1).checked_sub(ROUNDS) {
            None => 0.0,
            Some(0) => self.from.2.max(self.to.2),
            Some(_) => 3.0 * turn.jitter + 4.0 * GRAIN * period,
        };
        let constant = circular_median(&self.phases, period).unwrap_or(0.0);
        Window { low: low - more, high: high + more, constant, period }
    }

    /// The sectors of one pair of a round, each a little later in the turn than the one before. What
    /// a sector comes too late for is waited for.
    fn pair(&self, window: &Window, (index, visit): (u64, u64), unit: u64) -> ReadPair {
        let wanted = window.low + (window.high - window.low) * (index as f64 + 0.5) / PAIRS as f64;
        if self.asked.from == self.asked.to {
            return self.pair_on_track(wanted, window.period, unit);
        }
        // From the first third of the track: read-ahead goes on until the drive has understood the
        // next request, and must not have left the track by then.
        let units = (self.from.1 / unit / 3).max(1);
        let from = self.from.0 + (units - 1 - visit % units) * unit;
        let ahead = (from - self.from.0) as f64 * self.from.2;
        let place = wrap(wanted - window.constant + ahead, window.period) / self.to.2 / unit as f64;
        let last = (self.to.1 / unit).saturating_sub(1);
        let chosen = (place.ceil() as u64).min(last);
        let late = (chosen as f64 - place) * unit as f64 * self.to.2;
        ReadPair { from, to: self.to.0 + chosen * unit, wait: late.max(0.0) }
    }

    /// The same where the arm rests: from near the end of the track to its beginning, as no
    /// read-ahead goes there, and as the head is on the track until it is asked for the second.
    fn pair_on_track(&self, wanted: f64, period: f64, unit: u64) -> ReadPair {
        let (first, sectors, pace) = (self.from.0, self.from.1 / unit, self.from.2 * unit as f64);
        let back = ((period - wanted) / pace) as u64;
        let back = back.clamp(1, sectors.saturating_sub(1).max(1));
        let wait = (period - back as f64 * pace - wanted).max(0.0);
        ReadPair { from: first + back * unit, to: first, wait }
    }

    /// Least time and half the width of its interval.
    fn time(&self, unit: u64, turn: Turn) -> Option<(f64, f64)> {
        let least = self.least.filter(|_| self.rounds >= ROUNDS)?;
        let (low, high) = confirmed(&self.times, least, turn.period)?;
        let width = (high - low) / 2.0;
        // Targets are sectors: no time shows more exactly than one of them.
        let sector = self.from.2.max(self.to.2) * unit as f64;
        let narrow = width < (turn.period / 100.0).max(sector);
        let open = width + 2.0 * turn.jitter + GRAIN * turn.period;
        let middle = f64::midpoint(low, high);
        let (time, open) = if self.rounds > ROUNDS {
            // All pairs within some jitters of the end tell of it, not the outermost alone.
            let (likely, error) = likely(&self.times, middle, turn);
            let open = open.min(1.96 * error + GRAIN * turn.period);
            (if (likely - middle).abs() <= width + turn.jitter { likely } else { middle }, open)
        } else {
            (middle, open)
        };
        // Where read-ahead may have left the track, it takes less by what that takes, and no more.
        let less = self.gap(turn.period) / 2.0;
        narrow.then_some((time - less, open + less))
    }
}

fn of_track(pieces: &Pieces, walk: &Walk, track: u64) -> Option<(u64, u64, f64)> {
    let (first, length) = pieces.track(track)?;
    Some((first, length, walk.slope(length)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn movement(why: Why, to: (u64, u64, f64)) -> TrackMovement {
        let from = (1_000, 80, 0.1);
        let asked = Asked { why, from: 10, to: if why == Why::Still { 10 } else { 11 } };
        TrackMovement { rounds: 3, ..TrackMovement::new(asked, from, to) }
    }

    #[test]
    fn a_pair_leaves_exactly_the_time_that_is_wanted() {
        let moving = movement(Why::Seek, (1_080, 80, 0.1));
        let still = movement(Why::Still, (1_000, 80, 0.1));
        for wanted in [0.42, 1.07, 3.333, 7.5] {
            let window = Window { low: wanted, high: wanted, constant: 2.0, period: 8.0 };
            let pair = moving.pair(&window, (3, 5), 1);
            let passes = 2.0 + moving.straight(pair.from, pair.to);
            let off = wrap(passes - pair.wait - wanted + 0.001, 8.0) - 0.001;
            assert!(off.abs() < 1e-9 && pair.wait < 0.1, "{wanted}: {off} {pair:?}");
            let pair = still.pair(&window, (3, 5), 1);
            assert!((1_000..1_080).contains(&pair.from) && pair.to == 1_000, "{pair:?}");
            let passes = 8.0 - (pair.from - pair.to) as f64 * 0.1;
            assert!((passes - pair.wait - wanted).abs() < 1e-9, "{wanted}: {pair:?}");
        }
    }
}
