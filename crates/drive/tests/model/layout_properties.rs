//! Properties of all layouts.

use crate::layout_oracle::{addresses, around, track_angles};
use crate::random_layout::{all_sectors, layouts};
use platterlab_drive::layout::{Found, Layout, Tracks};
use platterlab_drive::{
    Defect, LayoutParams, Physical, Skew, Sparing, Track, TrackOrder, ZoneParams,
};
use platterlab_units::Angle;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn built(params: &LayoutParams) -> Layout {
    Layout::new(params).expect("the layout is legal")
}

fn is_next(a: Physical, b: Physical) -> bool {
    (a.cylinder, a.surface, a.sector + 1) == (b.cylinder, b.surface, b.sector)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_address_lies_where_the_slow_oracle_lays_it(params in layouts()) {
        let (layout, expected) = (built(&params), addresses(&params));
        prop_assert_eq!(layout.capacity(), expected.len() as u64);
        for (lba, at) in expected.iter().enumerate() {
            prop_assert_eq!(layout.locate(lba as u64), Some(*at), "address {}", lba);
        }
        prop_assert_eq!(layout.locate(layout.capacity()), None);
        prop_assert_eq!(layout.locate(u64::MAX), None);
    }

    #[test]
    fn addresses_and_sectors_are_one_to_one(params in layouts()) {
        let layout = built(&params);
        let mut held: BTreeMap<Physical, u64> = BTreeMap::new();
        for lba in 0..layout.capacity() {
            let at = layout.locate(lba).expect("below the capacity");
            prop_assert_eq!(held.insert(at, lba), None, "two addresses share {:?}", at);
            prop_assert_eq!(layout.lba_at(at), Some(lba));
        }
        for at in all_sectors(&params) {
            prop_assert_eq!(layout.lba_at(at), held.get(&at).copied(), "{:?}", at);
        }
    }

    #[test]
    fn places_that_are_not_on_the_drive_hold_nothing(params in layouts(), far in 0u32..3) {
        let layout = built(&params);
        let zone = &params.zones[0];
        let base = Physical { cylinder: zone.cylinders[0], surface: 0, sector: 0 };
        let around = around(zone, Track { cylinder: base.cylinder, surface: 0 });
        let beyond = [
            Physical { cylinder: params.cylinders + far, ..base },
            Physical { surface: params.surfaces + far, ..base },
            Physical { sector: around + far, ..base },
            Physical { cylinder: u32::MAX, surface: u32::MAX, sector: u32::MAX },
        ];
        for at in beyond {
            prop_assert_eq!(layout.lba_at(at), None);
        }
    }

    #[test]
    fn runs_are_contiguous_and_as_long_as_can_be(params in layouts(), max in 1u32..40) {
        let (layout, expected) = (built(&params), addresses(&params));
        let remapped = |at: &Physical| {
            params.defects.iter().any(|defect| matches!(defect, Defect::Remapped { to, .. } if to == at))
        };
        for (lba, at) in expected.iter().enumerate() {
            let run = layout.run(lba as u64, max);
            prop_assert!((1..=max).contains(&run.sectors));
            let first = Physical { cylinder: run.cylinder, surface: run.surface, sector: run.sector };
            prop_assert_eq!(first, *at);
            let end = lba + run.sectors as usize;
            prop_assert!(expected[lba..end].windows(2).all(|pair| is_next(pair[0], pair[1])));
            if run.sectors < max && end < expected.len() && !remapped(&expected[end - 1]) {
                let goes_on = is_next(expected[end - 1], expected[end]);
                prop_assert!(!goes_on || remapped(&expected[end]), "run at {} stops at {}", lba, end);
            }
        }
    }

    #[test]
    fn a_drive_finds_the_same_runs_wherever_it_looked_last(
        params in layouts(),
        asked in prop::collection::vec((any::<u64>(), 0u64..60, 1u32..40), 1..60),
    ) {
        let layout = built(&params);
        let mut found = Found::default();
        let mut tracks = Tracks::new(&layout, &mut found);
        let mut last = 0;
        for (far, near, max) in asked {
            // From somewhere a few sectors on, or anywhere.
            last = if near > 0 { last + near } else { far } % layout.capacity();
            prop_assert_eq!(tracks.run(last, max), layout.run(last, max), "address {}", last);
        }
    }

    #[test]
    fn skew_is_the_sum_of_all_steps(params in layouts()) {
        let (layout, angles) = (built(&params), track_angles(&params));
        for lba in 0..layout.capacity() {
            let run = layout.run(lba, 1);
            let track = Track { cylinder: run.cylinder, surface: run.surface };
            prop_assert_eq!(run.track_angle, angles[&track], "{:?}", track);
            let exact = Angle::of_slots(u64::from(run.sector), u64::from(run.sectors_per_track));
            let rounding = (run.track_angle + exact - run.angle(0)).raw();
            prop_assert!(rounding <= u64::from(run.sectors_per_track));
            prop_assert_eq!(layout.angle(lba), Some(run.angle(0)));
        }
    }

    #[test]
    fn within_a_run_each_sector_begins_one_sector_angle_after_the_last(params in layouts()) {
        let layout = built(&params);
        let mut lba = 0;
        while lba < layout.capacity() {
            let run = layout.run(lba, u32::MAX);
            for offset in 0..run.sectors {
                prop_assert_eq!(layout.angle(lba + u64::from(offset)), Some(run.angle(offset)));
                let step = (run.angle(offset + 1) - run.angle(offset)).raw();
                let rounding = step - run.sector_angle.raw();
                prop_assert!(rounding <= u64::from(run.sectors_per_track));
            }
            lba += u64::from(run.sectors);
        }
    }

    #[test]
    fn track_bounds_hold_all_addresses_of_a_track_and_no_others(params in layouts()) {
        let layout = built(&params);
        let mut unmapped = params;
        unmapped.defects.retain(|defect| matches!(defect, Defect::Slipped(_)));
        let expected = addresses(&unmapped);
        let track = |at: &Physical| (at.cylinder, at.surface);
        for (lba, at) in expected.iter().enumerate() {
            let (first, sectors) = layout.track_bounds(lba as u64).expect("below the capacity");
            let bounds = first as usize..first as usize + sectors as usize;
            prop_assert!(bounds.contains(&lba));
            prop_assert!(expected[bounds].iter().all(|other| track(other) == track(at)));
            let on_track = expected.iter().filter(|other| track(other) == track(at)).count();
            prop_assert_eq!(on_track as u64, u64::from(sectors));
        }
    }
}

