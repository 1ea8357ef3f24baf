//! The choice of the cache line that makes room.

use std::fmt::Debug;

/// A line of a cache, by what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheLine {
    /// The device, by its place in the system.
    pub device: u32,
    /// Its first sector there.
    pub lba: u64,
}

/// Decides which line makes room.
///
/// Contract: a slot is entered, used any number of times, and left before it is entered again.
/// [`Evictor::choose`] names a slot that is entered and that `may` go; in place of one that may not goes
/// the first that may.
pub trait Evictor: Send + Debug {
    /// A line comes into a slot.
    fn entered(&mut self, slot: u32, line: CacheLine);

    /// The line of a slot is used again.
    fn used(&mut self, slot: u32);

    /// The line of a slot has gone.
    fn left(&mut self, slot: u32);

    /// The slot that makes room; at least one may.
    fn choose(&mut self, may: &dyn Fn(u32) -> bool) -> Option<u32>;

    /// Another one in the same state.
    fn twin(&self) -> Box<dyn Evictor>;
}

impl Clone for Box<dyn Evictor> {
    fn clone(&self) -> Self {
        self.twin()
    }
}
