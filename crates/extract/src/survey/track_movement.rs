//! One movement between tracks, and the pairs of reads that time it.

mod time;

use super::asked::{Asked, Why};
use super::lateness::{Lateness, Phases, lateness};
use super::read_pair::{PAIRS, ReadPair, SeenPair, Window};
use crate::clock::{Timed, Turn};
use crate::grain::Grain;
use crate::positioning::densest_turn;
use crate::scattered::{Likelihoods, Scattered};
use crate::stats::{circular_median, fold, mad, wrap};

pub(super) const ROUNDS: u32 = 3;
/// Rounds more of a movement that is wanted exactly, and how exactly, in milliseconds: the standard
/// error that those at the end are to leave.
const MORE_ROUNDS: u32 = 16;
const EXACT_MS: [f64; 2] = [0.01, 0.008];
/// Pairs spread over some jitters around a time leave this variance of it, in that of jitter.
const SPREAD_PAIRS: f64 = 3.3;
/// Rounds of a movement that may be lost to a cache.
const MOST_LOST: u32 = 4;
/// Pairs from which their scatter can be told.
const FEW: usize = 8;
/// What the rounds leave open, in parts of a turn.
const GRAIN: f64 = 2.5e-4;

/// One movement between tracks.
#[derive(Clone, Debug)]
pub(super) struct TrackMovement {
    pub(super) asked: Asked,
    /// Whether it is wanted more exactly than by how much orders differ, and still more.
    pub(super) exact: bool,
    pub(super) finer: bool,
    /// Rounds more than that, as it was left open.
    pub(super) more: u32,
    /// The track's first sector, its length, and milliseconds a sector.
    pub(super) from: (u64, u64, f64),
    pub(super) to: (u64, u64, f64),
    rounds: u32,
    /// Rounds of which a cache answered most.
    pub(super) lost: u32,
    seen: Vec<SeenPair>,
    /// From angles between sectors to times, as these pairs or those of a like movement tell.
    constant: Option<f64>,
    /// Of the pairs, without waits; sorted.
    pub(super) times: Vec<f64>,
    /// Whether the times are those of the sectors' places.
    placed: bool,
    /// How completions scatter, by these pairs, and by those of most movements.
    pub(super) jitter: Option<f64>,
    pub(super) usual_jitter: Option<f64>,
    /// What is open of when sectors passed, where it is known how late each second request began that an
    /// interrupt was gathered before.
    passed_open: Option<f64>,
    /// Whether no read-ahead can leave the track.
    keeps: bool,
    /// Where the arm rests: so many tracks of this length from the first one on, which are as good.
    pub(super) alike: u64,
    /// From one pair of the last round to the next, in milliseconds.
    pub(super) step_ms: f64,
    /// Whether it was begun again, as a disturbance left nothing of it or it contradicts others.
    pub(super) again: bool,
    /// Where the least time lies.
    pub(super) least: Option<(f64, f64)>,
    /// Where it is another one each time.
    scattered: Option<Scattered>,
    /// What its times leave open beyond their interval, where they may: of many movements some are off by more.
    pub(super) scattered_ms: f64,
    /// How likely that is.
    pub(super) likelihoods: Option<Likelihoods>,
}

impl TrackMovement {
    /// Tracks by first sector, length, and milliseconds a sector; `keeps`, where no read-ahead can leave them.
    pub(super) fn new(
        asked: Asked,
        (from, to): ((u64, u64, f64), (u64, u64, f64)),
        keeps: bool,
    ) -> Self {
        Self {
            asked,
            exact: matches!(asked.why, Why::Seek | Why::Still),
            finer: false,
            more: 0,
            from,
            to,
            rounds: 0,
            lost: 0,
            seen: Vec::new(),
            constant: None,
            times: Vec::new(),
            placed: false,
            jitter: None,
            usual_jitter: None,
            passed_open: None,
            step_ms: 0.0,
            keeps,
            alike: 1,
            again: false,
            least: None,
            scattered: None,
            scattered_ms: 0.0,
            likelihoods: None,
        }
    }

    /// The same with what another one showed over as many tracks: it needs the last round only.
    pub(super) fn like(mut self, other: &Self, (time, width): (f64, f64)) -> Self {
        self.rounds = ROUNDS - 1;
        self.least = Some(((time - width).max(0.0), time + width));
        self.constant = other.constant;
        self
    }

