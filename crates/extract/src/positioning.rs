//! The least time from one sector to another, rotational latency removed.

use crate::clock::{Timed, Turn, timed};
use crate::stats::{Grid, circular_median, fold, wrap};
use platterlab_probe::{Plan, Samples};

/// The shortest possible request for one target of a SEEKER run, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Positioning {
    pub(crate) target_lba: u64,
    /// From submission to completion, without latency, transfer included.
    pub(crate) time: f64,
    /// Half the width of its 95 % interval.
    pub(crate) half_width: f64,
}

/// Reads off every target; those whose samples are too few or contradict each other are left out.
///
/// The target passes the head at known instants, one revolution apart. A request submitted a time
/// `x` before one of them either makes it or takes a revolution more, so that all times `x` (with
/// the revolutions they took) lie in `[P, P + revolution)`, `P` being the time looked for: the
/// interval that holds most of them is the answer, as narrow as the probe made it. The host's
/// jitter stays out of it, as `x` ends with the sector and not with its completion.
pub(crate) fn positioning(run: &Samples, turn: Turn) -> Vec<Positioning> {
    let Plan::Seeker(plan) = &run.plan else { return Vec::new() };
    let samples = timed(run);
    let mut targets = plan.targets.clone();
    targets.sort_unstable();
    targets.dedup();
    targets
        .into_iter()
        .filter_map(|target_lba| {
            let hits: Vec<Timed> = samples
                .chunks_exact(plan.requests_each())
                .filter_map(|movement| movement.last().copied())
                .filter(|sample| sample.lba == target_lba)
                .collect();
            shortest(&hits, turn).map(|(time, half_width)| Positioning {
                target_lba,
                time,
                half_width,
            })
        })
        .collect()
}

/// The time without latency and half the width of its interval.
///
/// A run may take thousands of revolutions, over which the error of the period adds up: the
/// target's own completions say how long they were.
fn shortest(hits: &[Timed], turn: Turn) -> Option<(f64, f64)> {
    let completions: Vec<f64> = hits.iter().map(|hit| hit.completed).collect();
    let own = Grid::fit(&completions, turn.period)
        .map(|grid| grid.period)
        .filter(|own| (own - turn.period).abs() < (5.0 * turn.error).max(turn.period * 1e-6));
    let period = own.unwrap_or(turn.period);
    let phases: Vec<f64> = hits.iter().map(|hit| wrap(hit.completed, period)).collect();
    let middle = circular_median(&phases, period)?;
    // The mean of what is near the median is the better centre of a Gaussian.
    let limit = 3.0 * turn.jitter.max(period * 1e-6);
    let close: Vec<f64> = phases
        .iter()
        .map(|phase| fold(phase - middle, period))
        .filter(|off| off.abs() <= limit)
        .collect();
    let passes = middle + close.iter().sum::<f64>() / close.len().max(1) as f64;
    let mut times: Vec<f64> = hits
        .iter()
        .map(|hit| {
            let until = wrap(passes - hit.submitted, period);
            until + ((hit.elapsed() - until) / period).round() * period
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    let (low, high) = densest_turn(&times, period)?;
    let error = turn.jitter / (close.len().max(1) as f64).sqrt();
    let half_width = (high - low) / 2.0 + 1.96 * error;
    (low > 0.0 && high - low < period / 50.0).then(|| (f64::midpoint(low, high), half_width))
}

/// The bounds of `P` for which most of the sorted `times` lie in `[P, P + period)`; `None` if less
/// than four fifths do.
pub(crate) fn densest_turn(times: &[f64], period: f64) -> Option<(f64, f64)> {
    let mut best: Option<(usize, f64, f64)> = None;
    let mut end = 0;
    for (start, first) in times.iter().enumerate() {
        while times.get(end).is_some_and(|time| *time < first + period) {
            end += 1;
        }
        let low = times[end - 1] - period;
        let wider = start.checked_sub(1).map_or(low, |before| low.max(times[before]));
        if best.is_none_or(|(most, _, _)| end - start > most) {
            best = Some((end - start, wider, *first));
        }
    }
    let (most, low, high) = best?;
    (most * 5 >= times.len() * 4).then_some((low, high))
}
