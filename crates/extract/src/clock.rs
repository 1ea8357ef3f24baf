//! Samples as times in milliseconds, and the rotation they were measured on.

use platterlab_probe::Samples;

/// What is known of the platter, once its period is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Turn {
    /// One revolution, in milliseconds.
    pub(crate) period: f64,
    /// Standard error of it.
    pub(crate) error: f64,
    /// Standard deviation of a completion around its place in the revolution.
    pub(crate) jitter: f64,
}

impl Turn {
    /// Two angles that differ by more are different angles.
    pub(crate) fn tolerance(&self) -> f64 {
        (6.0 * std::f64::consts::SQRT_2 * self.jitter).max(self.period / 500.0)
    }
}

/// One request, its times in milliseconds since the run's first submission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timed {
    pub(crate) lba: u64,
    pub(crate) sectors: u32,
    pub(crate) submitted: f64,
    pub(crate) completed: f64,
}

impl Timed {
    pub(crate) fn elapsed(&self) -> f64 {
        self.completed - self.submitted
    }
}

/// A run's requests on a clock that starts with it: small numbers keep their picoseconds.
pub(crate) fn timed(run: &Samples) -> Vec<Timed> {
    let Some(first) = run.samples.first() else { return Vec::new() };
    run.samples
        .iter()
        .map(|sample| Timed {
            lba: sample.lba,
            sectors: sample.sectors,
            submitted: sample.submitted.since(first.submitted).as_ms(),
            completed: sample.completed.since(first.submitted).as_ms(),
        })
        .collect()
}
