//! The rotation period from sectors that are read again and again.
//!
//! Whatever the arm and the host do, a sector comes by every whole number of turns. Many sectors far
//! from each other are read, each round in another order, so that no cache holds them and the
//! numbers of turns have no common factor; the longest period of which all times are multiples is
//! the turn.

use super::Survey;
use crate::Estimate;
use crate::clock::{Timed, Turn, timed};
use crate::grain::span_ms;
use crate::stats::{MEDIAN_ERROR, fold, mad, median, quantile, resultant, resultants};
use platterlab_probe::Samples;
use std::collections::BTreeMap;

/// How many sectors far from each other are read, a prime number, and how often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
    pub(super) places: u64,
    rounds: u64,
}

/// Where no cache holds so many.
pub(super) const FEW: Spread = Spread { places: 31, rounds: 14 };
/// More than any cache has segments.
pub(super) const MANY: Spread = Spread { places: 127, rounds: 9 };

/// No platter turns in less, or takes longer, in milliseconds.
const PERIODS_MS: [f64; 2] = [2.5, 60.0];
/// The fastest answers, and those that take so many times as long, may come from a cache.
const HITS: f64 = 1.4;
/// Resultant of the phases, from 0 for none to 1, that makes a period one.
const COHERENT: f64 = 0.8;

impl Spread {
    /// The numbers of the sectors, in the order in which to read them.
    pub(super) fn sequence(self) -> impl Iterator<Item = u64> {
        let Self { places, rounds } = self;
        (0..rounds).flat_map(move |round| (0..places).map(move |it| it * (round + 1) % places))
    }
}

impl Survey {
    /// Once more, over more turns, where the first run shows no period, or leaves it open.
    pub(super) fn turn_is_wanted(&self) -> bool {
        match self.turns_tried {
            0 => true,
            1 => self.widened_rotation().is_none_or(|period| period.ok().is_none()),
            _ => false,
        }
    }

    /// The period of the turn, with what grain and interrupts leave open.
    pub(super) fn widened_rotation(&self) -> Option<Estimate> {
        let period = self.rotation_ms.clone()?;
        Some(self.grain.widened(period, self.rotation_span_ms))
    }

    pub(super) fn add_turn(&mut self, run: &Samples) {
        self.turns_tried += 1;
        self.grain.add(run);
        match turn(run) {
            Ok((turn, period)) => {
                self.grain.add_spread(run, turn.period);
                self.turn = Some(turn);
                self.rotation_ms = Some(period);
                self.rotation_span_ms = span_ms(run);
            }
            Err(none) if self.turn.is_none() => self.rotation_ms = Some(none),
            Err(_) => {}
        }
    }
}

/// The turn, or why there is none.
fn turn(run: &Samples) -> Result<(Turn, Estimate), Estimate> {
    let method = "sectors read again and again";
    let samples = timed(run);
    let between: Vec<f64> =
        samples.windows(2).map(|pair| pair[1].completed - pair[0].completed).collect();
    let typical = median(&between).unwrap_or(0.0);
    if typical < PERIODS_MS[0] / 5.0 {
        let note = format!(
            "reads far from each other are answered every {typical:.3} ms: nothing turns there, \
             or a cache holds all of it"
        );
        return Err(Estimate::unsupported(method, note));
    }
    let elapsed: Vec<f64> = samples.iter().map(Timed::elapsed).collect();
    // A cache's answers are the fastest, and say nothing of the platter.
    let hit_ms = HITS * quantile(&elapsed, 0.01).unwrap_or(0.0);
    let mut times: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| sample.elapsed() > hit_ms) {
        times.entry(sample.lba).or_default().push(sample.completed);
    }
    let apart = |rounds: usize| -> Vec<f64> {
        times
            .values()
            .flat_map(|seen| seen.iter().zip(seen.iter().skip(rounds)))
            .map(|(early, late)| late - early)
            .collect()
    };
    let Some(mut period) = longest(&apart(1)) else {
        return Err(Estimate::unsupported(method, "no period shows in when they are complete"));
    };
    let (mut jitter, mut error) = (0.0, 0.0);
    for rounds in [1, 2, 4, 8] {
        let times = apart(rounds);
        let count = |time: f64| (time / period).round().max(1.0);
        let off: Vec<f64> = times.iter().map(|time| fold(*time, period) / count(*time)).collect();
        let turns: Vec<f64> = times.iter().map(|time| count(*time)).collect();
        let (Some(drift), Some(turns)) = (median(&off), median(&turns)) else { break };
        let folded: Vec<f64> = times.iter().map(|time| fold(*time, period + drift)).collect();
        jitter = mad(&folded).unwrap_or(0.0) / std::f64::consts::SQRT_2;
        error = MEDIAN_ERROR * jitter * std::f64::consts::SQRT_2
            / turns
            / (times.len().max(1) as f64).sqrt();
        period += drift;
    }
    let turn = Turn { period, error, jitter };
    Ok((turn, Estimate::new(period, 1.96 * error, method)))
}

/// The longest period of which nearly all times are multiples.
fn longest(times: &[f64]) -> Option<f64> {
    let furthest = times.iter().copied().fold(0.0, f64::max).max(1.0);
    let step = 1.0 / (16.0 * furthest);
    let count = ((1.0 / PERIODS_MS[0] - 1.0 / PERIODS_MS[1]) / step) as usize;
    // A coarse peak is lower than the true one: climb from what may be the foot of it.
    let feet = resultants(times, 1.0 / PERIODS_MS[1], step)
        .take(count)
        .filter(|(_, found)| *found >= 0.75 * COHERENT);
    for (foot, _) in feet {
        let at = |part: u32| foot + (f64::from(part) / 32.0 - 1.0) * step * 4.0;
        let fine = (0..64).map(|part| (at(part), resultant(times, at(part))));
        let (best, found) = fine.max_by(|a, b| a.1.total_cmp(&b.1))?;
        if found >= COHERENT {
            return Some(1.0 / best);
        }
    }
    None
}
