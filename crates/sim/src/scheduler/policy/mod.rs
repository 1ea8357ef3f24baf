//! The scheduling policies behind one contract. One file per policy.

mod batch;
mod fcfs;
mod look;
mod lowest;
mod mq_deadline;
mod own;
mod sptf;
mod vscan;

use super::{DeviceView, Key, Waiting};
use crate::outside::Chooser;
use batch::Batch;
use fcfs::Fcfs;
use look::Look;
use lowest::Lowest;
use mq_deadline::MqDeadline;
use own::Chosen;
use platterlab_units::{Span, Stamp};
use sptf::{Aging, From, Sptf, Weights};
use vscan::Vscan;

/// A scheduling policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum Scheduler {
    /// First come, first served.
    #[default]
    Fcfs,
    /// On in the same direction, and back where nothing is left in it (the elevator).
    Look {
        /// What is compared.
        #[cfg_attr(feature = "file", serde(default))]
        by: Key,
    },
    /// Upwards only, then back to the lowest.
    CLook {
        /// What is compared.
        #[cfg_attr(feature = "file", serde(default))]
        by: Key,
    },
    /// The nearest.
    Sstf {
        /// What is compared.
        #[cfg_attr(feature = "file", serde(default))]
        by: Key,
    },
    /// The nearest, turning back at the cost of a share of the range: V-SCAN(R) (Geist and Daniel
    /// 1987).
    VScan {
        /// What is compared.
        #[cfg_attr(feature = "file", serde(default))]
        by: Key,
        /// The share, R.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1.0)))]
        turn_share: f64,
    },
    /// What waits when a batch begins is served, upwards, before anything that comes later.
    Batch {
        /// What is compared.
        #[cfg_attr(feature = "file", serde(default))]
        by: Key,
    },
    /// Linux's `mq-deadline`: batches of reads or of writes, upwards, reads first. A batch begins with
    /// what has waited too long. Its defaults are the kernel's.
    MqDeadline {
        /// How long a read may wait, in milliseconds.
        #[cfg_attr(feature = "file", serde(rename = "read_expire_ms", default = "read_expire"))]
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1e9)))]
        read_expire: Span,
        /// How long a write may wait, in milliseconds.
        #[cfg_attr(feature = "file", serde(rename = "write_expire_ms", default = "write_expire"))]
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1e9)))]
        write_expire: Span,
        /// Requests of a batch at most; deadlines are looked at between batches.
        #[cfg_attr(feature = "file", serde(default = "fifo_batch"))]
        #[cfg_attr(feature = "file", schemars(range(min = 1, max = 1_000_000)))]
        fifo_batch: u32,
        /// How many batches of reads may go before waiting writes.
        #[cfg_attr(feature = "file", serde(default = "writes_starved"))]
        #[cfg_attr(feature = "file", schemars(range(min = 0, max = 1_000_000)))]
        writes_starved: u32,
    },
    /// Shortest positioning time.
    Sptf,
    /// Shortest positioning time, reckoned from where and when a sector last passed under the head,
    /// without overheads, and a revolution longer for what the head would meet in its middle; as
    /// DiskSim does it. `sptf` knows what the arm does since.
    SptfFromLastSector,
    /// Shortest positioning time, reckoned as if the arm could leave at once from where it is: without
    /// overheads, and without what cannot be broken off. The choice is made as soon as the mechanism
    /// has nothing to do, not even to read on, though it leaves later; as DiskSim's drives do it.
    SptfAtOnce,
    /// The lowest address, wherever the arm is.
    LowestFirst,
    /// Shortest positioning time, none for what the drive's cache holds.
    Spctf,
    /// Shortest time until the last sector.
    Satf,
    /// Shortest positioning time less a share of the time waited.
    AgedSptf {
        /// Milliseconds forgiven for each millisecond waited.
        #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1_000.0)))]
        weight: f64,
        /// Whether what the cache holds needs no positioning.
        #[cfg_attr(feature = "file", serde(default))]
        cache_aware: bool,
        /// Whether time counts until the last sector rather than the first.
        #[cfg_attr(feature = "file", serde(default))]
        with_transfer: bool,
        /// Whether time is reckoned as `sptf-from-last-sector` does.
        #[cfg_attr(feature = "file", serde(default))]
        from_last_sector: bool,
        /// Whether time is reckoned as `sptf-at-once` does.
        #[cfg_attr(feature = "file", serde(default))]
        at_once: bool,
    },
    /// Shortest positioning time, scaled down to nothing as the wait nears a limit.
    WeightedSptf {
        /// The limit, in milliseconds.
        #[cfg_attr(feature = "file", serde(rename = "limit_ms"))]
        #[cfg_attr(feature = "file", schemars(range(min = 0.001, max = 1e9)))]
        limit: Span,
        /// Whether what the cache holds needs no positioning.
        #[cfg_attr(feature = "file", serde(default))]
        cache_aware: bool,
        /// Whether time counts until the last sector rather than the first.
        #[cfg_attr(feature = "file", serde(default))]
        with_transfer: bool,
        /// Whether time is reckoned as `sptf-from-last-sector` does.
        #[cfg_attr(feature = "file", serde(default))]
        from_last_sector: bool,
        /// Whether time is reckoned as `sptf-at-once` does.
        #[cfg_attr(feature = "file", serde(default))]
        at_once: bool,
    },
}

