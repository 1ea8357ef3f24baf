//! Orders whose passes are listed, track by track.

use crate::round::{layout, zone};
use platterlab_drive::layout::Layout;
use platterlab_drive::{
    Defect, LayoutParams, Listed, Pass, Physical, Skew, Sparing, Track, TrackOrder, TrackRange,
};
use platterlab_units::Angle;

fn turns(turns: f64) -> Angle {
    Angle::of_turns(turns)
}

/// Two surfaces, four cylinders in two groups: forth on the first surface, back on the second, which
/// has fewer sectors, one of them spare.
fn drive() -> LayoutParams {
    let forth = Pass {
        surface: 0,
        cylinders: [0, 1],
        sectors_per_track: 10,
        data_sectors: 10,
        first_angle: Angle::ZERO,
        skew: turns(0.25),
    };
    let back = Pass {
        surface: 1,
        cylinders: [1, 0],
        sectors_per_track: 8,
        data_sectors: 7,
        first_angle: turns(0.5),
        skew: turns(0.125),
    };
    let mut zone = zone([0, 3], 10);
    zone.track_skew = Skew::Sectors(0);
    zone.cylinder_skew = Skew::Sectors(0);
    let passes = vec![forth, back];
    zone.order = TrackOrder::Listed;
    zone.passes = Listed { group_cylinders: 2, group_skew: turns(0.75), passes };
    LayoutParams { cylinders: 4, surfaces: 2, zones: vec![zone], ..layout() }
}

/// Cylinder, surface, sector and turn of an address.
fn place(layout: &Layout, lba: u64) -> (u32, u32, u32, f64) {
    let run = layout.run(lba, 1);
    (run.cylinder, run.surface, run.sector, run.track_angle.as_turns())
}

#[test]
fn each_pass_says_where_its_tracks_are_and_how_they_are_turned() {
    let layout = Layout::new(&drive()).expect("legal");
    assert_eq!(layout.capacity(), 2 * (20 + 14));
    for (lba, expected) in [
        (0, (0, 0, 0, 0.0)),
        (10, (1, 0, 0, 0.25)),
        (20, (1, 1, 0, 0.5)),
        (26, (1, 1, 6, 0.5)),
        (27, (0, 1, 0, 0.625)),
        (34, (2, 0, 0, 0.75)),
        (54, (3, 1, 0, 0.25)),
        (67, (2, 1, 6, 0.375)),
    ] {
        assert_eq!(place(&layout, lba), expected, "address {lba}");
    }
    let spare = Physical { cylinder: 1, surface: 1, sector: 7 };
    assert_eq!(layout.lba_at(spare), None);
    assert_eq!(layout.run(24, 99).sectors, 3, "a run ends where the data does");
}

#[test]
fn a_slip_moves_all_later_addresses_and_spares_take_remaps() {
    let mut params = drive();
    let at = |cylinder, surface, sector| Physical { cylinder, surface, sector };
    params.defects =
        vec![Defect::Slipped(at(1, 1, 2)), Defect::Remapped { from: at(2, 0, 3), to: at(3, 1, 7) }];
    let layout = Layout::new(&params).expect("legal");
    assert_eq!(layout.capacity(), 67);
    assert_eq!(layout.locate(21), Some(at(1, 1, 1)));
    assert_eq!(layout.locate(22), Some(at(1, 1, 3)));
    assert_eq!(layout.locate(33), Some(at(2, 0, 0)));
    assert_eq!(layout.locate(36), Some(at(3, 1, 7)));
    assert_eq!(layout.lba_at(at(2, 0, 3)), None);
    assert_eq!(layout.locate(66), Some(at(2, 1, 6)));
}

/// What makes a right drive a wrong one.
type Change = dyn Fn(&mut LayoutParams, &mut Listed);

#[test]
fn passes_cover_every_track_once_and_state_all_there_is() {
    let refusal = |change: &Change| {
        let mut params = drive();
        let mut order = params.zones[0].passes.clone();
        change(&mut params, &mut order);
        params.zones[0].passes = order;
        Layout::new(&params).expect_err("illegal").to_string()
    };
    let cases: [(&Change, &str); 8] = [
        (
            &|_, order| order.group_cylinders = 3,
            "zone[0].group_cylinders: 4 cylinders are not a whole number of groups of 3",
        ),
        (&|_, order| order.passes[1].surface = 2, "zone[0].pass[1]: is on surface 2 of 2"),
        (
            &|_, order| order.passes[1].cylinders = [2, 0],
            "zone[0].pass[1]: goes to cylinder 2 of a group of 2",
        ),
        (
            &|_, order| order.passes[0].data_sectors = 11,
            "zone[0].pass[0]: has 11 data sectors among 10",
        ),
        (
            &|_, order| order.passes[1].surface = 0,
            "zone[0].pass[1]: comes to cylinder 0 of surface 0 a second time",
        ),
        (
            &|_, order| order.passes[0].cylinders = [0, 0],
            "zone[0].pass: no pass comes to cylinder 1 of surface 0; list spare tracks too, with \
             `data_sectors = 0`",
        ),
        (
            &|params, _| params.zones[0].sparing = Sparing::Track { sectors: 1 },
            "zone[0].order: listed passes state their own skews, sectors and spares; leave out the \
             zone's",
        ),
        (
            &|params, _| {
                let track = |surface| Track { cylinder: 1, surface };
                params.spare_regions = vec![TrackRange { first: track(0), last: track(1) }];
            },
            "spare_region[0]: cuts a zone of listed passes; give those passes `data_sectors = 0`",
        ),
    ];
    for (change, message) in cases {
        assert_eq!(refusal(change), message);
    }
}
