//! The orders that seek first, track by track.

use crate::round::{layout, zone};
use platterlab_drive::layout::Layout;
use platterlab_drive::{LayoutParams, Skew, Sparing, Track, TrackOrder, TrackRange};
use platterlab_units::Angle;

/// Two surfaces, five cylinders in groups of two, one sector per track.
fn drive(order: TrackOrder) -> LayoutParams {
    let mut zone = zone([0, 4], 1);
    zone.order = order;
    zone.serpentine_cylinders = Some(2);
    LayoutParams { cylinders: 5, surfaces: 2, zones: vec![zone], ..layout() }
}

/// Cylinder and surface of every address.
fn walk(params: &LayoutParams) -> Vec<[u32; 2]> {
    let layout = Layout::new(params).expect("a right layout");
    let places = (0..layout.capacity()).filter_map(|lba| layout.locate(lba));
    places.map(|at| [at.cylinder, at.surface]).collect()
}

#[test]
fn passes_and_groups_turn_as_their_order_says() {
    let hybrid = [[0, 0], [1, 0], [0, 1], [1, 1]];
    let surface = [[0, 0], [1, 0], [1, 1], [0, 1]];
    for (order, start, second, last) in [
        (TrackOrder::HybridSerpentine, hybrid, [[2, 0], [3, 0], [2, 1], [3, 1]], [[4, 0], [4, 1]]),
        (
            TrackOrder::SurfaceSerpentine,
            surface,
            [[2, 0], [3, 0], [3, 1], [2, 1]],
            [[4, 0], [4, 1]],
        ),
        (
            TrackOrder::AlternatingHybridSerpentine,
            hybrid,
            [[2, 1], [3, 1], [2, 0], [3, 0]],
            [[4, 0], [4, 1]],
        ),
        (
            TrackOrder::AlternatingSurfaceSerpentine,
            surface,
            [[2, 1], [3, 1], [3, 0], [2, 0]],
            [[4, 0], [4, 1]],
        ),
    ] {
        let expected = [start.as_slice(), second.as_slice(), last.as_slice()].concat();
        assert_eq!(walk(&drive(order)), expected, "{order:?}");
    }
}

/// Along a pass 1 of 10 sectors, between passes 4.
#[test]
fn a_new_pass_has_a_skew_of_its_own() {
    let mut params = drive(TrackOrder::HybridSerpentine);
    params.zones[0].sectors_per_track = 10;
    params.zones[0].cylinder_skew = Skew::Sectors(1);
    params.zones[0].serpentine_skew = Skew::Sectors(4);
    params.zones[0].track_skew = Skew::Sectors(9);
    let layout = Layout::new(&params).unwrap();
    let mut expected = Angle::ZERO;
    for (track, step) in [0, 1, 4, 1, 4, 1, 4, 1, 4, 4].into_iter().enumerate() {
        expected = expected + Angle::of_slots(step, 10);
        assert_eq!(layout.run(10 * track as u64, 1).track_angle, expected, "track {track}");
    }
}

#[test]
fn spare_cylinders_are_left_out_of_every_pass() {
    let mut params = drive(TrackOrder::SurfaceSerpentine);
    let track = |cylinder, surface| Track { cylinder, surface };
    params.spare_regions = vec![TrackRange { first: track(1, 0), last: track(3, 1) }];
    assert_eq!(walk(&params), [[0, 0], [0, 1], [4, 0], [4, 1]]);
}

#[test]
fn what_the_order_would_scatter_is_refused() {
    let refusal = |change: &dyn Fn(&mut LayoutParams)| {
        let mut params = drive(TrackOrder::HybridSerpentine);
        change(&mut params);
        Layout::new(&params).unwrap_err().to_string()
    };
    assert_eq!(
        refusal(&|params| {
            params.zones[0].sparing =
                Sparing::Cylinders { cylinders: 3, sectors: 1, front: false, remaps_only: false };
        }),
        "zone[0].sparing.cylinders: 3 cylinders do not follow each other in this order; share \
         spares among whole serpentines, a multiple of 2 cylinders"
    );
    assert_eq!(
        refusal(&|params| params.zones[0].serpentine_cylinders = Some(0)),
        "zone[0].serpentine_cylinders: must be at least 1"
    );
    let track = |cylinder, surface| Track { cylinder, surface };
    assert_eq!(
        refusal(&|params| {
            params.spare_regions = vec![TrackRange { first: track(1, 1), last: track(2, 1) }];
        }),
        "spare_region[0]: must be whole cylinders in a zone of this track order"
    );
}
