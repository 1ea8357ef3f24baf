//! Layouts that make no sense are refused with the key and what would be right.

use crate::round::{layout, zone};
use platterlab_drive::layout::Layout;
use platterlab_drive::{Defect, LayoutParams, Physical, Sparing, Track, TrackOrder, TrackRange};

fn refusal(change: impl Fn(&mut LayoutParams)) -> String {
    let mut params = layout();
    change(&mut params);
    Layout::new(&params).expect_err("the layout makes no sense").to_string()
}

fn region(first: [u32; 2], last: [u32; 2]) -> TrackRange {
    let track = |[cylinder, surface]: [u32; 2]| Track { cylinder, surface };
    TrackRange { first: track(first), last: track(last) }
}

fn sector(cylinder: u32, surface: u32, sector: u32) -> Physical {
    Physical { cylinder, surface, sector }
}

#[test]
fn a_drive_of_nothing_is_refused() {
    let zero = |key| format!("geometry.{key}: must be at least 1");
    assert_eq!(refusal(|params| params.surfaces = 0), zero("surfaces"));
    assert_eq!(refusal(|params| params.cylinders = 0), zero("cylinders"));
    assert_eq!(refusal(|params| params.sector_bytes = 0), zero("sector_bytes"));
    assert_eq!(
        refusal(|params| params.zones[0].sectors_per_track = 0),
        "zone[0].sectors_per_track: must be at least 1"
    );
}

#[test]
fn zones_that_overlap_or_leave_a_gap_are_refused() {
    assert_eq!(
        refusal(|params| params.zones = vec![zone([0, 49], 10), zone([49, 99], 10)]),
        "zone[1].cylinders: starts at cylinder 49 and overlaps; start it at 50"
    );
    assert_eq!(
        refusal(|params| params.zones = vec![zone([0, 49], 10), zone([51, 99], 10)]),
        "zone[1].cylinders: starts at cylinder 51 and leaves a gap before it; start it at 50"
    );
    assert_eq!(
        refusal(|params| params.zones = vec![zone([1, 99], 10)]),
        "zone[0].cylinders: starts at cylinder 1 and leaves a gap before it; start it at 0"
    );
    assert_eq!(
        refusal(|params| params.zones = vec![zone([99, 0], 10)]),
        "zone[0].cylinders: [99, 0] runs backwards; write [0, 99]"
    );
}

#[test]
fn zones_that_miss_cylinders_or_have_too_many_are_refused() {
    let missing = "the zones end before cylinder 99, but the drive has 100 cylinders; end the last \
                   zone at 99";
    assert_eq!(
        refusal(|params| params.zones = vec![zone([0, 98], 10)]),
        format!("zone[0].cylinders: {missing}")
    );
    assert!(refusal(|params| params.zones.clear()).contains("the zones end before cylinder 0"));
    for last in [100, u32::MAX] {
        assert_eq!(
            refusal(|params| params.zones = vec![zone([0, last], 10)]),
            "zone[0].cylinders: ends beyond cylinder 99, the drive's last"
        );
    }
}

#[test]
fn a_drive_beyond_all_addresses_is_refused() {
    let message = refusal(|params| {
        params.surfaces = u32::MAX;
        params.cylinders = u32::MAX;
        params.zones = vec![zone([0, u32::MAX - 1], u32::MAX)];
    });
    assert!(message.starts_with("geometry: "), "{message}");
    assert!(message.ends_with("sectors are too many; a drive has at most 2^63 - 1"), "{message}");
}

#[test]
fn spare_regions_off_the_drive_are_refused() {
    let off = "spare_region[0]: must run forwards within 100 cylinders and 2 surfaces";
    for (first, last) in
        [([0, 0], [100, 0]), ([0, 2], [1, 0]), ([0, 0], [1, 2]), ([5, 0], [4, 1]), ([5, 1], [5, 0])]
    {
        assert_eq!(refusal(|params| params.spare_regions = vec![region(first, last)]), off);
    }
}

#[test]
fn spare_regions_that_overlap_are_refused() {
    let regions = vec![region([7, 0], [9, 1]), region([4, 0], [7, 0])];
    assert_eq!(
        refusal(|params| params.spare_regions.clone_from(&regions)),
        "spare_region[0]: overlaps spare_region[1]"
    );
}

#[test]
fn a_spare_region_may_not_cut_a_cylinder_that_runs_as_a_whole() {
    let cut = vec![region([4, 1], [5, 1])];
    let message = refusal(|params| {
        params.zones[0].order = TrackOrder::CylinderSerpentine;
        params.spare_regions.clone_from(&cut);
    });
    assert_eq!(message, "spare_region[0]: must be whole cylinders in a zone of this track order");
    let message = refusal(|params| {
        params.zones[0].sparing = Sparing::Cylinder { sectors: 1 };
        params.spare_regions.clone_from(&cut);
    });
    assert_eq!(
        message,
        "zone[0].sparing: spare sectors per cylinder need spare regions of whole cylinders"
    );
}

