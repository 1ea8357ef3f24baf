//! The same in other circumstances: without writing, behind a cache, on physical sectors of eight
//! logical ones.

use crate::support::{Spec, ZoneSpec, carry_out, characterize, ms};
use platterlab_device::{Answer, BlockDevice, DeviceInfo, HostModel, Simulated, WriteConsent};
use platterlab_drive::{Drive, ReadAhead, SeekCurve, TrackOrder};
use platterlab_extract::{Goal, Whole, Wish};
use platterlab_probe::{Access, run};
use platterlab_units::{Span, Time};
use std::ops::ControlFlow;

fn spec(read_ahead_sectors: u32) -> Spec {
    Spec {
        rotation_ms: 8.333,
        surfaces: 5,
        zones: vec![ZoneSpec {
            cylinders: 2_000,
            sectors_per_track: 186,
            track_skew_sectors: 37,
            cylinder_skew_sectors: 52,
        }],
        order: TrackOrder::CylinderSerpentine,
        seek: SeekCurve::Linear { single: ms(1.9), full: ms(16.7) },
        head_switch_ms: 1.0,
        track_switch_ms: None,
        settle_write_ms: 0.3,
        overhead_ms: 1.0,
        completion_ms: 0.2,
        bus_sector_ms: 0.025,
        phase: 0.1,
        read_ahead_sectors,
    }
}

#[test]
fn reading_finds_the_geometry_with_and_without_a_cache() {
    for read_ahead_sectors in [0, 256] {
        let spec = spec(read_ahead_sectors);
        let host = HostModel::typical();
        let truth = spec.truth(&host);
        let (found, _) = characterize(&mut spec.device(host, 3), false, false);
        for (what, estimate, truth, tolerance) in [
            ("rotation", &found.rotation_ms, truth.rotation_ms, 0.001),
            ("sectors", &found.sectors_per_track, truth.sectors_per_track, 0.0),
            ("surfaces", &found.surfaces, truth.surfaces, 0.0),
            ("track skew", &found.track_skew_ms, truth.track_skew_ms, 0.01),
            ("cylinder skew", &found.cylinder_skew_ms, truth.cylinder_skew_ms, 0.01),
        ] {
            let value = estimate.ok().unwrap_or_else(|| panic!("{what}: {estimate:?}"));
            let off = (value / truth - 1.0).abs();
            assert!(
                off <= tolerance,
                "read-ahead {read_ahead_sectors}, {what}: {estimate:?} for {truth}"
            );
        }
        // The interface brings a read's data after the media, a write's before: the sum is the
        // same.
        let mtm = found.mtm_ms.ok().unwrap();
        assert!((mtm / truth.mtm_ms - 1.0).abs() < 0.01, "{:?}", found.mtm_ms);
        assert_eq!(found.cached, read_ahead_sectors > 0);
        if found.cached {
            // Host, controller and interface: what MTM is, too.
            let overhead = found.overhead_ms.ok().unwrap();
            assert!((overhead / truth.mtm_ms - 1.0).abs() < 0.01, "{:?}", found.overhead_ms);
        }
    }
}

#[test]
fn answers_from_a_cache_are_called_that() {
    // Writing to a drive that reports from its buffer.
    let spec = spec(256);
    let mut params = spec.params();
    params.cache.write_report = platterlab_drive::WriteReport::Buffer;
    let drive = platterlab_drive::Drive::new(&params).unwrap();
    let host = HostModel::typical();
    let mut device = platterlab_device::Simulated::new(drive, "drive", host, 3).unwrap();
    let (found, _) = characterize(&mut device, true, true);
    assert!(found.mtm_ms.ok().is_none() && found.surfaces.ok().is_none(), "{found:#?}");
}

#[test]
fn physical_sectors_of_eight_are_stepped_over_whole() {
    let mut spec = spec(0);
    spec.zones[0].sectors_per_track = 1_480;
    spec.zones[0].track_skew_sectors = 296;
    spec.zones[0].cylinder_skew_sectors = 416;
    spec.bus_sector_ms = 0.003;
    let host = HostModel::typical();
    let truth = spec.truth(&host);
    let mut device = spec.device(host, 5);
    let goal = Goal {
        region_lba: 0,
        region_sectors: device.info().capacity_sectors,
        to_drive_end: true,
        unit_sectors: 8,
        sector_bytes: 512,
        writes: true,
        whole: true,
    };
    let (found, _) = carry_out(goal, &mut device);
    assert_eq!(found.sectors_per_track.ok(), Some(1_480.0));
    assert_eq!(found.surfaces.ok(), Some(5.0));
    for (estimate, truth) in [
        (&found.track_skew_ms, truth.track_skew_ms),
        (&found.cylinder_skew_ms, truth.cylinder_skew_ms),
        (&found.mtm_ms, truth.mtm_ms),
        (&found.seek_max_ms, truth.seek_max_ms),
    ] {
        let value = estimate.ok().unwrap();
        assert!((value / truth - 1.0).abs() < 0.01, "{estimate:?} for {truth}");
    }
}

