//! The steps of a SKIPPY run: distance, time since the one before and latency of each.

use crate::clock::timed;
use platterlab_probe::{Plan, Samples, Walk};

/// One step of SKIPPY, in sectors and milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Start to start, negative backwards.
    pub(crate) distance: f64,
    /// From the completion before to this one: what the platter turned, to the host's jitter.
    pub(crate) between: f64,
    /// From submission to completion.
    pub(crate) elapsed: f64,
}

/// The steps of a run, the way back of the restart variant left out.
pub(crate) fn steps(run: &Samples) -> Vec<Step> {
    let restarts = matches!(&run.plan, Plan::Skippy(plan) if plan.walk == Walk::Restart);
    let skip = usize::from(restarts);
    timed(run)
        .windows(2)
        .skip(skip)
        .step_by(1 + skip)
        .map(|pair| Step {
            distance: pair[1].lba as f64 - pair[0].lba as f64,
            between: pair[1].completed - pair[0].completed,
            elapsed: pair[1].elapsed(),
        })
        .collect()
}