    /// Takes in what a pair took, from completion to completion, if the drive's media answered it, in
    /// more than `hit_ms`.
    pub(super) fn take(
        &mut self,
        pair: &ReadPair,
        seen: [&Timed; 2],
        turn: Turn,
        hit_ms: f64,
    ) -> bool {
        let time = seen[1].completed - seen[0].completed;
        let fastest = seen[0].elapsed().min(seen[1].elapsed());
        let straight = self.straight(pair.from, pair.to);
        let by_media = if self.asked.why.rests() {
            // As fast as a cache's answers, but when the sector comes by.
            fold(time - straight, turn.period).abs() <= turn.tolerance()
        } else {
            fastest > hit_ms
        };
        if by_media {
            let first = seen[0].completed - (pair.from - self.from.0) as f64 * self.from.2;
            let round = self.rounds + self.lost;
            self.seen.push(SeenPair { round, first, time, wait: pair.wait, straight });
        }
        by_media
    }

    /// Ends a round of which so many pairs told something; whether a cache answered most of it.
    pub(super) fn end_round(&mut self, told: u64, turn: Turn, grain: &Grain) -> bool {
        let (lost, still) = (2 * told < PAIRS, self.asked.why.rests());
        if lost && still {
            // What seems to be told was a cache's answer just when the sector came by.
            self.seen.truncate(self.seen.len() - told as usize);
        }
        if lost && self.lost < MOST_LOST {
            self.lost += 1;
            return !still;
        }
        if self.rounds + 1 == ROUNDS {
            self.step_ms = self.window(turn).step();
        }
        self.rounds += 1;
        self.place(turn, grain);
        self.least =
            densest_turn(&self.times, turn.period).map(|(low, high)| (low.max(0.0), high.max(0.0)));
        self.likelihoods = self.pairs(turn, grain).map(|pairs| pairs.likelihoods());
        false
    }

    /// Begins again, once, if all rounds are over and left nothing of it.
    pub(super) fn settle(&mut self, unit: u64, turn: Turn) {
        if !self.is_open(turn) && self.time(unit, turn).is_none() {
            self.begin_again();
        }
    }

    /// Times by where the sectors lie, once most pairs agree on that: what jitter and the grain of the
    /// clock add to each is nothing in the mean of all.
    fn place(&mut self, turn: Turn, grain: &Grain) {
        let phases: Vec<f64> = self.seen.iter().map(|pair| pair.time - pair.straight).collect();
        // Where the arm rests, sectors pass by as they lie.
        let rests = self.asked.why.rests();
        let middle = circular_median(&phases, turn.period).filter(|_| !rests).unwrap_or(0.0);
        let off = phases.iter().map(|phase| fold(phase - middle, turn.period));
        let near: Vec<f64> = off.filter(|off| off.abs() <= turn.tolerance()).collect();
        let mean = near.iter().sum::<f64>() / near.len().max(1) as f64;
        // By many tracks, what a sector takes is known no better than completions tell the way around one; of one
        // track, a cache may have answered just when its sector came by.
        let constant = if rests && self.alike == 1 { 0.0 } else { middle + mean };
        self.placed = 5 * near.len() >= 4 * self.seen.len() && near.len() > 1;
        self.constant = Some(constant);
        let scatter = mad(&near).filter(|_| near.len() > FEW);
        // What a reading of the clock is off by comes when all is over.
        let read = grain.ms() * grain.ms() / 12.0;
        self.jitter = scatter.map(|sigma| (sigma * sigma / 2.0 - read).max(read / 4.0).sqrt());
        let late = self.lateness(constant, turn, grain).filter(|_| self.placed);
        if let Some(late) = &late {
            self.jitter = Some(late.open.hypot(late.jitter / 2.0));
        }
        self.passed_open = late.as_ref().map(|late| late.open);
        let late = late.map(|late| late.each);
        let time = |(index, pair): (usize, &SeenPair)| {
            let place = pair.straight + constant;
            let time = if self.placed {
                place + ((pair.time - place) / turn.period).round() * turn.period
            } else {
                pair.time
            };
            let late = late.as_ref().map_or(Some(0.0), |each| each[index])?;
            Some(time - pair.wait - late)
        };
        self.times = self.seen.iter().enumerate().filter_map(time).collect();
        self.times.sort_unstable_by(f64::total_cmp);
    }

    /// How late each second request began.
    fn lateness(&self, constant: f64, turn: Turn, grain: &Grain) -> Option<Lateness> {
        let phases = |pair: &SeenPair| Phases {
            round: pair.round,
            first: pair.first,
            second: pair.first + pair.time - pair.straight - constant,
            between: pair.time,
        };
        let pairs: Vec<Phases> = self.seen.iter().map(phases).collect();
        lateness(&pairs, turn.period, grain.ticks.every_ms)
    }