/// A drive whose physical sectors, of eight logical ones, begin `first` sectors after its start: it
/// refuses to see one of them cut.
struct Emulating {
    inside: Simulated,
    info: DeviceInfo,
    first: u64,
}

impl Emulating {
    fn new(inside: Simulated, first: u64) -> Self {
        let mut info = inside.info().clone();
        info.capacity_sectors += first;
        Self { inside, info, first }
    }

    fn whole(&self, lba: u64, sectors: u32) -> u64 {
        let at = lba.checked_sub(self.first);
        let whole = at.is_some_and(|at| at.is_multiple_of(8)) && sectors.is_multiple_of(8);
        assert!(whole, "sector {lba} (+{sectors}) cuts through a physical one");
        lba - self.first
    }
}

impl BlockDevice for Emulating {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&mut self) -> Time {
        self.inside.now()
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        self.inside.read(self.whole(lba, sectors), sectors)
    }

    fn write(&mut self, consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        self.inside.write(consent, self.whole(lba, sectors), sectors)
    }

    fn idle(&mut self, time: Span) {
        self.inside.idle(time);
    }
}

#[test]
fn no_request_cuts_through_a_physical_sector() {
    for (first, read_ahead_sectors, sectors_per_track) in
        [(0, 0, 1_480), (7, 0, 1_480), (1, 1_024, 1_480), (7, 1_024, 1_484)]
    {
        let mut spec = spec(read_ahead_sectors);
        spec.zones[0].cylinders = 300;
        spec.zones[0].sectors_per_track = sectors_per_track;
        spec.zones[0].track_skew_sectors = 296;
        spec.zones[0].cylinder_skew_sectors = 416;
        spec.bus_sector_ms = 0.003;
        let mut device = Emulating::new(spec.device(HostModel::typical(), 5), first);
        let sectors = (device.info().capacity_sectors - first) / 8 * 8;
        let goal = Goal {
            region_lba: first,
            region_sectors: sectors,
            to_drive_end: true,
            unit_sectors: 8,
            sector_bytes: 512,
            writes: false,
            whole: true,
        };
        let mut whole = Whole::new(Wish { goal, time_s: Some(3_600.0) });
        while let Some(plan) = whole.next_plan() {
            whole.add(&run(&mut device, &plan, Access::Read, &mut |_| ControlFlow::Continue(())));
        }
        assert!(whole.extraction().rotation_ms.ok().is_some());
    }
}

/// Read caches of several kinds: what is claimed behind them is true, and what is missing is said.
#[test]
fn behind_any_read_cache_nothing_wrong_is_claimed() {
    let spec = spec(256);
    let host = HostModel::typical();
    let truth = spec.truth_reading(&host);
    // Segments, sectors in each, read-ahead, kept after a hit, and how many values are found.
    for (segments, size, kind, keep, wanted) in [
        (1, 256, ReadAhead::Aggressive, false, 9),
        (1, 1_024, ReadAhead::Aggressive, true, 9),
        (4, 400, ReadAhead::Aggressive, false, 9),
        (64, 128, ReadAhead::Aggressive, true, 9),
        (2, 256, ReadAhead::Track, false, 5),
        (1, 256, ReadAhead::OnArrival, true, 0),
    ] {
        let mut params = spec.params();
        params.cache.buffer_sectors = Some(segments * size);
        params.cache.segments = segments;
        params.cache.segment_sectors = size;
        params.cache.read_ahead = kind;
        params.cache.keep_after_hit = keep;
        let drive = Drive::new(&params).unwrap();
        let mut device = Simulated::new(drive, "drive", host.clone(), 7).unwrap();
        let (found, _) = characterize(&mut device, false, true);
        let values = [
            (&found.rotation_ms, truth.rotation_ms),
            (&found.sectors_per_track, truth.sectors_per_track),
            (&found.surfaces, truth.surfaces),
            (&found.track_skew_ms, truth.track_skew_ms),
            (&found.cylinder_skew_ms, truth.cylinder_skew_ms),
            (&found.mtm_ms, truth.mtm_ms),
            (&found.head_switch_ms, truth.head_switch_ms),
            (&found.seek_max_ms, truth.seek_max_ms),
            (&found.seek_min_ms, truth.seek_min_ms),
        ];
        let what = format!("{segments} segments of {size}, {kind:?}");
        for (estimate, truth) in values {
            let off = estimate.ok().map_or(0.0, |value| (value / truth - 1.0).abs());
            assert!(off <= 0.01, "{what}: {estimate:?} for {truth}");
            assert!(estimate.ok().is_some() || !estimate.note.is_empty(), "{what}: {estimate:?}");
        }
        let ok = values.iter().filter(|(estimate, _)| estimate.ok().is_some()).count();
        assert_eq!(ok, wanted, "{what}: {found:#?}");
        // Both are read off the step that first makes the revolution.
        let sure = [&found.stm_sectors, &found.access_ms].map(|estimate| estimate.ok().is_some());
        assert!(!sure[0] || sure[1], "{what}: {:?} {:?}", found.stm_sectors, found.access_ms);
    }
}
