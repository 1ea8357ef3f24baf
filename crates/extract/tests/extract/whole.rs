//! Whole drives by reads alone: what is sure of their zones and skews, with what makes it hard and without.

use crate::support::{Spec, ZoneSpec, ms};
use platterlab_device::{BlockDevice, HostModel, Simulated};
use platterlab_drive::{Drive, DriveParams, ReadAhead, SeekCurve, Skew, Sparing, TrackOrder};
use platterlab_extract::{Estimate, Extraction, Goal, Whole, Wish};
use platterlab_probe::{Access, run};
use std::ops::ControlFlow;

/// A drive of zones of so many cylinders and sectors around a track; skews in parts of a turn.
fn drive(surfaces: u32, zones: &[(u32, u32)], skews: [f64; 2], sparing: Sparing) -> Drive {
    Drive::new(&params(surfaces, zones, skews, sparing)).expect("a drive")
}

fn params(surfaces: u32, zones: &[(u32, u32)], skews: [f64; 2], sparing: Sparing) -> DriveParams {
    let zone = |(cylinders, sectors_per_track): &(u32, u32)| {
        let [track, cylinder] = skews.map(|turns| (turns * f64::from(*sectors_per_track)) as u32);
        ZoneSpec {
            cylinders: *cylinders,
            sectors_per_track: *sectors_per_track,
            track_skew_sectors: track,
            cylinder_skew_sectors: cylinder,
        }
    };
    let spec = Spec {
        rotation_ms: 11.13,
        surfaces,
        zones: zones.iter().map(zone).collect(),
        order: TrackOrder::Traditional,
        seek: SeekCurve::TwoPiece {
            short_ms: [1.5, 0.18],
            long_ms: [3.82, 0.003_48],
            boundary_cylinders: 600,
            first: Vec::new(),
        },
        head_switch_ms: 0.8,
        track_switch_ms: None,
        settle_write_ms: 0.3,
        overhead_ms: 0.7,
        completion_ms: 0.2,
        bus_sector_ms: 0.025,
        phase: 0.1,
        read_ahead_sectors: 0,
    };
    let mut params = spec.params();
    params.layout.zones.iter_mut().for_each(|zone| zone.sparing = sparing);
    params
}

/// The same with passes of so many cylinders over one surface each.
fn passes(surfaces: u32, zones: &[(u32, u32)], skews: [f64; 2], cylinders: u32) -> Drive {
    Drive::new(&params_of_passes(surfaces, zones, skews, cylinders)).expect("a drive")
}

pub(crate) fn params_of_passes(
    surfaces: u32,
    zones: &[(u32, u32)],
    skews: [f64; 2],
    cylinders: u32,
) -> DriveParams {
    let mut params = params(surfaces, zones, skews, Sparing::None);
    for zone in &mut params.layout.zones {
        zone.order = TrackOrder::SurfaceSerpentine;
        zone.serpentine_cylinders = Some(cylinders);
        zone.serpentine_skew = Skew::Sectors(zone.sectors_per_track / 2);
    }
    params
}

pub(crate) fn characterized(drive: Drive, host: HostModel) -> Extraction {
    let mut device = Simulated::new(drive, "drive", host, 11).expect("a host");
    let goal = Goal {
        region_lba: 0,
        region_sectors: device.info().capacity_sectors,
        to_drive_end: true,
        unit_sectors: 1,
        sector_bytes: 512,
        writes: false,
        whole: true,
    };
    let mut whole = Whole::new(Wish { goal, time_s: Some(900.0) });
    while let Some(plan) = whole.next_plan() {
        whole.add(&run(&mut device, &plan, Access::Read, &mut |_| ControlFlow::Continue(())));
    }
    whole.extraction()
}

/// First sector and longest track of each zone, by the tracks of the drive.
pub(crate) fn zones(drive: &Drive, zones: &[(u32, u32)]) -> Vec<u64> {
    let cylinders = zones.iter().scan(0, |next, (count, _)| {
        let first = *next;
        *next += count;
        Some(first)
    });
    let layout = drive.layout();
    let capacity = layout.capacity();
    let cylinder_of = |lba: u64| layout.locate(lba).map_or(u32::MAX, |place| place.cylinder);
    cylinders
        .map(|first| {
            let (mut low, mut high) = (0, capacity);
            while low < high {
                let middle = u64::midpoint(low, high);
                if cylinder_of(middle) < first { low = middle + 1 } else { high = middle }
            }
            low
        })
        .collect()
}

