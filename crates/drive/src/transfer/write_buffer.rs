use super::Buffer;
use crate::{BusParams, CacheParams};
use platterlab_units::{Span, Time};

/// The buffer during a write: the bus fills it, the media drains it.
///
/// Nothing goes to the media before the fence is reached; after that each sector once it is there.
#[derive(Clone, Debug)]
pub(crate) struct WriteBuffer {
    capacity: u32,
    bus_start: Time,
    bus_sector: Span,
    /// When the first sector may go to the media.
    fence_reached: Time,
    /// When the media had taken the first sector, and so made room.
    first_taken: Option<Time>,
}

impl WriteBuffer {
    /// A write of `sectors` whose data starts to arrive at `bus_start`.
    pub(crate) fn new(bus: &BusParams, cache: &CacheParams, sectors: u32, bus_start: Time) -> Self {
        let whole = if bus.overlap { sectors.min(cache.buffer_sectors) } else { sectors };
        let fence = if bus.overlap { cache.write_fence_sectors.clamp(1, whole) } else { whole };
        let bus_sector = bus.write_sector;
        Self {
            capacity: if bus.overlap { cache.buffer_sectors } else { sectors },
            bus_start,
            bus_sector,
            fence_reached: bus_start + bus_sector * u64::from(fence),
            first_taken: None,
        }
    }
}

impl Buffer for WriteBuffer {
    #[inline]
    fn ready(&self, sector: u32) -> Time {
        let arrived = self.bus_start + self.bus_sector * u64::from(sector + 1);
        let room = match self.first_taken {
            Some(taken) if sector >= self.capacity => {
                taken + self.bus_sector * u64::from(sector + 1 - self.capacity)
            }
            _ => Time::ZERO,
        };
        self.fence_reached.max(arrived).max(room)
    }

    #[inline]
    fn stall(&self, from: u32, to: u32, start: Time, pace: Span) -> u32 {
        let early = |sector: u32| start + pace * u64::from(sector - from) < self.ready(sector);
        // Readiness is the latest of several lines and passing is one line, so their difference
        // is least at an end: if both ends are in time, all sectors are.
        if early(from) {
            from
        } else if early(to - 1) {
            (from..to).find(|&sector| early(sector)).unwrap_or(to)
        } else {
            to
        }
    }

    #[inline]
    fn passed(&mut self, from: u32, to: u32, start: Time, end: Time) {
        self.first_taken.get_or_insert(start + (end - start) / u64::from(to - from));
    }

    fn on_arrival(&self) -> bool {
        false
    }

    fn track_left(&mut self, _next: u32, _now: Time) {}
}
