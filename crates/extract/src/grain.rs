//! What the host's clock counts in, and what that leaves open of a period.

use crate::Estimate;
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
}

/// The least step between times, in milliseconds.
fn least_ms(times: &[u64]) -> f64 {
    let steps = times.windows(2).map(|pair| pair[1] - pair[0]);
    let least = steps.chain(times.first().copied()).filter(|step| *step > 0).min();
    least.unwrap_or(0) as f64 / 1e9
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

    /// The grain, in milliseconds.
    pub(crate) fn ms(&self) -> f64 {
        least_ms(&self.elapsed)
    }

    /// The same, or what completions are gathered over where that is more.
    pub(crate) fn gathered_ms(&self) -> f64 {
        self.ms().max(least_ms(&self.between))
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