#[test]
fn zones_begin_where_they_do_whatever_the_track_before_them() {
    let of_zone = Sparing::Zone { sectors: 4 };
    let of_cylinder = Sparing::Cylinder { sectors: 1 };
    let different = [0.2, 0.35];
    for (surfaces, made, skews, sparing) in [
        // The last track of the first zone is as long as those of the second, and is not.
        (3, [(150, 108), (150, 104), (150, 90)], different, of_zone),
        (3, [(150, 108), (150, 101), (150, 90)], different, of_zone),
        // Each cylinder's last track is as long as others of the second zone, and is not.
        (2, [(150, 58), (150, 57), (150, 50)], different, of_cylinder),
        (2, [(150, 58), (150, 55), (150, 50)], different, of_cylinder),
        (2, [(150, 58), (6, 57), (150, 56)], [0.2, 0.2], of_cylinder),
    ] {
        let drive = drive(surfaces, &made, skews, sparing);
        let truth = zones(&drive, &made);
        let found = characterized(drive, HostModel::typical());
        let starts: Vec<_> = found.zones.iter().map(|zone| zone.first_lba.ok()).collect();
        let truth: Vec<_> = truth.iter().map(|lba| Some(*lba as f64)).collect();
        assert_eq!(starts, truth, "{made:?} {sparing:?}: {:#?}", found.zones);
    }
}

#[test]
fn one_surface_shows_its_skew_whatever_the_first_zone_is_long() {
    // Successive tracks at one place go on into the second zone, and do not.
    for cylinders in [250, 2_000] {
        let drive = drive(1, &[(cylinders, 98), (1_500, 95)], [0.21, 0.21], Sparing::None);
        let found = characterized(drive, HostModel::typical());
        let truth = 20.0 * 11.13 / 98.0;
        let skew = found.cylinder_skew_ms.ok().expect("a skew");
        assert!((skew - truth).abs() < 0.02, "{cylinders}: {skew} for {truth}");
    }
}

#[test]
fn a_coarse_clock_leaves_the_skew_and_the_surface() {
    for clock_grain in [0.001, 0.1] {
        let drive = drive(1, &[(2_000, 98), (1_500, 90)], [0.21, 0.21], Sparing::None);
        let host = HostModel { clock_grain: ms(clock_grain), ..HostModel::typical() };
        let found = characterized(drive, host);
        assert_eq!(found.surfaces.ok(), Some(1.0), "{clock_grain}: {:?}", found.surfaces);
        let skew = found.cylinder_skew_ms.ok().expect("a skew");
        assert!((skew - 20.0 * 11.13 / 98.0).abs() < 0.02, "{clock_grain}: {skew}");
    }
}

#[test]
fn a_coarse_clock_leaves_the_skews_of_surfaces_that_differ_where_it_is_read_all_over() {
    // Turns and cylinders that take no whole ticks of the clock, and such that do.
    for (rotation_ms, all) in [(11.13, true), (9.9, false)] {
        let made = [(700, 198), (700, 182), (700, 160)];
        let mut params = params(4, &made, [0.15, 0.32], Sparing::None);
        params.mechanism.rotation = ms(rotation_ms);
        for zone in &mut params.layout.zones {
            zone.surface_sectors = [0, 6, 10, 3].map(|it| zone.sectors_per_track - it).to_vec();
        }
        let drive = Drive::new(&params).expect("a drive");
        let host = HostModel { clock_grain: ms(0.1), ..HostModel::typical() };
        let found = characterized(drive, host);
        let sector_ms = rotation_ms / 198.0;
        for (skew, sectors) in [(&found.track_skew_ms, 29.0), (&found.cylinder_skew_ms, 63.0)] {
            let off = skew.ok().map(|skew| (skew - sectors * sector_ms).abs());
            assert!(off.is_some() || !all, "{rotation_ms}: {skew:?}");
            let most = skew.half_width().max(0.5 * sector_ms);
            assert!(off.is_none_or(|off| off <= most), "{rotation_ms}: {skew:?}");
        }
    }
}

