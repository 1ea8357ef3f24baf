//! A read's data in bursts: each once so much of it is in the buffer, and between two the drive lets
//! go of the bus.

use super::first_early;
use crate::BusParams;
use platterlab_units::{Span, Time};

/// How the drive comes to have the bus for a read's data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taking {
    /// What was cached is there at that time, and goes out without taking the bus again, as does what
    /// is there by then.
    pub(super) kept: Option<Time>,
    /// To take it again.
    pub(super) reconnect: Span,
}

impl Taking {
    /// When the drive has the bus, if it may from `now` on.
    #[inline]
    pub(super) fn from(self, now: Time) -> Time {
        match self.kept {
            Some(kept) if now <= kept => kept,
            _ => now + self.reconnect,
        }
    }
}

/// The bursts of a read, as far as its sectors have passed.
#[derive(Debug)]
pub(super) struct Bursts {
    sectors: u32,
    /// Sectors of a burst, or that a burst waits for.
    level: u32,
    /// A burst continues until the buffer is empty.
    drains: bool,
    /// Sectors that the first burst waits for: what is cached may not go alone.
    least: u32,
    taking: Taking,
    bus_sector: Span,
    /// Sectors of bursts that are sent.
    sent: u32,
    /// The drive has the bus, and it is not known yet whether the next sector is in time.
    flows: bool,
    /// When the first burst began.
    bus_start: Option<Time>,
    /// When the last one is over.
    bus_end: Time,
}

impl Bursts {
    /// Those of a read of `sectors`; `None` where it goes over the bus without.
    pub(super) fn of(bus: &BusParams, sectors: u32, least: u32, taking: Taking) -> Option<Self> {
        bus.burst_sectors.filter(|_| bus.overlap).map(|level| Self {
            sectors,
            level,
            drains: bus.burst_drains,
            least,
            taking,
            bus_sector: bus.read_sector,
            sent: 0,
            flows: false,
            bus_start: None,
            bus_end: Time::ZERO,
        })
    }

    /// When the first began and the last one sent is over, once there was one.
    pub(super) fn on_bus(&self) -> Option<(Time, Time)> {
        self.bus_start.map(|start| (start, self.bus_end))
    }

    /// Sectors `from..to` have passed, the last one at `end`; those before are in the buffer.
    pub(super) fn passed(&mut self, from: u32, to: u32, pace: Span, end: Time) {
        let there = |sector: u32| end - pace * u64::from(to - 1 - sector);
        while self.sent < to {
            if !self.flows {
                let whole = self.sectors.min((self.sent + self.level).max(self.least));
                if whole > to {
                    return;
                }
                let kept = self.taking.kept.filter(|_| whole <= from);
                self.begin(kept.unwrap_or_else(|| there(whole - 1)));
                if !self.drains {
                    self.send(whole);
                    continue;
                }
            }
            let (sent, bus_end, bus_sector) = (self.sent, self.bus_end, self.bus_sector);
            let late =
                |sector: u32| there(sector) > bus_end + bus_sector * u64::from(sector - sent);
            let stop = first_early(sent.max(from), to, late);
            self.send(stop);
            self.flows = stop == to;
        }
    }

    /// Takes the bus for a burst that is in the buffer at `there`.
    fn begin(&mut self, there: Time) {
        let taken = self.taking.from(there);
        let start = match self.bus_start {
            None => taken,
            // The next of a fixed size is there already: the drive does not let go.
            Some(_) if !self.drains && there <= self.bus_end => self.bus_end,
            Some(_) => taken.max(self.bus_end),
        };
        self.bus_start.get_or_insert(start);
        self.bus_end = start;
    }

    fn send(&mut self, to: u32) {
        self.bus_end += self.bus_sector * u64::from(to - self.sent);
        self.sent = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const UNIT: u64 = 1_000_000;

    /// The same sector by sector, from when each is there.
    fn one_by_one(bursts: &Bursts, there: &[u64], held: usize, begin: u64) -> (u64, u64) {
        let (bus, reconnect) = (bursts.bus_sector.as_ps(), bursts.taking.reconnect.as_ps());
        let (mut sent, mut start, mut time) = (0, None, 0);
        while sent < there.len() {
            let whole = there.len().min((sent + bursts.level as usize).max(bursts.least as usize));
            let ready = there[whole - 1];
            if start.is_none() || bursts.drains || ready > time {
                let take = if held > 0 && ready <= begin { 0 } else { reconnect };
                time = time.max(ready + take);
            }
            start.get_or_insert(time);
            let first = sent;
            let goes = |sent: usize, time| {
                if bursts.drains {
                    there[sent] <= time
                } else {
                    sent - first < bursts.level as usize
                }
            };
            while sent < there.len() && (sent < whole || goes(sent, time)) {
                time += bus;
                sent += 1;
            }
        }
        (start.unwrap(), time)
    }

    proptest! {
        #[test]
        fn bursts_are_those_of_sector_by_sector(
            (level, drains, alone) in (1u32..12, any::<bool>(), any::<bool>()),
            (bus, reconnect) in (0u64..30, 0u64..40),
            held in 0u32..9,
            runs in proptest::collection::vec((1u32..20, 1u64..20, 0u64..50), 1..5),
        ) {
            let sectors = held + runs.iter().map(|run| run.0).sum::<u32>();
            let params = BusParams {
                read_sector: Span::from_ps(bus * UNIT),
                reconnect: Span::from_ps(reconnect * UNIT),
                burst_sectors: Some(level),
                burst_drains: drains,
                ..BusParams::default()
            };
            let begin = Time::from_ps(7 * UNIT);
            let least = if alone { 1 } else { held + 1 };
            let kept = (held > 0).then_some(begin);
            let taking = Taking { kept, reconnect: params.reconnect };
            let mut bursts = Bursts::of(&params, sectors, least, taking).unwrap();
            let mut there = vec![begin.as_ps(); held as usize];
            let (mut at, mut time) = (held, begin.as_ps());
            for (count, pace, gap) in runs {
                time += gap * UNIT;
                there.extend((1..=u64::from(count)).map(|passed| time + passed * pace * UNIT));
                time += u64::from(count) * pace * UNIT;
                bursts.passed(at, at + count, Span::from_ps(pace * UNIT), Time::from_ps(time));
                at += count;
            }
            let (start, end) = bursts.on_bus().unwrap();
            let expected = one_by_one(&bursts, &there, held as usize, begin.as_ps());
            prop_assert_eq!((start.as_ps(), end.as_ps()), expected);
        }
    }
}
