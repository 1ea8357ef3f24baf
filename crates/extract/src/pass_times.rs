//! When a sector passes the head, by its own completions.

use crate::clock::{Timed, Turn};
use crate::stats::{circular_median, fold, mad, theil_sen, wrap};

/// Where phases scatter by so many times what they differ by from one to the next, the platter's speed wanders.
const WANDERING: f64 = 2.0;
/// Completions about a time that tell when the sector passed then: few enough for what the speed does meanwhile to be
/// a straight line, and enough for the late ones among them.
const ABOUT: usize = 9;

/// When one sector passes, in revolutions of `period` milliseconds.
pub(crate) struct PassTimes {
    period: f64,
    /// The phase that completions lie about.
    middle: f64,
    /// Completions, and how far they are off that phase.
    seen: Vec<(f64, f64)>,
    wanders: bool,
    /// Standard error of a phase.
    pub(crate) error: f64,
}

impl PassTimes {
    pub(crate) fn of(hits: &[Timed], period: f64, turn: Turn) -> Option<Self> {
        let phases: Vec<f64> = hits.iter().map(|hit| wrap(hit.completed, period)).collect();
        let middle = circular_median(&phases, period)?;
        let offs: Vec<f64> = phases.iter().map(|phase| fold(phase - middle, period)).collect();
        let steps: Vec<f64> = offs.windows(2).map(|pair| fold(pair[1] - pair[0], period)).collect();
        let least = turn.jitter.max(period * 1e-6);
        let successive = mad(&steps).unwrap_or(0.0) / std::f64::consts::SQRT_2;
        let wanders = hits.len() > ABOUT && mad(&offs)? > WANDERING * successive.max(least);
        if wanders {
            let seen = hits.iter().zip(&offs).map(|(hit, off)| (hit.completed, *off)).collect();
            let error = successive.max(least) / (ABOUT as f64).sqrt();
            return Some(Self { period, middle, seen, wanders, error });
        }
        // The mean of what is near the median is the better centre of a Gaussian.
        let close = offs.into_iter().filter(|off| off.abs() <= 3.0 * least);
        let close: Vec<f64> = close.collect();
        let count = close.len().max(1) as f64;
        let middle = middle + close.iter().sum::<f64>() / count;
        let error = turn.jitter / count.sqrt();
        Some(Self { period, middle, seen: Vec::new(), wanders, error })
    }

    /// How long after that time the sector passes, less than a revolution.
    pub(crate) fn after(&self, time: f64) -> f64 {
        let phase = self.middle + if self.wanders { self.off_about(time) } else { 0.0 };
        wrap(phase - time, self.period)
    }

    fn off_about(&self, time: f64) -> f64 {
        let mut near: Vec<(f64, f64)> =
            self.seen.iter().map(|(at, off)| (at - time, *off)).collect();
        near.sort_by(|(one, _), (other, _)| one.abs().total_cmp(&other.abs()));
        near.truncate(ABOUT);
        theil_sen(&near).map_or(0.0, |line| line.offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Completions of a sector every 30 revolutions of 10 ms, of a platter whose phase swings by so much a minute; every
    /// eighth is late.
    fn off_at_most(swing: f64) -> (bool, f64) {
        let phase = |time: f64| swing * (time / 60e3 * std::f64::consts::TAU).sin();
        let hit = |number: u32| {
            let nominal = 300.0 * f64::from(number) + 3.0;
            let noise = 0.005 * f64::from(number % 3) - 0.005;
            let late = if number % 8 == 5 { 0.7 } else { 0.0 };
            let completed = nominal + phase(nominal) + noise + late;
            Timed { lba: 0, sectors: 1, submitted: completed - 12.0, completed }
        };
        let hits: Vec<Timed> = (0..100).map(hit).collect();
        let turn = Turn { period: 10.0, error: 1e-5, jitter: 0.01 };
        let passes = PassTimes::of(&hits, 10.0, turn).expect("passes");
        let offs = (0..100).map(|number| {
            let time = 300.0 * f64::from(number);
            fold(passes.after(time) - 3.0 - phase(time), 10.0).abs()
        });
        (passes.wanders, offs.fold(0.0, f64::max))
    }

    #[test]
    fn a_speed_that_wanders_is_followed() {
        let (wanders, off) = off_at_most(0.0);
        assert!(!wanders && off < 0.01, "{off}");
        let (wanders, off) = off_at_most(0.8);
        assert!(wanders && off < 0.03, "{off}");
    }
}