#[cfg(feature = "file")]
fn read_expire() -> Span {
    Span::from_us(500_000)
}

#[cfg(feature = "file")]
fn write_expire() -> Span {
    Span::from_us(5_000_000)
}

#[cfg(feature = "file")]
fn fifo_batch() -> u32 {
    16
}

#[cfg(feature = "file")]
fn writes_starved() -> u32 {
    2
}

impl Scheduler {
    /// Whether requests must know where they lie on the media.
    #[must_use]
    pub fn needs_place(self) -> bool {
        !matches!(
            self,
            Self::Fcfs
                | Self::LowestFirst
                | Self::Look { by: Key::Lba }
                | Self::CLook { by: Key::Lba }
                | Self::Sstf { by: Key::Lba }
                | Self::VScan { by: Key::Lba, .. }
                | Self::Batch { by: Key::Lba }
                | Self::MqDeadline { .. }
        )
    }

    /// Whether time would be reckoned in two ways, of which only one can be.
    #[must_use]
    pub fn reckons_twice(self) -> bool {
        match self {
            Self::AgedSptf { from_last_sector, at_once, .. }
            | Self::WeightedSptf { from_last_sector, at_once, .. } => from_last_sector && at_once,
            _ => false,
        }
    }
}

/// Waiting requests and the rule that chooses.
///
/// Contract: what was pushed is popped or removed exactly once; `pop` gives `None` only when
/// nothing waits; the same pushes, pops and device states give the same choices.
#[derive(Clone, Debug)]
pub(crate) enum Policy {
    /// See [`Scheduler::Fcfs`].
    Fcfs(Fcfs),
    /// See [`Scheduler::Look`] and [`Scheduler::CLook`].
    Look(Look),
    /// See [`Scheduler::LowestFirst`].
    Lowest(Lowest),
    /// See [`Scheduler::VScan`] and [`Scheduler::Sstf`].
    Vscan(Vscan),
    /// See [`Scheduler::Batch`].
    Batch(Box<Batch>),
    /// See [`Scheduler::MqDeadline`].
    MqDeadline(Box<MqDeadline>),
    /// See [`Scheduler::Sptf`] and those after it.
    Sptf(Box<Sptf>),
    /// Somebody else's, see [`crate::outside`].
    Own(Box<Chosen>),
}

impl Policy {
    /// What `chooser` decides, with nothing waiting.
    pub(crate) fn own(chooser: Box<dyn Chooser>) -> Self {
        Self::Own(Box::new(Chosen::new(chooser)))
    }

