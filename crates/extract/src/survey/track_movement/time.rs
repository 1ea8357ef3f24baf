//! The least time of a movement, by its pairs.

use super::{GRAIN, ROUNDS, TrackMovement};
use crate::clock::Turn;
use crate::grain::Grain;
use crate::positioning::densest;
use crate::scattered::{Common, Pairs};
use crate::stats::fold;
use crate::survey::least::{confirmed, likely};

/// Jitters within which nearly all requests and completions are.
const LATE: f64 = 3.0;
/// Standard errors that two of many movements are off by, beyond the interval of one.
const OF_MANY: f64 = 1.5;
/// Times that vary by less than this part of what they do about the sectors' places are a cache's.
const CACHED: f64 = 0.5;
/// Of completions that scatter by more, in milliseconds, so much is left however many there are, in parts
/// of that: interrupts that are gathered come at the same moments of each round.
const MANY_MS: f64 = 0.03;
const GATHERED: f64 = 1.5;

impl TrackMovement {
    /// The pairs about its end, where the arm moves.
    pub(super) fn pairs(&self, turn: Turn, grain: &Grain) -> Option<Pairs> {
        let (_, low, high) = densest(&self.times, turn.period)?;
        // A request is late by chance as its completion is, and by what interrupts are gathered over.
        let host = LATE * turn.jitter + self.gathered_ms(grain).max(grain.gathered_ms());
        let sharp = host + GRAIN * turn.period + grain.ms();
        let moves = !self.asked.why.rests() && self.rounds > 1;
        moves.then(|| Pairs::of(&self.times, f64::midpoint(low, high), turn.period, sharp))
    }

    /// Takes in how movements scatter, if they do: whether this one does.
    pub(in crate::survey) fn scatters(
        &mut self,
        common: Option<Common>,
        turn: Turn,
        grain: &Grain,
    ) {
        (self.scattered, self.scattered_ms) = (None, 0.0);
        let Some((common, mine)) = common.zip(self.likelihoods) else { return };
        let pairs = self.pairs(turn, grain).filter(|_| common.has(&mine));
        self.scattered = pairs.and_then(|pairs| pairs.within(common.within));
        if let Some(it) = self.scattered {
            self.least = Some(((it.time - it.within).max(0.0), it.time + it.within));
            self.scattered_ms = OF_MANY * it.error;
        } else if !common.lacks(&mine) {
            self.scattered_ms = common.within;
        }
    }

    /// Whether a cache answered those at the least time: they take as long as they are waited for and no
    /// longer or shorter for where the sector lies.
    fn seems_cached(&self, (low, high): (f64, f64), turn: Turn) -> bool {
        let (near, period) = (3.0 * turn.tolerance(), turn.period);
        let around = low - near..high + near;
        let near = self.seen.iter().filter(|pair| around.contains(&(pair.time - pair.wait)));
        let both =
            near.map(|pair| (fold(pair.time - pair.straight, period), pair.time - pair.wait));
        let both: Vec<(f64, f64)> = both.collect();
        let mean = both.iter().map(|(_, time)| time).sum::<f64>() / both.len().max(1) as f64;
        let by_place: f64 = both.iter().map(|(off, _)| off * off).sum();
        let by_cache: f64 = both.iter().map(|(_, time)| (time - mean).powi(2)).sum();
        both.len() > 2 && by_cache < CACHED * by_place
    }

    /// How long read-ahead may be gone from a track before it is over, where the arm rests: what holds
    /// no data there.
    fn gap(&self, period: f64) -> f64 {
        if !self.asked.why.rests() || self.keeps {
            return 0.0;
        }
        (period - self.from.1 as f64 * self.from.2).max(0.0)
    }

    /// What explains best which sectors were reached at once, about its least time.
    pub(in crate::survey) fn likely(&self, time: f64, width: f64, turn: Turn) -> f64 {
        self.scattered.map_or_else(|| likely(&self.times, time, width, turn).0, |it| it.time)
    }

    /// Least time and half the width of its interval.
    pub(in crate::survey) fn time(&self, unit: u64, turn: Turn) -> Option<(f64, f64)> {
        let least = self.least.filter(|_| self.rounds >= ROUNDS)?;
        if self.asked.why.rests() && self.seems_cached(least, turn) {
            return None;
        }
        if let Some(it) = self.scattered {
            let open = 1.96 * it.error + 2.0 * turn.jitter + GRAIN * turn.period;
            return (open < turn.period / 50.0).then_some((it.time, open));
        }
        let (low, high) = confirmed(&self.times, least, turn.period)?;
        let width = (high - low) / 2.0;
        // Targets are sectors: no time shows more exactly than one of them.
        let sector = self.from.2.max(self.to.2) * unit as f64;
        let narrow = width < (turn.period / 100.0).max(sector);
        let open = width + 2.0 * turn.jitter + GRAIN * turn.period;
        let middle = f64::midpoint(low, high);
        let (time, open) = if self.rounds > ROUNDS {
            // All pairs within some jitters of the end tell of it, not the outermost alone; with more
            // jitter than there is, those far from it would.
            let jitter = self.jitter.map_or(turn.jitter, |own| own.min(turn.jitter));
            let (likely, error) = likely(&self.times, middle, open, Turn { jitter, ..turn });
            let inside = (likely - middle).abs() <= width + turn.jitter;
            // By few readings of a coarse clock, they scatter more or less by chance.
            let usual = self.usual_jitter.map_or(jitter, |usual| usual.min(jitter));
            let known = self.passed_open.is_some() || usual <= MANY_MS;
            let gathered = if known { 0.0 } else { GATHERED * jitter };
            let near = (likely, open.min((1.96 * error).max(gathered) + GRAIN * turn.period));
            if inside { near } else { (middle, open) }
        } else {
            (middle, open)
        };
        // Where read-ahead may have left the track, it takes less by what that takes, and no more.
        let less = self.gap(turn.period) / 2.0;
        narrow.then_some((time - less, open + less))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{FINE, movement};
    use super::*;
    use crate::survey::asked::Why;

    #[test]
    fn one_late_pair_far_from_the_end_moves_no_time_that_few_pairs_tell() {
        const PERIOD: f64 = 8.0;
        let turn = Turn { period: PERIOD, error: 1e-6, jitter: 0.01 };
        for late in [None, Some(1.05)] {
            // So far apart all around a turn from 0.54 ms on, of which that at 1.05 ms came a turn later.
            let missed = |time: f64| if Some(time) == late { time + PERIOD } else { time };
            let mut times: Vec<f64> = (0..177).map(|i| 0.54 + 0.045 * f64::from(i)).collect();
            times.extend([missed(1.05)]);
            times.sort_unstable_by(f64::total_cmp);
            let least = Some((0.495, 0.54));
            let made = TrackMovement { rounds: 4, times, least, ..movement(Why::Seek, FINE) };
            let (time, width) = made.time(1, turn).expect("a time");
            assert!((time - 0.52).abs() <= 0.03 && width < 0.15, "{late:?}: {time} {width}");
        }
    }
}
