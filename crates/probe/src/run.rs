//! Carries out a plan on a device, with its progress, and returns the samples.

use crate::bench::Bench;
use crate::{Access, End, Plan, Sample, Tracks, Visit, Watch};
use platterlab_device::BlockDevice;

/// What one run of one plan measured, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// What was asked for.
    pub plan: Plan,
    /// One entry per request that was answered.
    pub samples: Vec<Sample>,
    /// Whether that is all of them.
    pub end: End,
}

/// Carries out `plan` on `device`.
///
/// [`ZONED`](crate::Zoned), [`Overhead`](crate::Overhead), [`Recall`](crate::Recall) and a
/// [survey](crate::Visit::Survey) read,
/// whatever `access` says; all others do as it says. Whatever goes wrong, the samples measured until then are returned with the reason.
pub fn run<D: BlockDevice + ?Sized>(
    device: &mut D,
    plan: &Plan,
    access: Access<'_>,
    watch: &mut Watch<'_>,
) -> Samples {
    let access = match plan {
        Plan::Zoned(_)
        | Plan::Overhead(_)
        | Plan::Recall(_)
        | Plan::Tracks(Tracks { visit: Visit::Survey, .. }) => Access::Read,
        _ => access,
    };
    let mut bench = Bench::new(device, access, watch, plan.cost().requests);
    let outcome = match plan {
        Plan::Overhead(probe) => probe.run(&mut bench),
        Plan::Rotation(probe) => probe.run(&mut bench),
        Plan::Skippy(probe) => probe.run(&mut bench),
        Plan::Tracks(probe) => probe.run(&mut bench),
        Plan::Recall(probe) => probe.run(&mut bench),
        Plan::Seeker(probe) => probe.run(&mut bench),
        Plan::Zoned(probe) => probe.run(&mut bench),
    };
    let end = match outcome {
        Ok(()) => End::Complete,
        Err(end) => end,
    };
    Samples { plan: plan.clone(), samples: bench.samples, end }
}
