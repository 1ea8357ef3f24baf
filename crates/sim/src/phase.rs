//! Keeps the model's platter in phase with the measured drive's.
//!
//! A spindle turns evenly, but not at exactly its rated speed, and a trace's clock drifts too: after
//! minutes nobody knows where the platter is. Each measured completion shows it, though, so a
//! Kalman filter over two numbers, how far the platter is behind and how fast it falls behind,
//! carries the phase from request to request. It only ever uses requests before the one it
//! predicts.

use platterlab_units::{Span, Stamp};

/// Variance of a measured completion against the platter, in ms²: host interrupt latency and the
/// steps of the clock.
const MEASURED_MS2: f64 = 0.17 * 0.17;

/// Growth of the phase's variance with time, in ms² per ms.
const PHASE_WALK_MS2_PER_MS: f64 = 1e-6;

/// How well the period is known at the start: to five millionths, squared.
const RATE_START: f64 = 25e-12;

/// Growth of the rate's variance with time, per ms: one millionth in an hour, squared.
const RATE_WALK_PER_MS: f64 = 1e-12 / 3.6e6;

/// Residuals up to this many milliseconds beyond three standard deviations are taken for the phase;
/// larger ones are late interrupts, retries, or a request that the model misunderstands.
const GATE_MS: f64 = 0.8;

/// After this many residuals in a row outside the gate the phase is given up and taken anew.
const LOST_AFTER: u32 = 4;

/// What is known of the platter against the model's. The state's mean is kept at zero lag by
/// turning the model's platter; what remains is the rate and the covariance.
#[derive(Clone, Debug)]
pub(crate) struct PhaseTracker {
    /// How fast the platter falls behind, in ms per ms.
    rate: f64,
    /// Of the lag, between lag and rate, of the rate.
    covariance: [f64; 3],
    /// When the lag was last set to zero; `None` before the first measurement.
    known_at: Option<Stamp>,
    misses: u32,
}

/// A correction of the platter's position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) by: Span,
    pub(crate) backwards: bool,
}

impl Turn {
    /// The rotation that makes up for a platter `lag_ms` behind the model's.
    fn against(lag_ms: f64) -> Option<Self> {
        let by = Span::from_ms(lag_ms.abs())?;
        Some(Self { by, backwards: lag_ms > 0.0 })
    }
}

impl PhaseTracker {
    pub(crate) fn new() -> Self {
        Self { rate: 0.0, covariance: [0.0, 0.0, RATE_START], known_at: None, misses: 0 }
    }

    /// How to turn the platter before a request is served at `now`.
    pub(crate) fn predict(&mut self, now: Stamp) -> Option<Turn> {
        let passed_ms = now.since(self.known_at?).as_ms();
        self.known_at = Some(now);
        let [lag, both, rate] = self.covariance;
        self.covariance = [
            lag + passed_ms * (2.0 * both + passed_ms * rate) + PHASE_WALK_MS2_PER_MS * passed_ms,
            both + passed_ms * rate,
            rate + RATE_WALK_PER_MS * passed_ms,
        ];
        Turn::against(self.rate * passed_ms)
    }

    /// Learns from a request that the media served: how to turn the platter for the next one.
    ///
    /// `issue` is the time given to [`PhaseTracker::predict`], `simulated` and `measured` are
    /// service times, `rotation` the period.
    pub(crate) fn learn(
        &mut self,
        issue: Stamp,
        simulated: Span,
        measured: Span,
        rotation: Span,
    ) -> Option<Turn> {
        let late_ms = folded_ms(measured, simulated, rotation);
        if self.known_at.is_none() {
            self.known_at = Some(issue);
            self.covariance = [MEASURED_MS2, 0.0, self.covariance[2]];
            return Turn::against(late_ms);
        }
        let [lag, both, rate] = self.covariance;
        let expected = lag + MEASURED_MS2;
        if late_ms.abs() > GATE_MS + 3.0 * expected.sqrt() {
            self.misses += 1;
            if self.misses >= LOST_AFTER {
                self.misses = 0;
                self.known_at = None;
            }
            return None;
        }
        self.misses = 0;
        let (lag_gain, rate_gain) = (lag / expected, both / expected);
        self.rate += rate_gain * late_ms;
        self.covariance =
            [lag * (1.0 - lag_gain), both * (1.0 - lag_gain), rate - rate_gain * both];
        // A late completion means that the platter is behind the model's.
        Turn::against(lag_gain * late_ms)
    }
}

/// `measured - simulated`, less whole revolutions, between minus and plus half of one.
fn folded_ms(measured: Span, simulated: Span, rotation: Span) -> f64 {
    let turn = i128::from(rotation.as_ps());
    let late = (i128::from(measured.as_ps()) - i128::from(simulated.as_ps())).rem_euclid(turn);
    let folded = if late > turn / 2 { late - turn } else { late };
    folded as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Span = Span::from_us(15_000);

    #[test]
    fn whole_turns_do_not_count() {
        let simulated = Span::from_us(20_000);
        for turns in 0..3 {
            let measured = simulated + TURN * turns + Span::from_us(250);
            assert!((folded_ms(measured, simulated, TURN) - 0.25).abs() < 1e-9);
        }
        assert!((folded_ms(Span::from_us(19_000), simulated, TURN) + 1.0).abs() < 1e-9);
    }

    const SIMULATED: Span = Span::from_us(20_000);

    fn late(us: i64) -> Span {
        Span::from_us((20_000 + us) as u64)
    }

    fn second(s: u64) -> Stamp {
        Stamp::from_us(s * 1_000_000)
    }

    #[test]
    fn the_first_request_sets_the_phase_and_an_outlier_does_not() {
        let mut tracker = PhaseTracker::new();
        let mut learn = |s, measured| {
            let _ = tracker.predict(second(s));
            tracker.learn(second(s), SIMULATED, measured, TURN)
        };
        let first = learn(0, late(4_000)).unwrap();
        assert_eq!(first, Turn { by: Span::from_us(4_000), backwards: true });
        let small = learn(1, late(100)).unwrap();
        assert!(small.by > Span::ZERO && small.by < Span::from_us(100), "{small:?}");
        assert_eq!(learn(2, late(5_000)), None);
        for s in 3..=5 {
            assert_eq!(learn(s, late(6_000)), None, "the fourth miss gives the phase up");
        }
        assert_eq!(learn(6, late(6_000)).unwrap().by, Span::from_us(6_000));
    }

    #[test]
    fn a_wrong_period_is_learnt() {
        // The platter falls behind by 8 us a second, 8 millionths.
        let (mut tracker, mut turned_us) = (PhaseTracker::new(), 0.0);
        let signed_us = |turn: Option<Turn>| {
            turn.map_or(0.0, |turn| turn.by.as_ms() * if turn.backwards { 1e3 } else { -1e3 })
        };
        let mut residual_us = 0.0;
        for s in 0..400_u64 {
            turned_us += signed_us(tracker.predict(second(s)));
            residual_us = 8.0 * s as f64 - turned_us;
            let measured = late(residual_us.round() as i64);
            turned_us += signed_us(tracker.learn(second(s), SIMULATED, measured, TURN));
        }
        assert!(residual_us.abs() < 10.0, "{residual_us} us off after 400 s");
        assert!((tracker.rate - 8e-6).abs() < 1e-6, "{}", tracker.rate);
    }
}
