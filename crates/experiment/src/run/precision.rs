//! The stopping rule: runs end when the mean response time is known to the precision asked for.

use super::confidence::Interval;

/// Tells when the mean response is known well enough, by the means of batches.
///
/// Batches double in length when there are too many, so that in the end they are long against what
/// one request does to the next (Law and Carson 1979).
#[derive(Debug)]
pub(crate) struct Precision {
    share: f64,
    batch: u64,
    /// Count and sum of responses at the end of the last batch.
    last: (u64, f64),
    means: Vec<f64>,
}

const FIRST_BATCH: u64 = 500;
const LEAST_BATCHES: usize = 20;
const MOST_BATCHES: usize = 40;

impl Precision {
    /// Fewer responses show nothing.
    pub(crate) const LEAST_REQUESTS: u64 = FIRST_BATCH * (MOST_BATCHES as u64 + 2);

    /// Within `percent` of the mean.
    pub(super) fn new(percent: f64) -> Self {
        let means = Vec::with_capacity(MOST_BATCHES);
        Self { share: percent / 100.0, batch: FIRST_BATCH, last: (0, 0.0), means }
    }

    /// Whether this many responses, and their sum in milliseconds, are enough. To be asked often:
    /// a batch ends when it is.
    pub(super) fn reached(&mut self, count: u64, sum_ms: f64) -> bool {
        let fresh = count - self.last.0;
        if fresh < self.batch {
            return false;
        }
        self.means.push((sum_ms - self.last.1) / fresh as f64);
        self.last = (count, sum_ms);
        if self.means.len() == MOST_BATCHES {
            self.means = self.means.chunks(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
            self.batch *= 2;
        }
        self.is_reached()
    }

    /// Whether the mean is known as well as wanted.
    pub(super) fn is_reached(&self) -> bool {
        let width =
            self.interval().and_then(|interval| Some(interval.half_width_95? / interval.mean));
        width.is_some_and(|width| width <= self.share)
    }

    /// The mean of the batches so far and its interval, once there are enough of them.
    pub(super) fn interval(&self) -> Option<Interval> {
        // Batches that still grow say too little about how independent they are.
        let enough = self.means.len() > LEAST_BATCHES && self.batch > FIRST_BATCH;
        Interval::of(&self.means).filter(|_| enough)
    }
}