#[test]
fn sparing_that_leaves_no_data_is_refused() {
    for (sparing, spares, all) in [
        (Sparing::Track { sectors: 10 }, 10, 10),
        (Sparing::Cylinder { sectors: 21 }, 21, 20),
        (Sparing::Zone { sectors: 2_000 }, 2_000, 2_000),
        (Sparing::Tracks { tracks: 200 }, 2_000, 2_000),
    ] {
        assert_eq!(
            refusal(|params| params.zones[0].sparing = sparing),
            format!("zone[0].sparing: {spares} spare sectors leave no data among {all}")
        );
    }
}

#[test]
fn a_drive_of_spare_tracks_alone_is_refused() {
    assert_eq!(
        refusal(|params| params.spare_regions = vec![region([0, 0], [99, 1])]),
        "spare_region: every track is spare; the drive holds no data"
    );
}

#[test]
fn skips_that_leave_no_data_are_refused() {
    let what = "2000 sectors are all there is; leave at least one";
    assert_eq!(
        refusal(|params| params.zones[0].skip_first_sectors = 2_000),
        format!("zone[0].skip_first_sectors: {what}")
    );
    assert_eq!(
        refusal(|params| params.zones[0].skip_last_sectors = 2_000),
        format!("zone[0].skip_last_sectors: {what}")
    );
    let both = |params: &mut LayoutParams| {
        params.zones[0].skip_first_sectors = 1_000;
        params.zones[0].skip_last_sectors = 1_000;
    };
    assert!(refusal(both).starts_with("zone[0].skip_last_sectors: "));
}

#[test]
fn slips_need_spares_of_their_own() {
    let slips = |count: u32| (0..count).map(|at| Defect::Slipped(sector(3, 1, at))).collect();
    let message = refusal(|params| {
        params.zones[0].sparing = Sparing::Track { sectors: 2 };
        params.defects = slips(3);
    });
    assert_eq!(message, "defect[0].at: 3 defects share 2 spare sectors; remap some elsewhere");
    let twice = vec![Defect::Slipped(sector(3, 1, 4)); 2];
    assert_eq!(
        refusal(|params| params.defects.clone_from(&twice)),
        "defect[1].at: this sector is slipped already"
    );
    let off = vec![Defect::Slipped(sector(3, 1, 10))];
    assert_eq!(
        refusal(|params| params.defects.clone_from(&off)),
        "defect[0].at: sector 10 of cylinder 3, surface 1 holds no data"
    );
}

#[test]
fn slips_that_leave_no_data_are_refused() {
    let message = refusal(|params| {
        params.cylinders = 1;
        params.surfaces = 1;
        params.zones = vec![zone([0, 0], 2)];
        params.defects = (0..2).map(|at| Defect::Slipped(sector(0, 0, at))).collect();
    });
    assert_eq!(message, "defect[0].at: the defects leave no data");
}

#[test]
fn a_remap_needs_data_to_move_and_a_free_spare() {
    let remap = |from, to| Defect::Remapped { from, to };
    let spared = |defects: Vec<Defect>| {
        refusal(move |params| {
            params.zones[0].sparing = Sparing::Track { sectors: 2 };
            params.defects.clone_from(&defects);
        })
    };
    let (data, spare) = (sector(0, 0, 3), sector(0, 0, 9));
    let no_data = "holds no data";
    let not_free = "is not a free spare sector";
    for (defects, key, what) in [
        (vec![remap(spare, data)], "defect[0].from: sector 9 of cylinder 0, surface 0", no_data),
        (
            vec![remap(data, sector(5, 1, 7))],
            "defect[0].to: sector 7 of cylinder 5, surface 1",
            not_free,
        ),
        (
            vec![remap(data, sector(5, 1, 10))],
            "defect[0].to: sector 10 of cylinder 5, surface 1",
            not_free,
        ),
        (
            vec![remap(data, sector(100, 0, 9))],
            "defect[0].to: sector 9 of cylinder 100, surface 0",
            not_free,
        ),
        (
            vec![remap(data, spare), remap(sector(0, 0, 4), spare)],
            "defect[1].to: sector 9 of cylinder 0, surface 0",
            not_free,
        ),
        (
            vec![remap(data, spare), Defect::Slipped(spare)],
            "defect[0].to: sector 9 of cylinder 0, surface 0",
            not_free,
        ),
    ] {
        assert_eq!(spared(defects), format!("{key} {what}"));
    }
    let twice = vec![remap(data, spare), remap(data, sector(0, 0, 8))];
    assert_eq!(spared(twice), "defect[1].from: this sector is remapped already");
}
