//! Buses: who may move data, and who waits.
//!
//! A transfer holds every bus on its way to the host for as long as it lasts. What finds a bus taken
//! waits for it in the order of arrival or of its place on the bus, data before commands if so chosen.

use crate::observe::OverTime;
use platterlab_results::Distribution;
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
    /// The device that stands last on the bus, which has the highest SCSI address. Whoever sends
    /// commands stands before all devices: commands for devices that have the bus from the start of
    /// a command on come after all data, in their own order.
    LastSlot,
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

/// Who waits: a request in flight, its device's place on the bus, and whether it is on its way to that.
#[derive(Clone, Copy, Debug)]
struct Waiter {
    since: Stamp,
    io: u32,
    slot: u32,
    command: bool,
}

/// A bus and who holds it.
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
    /// From asking for it to having it.
    pub(crate) waits: Distribution,
    /// From one transfer to the next, where nobody waited.
    pub(crate) idle: Distribution,
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
            waits: Distribution::new(),
            idle: Distribution::new(),
            taken_over_time: OverTime::new(1),
        }
    }

    pub(crate) fn interleaved(&self) -> bool {
        self.options.interleaved
    }

    pub(crate) fn arbitration_time(&self) -> Span {
        self.options.arbitration_time
    }

    /// Takes the bus for `io` if it is free; else `io` waits for it. A `command` is not at its device
    /// yet.
    pub(crate) fn ask(&mut self, now: Stamp, io: u32, slot: u32, command: bool) -> bool {
        if self.taken {
            self.waiting.push_back(Waiter { since: now, io, slot, command });
            self.waited += 1;
            return false;
        }
        self.waits.add(Lapse::ZERO);
        self.idle.add(now.since(self.since));
        self.taken = true;
        self.since = now;
        true
    }

    /// Gives the bus back; whoever is returned holds it now.
    pub(crate) fn release(&mut self, now: Stamp) -> Option<u32> {
        self.used(self.since, now);
        let waiting = &self.waiting;
        let next = match self.options.arbitration {
            Arbitration::Fcfs => 0,
            Arbitration::Slot => {
                (0..waiting.len()).min_by_key(|&index| waiting[index].slot).unwrap_or(0)
            }
            // `max_by_key` takes the last of equals: backwards, the one that waits longest.
            Arbitration::LastSlot => (0..waiting.len())
                .rev()
                .max_by_key(|&index| (!waiting[index].command).then_some(waiting[index].slot))
                .unwrap_or(0),
        };
        let next = self.waiting.remove(next);
        self.taken = next.is_some();
        self.since = now;
        let next = next?;
        self.waits.add(now.since(next.since));
        Some(next.io)
    }

    /// Counts a transfer.
    #[inline]
    pub(crate) fn used(&mut self, from: Stamp, to: Stamp) {
        self.busy += to.since(from);
        self.taken_over_time.add(0, from, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_and_idle_times_are_told_apart() {
        let (arbitration, arbitration_time, interleaved) = (Arbitration::Fcfs, Span::ZERO, false);
        let mut bus = Bus::new(BusOptions { arbitration, arbitration_time, interleaved });
        let ms = |ms: u64| Stamp::from_us(1_000 * ms);
        assert!(bus.ask(ms(2), 0, 0, false));
        assert!(!bus.ask(ms(3), 1, 1, false));
        assert_eq!(bus.release(ms(7)), Some(1));
        assert_eq!(bus.release(ms(8)), None);
        assert!(bus.ask(ms(12), 2, 0, false));
        let told =
            |times: &Distribution| times.summary().map(|it| (it.count, it.mean_ms, it.max_ms));
        assert_eq!(told(&bus.waits), Some((3, 4.0 / 3.0, 4.0)));
        assert_eq!(told(&bus.idle), Some((2, 3.0, 4.0)));
    }

    #[test]
    fn who_is_next_is_as_said() {
        // Asked in this order: the command of io 1, data of 2 and of 3, the command of 4.
        let order = |arbitration| {
            let (arbitration_time, interleaved) = (Span::ZERO, false);
            let mut bus = Bus::new(BusOptions { arbitration, arbitration_time, interleaved });
            assert!(bus.ask(Stamp::ZERO, 0, 5, false));
            for (io, slot, command) in [(1, 3, true), (2, 4, false), (3, 2, false), (4, 1, true)] {
                assert!(!bus.ask(Stamp::ZERO, io, slot, command));
            }
            std::iter::from_fn(|| bus.release(Stamp::ZERO)).collect::<Vec<_>>()
        };
        assert_eq!(order(Arbitration::Fcfs), [1, 2, 3, 4]);
        assert_eq!(order(Arbitration::Slot), [4, 3, 1, 2]);
        assert_eq!(order(Arbitration::LastSlot), [2, 3, 1, 4]);
    }
}
