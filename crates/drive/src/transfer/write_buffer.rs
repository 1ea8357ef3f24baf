//! The speed-matching buffer of a write: when the media can take what the bus has brought.

use super::{SpeedMatching, first_early};
use crate::{BusParams, CacheParams};
use platterlab_units::{Span, Time};

/// The buffer during a write: the bus fills it, the media drains it.
///
/// Nothing goes to the media before the fence is reached; after that each sector once it is there.
/// The bus sends a sector once the media has taken the one a buffer's length before it, so the last
/// one arrives at the latest of `taken(j) + (n - capacity - j) * bus` over all sectors `j`.
#[derive(Clone, Debug)]
pub(crate) struct WriteBuffer {
    sectors: u32,
    capacity: u32,
    bus_sector: Span,
    /// Whether the media takes sectors in the order in which the head meets them.
    zero_latency: bool,
    /// When the first sector, of the request or of the track, may go to the media.
    fence_reached: Time,
    /// Sectors that have to be there by then, or all if fewer are to come.
    fence: u32,
    /// The share of them that is enough, in millionths.
    share: u32,
    /// Whether each track has that fence.
    by_track: bool,
    /// When the bus is done, as far as the sectors seen so far decide.
    bus_end: Time,
}

/// The share of some sectors in millionths, and at least one.
fn fenced(sectors: u32, share: u32) -> u32 {
    (u64::from(sectors) * u64::from(share)).div_ceil(1_000_000).max(1) as u32
}

impl WriteBuffer {
    /// A write of `sectors`, `on_track` of them on its first track, whose data starts to arrive at
    /// `bus_start`; `share` of the fence, in millionths, is enough.
    pub(crate) fn new(
        bus: &BusParams,
        cache: &CacheParams,
        sectors: u32,
        on_track: u32,
        share: u32,
        bus_start: Time,
    ) -> Self {
        let capacity = if bus.overlap { cache.write_room_sectors() } else { sectors };
        let whole = sectors.min(capacity);
        let by_track = cache.write_fence_by_track && bus.overlap;
        let fence = if bus.overlap { cache.write_fence_sectors.clamp(1, whole) } else { whole };
        let first = fenced(if by_track { fence.min(on_track) } else { fence }, share);
        Self {
            sectors,
            capacity,
            bus_sector: bus.write_sector,
            zero_latency: cache.zero_latency_write,
            fence_reached: bus_start + bus.write_sector * u64::from(first),
            fence,
            share,
            by_track,
            bus_end: bus_start + bus.write_sector * u64::from(sectors),
        }
    }

    /// When the bus is done, after all sectors have passed.
    pub(crate) fn bus_end(&self) -> Time {
        self.bus_end
    }

    /// The bus cannot end before it sent all that had to wait until `sector` was taken.
    #[inline]
    fn sector_taken(&mut self, sector: u32, taken: Time) {
        let rest = (self.sectors - sector).saturating_sub(self.capacity);
        if rest > 0 {
            self.bus_end = self.bus_end.max(taken + self.bus_sector * u64::from(rest));
        }
    }
}

impl SpeedMatching for WriteBuffer {
    #[inline]
    fn ready(&self, sector: u32) -> Time {
        let behind = self.sectors - 1 - sector;
        self.fence_reached.max(self.bus_end.rebased(self.bus_sector * u64::from(behind)))
    }

    #[inline]
    fn stall(&self, from: u32, to: u32, begins: impl Fn(u32) -> Time) -> u32 {
        if self.capacity == 1 {
            return if begins(from) < self.ready(from) { from } else { from + 1 };
        }
        let arrives = |sector: u32| {
            // Of the sectors that pass now, the first is the one the bus may have to wait for.
            let waited = (sector - from).checked_sub(self.capacity).map_or(Time::ZERO, |more| {
                begins(from + 1) + self.bus_sector * (u64::from(more) + 1)
            });
            self.ready(sector).max(waited)
        };
        first_early(from, to, |sector| begins(sector) < arrives(sector))
    }

    #[inline]
    fn passed(&mut self, from: u32, to: u32, start: Time, end: Time) {
        // Of sectors that pass evenly the first decides, or the last that makes room for another.
        let pace = (end - start) / u64::from(to - from);
        self.sector_taken(from, start + pace);
        if let Some(last) = self.sectors.checked_sub(self.capacity.saturating_add(1)) {
            let last = last.min(to - 1).max(from);
            self.sector_taken(last, start + pace * u64::from(last - from + 1));
        }
    }

    fn on_arrival(&self, now: Time) -> bool {
        self.zero_latency && self.sectors <= self.capacity && self.bus_end <= now
    }

    fn track_left(&mut self, next: u32, end: u32, now: Time) {
        if !self.by_track {
            return;
        }
        let until = next + fenced(self.fence.min(end - next), self.share);
        let arrived = self.bus_end.rebased(self.bus_sector * u64::from(self.sectors - until));
        // A whole buffer of sectors has room only now.
        let whole = until - next == self.capacity;
        self.fence_reached = if whole { arrived.max(now + self.bus_sector) } else { arrived };
    }
}
