//! The analytic model of SKIPPY, refined: the true switch time beside the skew.

use super::{Fine, Model};
use platterlab_units::Span;

/// What a boundary does to a request that crosses it (§4.1.4, written out).
///
/// The skew turns the target further away, which gives the head that much more time; the true
/// switch takes its part of it. A crossing step is served in the same revolution if
/// `StepSize * tau + skew >= MTM + switch`, that is from `STM - (skew - switch) / tau` sectors on:
/// with a switch shorter than the skew, latencies close to MTM appear left of the MTM point, the
/// downward spikes of Figure 8. Equation 7 alone puts a whole revolution on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundaryTimes {
    /// How far logical sector zero is turned at the boundary, in time units: the paper's
    /// `HeadSwitchTime` or `CylinderSwitchTime`.
    pub skew: Span,
    /// From one track to the other, settled.
    pub switch: Span,
}

impl Model {
    /// The latency of a step over one boundary by the refined model.
    #[must_use]
    pub fn beyond_refined(&self, step: u64, boundary: BoundaryTimes) -> Span {
        let earliest = self.fine(self.mtm) + self.fine(boundary.switch);
        let ahead = self.pass(step) + self.fine(boundary.skew);
        let turn: Fine = self.fine(self.rotation).max(1);
        let wait = (ahead - earliest).rem_euclid(turn);
        self.nearest(earliest + wait + self.fine(self.transfer))
    }
}

/// The true switch time from where crossing steps begin to be served in the same revolution:
/// `t = skew - (STM - s_x) * tau`, with `s_x` the smallest such step; right to within one sector
/// time. `stm` and `s_x` in sectors, the rest in milliseconds.
#[must_use]
pub fn true_switch_ms(skew_ms: f64, stm: f64, s_x: f64, tau_ms: f64) -> f64 {
    skew_ms - (stm - s_x) * tau_ms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spike_points_down_left_of_the_mtm_point_and_gives_the_switch_away() {
        let mock = Model::figure_3();
        let boundary = BoundaryTimes { skew: Span::from_us(700), switch: Span::from_us(200) };
        let (skew, turn) = (boundary.skew, mock.rotation);
        let first = (0..150)
            .find(|&step| mock.beyond_refined(step, boundary) < turn)
            .expect("some step makes it");
        assert_eq!(first, 28, "nine sectors, 0.5 ms, before the MTM point");
        assert_eq!(mock.beyond_refined(first, boundary), mock.same_track(first) + skew - turn);
        assert_eq!(mock.beyond_refined(60, boundary), mock.beyond(60, skew));
        let tau = turn.as_ms() / 150.0;
        let switch = true_switch_ms(skew.as_ms(), 37.0, 28.0, tau);
        assert!((switch - 0.2).abs() <= tau, "{switch}");
    }
}
