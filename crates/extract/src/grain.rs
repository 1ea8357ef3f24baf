//! What the host's clock counts in, and what that leaves open of a period.

use crate::Estimate;
use crate::clock::timed;
use platterlab_probe::Samples;

/// Interrupts may be gathered for so long without a sign of it, in milliseconds.
const GATHERED_MS: f64 = 0.25;
/// An interval wider than this part of a period, to either side, leaves the period open.
const WIDEST: f64 = 8e-5;
/// Requests looked at.
const ENOUGH: usize = 2_048;

/// From the first submission of a run to its last completion, in milliseconds.
pub(crate) fn span_ms(run: &Samples) -> f64 {
    let ends = run.samples.first().zip(run.samples.last());
    ends.map_or(0.0, |(first, last)| last.completed.since(first.submitted).as_ms())
}

/// The grain of the host's clock, as far as it shows.
///
/// On a fine clock, some of many requests take nearly the same time; on a coarse one, they take the
/// same time or one grain more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grain {
    /// Elapsed times in picoseconds, sorted, each once.
    elapsed: Vec<u64>,
    /// Times from one completion to the next, the same way.
    between: Vec<u64>,
    /// What interrupts are gathered over, in milliseconds, as far as it shows.
    pub(crate) interrupts_ms: f64,
}

/// The least step between times, in milliseconds.
fn least_ms(times: &[u64]) -> f64 {
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let least = steps.chain(times.first().copied()).filter(|step| *step > 0).min();
    least.unwrap_or(0) as f64 / 1e9
}

/// What completions are gathered over, in milliseconds: the longest period, of those that interrupts are
/// gathered over, of which nearly all times of completions are multiples; 0 where none shows.
///
/// Each completion is a unit vector at its phase; they add up where the period is theirs. What the clock
/// counts in makes periods of its own, and so does the platter, of its turn. They are taken from all of the
/// run, as requests in turn come in even steps.
pub(crate) fn interrupts_ms(run: &Samples, grain_ms: f64, turn_ms: f64) -> f64 {
    /// Completions that are looked at, and the share of them that has to add up.
    const FEW: usize = 96;
    const TOGETHER: f64 = 0.6;
    /// Per millisecond: from the longest period to the shortest that could matter.
    const FREQUENCIES: [f64; 2] = [1.0, 50.0];
    let every = (run.samples.len() / FEW).max(1);
    let spread = timed(run).into_iter().step_by(every).take(FEW);
    let times: Vec<f64> = spread.map(|it| it.completed).collect();
    let span = times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first);
    if times.len() < FEW || span <= 0.0 {
        return 0.0;
    }
    let unit = |turns: f64| (std::f64::consts::TAU * turns.fract()).sin_cos();
    let step = 1.0 / (4.0 * span);
    let steps: Vec<(f64, f64)> = times.iter().map(|time| unit(time * step)).collect();
    let mut at: Vec<(f64, f64)> = times.iter().map(|time| unit(time * FREQUENCIES[0])).collect();
    let mut frequency = FREQUENCIES[0];
    while frequency < FREQUENCIES[1] {
        let sum = at.iter().fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        let whole = |period: f64, off: f64| {
            (frequency * period - (frequency * period).round()).abs() < off
        };
        let clock = grain_ms > 1.0 / FREQUENCIES[1] && whole(grain_ms, 0.02);
        let platter = whole(turn_ms, 2.0 * turn_ms / span);
        if f64::hypot(sum.0, sum.1) >= TOGETHER * FEW as f64 && !clock && !platter {
            return 1.0 / frequency;
        }
        for ((sine, cosine), (more_sine, more_cosine)) in at.iter_mut().zip(&steps) {
            (*sine, *cosine) = (
                *sine * more_cosine + *cosine * more_sine,
                *cosine * more_cosine - *sine * more_sine,
            );
        }
        frequency += step;
    }
    0.0
}

impl Grain {
    /// Takes the times of a run in.
    pub(crate) fn add(&mut self, run: &Samples) {
        let room = ENOUGH.saturating_sub(self.elapsed.len());
        self.elapsed.extend(run.samples.iter().take(room).map(|it| it.elapsed().as_ps()));
        self.elapsed.sort_unstable();
        self.elapsed.dedup();
        let room = ENOUGH.saturating_sub(self.between.len());
        let pairs = run.samples.windows(2).take(room);
        self.between.extend(pairs.map(|pair| pair[1].completed.since(pair[0].completed).as_ps()));
        self.between.sort_unstable();
        self.between.dedup();
    }

    /// What a run over places all around the platter shows of interrupts that are gathered.
    pub(crate) fn add_spread(&mut self, run: &Samples, turn_ms: f64) {
        self.interrupts_ms = interrupts_ms(run, self.ms(), turn_ms);
    }

    /// The grain, in milliseconds.
    pub(crate) fn ms(&self) -> f64 {
        least_ms(&self.elapsed)
    }

    /// The same, or what completions are gathered over where that is more.
    pub(crate) fn gathered_ms(&self) -> f64 {
        self.ms().max(least_ms(&self.between)).max(self.interrupts_ms)
    }

    /// How far a completion may be from when it seems to be.
    pub(crate) fn unseen_ms(&self) -> f64 {
        self.ms() + GATHERED_MS
    }

    /// A period from a run of `span_ms`, with what grain and interrupts leave open at its ends.
    pub(crate) fn widened(&self, period: Estimate, span_ms: f64) -> Estimate {
        let (Some(value), Some([low, high])) = (period.value, period.ci95) else { return period };
        let more = value * self.unseen_ms() / span_ms.max(value);
        let wide = Estimate { ci95: Some([low - more, high + more]), ..period };
        if wide.half_width() <= WIDEST * value {
            return wide;
        }
        let note = format!(
            "the host's clock counts in {:.3} ms, and interrupts may be gathered for {GATHERED_MS} \
             ms: that leaves the period open",
            self.ms()
        );
        wide.doubted(note)
    }
}