#[test]
fn skews_that_differ_by_less_than_the_clock_tells_are_not_sure() {
    let made = [(700, 508), (700, 480)];
    for (turns, all) in [(0.069, false), (0.2, true)] {
        let drive = drive(5, &made, [0.061, turns], Sparing::None);
        let host = HostModel { clock_grain: ms(0.1), ..HostModel::typical() };
        let found = characterized(drive, host);
        let sector_ms = 11.13 / 508.0;
        for (skew, turns) in [(&found.track_skew_ms, 0.061), (&found.cylinder_skew_ms, turns)] {
            let truth = (turns * 508.0_f64).floor() * sector_ms;
            let off = skew.ok().map(|skew| (skew - truth).abs());
            assert!(off.is_some() || !all, "{turns}: {skew:?}");
            assert!(off.is_none_or(|off| off <= sector_ms), "{turns}: {skew:?} for {truth}");
        }
    }
}

#[test]
fn many_waits_tell_a_seek_that_the_clock_is_too_coarse_for() {
    // A turn of whole ticks of the clock is read at the same part of one again and again.
    for (clock_grain, all) in [(0.001, true), (0.1, true), (0.3, true), (0.03, false)] {
        for jitter in [0.002, 0.03] {
            let drive = drive(3, &[(1_400, 98), (1_200, 90)], [0.2, 0.35], Sparing::None);
            let (clock_grain, jitter) = (ms(clock_grain), ms(jitter));
            let host = HostModel { clock_grain, jitter, ..HostModel::typical() };
            let found = characterized(drive, host).seek_min_ms;
            let off = found.ok().map(|least| (least - 1.68).abs() / 1.68);
            assert!(off.is_some() || !all, "{clock_grain} {jitter}: {found:?}");
            assert!(off.is_none_or(|off| off < 0.02), "{clock_grain} {jitter}: {found:?}");
        }
    }
}

#[test]
fn gathered_interrupts_leave_the_least_seek_where_they_show() {
    for (clock_grain, interrupt_grain, surfaces, zones) in [
        (0.0, 0.125, 2, [(2_000, 98), (1_900, 90)]),
        (0.0, 0.25, 3, [(2_000, 172), (1_900, 160)]),
        (0.001, 0.25, 3, [(2_000, 60), (1_900, 52)]),
    ] {
        let drive = passes(surfaces, &zones, [0.0, 0.27], 50);
        let host = HostModel {
            clock_grain: ms(clock_grain),
            interrupt_grain: ms(interrupt_grain),
            ..HostModel::typical()
        };
        let found = characterized(drive, host).seek_min_ms;
        let (width, off) = (found.half_width(), found.ok().map(|least| (least - 1.68).abs()));
        assert!(off.is_some_and(|off| off < width + 0.005), "{interrupt_grain}: {found:?}");
        assert!(width < 0.04 * 1.68, "{interrupt_grain}: {found:?}");
    }
}

