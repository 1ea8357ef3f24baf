//! The choice of the next of the waiting requests.

use platterlab_units::{Operation, Stamp};
use std::fmt::Debug;

/// A request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingRequest {
    /// Its number in the order of arrival; no two are alike.
    pub number: u64,
    /// When it came to this queue.
    pub arrival: Stamp,
    /// First sector on the device.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
    /// That of its first sector, or 0 where there is none.
    pub cylinder: u32,
}

/// Decides which request comes next.
///
/// Contract: [`Chooser::came`] gets each request once, when it comes; [`Chooser::choose`] names
/// one of those that came and have not gone, which goes with that; [`Chooser::gone`] gets each
/// that goes without being chosen. In place of a name that is none goes what has waited longest.
pub trait Chooser: Send + Debug {
    /// A request has come.
    fn came(&mut self, waiting: WaitingRequest);

    /// The number of the one to come next, for a device that is free at `now`.
    fn choose(&mut self, now: Stamp) -> Option<u64>;

    /// The request of a number has gone and was not chosen.
    fn gone(&mut self, number: u64);

    /// Another one in the same state.
    fn twin(&self) -> Box<dyn Chooser>;
}

impl Clone for Box<dyn Chooser> {
    fn clone(&self) -> Self {
        self.twin()
    }
}
