//! How late a request begins that follows a completion which the host gathered with others.
//!
//! Such a completion is seen at the next tick, and what follows it begins only then: up to a tick later than the
//! sector passed. In a round these delays come again, so that no repetition takes them out. But the platter
//! tells them: all completions of a round are at their sectors' angles and up to a tick late, and where they
//! spread over a tick, one place of the platter alone explains them all.

use crate::positioning::densest_turn;
use crate::stats::{circular_median, fold, mad};

/// The part of a tick that a round may leave open of when sectors passed, to either side.
const OPEN: f64 = 0.125;
/// The share of rounds that have to leave less.
const MOST: f64 = 0.75;

/// Two completions of a pair, each less the angle of its sector, what is between them, and the round they are
/// of; in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Phases {
    pub(super) round: u32,
    pub(super) first: f64,
    pub(super) second: f64,
    pub(super) between: f64,
}

/// How late the second request of each pair begins, against the mean completion.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lateness {
    /// None where its round leaves it open.
    pub(super) each: Vec<Option<f64>>,
    /// What the rounds leave open of when sectors passed, in the mean.
    pub(super) open: f64,
    /// Standard deviation of when the host sees a tick.
    pub(super) jitter: f64,
}

/// Of pairs in the order of their rounds; none where no ticks are known or many rounds leave too much open.
pub(super) fn lateness(pairs: &[Phases], period: f64, tick_ms: f64) -> Option<Lateness> {
    if pairs.is_empty() || tick_ms <= 0.0 {
        return None;
    }
    let (mut each, mut opens, mut rounds) = (Vec::with_capacity(pairs.len()), Vec::new(), 0);
    for round in pairs.chunk_by(|one, other| one.round == other.round) {
        let passed = passed(round, period, tick_ms);
        let late = |pair: &Phases| passed.map(|(at, _)| fold(pair.first - at, period));
        each.extend(round.iter().map(late));
        opens.extend(passed.map(|(_, open)| open));
        rounds += 1;
    }
    if (opens.len() as f64) < MOST * f64::from(rounds) {
        return None;
    }
    let open = opens.iter().sum::<f64>() / opens.len() as f64;
    // From tick to tick are whole ticks; what is left is of both completions.
    let rest: Vec<f64> = pairs.iter().map(|pair| fold(pair.between, tick_ms)).collect();
    let jitter = mad(&rest)? / std::f64::consts::SQRT_2;
    Some(Lateness { each, open, jitter })
}

/// When sectors pass in a round, half a tick later, and half of what is open of that.
fn passed(round: &[Phases], period: f64, tick_ms: f64) -> Option<(f64, f64)> {
    let phases: Vec<f64> = round.iter().flat_map(|pair| [pair.first, pair.second]).collect();
    let middle = circular_median(&phases, period)?;
    let mut off: Vec<f64> = phases.iter().map(|phase| fold(phase - middle, period)).collect();
    off.sort_unstable_by(f64::total_cmp);
    let (low, high) = densest_turn(&off, tick_ms)?;
    let open = (high - low) / 2.0;
    (open <= OPEN * tick_ms).then_some((middle + f64::midpoint(low, high) + tick_ms / 2.0, open))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN_MS: f64 = 8.347;
    const TICK_MS: f64 = 0.25;

    /// Rounds of pairs on a platter that is elsewhere in each, seen at the next tick where there are ticks, with
    /// how late the first completion of each was. The first sector of a pair passes `step` after that of the
    /// pair before, but for whole ticks.
    fn rounds(ticks: bool, step: f64) -> (Vec<Phases>, Vec<f64>) {
        let seen = |passed: f64| if ticks { (passed / TICK_MS).ceil() * TICK_MS } else { passed };
        let (mut pairs, mut late) = (Vec::new(), Vec::new());
        for round in 0..5_u32 {
            let place = 1.7 * f64::from(round);
            for pair in 0..16_u32 {
                let first = place + f64::from(pair) * (12.0 * TICK_MS + step);
                let second = first + 9.0 * TICK_MS + step * f64::from(pair % 5);
                let (first_seen, second_seen) = (seen(first), seen(second));
                late.push(first_seen - first);
                pairs.push(Phases {
                    round,
                    first: place + first_seen - first,
                    second: place + second_seen - second,
                    between: second_seen - first_seen,
                });
            }
        }
        (pairs, late)
    }

    #[test]
    fn the_platter_tells_how_late_each_request_began() {
        let (pairs, truth) = rounds(true, 0.093);
        let found = lateness(&pairs, TURN_MS, TICK_MS).expect("they spread over a tick");
        assert!(found.open < TICK_MS / 10.0 && found.jitter < 1e-6, "{found:?}");
        for (late, truth) in found.each.iter().zip(truth) {
            let late = late.expect("all rounds are alike");
            assert!((late - (truth - TICK_MS / 2.0)).abs() <= TICK_MS / 10.0, "{late} {truth}");
        }
    }

    #[test]
    fn completions_that_come_at_the_same_part_of_a_tick_leave_it_open() {
        assert_eq!(lateness(&rounds(true, 0.002).0, TURN_MS, TICK_MS), None);
        assert_eq!(lateness(&rounds(false, 0.093).0, TURN_MS, TICK_MS), None, "no ticks");
        assert_eq!(lateness(&rounds(true, 0.093).0, TURN_MS, 0.0), None, "none that are known");
    }
}
