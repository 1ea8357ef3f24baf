//! Carries out a plan on a device, with its progress, and returns the samples.

use crate::bench::Bench;
use crate::{End, Plan, Samples, Tracks, Visit};
use platterlab_device::{BlockDevice, WriteConsent};
use platterlab_units::{Operation, Span};
use std::ops::ControlFlow;

/// How a run touches the media.
#[derive(Clone, Copy, Debug)]
pub enum Access<'a> {
    /// By reading.
    Read,
    /// By writing, with the proof that this is wanted.
    Write(&'a WriteConsent),
}

impl Access<'_> {
    /// Read or write.
    #[must_use]
    pub fn operation(self) -> Operation {
        match self {
            Self::Read => Operation::Read,
            Self::Write(_) => Operation::Write,
        }
    }
}

/// How far a run has come; handed out before every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Requests answered.
    pub done: u64,
    /// Requests planned; a probe that searches may need fewer.
    pub requests: u64,
    /// Time on the device's clock since the run began.
    pub drive_time: Span,
}

/// Sees the progress and may break the run off.
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

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
