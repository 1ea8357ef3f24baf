//! The least time from one sector to another, rotational latency removed.

use crate::clock::{Timed, Turn, timed};
use crate::pass_times::PassTimes;
use crate::scattered::{Common, Pairs};
use crate::stats::{Grid, circular_median, fold, mad, median, wrap};
use platterlab_probe::{Plan, Samples, Seeker};

/// The shortest possible request for one target of a SEEKER run, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Positioning {
    pub(crate) target_lba: u64,
    /// From submission to completion, without latency, transfer included.
    pub(crate) time: f64,
    /// Half the width of its 95 % interval.
    pub(crate) half_width: f64,
}

/// Reads off every target; `scatter` is how movements of the drive do. Those whose samples are too few or contradict each other are left out.
///
/// The target passes the head at known instants, one revolution apart. A request submitted a time
/// `x` before one of them either makes it or takes a revolution more, so that all times `x` (with
/// the revolutions they took) lie in `[P, P + revolution)`, `P` being the time looked for: the
/// interval that holds most of them is the answer, as narrow as the probe made it. The host's
/// jitter stays out of it, as `x` ends with the sector and not with its completion.
pub(crate) fn positioning(run: &Samples, turn: Turn, scatter: Option<Common>) -> Vec<Positioning> {
    let Plan::Seeker(plan) = &run.plan else { return Vec::new() };
    let samples = timed(run);
    let mut targets = plan.targets.clone();
    targets.sort_unstable();
    targets.dedup();
    let found = targets.into_iter().filter_map(|target_lba| {
        let near = Near::of(&hits(&samples, plan, target_lba), turn)?;
        let likelihoods = near.pairs.likelihoods();
        let scattered = scatter.filter(|it| it.has(&likelihoods));
        let (time, half_width) = near.shortest(scattered.map(|it| it.within))?;
        // Whether it scatters as others do may be open.
        let open = scatter.filter(|it| scattered.is_none() && !it.lacks(&likelihoods));
        let half_width = half_width + open.map_or(0.0, |it| it.within);
        Some(Positioning { target_lba, time, half_width })
    });
    found.collect()
}

/// The last request of each movement to a target.
fn hits(samples: &[Timed], plan: &Seeker, target_lba: u64) -> Vec<Timed> {
    samples
        .chunks_exact(plan.requests_each())
        .filter_map(|movement| movement.last().copied())
        .filter(|sample| sample.lba == target_lba)
        .collect()
}

/// The period by the target's own completions, as far as that is the one of `turn`.
fn own_period(hits: &[Timed], turn: Turn) -> f64 {
    let completions: Vec<f64> = hits.iter().map(|hit| hit.completed).collect();
    Grid::fit(&completions, turn.period)
        .map(|grid| grid.period)
        .filter(|own| (own - turn.period).abs() < (5.0 * turn.error).max(turn.period * 1e-6))
        .unwrap_or(turn.period)
}

/// The same of a run's one target, by many searches and a clock that is too coarse for single readings.
///
/// What was waited is known better than when a request was submitted. The target passes the head at the mean of its
/// completions; a submission precedes that by a time which shrinks with the wait, so that the sum of both is one time
/// that all readings of a search tell; the wait that leaves no latency is what the search ends at. All readings are
/// early by half a grain in the mean, which differences of such times do not hold, as long as they fall all over a grain.
/// Where interrupts are gathered over more than a grain, they need not. A buffer answers at once, however long was
/// waited: such readings tell nothing.
pub(crate) fn by_waits(
    run: &Samples,
    turn: Turn,
    [grain_ms, ticks_ms]: [f64; 2],
) -> Option<Positioning> {
    let Plan::Seeker(plan) = &run.plan else { return None };
    let target_lba = *plan.targets.first()?;
    let hits = hits(&timed(run), plan, target_lba);
    let period = own_period(&hits, turn);
    let mut rest = hits.as_slice();
    let mut times = Vec::new();
    let mut by_wait = ByWait::default();
    let mut spread = true;
    for search in plan.searches(&run.samples) {
        let (mine, others) = rest.split_at_checked(search.waits_ps.len())?;
        rest = others;
        let completions: Vec<f64> = mine.iter().map(|hit| hit.completed).collect();
        let waits: Vec<f64> = search.waits_ps.iter().map(|wait| *wait as f64 / 1e9).collect();
        by_wait.add(mine, &waits, search.threshold_ps as f64 / 1e9);
        let waited: Vec<f64> =
            mine.iter().zip(&waits).map(|(hit, wait)| wait - hit.submitted).collect();
        let (passes, left) = (Centre::of(&completions, period)?, Centre::of(&waited, period)?);
        spread &= passes.deviation.min(left.deviation) >= grain_ms / SPREAD;
        times.push(passes.mean + left.mean - search.threshold_ps as f64 / 1e9);
    }
    if by_wait.is_answered_at_once(period)? {
        return None;
    }
    let least = Centre::of(&times, period)?;
    // Without latency, which a wait takes away, but for what the last ones leave.
    let about = hits.iter().map(|hit| hit.elapsed()).reduce(f64::min)?;
    let time = about + fold(least.mean - about, period);
    let even = spread && ticks_ms <= grain_ms;
    let shared = if even { EVEN * grain_ms } else { grain_ms.max(ticks_ms) };
    Some(Positioning { target_lba, time, half_width: (1.96 * least.error).hypot(shared) })
}

