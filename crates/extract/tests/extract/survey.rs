//! Track maps of random drives of the whole family of layouts, against their truth.
//!
//! Ten of them on every run, `PLATTERLAB_SWARM` says how many otherwise; `make soak` has hundreds.

use crate::support::random::{Dice, drive, host};
use crate::support::{Spec, ZoneSpec, ms};
use platterlab_device::{BlockDevice, HostModel, Simulated};
use platterlab_drive::{Defect, Drive, DriveParams, Physical, Skew, Sparing, TrackOrder};
use platterlab_extract::{Status, Survey, SurveyGoal, TrackMap};
use platterlab_probe::{Access, End, run};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Maps a whole device.
fn survey(device: &mut Simulated, fast: bool) -> TrackMap {
    let region_sectors = device.info().capacity_sectors;
    let goal = SurveyGoal {
        region_lba: 0,
        region_sectors,
        unit_sectors: 1,
        to_drive_end: true,
        fast,
        time_s: None,
    };
    let mut survey = Survey::new(goal);
    let mut plans = 0;
    while let Some(plan) = survey.next_plan() {
        let samples = run(device, &plan, Access::Read, &mut |_| ControlFlow::Continue(()));
        assert_eq!(samples.end, End::Complete, "{plan:?}");
        survey.add(&samples);
        plans += 1;
        assert!(plans < 60_000, "no end: {plan:?}");
    }
    survey.map()
}

const ORDERS: [(&str, TrackOrder); 6] = [
    ("traditional", TrackOrder::Traditional),
    ("cylinder-serpentine", TrackOrder::CylinderSerpentine),
    ("hybrid-serpentine", TrackOrder::HybridSerpentine),
    ("surface-serpentine", TrackOrder::SurfaceSerpentine),
    ("alternating-hybrid-serpentine", TrackOrder::AlternatingHybridSerpentine),
    ("alternating-surface-serpentine", TrackOrder::AlternatingSurfaceSerpentine),
];

/// A drive of up to some ten thousand tracks with any order, sparing and defects.
struct Case {
    params: DriveParams,
    order: &'static str,
    width: Option<u32>,
    defects: bool,
}

fn case(dice: &mut Dice, defects: bool) -> Case {
    let mut spec = drive(dice);
    spec.surfaces = dice.whole(2, 8);
    spec.zones.truncate(dice.whole(1, 5) as usize);
    for zone in &mut spec.zones {
        zone.cylinders = dice.whole(600, 1_500);
    }
    let mut params = spec.params();
    let (order, kind) = ORDERS[dice.whole(0, 5) as usize];
    let width = kind.seeks_first().then(|| dice.whole(60, 200));
    let turns = dice.between(0.1, 0.5);
    let sparing = dice.whole(0, 2);
    for zone in &mut params.layout.zones {
        zone.order = kind;
        zone.serpentine_cylinders = width;
        let per_track = f64::from(zone.sectors_per_track);
        zone.serpentine_skew = Skew::Sectors(((turns + 0.3) * per_track) as u32);
        if kind.seeks_first() {
            zone.cylinder_skew = Skew::Sectors((turns * per_track) as u32 + 1);
        }
        zone.sparing = match sparing {
            0 => Sparing::None,
            1 => Sparing::Track { sectors: 1 + zone.sectors_per_track / 50 },
            _ => Sparing::Zone { sectors: zone.sectors_per_track },
        };
    }
    params.mechanism.head_switch = [ms(0.3); 2];
    if defects {
        add_defects(dice, &mut params);
    }
    Case { params, order, width, defects }
}

/// Slips, and remaps to the end of the drive's last track where that is spare.
fn add_defects(dice: &mut Dice, params: &mut DriveParams) {
    let surfaces = params.layout.surfaces;
    for _ in 0..20 {
        let zone =
            &params.layout.zones[dice.whole(0, params.layout.zones.len() as u32 - 1) as usize];
        let at = Physical {
            cylinder: dice.whole(zone.cylinders[0], zone.cylinders[1] - 40),
            surface: dice.whole(0, surfaces - 1),
            sector: dice.whole(0, zone.sectors_per_track / 2),
        };
        let spares = match zone.sparing {
            Sparing::Track { sectors } => sectors,
            _ => 0,
        };
        let defect = if spares > 0 && dice.whole(0, 1) == 0 {
            let to = Physical { sector: zone.sectors_per_track - 1, ..at };
            Defect::Remapped { from: at, to }
        } else {
            Defect::Slipped(at)
        };
        params.layout.defects.push(defect);
        if Drive::new(params).is_err() {
            params.layout.defects.pop();
        }
    }
}

/// First sector and length of every track.
fn truth(drive: &Drive) -> Vec<(u64, u64)> {
    let mut tracks = Vec::new();
    let mut lba = 0;
    while let Some((first, sectors)) = drive.layout().track_bounds(lba) {
        tracks.push((first, u64::from(sectors)));
        lba = first + u64::from(sectors);
    }
    tracks
}