#[test]
fn the_head_switch_is_not_what_the_arm_takes_to_the_next_track() {
    // With heads first that is another head's; from pass to pass the arm stays where passes go back.
    let zones = [(700, 98), (600, 90)];
    let switches = |drive: Drive| {
        let found = characterized(drive, HostModel::typical());
        for zone in &found.zones {
            let skews = [&zone.track_skew_ms, &zone.cylinder_skew_ms].map(Estimate::ok);
            let of_drive = [&found.track_skew_ms, &found.cylinder_skew_ms].map(Estimate::ok);
            let same = |(one, other): (Option<f64>, Option<f64>)| {
                one.zip(other).is_none_or(|(one, other)| (one - other).abs() < 0.1)
            };
            assert!(skews.into_iter().zip(of_drive).all(same), "{zone:?}");
        }
        [&found.head_switch_ms, &found.cylinder_switch_ms].map(Estimate::ok)
    };
    let near = |found: Option<f64>, truth: f64| found.is_some_and(|ms| (ms - truth).abs() < 0.06);
    let [head, cylinder] = switches(drive(3, &zones, [0.2, 0.35], Sparing::None));
    assert!(near(head, 0.8) && near(cylinder, 1.68), "{head:?} {cylinder:?}");
    // Another head is used in the next cylinder too: one that takes longer is not what the arm takes.
    let mut slow = params(3, &zones, [0.25, 0.35], Sparing::None);
    slow.mechanism.head_switch = [ms(2.1); 2];
    let [head, cylinder] = switches(Drive::new(&slow).expect("a drive"));
    assert!(near(head, 2.1) && cylinder.is_none_or(|ms| near(Some(ms), 1.68)), "{cylinder:?}");
    let back = params_of_passes(3, &zones, [0.0, 0.27], 50);
    let [head, cylinder] = switches(Drive::new(&back).expect("a drive"));
    assert!(
        near(cylinder, 1.68) && head.is_none_or(|ms| near(Some(ms), 0.8)),
        "{head:?} {cylinder:?}"
    );
    let mut forward = back;
    forward.layout.zones.iter_mut().for_each(|it| it.order = TrackOrder::HybridSerpentine);
    let [head, cylinder] = switches(Drive::new(&forward).expect("a drive"));
    assert!(near(cylinder, 1.68) && near(head, 0.8), "{head:?} {cylinder:?}");
}

#[test]
fn ticks_that_a_coarse_clock_hides_leave_the_least_seek_open_or_right() {
    let drive = drive(2, &[(1_000, 98), (900, 90)], [0.21, 0.37], Sparing::None);
    let host =
        HostModel { clock_grain: ms(0.1), interrupt_grain: ms(0.25), ..HostModel::typical() };
    let found = characterized(drive, host).seek_min_ms;
    assert!(found.ok().is_none_or(|least| (least - 1.68).abs() < 0.05 * 1.68), "{found:?}");
}

#[test]
fn a_coarse_clock_leaves_the_least_seek() {
    // It is right on all; of 24 such drives its interval holds the truth on 19, as a clock that counts in so much
    // makes it a hundredth shorter in the mean.
    let found = |cylinders: u32| {
        let zones = [(cylinders, 98), (1_500, 90)];
        let drive = drive(1, &zones, [0.21, 0.37], Sparing::None);
        let host = HostModel { clock_grain: ms(0.1), ..HostModel::typical() };
        characterized(drive, host).seek_min_ms
    };
    let seeks: Vec<_> = (1_996..2_002).map(found).collect();
    let off = |seek: &Estimate| (seek.ok().expect("a seek") - 1.68).abs();
    assert!(seeks.iter().all(|seek| off(seek) < 0.05 * 1.68), "{seeks:?}");
    let held = seeks.iter().filter(|seek| off(seek) < seek.half_width() + 0.005).count();
    assert!(held >= 4, "{seeks:?}");
}

#[test]
fn behind_a_cache_of_many_places_a_survey_is_done_in_its_time() {
    // Zones that all want a search, behind a cache that has to be made to forget before each, and behind none.
    let zones: Vec<(u32, u32)> = (0..9).map(|zone| (1_000, 340 - 20 * zone)).collect();
    for segments in [0, 64] {
        let mut params = params_of_passes(6, &zones, [0.0, 0.16], 125);
        if segments > 0 {
            params.cache.buffer_sectors = Some(segments * 256);
            params.cache.segments = segments;
            params.cache.segment_sectors = 256;
            params.cache.read_ahead = ReadAhead::Aggressive;
            params.cache.keep_after_hit = true;
        }
        let drive = Drive::new(&params).expect("a drive");
        let found = characterized(drive, HostModel::typical());
        assert_eq!(found.surfaces.ok(), Some(6.0), "{segments}: {:?}", found.surfaces);
        assert_eq!(found.zones.len(), zones.len(), "{segments}");
        let lengths: Vec<_> = found.zones.iter().map(|zone| zone.sectors_per_track.ok()).collect();
        let truth: Vec<_> = zones.iter().map(|(_, length)| Some(f64::from(*length))).collect();
        assert_eq!(lengths, truth, "{segments}");
        let longest = found.seek_max_ms.ok();
        assert!(longest.is_some(), "{segments}: {:?}", found.seek_max_ms);
    }
}