/// The largest drive a profile can describe: 10 million cylinders, 1,024 surfaces.
fn huge(order: TrackOrder, sparing: Sparing) -> LayoutParams {
    let zone = |cylinders, sectors_per_track| ZoneParams {
        cylinders,
        sectors_per_track,
        surface_sectors: vec![],
        surface_data_sectors: vec![],
        skew_from_data_end: false,
        order,
        serpentine_cylinders: Some(140).filter(|_| order == TrackOrder::SurfaceSerpentine),
        passes: Default::default(),
        track_skew: Skew::Sectors(99_999),
        cylinder_skew: Skew::Turn(Angle::from_raw(u64::MAX)),
        serpentine_skew: Skew::Turn(Angle::from_raw(u64::MAX / 3)),
        first_track_skew: Skew::Sectors(0),
        range_skew: Skew::Sectors(0),
        sparing,
        skip_first_sectors: 100_000,
        skip_last_sectors: 100_000,
    };
    LayoutParams {
        sector_bytes: 65_536,
        logical_sector_bytes: 65_536,
        surfaces: 1_024,
        cylinders: 10_000_000,
        zones: vec![zone([0, 4_999_999], 100_000), zone([5_000_000, 9_999_999], 99_991)],
        spare_regions: vec![],
        defects: vec![],
        surface_offsets: vec![],
    }
}

#[test]
fn a_huge_drive_is_one_to_one_at_every_stride() {
    let sparings = [
        Sparing::None,
        Sparing::Track { sectors: 77 },
        Sparing::Cylinder { sectors: 7_777 },
        Sparing::Zone { sectors: 77_777 },
        Sparing::Tracks { tracks: 7 },
    ];
    let orders = [
        TrackOrder::Traditional,
        TrackOrder::CylinderSerpentine,
        TrackOrder::SurfaceSerpentine,
        TrackOrder::HybridSerpentine,
    ];
    let both = |order: TrackOrder| sparings.map(|it| (order, it));
    for (order, sparing) in orders.into_iter().flat_map(both) {
        let by_cylinder = matches!(sparing, Sparing::Cylinder { .. });
        if by_cylinder && order.seeks_first() {
            continue;
        }
        let layout = built(&huge(order, sparing));
        let strides = (0..layout.capacity()).step_by(1_234_567_890_123);
        for lba in strides.chain([layout.capacity() - 1]) {
            let at = layout.locate(lba).expect("below the capacity");
            assert_eq!(layout.lba_at(at), Some(lba), "{sparing:?} {order:?}");
        }
    }
}