fn found(map: &TrackMap) -> Vec<(u64, u64)> {
    let mut tracks = Vec::new();
    for piece in &map.pieces {
        let mut lba = piece.first_lba;
        for _ in 0..piece.cycles {
            for sectors in &piece.sectors {
                tracks.push((lba, *sectors));
                lba += sectors;
            }
        }
    }
    tracks
}

struct Score {
    tracks: usize,
    wrong: usize,
    text: String,
    layout_wrong: bool,
    layout_right: bool,
}

fn score(seed: u64, noise: bool, defects: bool, fast: bool) -> Score {
    let mut dice = Dice::new(seed);
    let case = case(&mut dice, defects);
    let noisy = host(&mut dice);
    let host = if noise { noisy } else { HostModel::default() };
    let drive = Drive::new(&case.params).expect("a drive");
    let expected = truth(&drive);
    let mut device = Simulated::new(drive, "drive", host, seed).expect("a host");
    let map = survey(&mut device, fast);
    let got: std::collections::BTreeSet<(u64, u64)> = found(&map).into_iter().collect();
    let wrong = expected.iter().filter(|track| !got.contains(track)).count();
    let surfaces = map.layout.surfaces.ok();
    let width = map.layout.serpentine_cylinders.ok();
    let order = &map.layout.order;
    let right_order = match order.value {
        Some(value) => value == case.order,
        None => order.alternatives.contains(&case.order),
    };
    let truth_surfaces = f64::from(case.params.layout.surfaces);
    let layout_wrong = !right_order
        || surfaces.is_some_and(|count| count != truth_surfaces)
        || width.is_some_and(|count| Some(count as u32) != case.width);
    let text = format!(
        "seed {seed}: {} tracks, {wrong} wrong, {} {:?} x{} surfaces{}: {:?} {}; {:?} {:?} surfaces {:?} {} width {:?} {}\n",
        expected.len(),
        case.order,
        case.width,
        truth_surfaces,
        if case.defects { " defects" } else { "" },
        map.status,
        map.note,
        order.value,
        order.alternatives,
        surfaces,
        map.layout.surfaces.note,
        width,
        map.layout.serpentine_cylinders.note,
    );
    let layout_right = !layout_wrong && surfaces.is_some();
    Score { tracks: expected.len(), wrong, text, layout_wrong, layout_right }
}

fn check(noise: bool, defects: bool, fast: bool, allowed: f64) {
    let count: u64 =
        std::env::var("PLATTERLAB_SWARM").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let all: Vec<Score> =
        (0..count).into_par_iter().map(|seed| score(seed, noise, defects, fast)).collect();
    let tracks: usize = all.iter().map(|one| one.tracks).sum();
    let wrong: usize = all.iter().map(|one| one.wrong).sum();
    let listed: String = all
        .iter()
        .filter(|one| one.wrong > 0 || one.layout_wrong || !one.layout_right)
        .map(|one| one.text.as_str())
        .collect();
    let right = all.iter().filter(|one| one.layout_right).count();
    assert!(wrong as f64 <= allowed * tracks as f64, "{wrong} of {tracks} tracks\n{listed}");
    assert!(!all.iter().any(|one| one.layout_wrong), "{listed}");
    assert!(right as f64 >= 0.9 * count as f64, "{right} of {count}\n{listed}");
}

#[test]
fn every_boundary_is_exact_without_noise() {
    check(false, false, false, 0.0);
}

#[test]
fn leaps_lose_no_boundary_without_noise() {
    check(false, false, true, 0.0);
}

#[test]
fn defects_are_found_too() {
    // A slip next to the end of a track may look like the end itself.
    check(false, true, false, 0.000_1);
}

#[test]
fn noise_leaves_boundaries_exact() {
    check(true, false, false, 0.001);
}

#[test]
fn noise_and_defects_leave_leaps_exact() {
    check(true, true, true, 0.001);
}

#[test]
fn interrupts_that_are_gathered_hide_no_skew_of_two_ticks() {
    // 29 sectors are 0.6 ms, and 10 are less than a tick.
    for (skew, is_mapped) in [(29, true), (10, false)] {
        let zone = ZoneSpec {
            cylinders: 700,
            sectors_per_track: 400,
            track_skew_sectors: skew,
            cylinder_skew_sectors: skew + 4,
        };
        let spec = drive(&mut Dice::new(3));
        let spec = Spec { rotation_ms: 8.34, surfaces: 2, zones: vec![zone], ..spec };
        let host =
            HostModel { interrupt_grain: ms(0.25), jitter: ms(0.004), ..HostModel::default() };
        let mut device = spec.device(host, 11);
        let map = survey(&mut device, true);
        assert_eq!(map.status == Status::Ok, is_mapped, "{skew}: {}", map.note);
        let right = found(&map) == truth(&Drive::new(&spec.params()).expect("a drive"));
        assert_eq!(right, is_mapped, "{skew}");
    }
}