/// Readings of one time that fall all over a grain deviate by more than this part of it: by a twelfth's root.
const SPREAD: f64 = 6.0;
/// What they are off by together, in grains, as they do not fall quite evenly.
const EVEN: f64 = 0.1;

/// When answers came after the anchor, the wait before each request included.
#[derive(Debug, Default)]
struct ByWait {
    /// To requests that followed the anchor at once.
    at_once: Vec<f64>,
    /// To those before which more than half of the latency was waited, and these waits.
    late: Vec<f64>,
    waits: Vec<f64>,
}

impl ByWait {
    fn add(&mut self, hits: &[Timed], waits: &[f64], threshold: f64) {
        for (hit, wait) in hits.iter().zip(waits) {
            if *wait <= 0.0 {
                self.at_once.push(hit.elapsed());
            } else if *wait > threshold / 2.0 {
                self.late.push(hit.elapsed() + wait);
                self.waits.push(*wait);
            }
        }
    }

    /// Whether answers come later by what was waited, as from a buffer. A sector comes round when it does.
    fn is_answered_at_once(&self, period: f64) -> Option<bool> {
        let waited = median(&self.waits)?;
        let later = fold(circular_median(&self.late, period)? - median(&self.at_once)?, period);
        Some(later.abs() > (later - waited).abs())
    }
}

/// The middle of many times on a circle, without the ones that are far off.
#[derive(Clone, Copy, Debug)]
struct Centre {
    mean: f64,
    deviation: f64,
    /// Standard error of the mean.
    error: f64,
}

impl Centre {
    fn of(values: &[f64], period: f64) -> Option<Self> {
        let wrapped: Vec<f64> = values.iter().map(|value| wrap(*value, period)).collect();
        let middle = circular_median(&wrapped, period)?;
        let off: Vec<f64> = wrapped.iter().map(|value| fold(value - middle, period)).collect();
        let limit = 3.0 * mad(&off)?.max(period * 1e-6);
        let close: Vec<f64> = off.into_iter().filter(|off| off.abs() <= limit).collect();
        let count = close.len().max(1) as f64;
        let mean = close.iter().sum::<f64>() / count;
        let squares: f64 = close.iter().map(|off| (off - mean).powi(2)).sum();
        let deviation = (squares / (count - 1.0).max(1.0)).sqrt();
        Some(Self { mean: middle + mean, deviation, error: deviation / count.sqrt() })
    }
}

/// What requests for one target tell.
struct Near {
    /// Times without latency, and with a revolution for those that missed it; sorted.
    times: Vec<f64>,
    period: f64,
    /// Standard error of when the target passes.
    error: f64,
    pairs: Pairs,
}

impl Near {
    /// A run may take thousands of revolutions, over which the error of the period adds up: the target's own completions
    /// say how long they were.
    fn of(hits: &[Timed], turn: Turn) -> Option<Self> {
        let period = own_period(hits, turn);
        let passes = PassTimes::of(hits, period, turn)?;
        let time = |hit: &Timed| {
            let until = passes.after(hit.submitted);
            until + ((hit.elapsed() - until) / period).round() * period
        };
        let mut times: Vec<f64> = hits.iter().map(time).collect();
        times.sort_unstable_by(f64::total_cmp);
        let (_, low, high) = densest(&times, period)?;
        let sharp = 3.0 * turn.jitter + passes.error + period * GRAIN;
        let pairs = Pairs::of(&times, f64::midpoint(low, high), period, sharp);
        Some(Self { times, period, error: passes.error, pairs })
    }

    /// The time without latency, of such that scatter within so much, and half the width of its interval.
    fn shortest(&self, within: Option<f64>) -> Option<(f64, f64)> {
        if let Some(it) = within.and_then(|within| self.pairs.within(within)) {
            return Some((it.time, WIDE * it.error.hypot(self.error)));
        }
        let (low, high) = densest_turn(&self.times, self.period)?;
        let half_width = (high - low) / 2.0 + 1.96 * self.error;
        (low > 0.0 && high - low < self.period / 50.0)
            .then(|| (f64::midpoint(low, high), half_width))
    }
}

/// Standard errors of a time that scatters within what is not known well.
const WIDE: f64 = 2.6;
/// What a search leaves open, in parts of a turn.
const GRAIN: f64 = 1.0 / 4096.0;

/// The bounds of `P` for which most of the sorted `times` lie in `[P, P + period)`; `None` if less
/// than four fifths do.
pub(crate) fn densest_turn(times: &[f64], period: f64) -> Option<(f64, f64)> {
    let (most, low, high) = densest(times, period)?;
    (most * 5 >= times.len() * 4).then_some((low, high))
}

/// The same however few do, and how many.
pub(crate) fn densest(times: &[f64], period: f64) -> Option<(usize, f64, f64)> {
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
    best
}
