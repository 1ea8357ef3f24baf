//! The choice of the line that makes room. One file per policy behind one contract.

mod arc;
mod arrival;
mod own;
mod random;
mod segmented;
#[cfg(test)]
mod tests;

use super::chain::Chains;
use super::table::{LineKey, Table};
use crate::chance::LatencyStream;
use crate::outside::Evictor;
use arc::Arc;
use arrival::Arrival;
use own::Evicted;
use random::Random;
use segmented::Segmented;

/// The choice of the line that makes room.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum Replacement {
    /// The one not used for longest.
    #[default]
    Lru,
    /// The one that came first.
    Fifo,
    /// The one that came last.
    Lifo,
    /// Any.
    Random,
    /// Segmented LRU: a line moves up a segment with each use, and back when that is full (Karedla
    /// et al. 1994).
    SegmentedLru {
        /// The shares of the segments, from the lowest; they add up to 1.
        #[cfg_attr(feature = "file", schemars(length(min = 1)))]
        shares: Vec<f64>,
    },
    /// Adaptive replacement: lines used once and lines used again, in shares that follow the
    /// misses (Megiddo and Modha 2003).
    Arc,
}

/// A policy at work on the slots of a cache.
///
/// Contract: `missed` comes before a line enters; `victim` is asked when no slot is free and gives
/// one that may go, or none; `leave` and `enter` come once for each line in a slot.
#[derive(Clone, Debug)]
pub(super) enum Replacer {
    Arrival(Arrival),
    Random(Box<Random>),
    Segmented(Segmented),
    Arc(Box<Arc>),
    /// Somebody else's, see [`crate::outside`].
    Own(Box<Evicted>),
}

impl Replacer {
    /// What `evictor` decides, for slots that are all free.
    pub(super) fn own(evictor: Box<dyn Evictor>, line_sectors: u64, slots: usize) -> Self {
        Self::Own(Box::new(Evicted::new(evictor, line_sectors, slots)))
    }

    pub(super) fn new(kind: &Replacement, slots: usize, chance: LatencyStream) -> Self {
        match kind {
            Replacement::Fifo => Self::Arrival(Arrival::new(false, slots)),
            Replacement::Lifo => Self::Arrival(Arrival::new(true, slots)),
            Replacement::Random => Self::Random(Box::new(Random::new(slots, chance))),
            Replacement::Lru => Self::Segmented(Segmented::new(&[1.0], slots)),
            Replacement::SegmentedLru { shares } => Self::Segmented(Segmented::new(shares, slots)),
            Replacement::Arc => Self::Arc(Box::new(Arc::new(slots))),
        }
    }

    /// A line is not there and is about to enter.
    pub(super) fn missed(&mut self, key: LineKey) {
        if let Self::Arc(policy) = self {
            policy.missed(key);
        }
    }

    /// The slot that makes room, of those that `may`.
    pub(super) fn victim(&mut self, may: impl Fn(u32) -> bool) -> Option<u32> {
        match self {
            Self::Arrival(policy) => policy.victim(may),
            Self::Random(policy) => policy.victim(may),
            Self::Segmented(policy) => policy.victim(may),
            Self::Arc(policy) => policy.victim(may),
            Self::Own(policy) => policy.victim(may),
        }
    }

    /// The line of a slot goes.
    pub(super) fn leave(&mut self, slot: u32, key: LineKey) {
        match self {
            Self::Arrival(policy) => policy.leave(slot),
            Self::Random(_) => {}
            Self::Segmented(policy) => policy.leave(slot),
            Self::Arc(policy) => policy.leave(slot, key),
            Self::Own(policy) => policy.leave(slot),
        }
    }

    /// A line comes into a slot.
    pub(super) fn enter(&mut self, slot: u32, key: LineKey) {
        match self {
            Self::Arrival(policy) => policy.enter(slot),
            Self::Random(_) => {}
            Self::Segmented(policy) => policy.enter(slot),
            Self::Arc(policy) => policy.enter(slot),
            Self::Own(policy) => policy.enter(slot, key),
        }
    }

    /// The line of a slot is used again.
    pub(super) fn used(&mut self, slot: u32) {
        match self {
            Self::Arrival(_) | Self::Random(_) => {}
            Self::Segmented(policy) => policy.used(slot),
            Self::Arc(policy) => policy.used(slot),
            Self::Own(policy) => policy.used(slot),
        }
    }
}
