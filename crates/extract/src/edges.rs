//! How far times are from the intervals they should lie in, with smooth edges.
//!
//! A fit asks this thousands of times of thousands of requests, most of which lie so far from an
//! edge that nothing is to be computed.

/// A penalty counts at most so many widths.
const CAP: f64 = 12.0;

/// So many widths from its middle a transition is over.
const OVER: f64 = 40.0;

/// `exp(-OVER)`.
const LEFT: f64 = 4.248354255291589e-18;

/// The later of two times with a transition of some width, and how far it is the second's.
#[must_use]
pub fn smooth_later(first: f64, second: f64, width: f64) -> (f64, f64) {
    let (beside, share) = transition((second - first) / width);
    (first.max(second) + width * beside, share)
}

/// What a time is charged for its distance from an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalties {
    /// For what it is after its end.
    pub after: f64,
    /// For what it is before its start.
    pub before: f64,
    /// By how much both grow with the time.
    pub slope: f64,
    /// By how much the slope does.
    pub curvature: f64,
}

/// The penalties of a time for the interval of some length up to its end; an `open` one has no
/// start.
#[must_use]
pub fn penalties(time: f64, end: f64, length: f64, open: bool, width: f64) -> Penalties {
    let (after, rise, bend) = penalty((time - end) / width);
    let early = if open { -OVER } else { end - length - time };
    let (before, fall, other_bend) = penalty(early / width);
    let curvature = (bend + other_bend) / (width * width);
    Penalties { after, before, slope: (rise - fall) / width, curvature }
}

/// Nothing far below 0, rising smoothly to a cap; its slope, and the slope's.
fn penalty(over: f64) -> (f64, f64, f64) {
    if over >= CAP {
        return (CAP, 0.0, 0.0);
    }
    if over <= -OVER {
        return (0.0, 0.0, 0.0);
    }
    let (beside, slope) = transition(over);
    let soft = over.max(0.0) + beside;
    if soft < CAP { (soft, slope, slope * (1.0 - slope)) } else { (CAP, 0.0, 0.0) }
}

/// By how much `ln(1 + exp(over))` is above its asymptotes, and its slope, which is from 0 to 1.
fn transition(over: f64) -> (f64, f64) {
    if over <= -OVER {
        (LEFT, LEFT)
    } else if over >= OVER {
        (LEFT, 1.0)
    } else if over < 0.0 {
        ((over.exp()).ln_1p(), 1.0 / (1.0 + (-over).exp()))
    } else {
        let left = (-over).exp();
        (left.ln_1p(), 1.0 / (1.0 + left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_a_transition_is_what_it_ends_with() {
        assert_eq!(LEFT, (-OVER).exp());
        for (far, end) in [(-OVER, -OVER.next_down()), (OVER, OVER.next_down())] {
            let ((beside, slope), (near_beside, near_slope)) = (transition(far), transition(end));
            assert!((beside - near_beside).abs() < 1e-30, "{beside} and {near_beside}");
            assert!((slope - near_slope).abs() < 1e-30, "{slope} and {near_slope}");
        }
        assert_eq!(smooth_later(2.0, f64::NEG_INFINITY, 0.1), (2.0, LEFT));
        assert_eq!(smooth_later(2.0, 200.0, 0.1), (200.0, 1.0));
    }

    #[test]
    fn inside_an_interval_nothing_is_charged_and_outside_up_to_a_cap() {
        let inside = penalties(15.0, 20.0, 10.0, false, 0.1);
        assert!(inside.after + inside.before < 1e-20, "{inside:?}");
        assert!(inside.slope.abs() < 1e-16, "{inside:?}");
        for (time, after, before) in [(30.0, CAP, 0.0), (0.0, 0.0, CAP)] {
            let far = penalties(time, 20.0, 10.0, false, 0.1);
            assert!((far.after - after).abs() < 1e-20 && (far.before - before).abs() < 1e-20);
        }
        assert!(penalties(0.0, 20.0, 10.0, true, 0.1).before < 1e-20);
    }

    #[test]
    fn slope_and_curvature_are_those_of_the_penalties() {
        let sum = |time: f64| {
            let at = penalties(time, 20.0, 10.0, false, 0.4);
            at.after + at.before
        };
        for time in [9.0, 9.9, 10.1, 12.0, 19.7, 20.3, 22.0] {
            let slope = (sum(time + 1e-6) - sum(time - 1e-6)) / 2e-6;
            let said = penalties(time, 20.0, 10.0, false, 0.4);
            assert!((slope - said.slope).abs() < 1e-6, "{slope} and {said:?} at {time}");
            let slope = |time: f64| penalties(time, 20.0, 10.0, false, 0.4).slope;
            let bend = (slope(time + 1e-5) - slope(time - 1e-5)) / 2e-5;
            assert!((bend - said.curvature).abs() < 1e-6, "{bend} and {said:?} at {time}");
        }
    }
}
