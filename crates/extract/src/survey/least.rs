//! The least time of a movement, from times of pairs of reads around a turn.

use crate::clock::Turn;

/// What two pairs show each: one completion that came late moves the lower end up, and one that a
/// late one went before moves the upper end down, where many pairs are near it.
pub(super) fn confirmed(times: &[f64], (low, high): (f64, f64), period: f64) -> Option<(f64, f64)> {
    let middle = f64::midpoint(low, high);
    let mut within = times.iter().filter(|time| (middle..middle + period).contains(*time));
    let (_, second) = (within.next()?, within.next()?);
    let (_, last) = (within.next_back()?, within.next_back()?);
    Some(((last - period).max(0.0), *second))
}

/// The time that explains best which sectors were reached at once and which a turn later, near `time`
/// to so much to either side, and its standard error: those near it were not all on the side of it that jitter
/// leaves them on. Farther from it they came late, for another reason.
pub(super) fn likely(times: &[f64], time: f64, width: f64, turn: Turn) -> (f64, f64) {
    /// A logistic curve is nearly the normal one of this share of its width.
    const LOGISTIC: f64 = 0.6;
    const HALVINGS: u32 = 24;
    /// Jitters.
    const LATE: f64 = 6.0;
    let (half, scale) = (turn.period / 2.0, LOGISTIC * std::f64::consts::SQRT_2 * turn.jitter);
    let (far, scale) = (time + half, scale.max(1e-6));
    // No jitter brings one from there.
    let late = LATE * turn.jitter + width;
    let share = |off: f64| 1.0 / (1.0 + (off / scale).exp());
    let near: Vec<f64> = times
        .iter()
        .copied()
        .filter(|it| (time - late..time + turn.period + late).contains(it))
        .collect();
    let push = |at: f64| -> f64 {
        let one = |seen: &f64| {
            if *seen < far { share(seen - at) } else { -share(at + turn.period - seen) }
        };
        near.iter().map(one).sum()
    };
    let (mut low, mut high) = (time - half / 4.0, time + half / 4.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if push(middle) > 0.0 { high = middle } else { low = middle }
    }
    let found = f64::midpoint(low, high);
    // Each pair tells as much of it as it is open on which side that would be.
    let told: f64 = near
        .iter()
        .map(|seen| share(if *seen < far { seen - found } else { found + turn.period - seen }))
        .map(|open| open * (1.0 - open))
        .sum();
    (found, scale / told.max(1e-9).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positioning::densest_turn;

    /// Times of pairs all around a turn of 8 ms, the least of them `least`.
    fn times(least: f64) -> Vec<f64> {
        (0..80).map(|index| least + f64::from(index) * 0.1).collect()
    }

    #[test]
    fn one_late_completion_moves_no_end() {
        let found = |times: &mut Vec<f64>| {
            times.sort_unstable_by(f64::total_cmp);
            let least = densest_turn(times, 8.0).expect("most of them fit");
            confirmed(times, least, 8.0).expect("more than four")
        };
        let mut all = times(3.0);
        let (low, high) = found(&mut all);
        assert!(low < 3.0 && 3.0 < high && high - low < 0.4, "{low} {high}");
        // The last before the turn is over comes 0.09 ms late, and the first as much early.
        all = times(3.0);
        all.extend([10.99, 3.01 - 0.09]);
        let (low, high) = found(&mut all);
        assert!(low < 3.0 && 3.0 < high + 0.1, "{low} {high}");
    }
}