#[test]
fn zones_of_surfaces_that_differ_are_told_where_heads_come_first() {
    // Each surface has its own length of track, and all of them have the same one.
    for less in [[0, 6, 10, 3], [0; 4]] {
        let made = [(700, 198), (700, 182), (700, 160)];
        let mut params = params(4, &made, [0.15, 0.32], Sparing::None);
        for zone in &mut params.layout.zones {
            zone.surface_sectors = less.iter().map(|it| zone.sectors_per_track - it).collect();
        }
        surfaces_found(&params, &made, 4, less[1] > 0);
    }
}

/// What is found of a drive whose zones and surfaces have to be right, and listed by surface or not.
fn surfaces_found(
    params: &DriveParams,
    made: &[(u32, u32)],
    surfaces: u32,
    differ: bool,
) -> Extraction {
    let drive = Drive::new(params).expect("a drive");
    let truth: Vec<_> = zones(&drive, made).iter().map(|lba| Some(*lba as f64)).collect();
    let found = characterized(drive, HostModel::typical());
    let starts: Vec<_> = found.zones.iter().map(|zone| zone.first_lba.ok()).collect();
    assert_eq!(starts, truth, "{:#?}", found.zones);
    assert_eq!(found.surfaces.ok(), Some(f64::from(surfaces)));
    let listed = if differ { surfaces as usize } else { 0 };
    let lengths = |zone: &platterlab_extract::Zone| zone.surface_sectors_per_track.len();
    assert!(found.zones.iter().all(|zone| lengths(zone) == listed), "{:#?}", found.zones);
    found
}

#[test]
fn a_second_surface_that_differs_is_told_from_spares_of_each_cylinder() {
    // Of two tracks one is shorter: of a surface of its own, the first or the second one, or short of spares.
    let made = [(700, 198), (700, 182), (700, 160), (700, 152)];
    for (less, sparing) in [
        ([3, 0], Sparing::None),
        ([0, 3], Sparing::None),
        ([0, 0], Sparing::Cylinder { sectors: 3 }),
    ] {
        let mut params = params(2, &made, [0.15, 0.32], sparing);
        for zone in params.layout.zones.iter_mut().filter(|_| sparing == Sparing::None) {
            zone.surface_sectors = less.iter().map(|it| zone.sectors_per_track - it).collect();
        }
        let found = surfaces_found(&params, &made, 2, sparing == Sparing::None);
        let first = found.sectors_per_track.ok();
        assert_eq!(first, Some(f64::from(198 - less[0])), "{less:?} {sparing:?}");
    }
}

#[test]
fn a_track_as_long_as_the_next_zones_is_told_by_its_density_or_left_open() {
    // The first zone's last track is short of its spares: by few enough to look like defects of tracks as dense as
    // it, or by more, behind completions that scatter by less than a fifth of what both densities differ by, and by more.
    for (made, spares, jitter_ms, all) in [
        ([(300, 374), (300, 371), (300, 350)], 3, 0.001, true),
        ([(300, 1_127), (300, 1_110), (300, 1_076)], 17, 0.026, true),
        ([(300, 1_127), (300, 1_110), (300, 1_076)], 17, 0.037, false),
    ] {
        let drive = drive(1, &made, [0.3, 0.3], Sparing::Zone { sectors: spares });
        let truth: Vec<_> = zones(&drive, &made).iter().map(|lba| Some(*lba as f64)).collect();
        let host = HostModel { jitter: ms(jitter_ms), complete: ms(0.3), ..HostModel::typical() };
        let found = characterized(drive, host);
        let starts: Vec<_> = found.zones.iter().map(|zone| zone.first_lba.ok()).collect();
        assert_eq!(starts.len(), made.len(), "{jitter_ms}: {:#?}", found.zones);
        let right =
            |(start, truth): (&Option<f64>, &Option<f64>)| start.is_none() || start == truth;
        assert!(starts.iter().zip(&truth).all(right), "{jitter_ms}: {starts:?} {truth:?}");
        assert_eq!(starts == truth, all, "{jitter_ms}: {starts:?} {truth:?}");
    }
}