    /// A policy of `kind` with nothing waiting, for a device of `sectors` on `cylinders`.
    pub(crate) fn new(kind: Scheduler, sectors: u64, cylinders: u32) -> Self {
        let sptf = |cache_aware, with_transfer, aging, from| {
            let weights = Weights { cache_aware, with_transfer, aging, from };
            Self::Sptf(Box::new(Sptf::new(weights)))
        };
        match kind {
            Scheduler::Fcfs => Self::Fcfs(Fcfs::default()),
            Scheduler::Look { by } => Self::Look(Look::new(by, false)),
            Scheduler::CLook { by } => Self::Look(Look::new(by, true)),
            Scheduler::Sstf { by } => Self::Vscan(Vscan::new(by, 0)),
            Scheduler::VScan { by, turn_share } => {
                let range = match by {
                    Key::Lba => sectors,
                    Key::Cylinder => u64::from(cylinders),
                };
                Self::Vscan(Vscan::new(by, (range as f64 * turn_share) as u64))
            }
            Scheduler::Batch { by } => Self::Batch(Box::new(Batch::new(by))),
            Scheduler::MqDeadline { read_expire, write_expire, fifo_batch, writes_starved } => {
                let patience = [read_expire, write_expire];
                Self::MqDeadline(Box::new(MqDeadline::new(patience, fifo_batch, writes_starved)))
            }
            Scheduler::LowestFirst => Self::Lowest(Lowest::default()),
            Scheduler::Sptf => sptf(false, false, Aging::Off, From::Known),
            Scheduler::SptfAtOnce => sptf(false, false, Aging::Off, From::AtOnce),
            Scheduler::SptfFromLastSector => sptf(false, false, Aging::Off, From::LastSector),
            Scheduler::Spctf => sptf(true, false, Aging::Off, From::Known),
            Scheduler::Satf => sptf(false, true, Aging::Off, From::Known),
            Scheduler::AgedSptf {
                weight,
                cache_aware,
                with_transfer,
                from_last_sector,
                at_once,
            } => {
                let parts = (weight * f64::from(1_u32 << 20)).round() as u64;
                sptf(
                    cache_aware,
                    with_transfer,
                    Aging::Added(parts),
                    From::of(from_last_sector, at_once),
                )
            }
            Scheduler::WeightedSptf {
                limit,
                cache_aware,
                with_transfer,
                from_last_sector,
                at_once,
            } => sptf(
                cache_aware,
                with_transfer,
                Aging::Scaled(limit),
                From::of(from_last_sector, at_once),
            ),
        }
    }

    /// Takes a request in.
    #[inline]
    pub(crate) fn push(&mut self, waiting: Waiting) {
        match self {
            Self::Fcfs(policy) => policy.push(waiting),
            Self::Look(policy) => policy.push(waiting),
            Self::Lowest(policy) => policy.push(waiting),
            Self::Vscan(policy) => policy.push(waiting),
            Self::Batch(policy) => policy.push(waiting),
            Self::MqDeadline(policy) => policy.push(waiting),
            Self::Sptf(policy) => policy.push(waiting),
            Self::Own(policy) => policy.push(waiting),
        }
    }

    /// Takes note of a request that comes and goes while nothing waits; whether that is all.
    #[inline]
    pub(crate) fn pass(&mut self, waiting: &Waiting) -> bool {
        match self {
            Self::Fcfs(_) | Self::Lowest(_) | Self::Sptf(_) => {}
            Self::Look(policy) => policy.pass(waiting),
            Self::Vscan(policy) => policy.pass(waiting),
            Self::Batch(_) | Self::MqDeadline(_) | Self::Own(_) => return false,
        }
        true
    }

    /// Takes note of being asked while nothing waits; whether that is so.
    #[inline]
    pub(crate) fn has_none(&mut self) -> bool {
        match self {
            Self::Fcfs(policy) => policy.len() == 0,
            Self::Look(policy) => policy.has_none(),
            Self::Lowest(policy) => policy.len() == 0,
            Self::Vscan(policy) => policy.sorted().len() == 0,
            Self::Sptf(policy) => policy.sorted().len() == 0,
            Self::Batch(_) | Self::MqDeadline(_) | Self::Own(_) => false,
        }
    }

    /// The request that comes next, for a device that is free at `now`.
    #[inline]
    pub(crate) fn pop(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        match self {
            Self::Fcfs(policy) => policy.pop(),
            Self::Look(policy) => policy.pop(),
            Self::Lowest(policy) => policy.pop(),
            Self::Vscan(policy) => policy.pop(),
            Self::Batch(policy) => policy.pop(),
            Self::MqDeadline(policy) => policy.pop(now),
            Self::Sptf(policy) => policy.pop(now, device),
            Self::Own(policy) => policy.pop(now),
        }
    }

    /// Takes a request out again.
    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        match self {
            Self::Fcfs(policy) => policy.remove(waiting),
            Self::Look(policy) => policy.remove(waiting),
            Self::Lowest(policy) => policy.remove(waiting),
            Self::Vscan(policy) => policy.remove(waiting),
            Self::Batch(policy) => policy.remove(waiting),
            Self::MqDeadline(policy) => policy.remove(waiting),
            Self::Sptf(policy) => policy.remove(waiting),
            Self::Own(policy) => policy.remove(waiting),
        }
    }

    /// How many wait.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Fcfs(policy) => policy.len(),
            Self::Look(policy) => policy.sorted().len(),
            Self::Lowest(policy) => policy.len(),
            Self::Vscan(policy) => policy.sorted().len(),
            Self::Batch(policy) => policy.len(),
            Self::MqDeadline(policy) => policy.len(),
            Self::Sptf(policy) => policy.sorted().len(),
            Self::Own(policy) => policy.len(),
        }
    }
}
