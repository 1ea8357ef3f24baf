//! The speed-matching buffer of a read: when the bus can send what the media has given.

use super::bursts::{Bursts, Taking};
use super::{Sending, SpeedMatching, first_early};
use crate::{BusParams, CacheParams, ReadAhead};
use platterlab_units::{Span, Time};

/// The buffer during a read: the media fills it, the bus drains it.
///
/// The bus starts when the fence is reached, and never sends a sector before it has been read, so
/// the last sector is sent at the latest of `read(j) + (n - j) * bus` over all sectors `j`. Sectors
/// of one run are read at an even pace, so the first and the last of each run decide. A sector has
/// room once the one a buffer's length before it has been sent.
#[derive(Debug)]
pub(crate) struct ReadBuffer<'a> {
    sectors: u32,
    capacity: u32,
    /// Sectors that have passed when the drive takes the bus.
    fence: u32,
    /// Sectors before the end at which it takes the bus instead.
    before_end: Option<u32>,
    /// It sends them in bursts.
    bursts: Option<Bursts>,
    /// Time of a sector under the head.
    pace: Span,
    /// The bus cannot be asked for before this.
    begin: Time,
    taking: Taking,
    bus_sector: Span,
    overlap: bool,
    release_at_track_end: bool,
    on_arrival: bool,
    /// When the bus started to drain, once it has.
    bus_start: Option<Time>,
    /// When the bus is done, as far as the sectors seen so far decide.
    bus_end: Time,
    /// Keeps when they passed, where that may matter to others on the bus.
    sending: Option<&'a mut Sending>,
}

/// Sectors in the buffer before the bus transfer of a read of `sectors` starts.
fn fence(cache: &CacheParams, sectors: u32) -> u32 {
    let share = u64::from(sectors) * u64::from(cache.read_fence_share.min(1_000_000));
    cache.read_fence_sectors.max((share / 1_000_000) as u32)
}

impl<'a> ReadBuffer<'a> {
    /// The buffer for a read of `sectors` that begins at `begin`, the first `held` of which are
    /// cached.
    pub(crate) fn new(
        bus: &BusParams,
        cache: &CacheParams,
        sectors: u32,
        held: u32,
        begin: Time,
        sending: &'a mut Sending,
    ) -> Self {
        let capacity = cache.read_room_sectors();
        let least = match bus.reconnect_before_end {
            Some(before) => sectors.min(capacity).saturating_sub(before),
            None if held > 0 && cache.partial_hits_at_once => 1,
            None => fence(cache, sectors),
        };
        // What is cached and may not go alone goes with the first sector that is not.
        let goes_alone = held == 0 || cache.partial_hits_at_once;
        let on_arrival = cache.zero_latency_read || cache.read_ahead == ReadAhead::OnArrival;
        let in_pieces = bus.lets_go_of_bus() && !on_arrival && sectors <= capacity;
        let least = if goes_alone { least.max(1) } else { least.max(held + 1) };
        let taking = Taking { kept: (held > 0).then_some(begin), reconnect: bus.reconnect };
        Self {
            sectors,
            capacity,
            fence: least.min(sectors.min(capacity)),
            // Where not all of it has room, the bus cannot wait for the end.
            before_end: bus
                .reconnect_before_end
                .filter(|_| sectors <= capacity)
                .map(|before| if goes_alone { before } else { before.min(sectors - held - 1) }),
            bursts: Bursts::of(bus, sectors, if goes_alone { 1 } else { held + 1 }, taking)
                .filter(|_| sectors <= capacity),
            pace: Span::ZERO,
            begin,
            taking,
            bus_sector: bus.read_sector,
            overlap: bus.overlap,
            release_at_track_end: bus.release_at_track_end,
            on_arrival,
            bus_start: None,
            bus_end: Time::ZERO,
            sending: in_pieces.then_some(sending),
        }
    }

    /// When the first sector goes out and when the last one has been sent, given that the last one
    /// was read at `media_end`.
    pub(crate) fn finish(&self, media_end: Time) -> (Time, Time) {
        let afterwards = media_end + self.taking.reconnect;
        if let Some(sent) = self.bursts.as_ref().and_then(Bursts::on_bus) {
            sent
        } else if self.overlap {
            (self.bus_start.unwrap_or(afterwards), self.bus_end)
        } else {
            (afterwards, afterwards + self.bus_sector * u64::from(self.sectors))
        }
    }

    fn start_bus(&mut self, now: Time) {
        let start = self.taking.from(now);
        self.bus_start = Some(start);
        self.bus_end = self.bus_end.max(start + self.bus_sector * u64::from(self.sectors));
    }

    /// The bus cannot end before it sent `sector`, read at `read`, and all after it.
    #[inline]
    fn sector_read(&mut self, sector: u32, read: Time) {
        let rest = u64::from(self.sectors - sector);
        self.bus_end = self.bus_end.max(read + self.bus_sector * rest);
    }
}

impl SpeedMatching for ReadBuffer<'_> {
    #[inline]
    fn ready(&self, sector: u32) -> Time {
        if sector < self.capacity || !self.overlap {
            return Time::ZERO;
        }
        let behind = self.sectors - 1 - (sector - self.capacity);
        self.bus_end.rebased(self.bus_sector * u64::from(behind))
    }

    #[inline]
    fn stall(&self, from: u32, to: u32, begins: impl Fn(u32) -> Time) -> u32 {
        if to <= self.capacity || !self.overlap {
            return to;
        }
        if self.capacity == 1 {
            return if begins(from) < self.ready(from) { from } else { from + 1 };
        }
        let bus_start = self.bus_start.unwrap_or_else(|| self.taking.from(begins(self.fence)));
        let first_read = begins(from + 1);
        let room = |sector: u32| {
            let sent = sector - self.capacity + 1;
            let started = bus_start + self.bus_sector * u64::from(sent);
            // Of the sectors that pass now, the first is the one the bus may have to wait for.
            let waited = sent
                .checked_sub(from + 1)
                .map_or(Time::ZERO, |more| first_read + self.bus_sector * (u64::from(more) + 1));
            self.ready(sector).max(started).max(waited)
        };
        first_early(from.max(self.capacity), to, |sector| begins(sector) < room(sector))
    }

    #[inline]
    fn passed(&mut self, from: u32, to: u32, start: Time, end: Time) {
        if let Some(sending) = &mut self.sending {
            sending.passed(from, to, start, end);
        }
        let pace = (end - start) / u64::from(to - from);
        if end > start {
            self.pace = pace;
        }
        if let Some(bursts) = &mut self.bursts {
            return bursts.passed(from, to, pace, end);
        }
        let ago = match self.before_end {
            Some(before) => (to == self.sectors).then(|| self.pace * u64::from(before)),
            None => to.checked_sub(self.fence).map(|over| pace * u64::from(over)),
        };
        if self.bus_start.is_none()
            && let Some(ago) = ago
        {
            let early = if end > self.begin { ago.min(end - self.begin) } else { Span::ZERO };
            self.start_bus(end - early);
        }
        self.sector_read(from, start + pace);
        self.sector_read(to - 1, end);
    }

    fn on_arrival(&self, _now: Time) -> bool {
        self.on_arrival
    }

    fn track_left(&mut self, next: u32, _: u32, now: Time) {
        let waits = self.bus_start.is_none() && self.bursts.is_none();
        if self.release_at_track_end && waits && next > 0 {
            self.start_bus(now);
        }
    }
}
