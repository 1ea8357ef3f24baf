//! The scheduling policies behind one contract.

use super::batch::Batch;
use super::fcfs::Fcfs;
use super::look::Look;
use super::lowest::Lowest;
use super::mq_deadline::{Deadlines, MqDeadline};
use super::sptf::{Aging, Sptf, Weights};
use super::vscan::Vscan;
use super::{DeviceView, Key, Waiting};
use platterlab_units::{Span, Stamp};

/// A policy and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PolicyKind {
    /// First come, first served.
    Fcfs,
    /// Up, then down, then up (the elevator).
    Look(Key),
    /// Up only, then back to the lowest.
    CLook(Key),
    /// The nearest.
    Sstf(Key),
    /// The nearest, turning back at the cost of this share of the range (Geist–Daniel 1987).
    Vscan(Key, f64),
    /// What waits when a batch begins, before what comes later.
    Batch(Key),
    /// Batches of reads and of writes, upwards, with deadlines between them (Linux).
    MqDeadline(Deadlines),
    /// Shortest positioning time.
    Sptf,
    /// Shortest positioning time, reckoned from where and when a sector last passed under the head;
    /// a turn longer for what the head would meet in its middle. So DiskSim does it.
    SptfFromLastSector,
    /// The lowest first sector, wherever the arm is.
    LowestFirst,
    /// Shortest positioning time, none for what is cached.
    Spctf,
    /// Shortest time at the media.
    Satf,
    /// Shortest positioning time less `weight` of the time waited.
    AgedSptf {
        /// Time forgiven per time waited.
        weight: f64,
        /// None for what is cached.
        cache_aware: bool,
        /// Until the last sector rather than the first.
        with_transfer: bool,
        /// Reckoned as [`PolicyKind::SptfFromLastSector`] does.
        from_last_sector: bool,
    },
    /// Shortest positioning time, scaled down to nothing as the wait nears `limit`.
    WeightedSptf {
        /// The wait after which a request goes first.
        limit: Span,
        /// None for what is cached.
        cache_aware: bool,
        /// Until the last sector rather than the first.
        with_transfer: bool,
        /// Reckoned as [`PolicyKind::SptfFromLastSector`] does.
        from_last_sector: bool,
    },
}

impl PolicyKind {
    /// Whether requests must know where they lie on the media.
    #[must_use]
    pub fn needs_place(self) -> bool {
        !matches!(
            self,
            Self::Fcfs
                | Self::LowestFirst
                | Self::Look(Key::Lba)
                | Self::CLook(Key::Lba)
                | Self::Sstf(Key::Lba)
                | Self::Vscan(Key::Lba, _)
                | Self::Batch(Key::Lba)
                | Self::MqDeadline(_)
        )
    }
}

/// Waiting requests and the rule that chooses.
///
/// Contract: what was pushed is popped or removed exactly once; `pop` gives `None` only when
/// nothing waits; the same pushes, pops and device states give the same choices.
#[derive(Clone, Debug)]
pub(crate) enum Policy {
    /// See [`PolicyKind::Fcfs`].
    Fcfs(Fcfs),
    /// See [`PolicyKind::Look`] and [`PolicyKind::CLook`].
    Look(Look),
    /// See [`PolicyKind::LowestFirst`].
    Lowest(Lowest),
    /// See [`PolicyKind::Vscan`] and [`PolicyKind::Sstf`].
    Vscan(Vscan),
    /// See [`PolicyKind::Batch`].
    Batch(Box<Batch>),
    /// See [`PolicyKind::MqDeadline`].
    MqDeadline(Box<MqDeadline>),
    /// See [`PolicyKind::Sptf`] and those after it.
    Sptf(Box<Sptf>),
}

impl Policy {
    /// A policy of `kind` with nothing waiting, for a device of `sectors` on `cylinders`.
    pub(crate) fn new(kind: PolicyKind, sectors: u64, cylinders: u32) -> Self {
        let sptf = |cache_aware, with_transfer, aging, from_last_sector| {
            let weights = Weights { cache_aware, with_transfer, aging, from_last_sector };
            Self::Sptf(Box::new(Sptf::new(weights)))
        };
        match kind {
            PolicyKind::Fcfs => Self::Fcfs(Fcfs::default()),
            PolicyKind::Look(key) => Self::Look(Look::new(key, false)),
            PolicyKind::CLook(key) => Self::Look(Look::new(key, true)),
            PolicyKind::Sstf(key) => Self::Vscan(Vscan::new(key, 0)),
            PolicyKind::Vscan(key, weight) => {
                let range = match key {
                    Key::Lba => sectors,
                    Key::Cylinder => u64::from(cylinders),
                };
                Self::Vscan(Vscan::new(key, (range as f64 * weight) as u64))
            }
            PolicyKind::Batch(key) => Self::Batch(Box::new(Batch::new(key))),
            PolicyKind::MqDeadline(options) => Self::MqDeadline(Box::new(MqDeadline::new(options))),
            PolicyKind::LowestFirst => Self::Lowest(Lowest::default()),
            PolicyKind::Sptf => sptf(false, false, Aging::Off, false),
            PolicyKind::SptfFromLastSector => sptf(false, false, Aging::Off, true),
            PolicyKind::Spctf => sptf(true, false, Aging::Off, false),
            PolicyKind::Satf => sptf(false, true, Aging::Off, false),
            PolicyKind::AgedSptf { weight, cache_aware, with_transfer, from_last_sector } => {
                let parts = (weight * f64::from(1_u32 << 20)).round() as u64;
                sptf(cache_aware, with_transfer, Aging::Added(parts), from_last_sector)
            }
            PolicyKind::WeightedSptf { limit, cache_aware, with_transfer, from_last_sector } => {
                sptf(cache_aware, with_transfer, Aging::Scaled(limit), from_last_sector)
            }
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
        }
    }

    /// Takes note of a request that comes and goes while nothing waits; whether that is all.
    #[inline]
    pub(crate) fn pass(&mut self, waiting: &Waiting) -> bool {
        match self {
            Self::Fcfs(_) | Self::Lowest(_) | Self::Sptf(_) => {}
            Self::Look(policy) => policy.pass(waiting),
            Self::Vscan(policy) => policy.pass(waiting),
            Self::Batch(_) | Self::MqDeadline(_) => return false,
        }
        true
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
        }
    }
}
