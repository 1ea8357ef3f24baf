//! Keeps the model's platter in phase with the measured drive's.
//!
//! A spindle turns evenly, but not at exactly its rated speed, and a trace's clock drifts too: after
//! minutes nobody knows where the platter is. Each measured completion tells, though, so a one-state
//! Kalman filter carries the phase from request to request. It only ever uses requests before the
//! one it predicts.

use platterlab_units::{Span, Stamp};

/// Standard deviation of a measured completion against the platter, in milliseconds: host interrupt
/// latency and the steps of the clock.
const MEASURED_SD_MS: f64 = 0.17;

/// Growth of the phase's variance with time, in ms² per ms.
const DRIFT_MS2_PER_MS: f64 = 1e-6;

/// Residuals up to this many milliseconds beyond three standard deviations are taken for the phase;
/// larger ones are late interrupts, retries, or a request that the model misunderstands.
const GATE_MS: f64 = 0.8;

/// After this many residuals outside the gate the phase is given up and taken anew.
const LOST_AFTER: u32 = 4;

/// What is known of the phase error.
#[derive(Clone, Debug)]
pub(crate) struct PhaseTracker {
    variance_ms2: f64,
    last: Option<Stamp>,
    misses: u32,
}

/// A correction of the platter's position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    pub(crate) by: Span,
    pub(crate) backwards: bool,
}

impl PhaseTracker {
    pub(crate) fn new() -> Self {
        Self { variance_ms2: f64::INFINITY, last: None, misses: 0 }
    }

    /// Learns from a request that the media served: how to turn the platter for the next one.
    ///
    /// `simulated` and `measured` are service times, `rotation` the period.
    pub(crate) fn learn(
        &mut self,
        completion: Stamp,
        simulated: Span,
        measured: Span,
        rotation: Span,
    ) -> Option<Turn> {
        let waited = self.last.map_or(Span::ZERO, |last| completion.since(last));
        self.last = Some(completion);
        self.variance_ms2 += DRIFT_MS2_PER_MS * waited.as_ms();
        let late_ms = folded_ms(measured, simulated, rotation);
        let expected_sd = (self.variance_ms2 + MEASURED_SD_MS * MEASURED_SD_MS).sqrt();
        let locked = self.variance_ms2.is_finite();
        if locked && late_ms.abs() > GATE_MS + 3.0 * expected_sd {
            self.misses += 1;
            if self.misses >= LOST_AFTER {
                *self = Self { last: self.last, ..Self::new() };
            }
            return None;
        }
        self.misses = 0;
        let gain = if locked {
            self.variance_ms2 / (expected_sd * expected_sd)
        } else {
            self.variance_ms2 = MEASURED_SD_MS * MEASURED_SD_MS;
            1.0
        };
        if locked {
            self.variance_ms2 *= 1.0 - gain;
        }
        // A late completion means that the platter is behind the model's.
        let by = Span::from_ms((gain * late_ms).abs())?;
        Some(Turn { by, backwards: late_ms > 0.0 })
    }
}

/// `measured - simulated`, less whole turns, between minus and plus half a turn.
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

    #[test]
    fn the_first_request_sets_the_phase_and_an_outlier_does_not() {
        let mut tracker = PhaseTracker::new();
        let simulated = Span::from_us(20_000);
        let late = |us| simulated + Span::from_us(us);
        let mut learn = |s: u64, measured| {
            tracker.learn(Stamp::from_us(s * 1_000_000), simulated, measured, TURN)
        };
        let first = learn(0, late(4_000)).unwrap();
        assert_eq!(first, Turn { by: Span::from_us(4_000), backwards: true });
        let small = learn(1, late(100)).unwrap();
        assert!(small.by > Span::ZERO && small.by < Span::from_us(100), "{small:?}");
        assert_eq!(learn(2, late(5_000)), None);
        for s in 3..=4 {
            assert_eq!(learn(s, late(6_000)), None);
        }
        assert_eq!(learn(5, late(6_000)), None, "the fourth miss gives the phase up");
        assert_eq!(learn(6, late(6_000)).unwrap().by, Span::from_us(6_000));
    }
}
