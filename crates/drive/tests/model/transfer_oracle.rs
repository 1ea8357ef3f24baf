//! A second, slow way to transfer data: sector by sector, each when head, bus and buffer allow.

use crate::round::{drive, once, read, write};
use platterlab_drive::{Command, DriveParams, SeekCurve, Service, Skew, SlowFence};
use platterlab_units::Span;
use proptest::prelude::*;

/// A drive and a request in whole units of time, where nothing is rounded.
#[derive(Clone, Debug)]
struct Case {
    per_track: u64,
    pace: u64,
    skews: [u64; 2],
    head_switch: u64,
    track_switch: u64,
    seek: u64,
    bus: u64,
    delay: u64,
    buffer: u64,
    fence: u64,
    before_end: Option<u64>,
    by_track: bool,
    share: u64,
    lba: u64,
    sectors: u64,
}

impl Case {
    fn params(&self) -> DriveParams {
        let mut params = drive();
        let zone = &mut params.layout.zones[0];
        zone.sectors_per_track = self.per_track as u32;
        zone.track_skew = Skew::Sectors(self.skews[0] as u32);
        zone.cylinder_skew = Skew::Sectors(self.skews[1] as u32);
        params.mechanism.rotation = Span::from_ps(self.per_track * self.pace);
        params.mechanism.head_switch = [Span::from_ps(self.head_switch); 2];
        params.mechanism.track_switch = Some(Span::from_ps(self.track_switch));
        params.mechanism.seek = SeekCurve::Constant { time: Span::from_ps(self.seek) };
        params.bus.read_sector = Span::from_ps(self.bus);
        params.bus.write_sector = Span::from_ps(self.bus);
        params.bus.reconnect = Span::from_ps(self.delay);
        params.bus.reconnect_before_end = self.before_end.map(|sectors| sectors as u32);
        params.bus.write_delay = Span::from_ps(self.delay);
        params.cache.buffer_sectors = Some(self.buffer as u32);
        params.cache.read_fence_sectors = self.fence as u32;
        params.cache.write_fence_sectors = self.fence as u32;
        params.cache.write_fence_by_track = self.by_track;
        let millionths = self.share as u32 * 10_000;
        // What a sector takes, or one unit more than that.
        let from_sector = Span::from_ps(self.pace + self.share % 2);
        params.cache.write_fence_slow = Some(SlowFence { from_sector, share: millionths });
        params
    }

    /// Cylinder and surface of an address.
    fn track(&self, lba: u64) -> (u64, u64) {
        let track = lba / self.per_track;
        (track / 2, track % 2)
    }

    /// The first time from `ready` on at which an address begins to pass.
    fn passes(&self, lba: u64, ready: u64) -> u64 {
        let (cylinder, surface) = self.track(lba);
        // Each cylinder has one step between its two tracks.
        let skew = (cylinder + surface) * self.skews[0] + cylinder * self.skews[1];
        let slot = (skew + lba) % self.per_track * self.pace;
        let turn = self.per_track * self.pace;
        ready + (slot + turn - ready % turn) % turn
    }

    /// When the head is on the track of the request's sector `number`, given that the one before
    /// ended at `end`.
    fn arrives(&self, number: u64, end: u64) -> u64 {
        let lba = self.lba + number;
        let before = if number == 0 { (0, 0) } else { self.track(lba - 1) };
        let here = self.track(lba);
        end + match (before.0 == here.0, before.1 == here.1) {
            (true, true) => 0,
            (true, false) => self.head_switch,
            (false, _) if number > 0 => self.track_switch,
            (false, true) => self.seek,
            (false, false) => self.seek.max(self.head_switch),
        }
    }

    /// The sector that has to be there before a write's sector `number` goes to the media.
    fn fence_sector(&self, number: u64) -> usize {
        let fence = self.fence.clamp(1, self.sectors.min(self.buffer));
        let share = if self.share.is_multiple_of(2) { self.share } else { 100 };
        let enough = |sectors: u64| (sectors * share).div_ceil(100).max(1);
        if !self.by_track {
            return enough(fence) as usize - 1;
        }
        // Numbers of the first sector on its track, and of the one behind it.
        let lba = self.lba + number;
        let first = (lba - lba % self.per_track).saturating_sub(self.lba);
        let end = (lba - lba % self.per_track + self.per_track - self.lba).min(self.sectors);
        (first + enough(fence.min(end - first))) as usize - 1
    }

