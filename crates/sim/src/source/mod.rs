//! Sources of requests: a trace, a generator, processes. One file per kind behind one contract.

mod closed;
mod gate;
mod labelled;
mod open;
mod processes;
mod processors;
mod recorded;
mod sectors;
mod several;
mod submitted;
mod tapped;

pub use closed::Closed;
pub use gate::{Gate, Limits};
pub use labelled::{Label, Labelled};
pub use open::Open;
pub use processes::{Group, Processes};
pub use processors::Woken;
pub use recorded::{Recorded, Recorder};
pub use sectors::InSectors;
pub use several::Several;
pub use submitted::{Ended, Submitted};
pub use tapped::{Tap, Tapped};

use crate::scheduler::Tag;
use platterlab_units::{Operation, Partial, Stamp};
use platterlab_workload::Criticality;

/// A request to a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The volume, by its place in the system.
    pub volume: u32,
    /// First sector.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// What a write leaves alone of its first and its last sector.
    pub partial: Partial,
    /// Read or write.
    pub operation: Operation,
    /// Who waits for it.
    pub criticality: Criticality,
    /// The stream it belongs to: which of several workloads asks for it.
    pub stream: u16,
    /// How a drive's own queue is to treat it; by the drive's rule where it is not given.
    pub order: Option<Tag>,
    /// The source's own mark on it, given back with the completion.
    pub tag: u64,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// The request.
    pub request: Request,
    /// Whether it was served; if not, it did not fit its volume, or its data is lost.
    pub served: bool,
}

/// A source of requests: a state machine that never looks at a clock of its own.
///
/// Contract: [`Source::act`] is called at [`Source::next`] and no earlier; every request put out is of
/// one of the streams that the system was built for, and is heard of again through [`Source::over`], once. A source is at its end when it has no next instant and nothing of it is in flight.
pub trait Source {
    /// What can go wrong: a trace that cannot be read, a process that can never continue.
    type Error;

    /// The next instant at which the source does something by itself.
    fn next(&mut self) -> Option<Stamp>;

    /// Does it; requests that start now go to `out`.
    ///
    /// # Errors
    /// What makes it impossible to continue.
    fn act(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), Self::Error>;

    /// Hears that a request is over; requests that start now go to `out`.
    ///
    /// # Errors
    /// As [`Source::act`].
    fn over(&mut self, now: Stamp, over: &Over, out: &mut Vec<Request>) -> Result<(), Self::Error>;

    /// The tag of a request in flight for which somebody has come to wait that did not when it was
    /// asked for; each is reported once.
    fn take_awaited(&mut self) -> Option<u64> {
        None
    }
}
