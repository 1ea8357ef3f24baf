//! A spindle whose speed varies slowly around its mean.

use crate::SpeedDrift;
use platterlab_units::{Span, Time};

/// How far a platter with a drifting speed is ahead of one that turns evenly.
///
/// The deviation is a triangle: from none to the most, through none to the least and back. Its sum
/// is made of two parabolas, in whole picoseconds, and is never behind.
#[derive(Clone, Debug)]
pub(super) struct Drift {
    most_ppm: u32,
    period: Span,
    /// Into the period at time zero.
    at_zero: Span,
    /// How far ahead the platter has been turned already.
    applied: Span,
}

impl Drift {
    pub(super) fn new(params: SpeedDrift) -> Self {
        Self {
            most_ppm: params.most_ppm,
            period: params.period,
            at_zero: Span::ZERO,
            applied: Span::ZERO,
        }
    }

    /// By how much the platter is to be turned at `now`, and whether back.
    pub(super) fn since_last(&mut self, now: Time) -> (Span, bool) {
        let ahead = self.ahead(now);
        let before = std::mem::replace(&mut self.applied, ahead);
        if ahead >= before { (ahead - before, false) } else { (before - ahead, true) }
    }

    fn ahead(&self, now: Time) -> Span {
        let period = u128::from(self.period.as_ps());
        let into = (u128::from(now.as_ps()) + u128::from(self.at_zero.as_ps())) % period;
        // In quarters of a period q: t^2/2q up to q, the same from the end, and between them
        // q - (2q - t)^2/2q.
        let (quarter, from_middle) = (period / 4, into.abs_diff(period / 2));
        let doubled = if from_middle <= quarter {
            2 * quarter * quarter - from_middle * from_middle
        } else {
            let from_end = into.min(period - into);
            from_end * from_end
        };
        let ps = doubled * u128::from(self.most_ppm) / (2 * quarter * 1_000_000);
        Span::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }

    pub(super) fn rebase(&mut self, by: Span) {
        let period = self.period.as_ps();
        self.at_zero = Span::from_ps((self.at_zero.as_ps() + by.as_ps() % period) % period);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One part in a thousand faster or slower, in four seconds there and back.
    fn drift() -> Drift {
        Drift::new(SpeedDrift { most_ppm: 1_000, period: Span::from_us(4_000_000) })
    }

    fn at_ms(ms: u64) -> Time {
        Time::ZERO + Span::from_us(1_000 * ms)
    }

    #[test]
    fn the_platter_gains_for_half_a_period_and_loses_for_the_other() {
        let it = drift();
        // In the first second the deviation rises to 1,000 ppm, 500 ppm in the mean: 0.5 ms.
        let ahead_us = [0, 500, 1_000, 2_000, 3_000, 4_000].map(|ms| it.ahead(at_ms(ms)));
        let expected = [0, 125, 500, 1_000, 500, 0].map(Span::from_us);
        assert_eq!(ahead_us, expected);
    }

    #[test]
    fn a_turn_is_applied_once_and_taken_back() {
        let mut it = drift();
        assert_eq!(it.since_last(at_ms(2_000)), (Span::from_us(1_000), false));
        assert_eq!(it.since_last(at_ms(2_000)), (Span::ZERO, false));
        assert_eq!(it.since_last(at_ms(3_000)), (Span::from_us(500), true));
    }

    #[test]
    fn moving_the_origin_leaves_the_drift_alone() {
        let mut it = drift();
        let before = it.ahead(at_ms(9_700));
        it.rebase(Span::from_us(9_000_000));
        assert_eq!(it.ahead(at_ms(700)), before);
    }
}