    /// What gathered interrupts leave open of its time.
    pub(super) fn gathered_ms(&self, grain: &Grain) -> f64 {
        self.passed_open.unwrap_or_else(|| grain.unfollowed_ms())
    }

    /// What a clock that counts in so much leaves open of its time: between two readings, nothing to
    /// one of it more or less, and of the mean of many as much less.
    pub(super) fn unseen_ms(&self, grain_ms: f64) -> f64 {
        if self.placed { 1.96 * grain_ms / (6.0 * self.seen.len() as f64).sqrt() } else { grain_ms }
    }

    /// Forgets what was seen of it, once.
    pub(super) fn begin_again(&mut self) {
        if !self.again {
            let (exact, finer, more, alike) = (self.exact, self.finer, self.more, self.alike);
            let new = Self::new(self.asked, (self.from, self.to), self.keeps);
            *self = Self { again: true, exact, finer, more, alike, ..new };
        }
    }

    pub(super) fn is_open(&self, turn: Turn) -> bool {
        self.rounds < self.wanted_rounds(turn) && (self.rounds == 0 || self.least.is_some())
    }

    fn wanted_rounds(&self, turn: Turn) -> u32 {
        let exact_ms = EXACT_MS[usize::from(self.finer)];
        let pairs = SPREAD_PAIRS * 2.0 * (turn.jitter / exact_ms).powi(2);
        let more = ((pairs / PAIRS as f64).ceil() as u32).clamp(1, MORE_ROUNDS);
        ROUNDS + self.more + if self.exact { more } else { 0 }
    }

    /// The angle from one sector to the other, but for a constant.
    fn straight(&self, from: u64, to: u64) -> f64 {
        (to - self.to.0) as f64 * self.to.2 - (from - self.from.0) as f64 * self.from.2
    }

    /// What a round searches.
    pub(super) fn window(&self, turn: Turn) -> Window {
        let period = turn.period;
        let (low, high) = self.least.unwrap_or((0.0, period));
        // Those at the end look at a little more to either side: what one pair showed is confirmed.
        let more = match (self.rounds + 1).checked_sub(ROUNDS) {
            None => 0.0,
            Some(0) => self.from.2.max(self.to.2),
            Some(_) => 3.0 * turn.jitter + 4.0 * GRAIN * period,
        };
        let constant = self.constant.unwrap_or(0.0);
        Window { low: low - more, high: high + more, constant, period }
    }

    /// The sectors of one pair of a round, each a little later in the turn than the one before. What
    /// a sector comes too late for is waited for.
    pub(super) fn pair(&self, window: &Window, (index, visit): (u64, u64), unit: u64) -> ReadPair {
        let wanted = window.low + (window.high - window.low) * (index as f64 + 0.5) / PAIRS as f64;
        if self.asked.from == self.asked.to {
            let before = u64::from(self.rounds + self.lost) * PAIRS + PAIRS - 1 - index % PAIRS;
            return self.pair_on_track(wanted, window.period, before, unit);
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
    /// read-ahead goes there, and as the head is on the track until it is asked for the second. Each pair has a
    /// track of its own where many are alike, below those of the pairs before: no cache has read there.
    fn pair_on_track(&self, wanted: f64, period: f64, before: u64, unit: u64) -> ReadPair {
        let (sectors, pace) = (self.from.1 / unit, self.from.2 * unit as f64);
        let track = self.alike - 1 - before * 2 % self.alike;
        let first = self.from.0 + track * self.from.1;
        let back = ((period - wanted) / pace) as u64;
        let back = back.clamp(1, sectors.saturating_sub(1).max(1));
        let wait = (period - back as f64 * pace - wanted).max(0.0);
        ReadPair { from: first + back * unit, to: first, wait }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A track by its first sector, its length, and milliseconds a sector.
    pub(super) const FINE: (u64, u64, f64) = (1_080, 80, 0.1);

    pub(super) fn movement(why: Why, to: (u64, u64, f64)) -> TrackMovement {
        let from = (1_000, 80, 0.1);
        let asked = Asked { why, from: 10, to: if why == Why::Still { 10 } else { 11 } };
        TrackMovement { rounds: 3, ..TrackMovement::new(asked, (from, to), false) }
    }

    #[test]
    fn a_pair_leaves_exactly_the_time_that_is_wanted() {
        let moving = movement(Why::Seek, FINE);
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