    /// When the drive has the bus of a read, as far as the sectors read so far tell.
    fn on_bus(&self, ended: &[u64]) -> Option<u64> {
        let most = self.sectors.min(self.buffer);
        let asked = match self.before_end {
            Some(before) if self.sectors <= self.buffer => {
                ended.get(self.sectors as usize - 1)?.saturating_sub(before * self.pace)
            }
            Some(before) => *ended.get(most.saturating_sub(before).max(1) as usize - 1)?,
            None => *ended.get(self.fence.clamp(1, most) as usize - 1)?,
        };
        Some(asked + self.delay)
    }

    /// First sector's beginning, last sector's end, and the bus's end.
    fn read_times(&self) -> [u64; 3] {
        let (mut begun, mut ended, mut sent): (Vec<u64>, Vec<u64>, Vec<u64>) = Default::default();
        for number in 0..self.sectors {
            // What the bus has sent, as far as the sectors read so far tell.
            while sent.len() < ended.len()
                && let Some(free) = sent.last().copied().or(self.on_bus(&ended))
            {
                sent.push(free.max(ended[sent.len()]) + self.bus);
            }
            let room = number.checked_sub(self.buffer).map_or(0, |gone| sent[gone as usize]);
            let ready = self.arrives(number, ended.last().copied().unwrap_or(0)).max(room);
            begun.push(self.passes(self.lba + number, ready));
            ended.push(begun[number as usize] + self.pace);
        }
        for number in sent.len()..ended.len() {
            let free = sent.last().copied().or(self.on_bus(&ended)).expect("all are read");
            sent.push(free.max(ended[number]) + self.bus);
        }
        let last = self.sectors as usize - 1;
        [begun[0], ended[last], sent[last]]
    }

    fn write_times(&self) -> [u64; 3] {
        let (mut begun, mut ended, mut arrived): (Vec<u64>, Vec<u64>, Vec<u64>) =
            Default::default();
        for number in 0..self.sectors {
            while arrived.len() < self.sectors as usize
                && arrived.len() < ended.len() + self.buffer as usize
            {
                let room = (arrived.len() as u64).checked_sub(self.buffer);
                let room = room.map_or(0, |gone| ended[gone as usize]);
                let free = arrived.last().copied().unwrap_or(self.delay);
                arrived.push(free.max(room) + self.bus);
            }
            let data = arrived[number as usize].max(arrived[self.fence_sector(number)]);
            let ready = self.arrives(number, ended.last().copied().unwrap_or(0)).max(data);
            begun.push(self.passes(self.lba + number, ready));
            ended.push(begun[number as usize] + self.pace);
        }
        let last = self.sectors as usize - 1;
        [begun[0], ended[last], ended[last]]
    }

    fn serve(&self, command: impl Fn(u64, u32) -> Command) -> Service {
        once(&self.params(), command(self.lba, self.sectors as u32))
    }
}

fn times(service: &Service) -> [u64; 3] {
    let done = service.completion.as_ps();
    let end = done - service.bus.as_ps();
    [end - service.transfer.as_ps(), end, done]
}

fn cases() -> impl Strategy<Value = Case> {
    let mechanism = (2u64..12, 1u64..100, [0u64..12, 0u64..12], 0u64..300, 0u64..300, 0u64..2_000);
    let bus = (0u64..250, 0u64..400, 1u64..14, 0u64..16);
    let before_end = proptest::option::of(0u64..20);
    let fence = (any::<bool>(), 0u64..=100);
    let request = (0u64..120, 1u64..60, before_end, fence);
    (mechanism, bus, request).prop_map(|(mechanism, bus, (lba, sectors, before_end, fenced))| {
        let (by_track, share) = fenced;
        let (per_track, pace, skews, head_switch, track_switch, seek) = mechanism;
        let (bus, delay, buffer, fence) = bus;
        Case {
            per_track,
            pace,
            skews,
            head_switch,
            track_switch,
            seek,
            bus,
            delay,
            buffer,
            fence,
            before_end,
            by_track,
            share,
            lba,
            sectors,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_read_is_what_sector_by_sector_gives(case in cases()) {
        prop_assert_eq!(times(&case.serve(read)), case.read_times());
    }

    #[test]
    fn a_write_is_what_sector_by_sector_gives(case in cases()) {
        prop_assert_eq!(times(&case.serve(write)), case.write_times());
    }
}
