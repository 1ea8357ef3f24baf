//! How far times are multiples of a period: the resultant of their phases.

use std::f64::consts::TAU;

/// The mean of unit vectors at the phases of the times, at so many periods a unit of time: its length, from
/// 0 where they have nothing in common to 1 where all are multiples of one period.
#[must_use]
pub fn resultant(times: &[f64], frequency: f64) -> f64 {
    length(times.iter().map(|time| at_phase(time * frequency)), times.len())
}

/// The same at rising frequencies, each with its frequency. The vectors are turned on from one to the next.
pub fn resultants(times: &[f64], first: f64, step: f64) -> impl Iterator<Item = (f64, f64)> {
    let steps: Vec<(f64, f64)> = times.iter().map(|time| at_phase(time * step)).collect();
    let mut vectors: Vec<(f64, f64)> = times.iter().map(|time| at_phase(time * first)).collect();
    (0_u32..).map(move |index| {
        let found = length(vectors.iter().copied(), vectors.len());
        for ((sine, cosine), (more_sine, more_cosine)) in vectors.iter_mut().zip(&steps) {
            (*sine, *cosine) = (
                *sine * more_cosine + *cosine * more_sine,
                *cosine * more_cosine - *sine * more_sine,
            );
        }
        (first + f64::from(index) * step, found)
    })
}

/// Sine and cosine of a phase in turns.
fn at_phase(turns: f64) -> (f64, f64) {
    (TAU * turns.fract()).sin_cos()
}

fn length(vectors: impl Iterator<Item = (f64, f64)>, count: usize) -> f64 {
    let (sine, cosine) = vectors.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    f64::hypot(sine, cosine) / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_of_a_period_add_up_there_and_the_way_through_all_frequencies_is_the_same() {
        let times: Vec<f64> = (0..60_u32).map(|it| f64::from(it * it % 47) * 0.25).collect();
        assert!((resultant(&times, 4.0) - 1.0).abs() < 1e-9);
        assert!(resultant(&times, 3.7) < 0.5);
        for (frequency, found) in resultants(&times, 1.0, 1e-3).take(40_000) {
            assert!((found - resultant(&times, frequency)).abs() < 1e-8, "{frequency}");
        }
        assert_eq!(resultant(&[], 1.0), 0.0);
    }
}
