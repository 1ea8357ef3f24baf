//! Buses: who may move data, and who waits.
//!
//! A transfer holds every bus on its way to the host for as long as it lasts. Transfers that find a
//! bus taken wait for it in the order of arrival or of their place on the bus.

use crate::observe::OverTime;
use platterlab_units::{Lapse, Span, Stamp};
use std::collections::VecDeque;

/// Who is next when a bus becomes free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum Arbitration {
    /// The one that waits longest.
    #[default]
    Fcfs,
    /// The one that stands first on the bus.
    Slot,
}

/// One bus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BusOptions {
    /// Who is next.
    pub arbitration: Arbitration,
    /// What each arbitration takes.
    pub arbitration_time: Span,
    /// Whether transfers share the bus sector by sector instead of holding it: then nobody waits.
    pub interleaved: bool,
}

/// A place on a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusPlace {
    /// The bus, by its place in the system.
    pub bus: u32,
    /// The place on it; lower goes first where places count.
    pub slot: u32,
}

/// Who waits: a request in flight, and its device's place on the bus.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    io: u32,
    slot: u32,
}

/// A bus and who has it.
#[derive(Clone, Debug)]
pub(crate) struct Bus {
    options: BusOptions,
    taken: bool,
    waiting: VecDeque<Waiter>,
    since: Stamp,
    /// How long it has been taken.
    pub(crate) busy: Lapse,
    /// Transfers that had to wait.
    pub(crate) waited: u64,
    pub(crate) taken_over_time: OverTime,
}

impl Bus {
    pub(crate) fn new(options: BusOptions) -> Self {
        Self {
            options,
            taken: false,
            waiting: VecDeque::new(),
            since: Stamp::ZERO,
            busy: Lapse::ZERO,
            waited: 0,
            taken_over_time: OverTime::new(1),
        }
    }

    pub(crate) fn interleaved(&self) -> bool {
        self.options.interleaved
    }

    pub(crate) fn arbitration_time(&self) -> Span {
        self.options.arbitration_time
    }

    /// Takes the bus for `io` if it is free; else `io` waits for it.
    pub(crate) fn ask(&mut self, now: Stamp, io: u32, slot: u32) -> bool {
        if self.taken {
            self.waiting.push_back(Waiter { io, slot });
            self.waited += 1;
            return false;
        }
        self.taken = true;
        self.since = now;
        true
    }

    /// Gives the bus back; whoever is returned has it now.
    pub(crate) fn release(&mut self, now: Stamp) -> Option<u32> {
        self.used(self.since, now);
        let next = match self.options.arbitration {
            Arbitration::Fcfs => 0,
            Arbitration::Slot => {
                (0..self.waiting.len()).min_by_key(|&index| self.waiting[index].slot).unwrap_or(0)
            }
        };
        let next = self.waiting.remove(next);
        self.taken = next.is_some();
        self.since = now;
        next.map(|waiter| waiter.io)
    }

    /// Counts a transfer.
    #[inline]
    pub(crate) fn used(&mut self, from: Stamp, to: Stamp) {
        self.busy += to.since(from);
        self.taken_over_time.add(0, from, to);
    }
}
