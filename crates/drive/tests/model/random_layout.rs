//! Random legal layouts of every kind.

use crate::layout_oracle::around;
use platterlab_drive::layout::Layout;
use platterlab_drive::{
    Defect, LayoutParams, Listed, Pass, Physical, Skew, Sparing, Track, TrackOrder, TrackRange,
    ZoneParams,
};
use platterlab_units::Angle;
use proptest::prelude::*;
use proptest::sample::select;

fn skew() -> impl Strategy<Value = Skew> {
    prop_oneof![
        (0u32..40).prop_map(Skew::Sectors),
        any::<u64>().prop_map(|raw| Skew::Turn(Angle::from_raw(raw))),
    ]
}

fn sparing() -> impl Strategy<Value = Sparing> {
    prop_oneof![
        Just(Sparing::None),
        (0u32..3).prop_map(|sectors| Sparing::Track { sectors }),
        (0u32..6).prop_map(|sectors| Sparing::Cylinder { sectors }),
        (0u32..9).prop_map(|sectors| Sparing::Zone { sectors }),
        (0u32..2).prop_map(|tracks| Sparing::Tracks { tracks }),
        (1u32..4, 0u32..6, any::<bool>(), any::<bool>()).prop_map(
            |(cylinders, sectors, front, remaps_only)| Sparing::Cylinders {
                cylinders,
                sectors,
                front,
                remaps_only,
            },
        ),
    ]
}

/// Every order but lists of passes, with groups that do and do not fill a zone.
fn order() -> impl Strategy<Value = (TrackOrder, Option<u32>)> {
    let seek_first = TrackOrder::ALL.into_iter().filter(|order| order.seeks_first());
    let head_first = TrackOrder::ALL.into_iter().filter(|order| !order.seeks_first());
    let head_first = head_first.filter(|order| *order != TrackOrder::Listed);
    prop_oneof![
        3 => (select(head_first.collect::<Vec<_>>()), Just(None)),
        1 => (select(seek_first.collect::<Vec<_>>()), proptest::option::of(1u32..7)),
    ]
}

/// A zone of `cylinders[1]` cylinders; where it starts is decided later.
fn zone() -> impl Strategy<Value = ZoneParams> {
    let skips = (prop_oneof![Just(0u32), 0u32..5], prop_oneof![Just(0u32), 0u32..5]);
    (1u32..9, 1u32..14, order(), [skew(), skew(), skew(), skew(), skew()], sparing(), skips)
        .prop_map(
            |(
                cylinders,
                sectors_per_track,
                (order, serpentine_cylinders),
                [track, cylinder, serpentine, first, range],
                sparing,
                skips,
            )| {
                ZoneParams {
                    cylinders: [0, cylinders],
                    sectors_per_track,
                    surface_sectors: vec![],
                    surface_data_sectors: vec![],
                    skew_from_data_end: false,
                    order,
                    serpentine_cylinders,
                    passes: Listed::default(),
                    track_skew: track,
                    cylinder_skew: cylinder,
                    serpentine_skew: serpentine,
                    first_track_skew: first,
                    range_skew: range,
                    sparing,
                    skip_first_sectors: skips.0,
                    skip_last_sectors: skips.1,
                }
            },
        )
}

/// A zone of which some surfaces differ: for each their sectors, and what they have to spare.
fn uneven_zone() -> impl Strategy<Value = ZoneParams> {
    let sectors = proptest::collection::vec(1u32..14, 24);
    let spares = proptest::collection::vec(0u32..3, 24);
    (zone(), sectors, spares, 0u32..8).prop_map(|(zone, sectors, spares, which)| {
        let around: Vec<u32> =
            if which % 4 == 1 { sectors } else { vec![zone.sectors_per_track; 24] };
        let data = around.iter().zip(&spares).map(|(all, spare)| all.saturating_sub(*spare).max(1));
        ZoneParams {
            surface_data_sectors: if which % 4 == 2 { data.collect() } else { vec![] },
            surface_sectors: if which % 4 == 1 { around } else { vec![] },
            sparing: if which % 4 == 2 { Sparing::None } else { zone.sparing },
            skew_from_data_end: which >= 4,
            ..zone
        }
    })
}

/// Lays the zones one after the other and returns the number of cylinders.
fn line_up(zones: &mut [ZoneParams]) -> u32 {
    let mut next = 0;
    for zone in zones {
        let cylinders = zone.cylinders[1];
        zone.cylinders = [next, next + cylinders - 1];
        next += cylinders;
    }
    next
}

/// What is tried on a layout, each kept only if the layout stays legal.
#[derive(Clone, Debug)]
enum Trouble {
    SpareTracks { first: u64, tracks: u64 },
    Slip { at: u64 },
    Remap { from: u64, to: u64 },
}

fn trouble() -> impl Strategy<Value = Trouble> {
    prop_oneof![
        (any::<u64>(), 1u64..20).prop_map(|(first, tracks)| Trouble::SpareTracks { first, tracks }),
        any::<u64>().prop_map(|at| Trouble::Slip { at }),
        (any::<u64>(), any::<u64>()).prop_map(|(from, to)| Trouble::Remap { from, to }),
    ]
}

/// All sectors on the drive.
pub(crate) fn all_sectors(params: &LayoutParams) -> Vec<Physical> {
    let mut all = Vec::new();
    for zone in &params.zones {
        for cylinder in zone.cylinders[0]..=zone.cylinders[1] {
            for surface in 0..params.surfaces {
                for sector in 0..around(zone, Track { cylinder, surface }) {
                    all.push(Physical { cylinder, surface, sector });
                }
            }
        }
    }
    all
}

fn pick<T: Copy>(from: &[T], number: u64) -> Option<T> {
    let index = number.checked_rem(from.len() as u64)?;
    Some(from[index as usize])
}

fn add(params: &LayoutParams, trouble: &Trouble) -> Option<LayoutParams> {
    let mut changed = params.clone();
    let layout = Layout::new(params).ok()?;
    let all = all_sectors(params);
    match *trouble {
        Trouble::SpareTracks { first, tracks } => {
            let surfaces = u64::from(params.surfaces);
            let first = first % (u64::from(params.cylinders) * surfaces);
            let track = |index: u64| Track {
                cylinder: (index / surfaces) as u32,
                surface: (index % surfaces) as u32,
            };
            let mut range = TrackRange { first: track(first), last: track(first + tracks - 1) };
            if params.zones.iter().any(|zone| zone.order != TrackOrder::Traditional) {
                range.first.surface = 0;
                range.last.surface = params.surfaces - 1;
            }
            changed.spare_regions.push(range);
        }
        Trouble::Slip { at } => changed.defects.push(Defect::Slipped(pick(&all, at)?)),
        Trouble::Remap { from, to } => {
            let (data, spare): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|at| layout.lba_at(*at).is_some());
            let (from, to) = (pick(&data, from)?, pick(&spare, to)?);
            changed.defects.push(Defect::Remapped { from, to });
        }
    }
    Layout::new(&changed).ok().map(|_| changed)
}

/// Numbers that look random, from a seed.
fn numbers(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed | 1;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((state >> 33) % u64::from(below.max(1))) as u32
    }
}

/// Makes a zone's order one of listed passes: each surface of the group is cut into passes that go
/// either way, differ in all they state, and come in any sequence; some of them hold nothing.
fn list_passes(zone: &mut ZoneParams, surfaces: u32, seed: u64) {
    let mut below = numbers(seed);
    let cylinders = zone.cylinders[1] - zone.cylinders[0] + 1;
    let divisors: Vec<u32> = (1..=cylinders).filter(|by| cylinders.is_multiple_of(*by)).collect();
    let group_cylinders = divisors[below(divisors.len() as u32) as usize];
    let mut passes = Vec::new();
    for surface in 0..surfaces {
        let mut next = 0;
        while next < group_cylinders {
            let end = next + below(group_cylinders - next);
            let sectors_per_track = 1 + below(13);
            let spares = if below(3) == 0 { below(sectors_per_track + 1) } else { 0 };
            let pass = Pass {
                surface,
                cylinders: if below(2) == 0 { [next, end] } else { [end, next] },
                sectors_per_track,
                data_sectors: sectors_per_track - spares,
                first_angle: Angle::from_raw(u64::from(below(u32::MAX)) << 32),
                skew: Angle::from_raw(u64::from(below(u32::MAX)) << 31),
            };
            passes.insert(below(passes.len() as u32 + 1) as usize, pass);
            next = end + 1;
        }
    }
    if passes.iter().all(|pass| pass.data_sectors == 0) {
        passes[0].data_sectors = 1;
    }
    let group_skew = Angle::from_raw(seed);
    zone.order = TrackOrder::Listed;
    zone.passes = Listed { group_cylinders, group_skew, passes };
    zone.track_skew = Skew::Sectors(0);
    zone.cylinder_skew = Skew::Sectors(0);
    zone.serpentine_skew = Skew::Turn(Angle::ZERO);
    zone.surface_sectors = vec![];
    zone.surface_data_sectors = vec![];
    zone.skew_from_data_end = false;
    zone.sparing = Sparing::None;
}

/// Layouts of 1 to 24 surfaces and 1 to 12 zones.
pub(crate) fn layouts() -> impl Strategy<Value = LayoutParams> {
    let zones = proptest::collection::vec(prop_oneof![zone(), uneven_zone()], 1..13);
    let troubles = proptest::collection::vec(trouble(), 0..12);
    let offsets = prop_oneof![Just(vec![]), proptest::collection::vec(any::<u64>(), 24)];
    let lists = proptest::collection::vec(proptest::option::weighted(0.3, any::<u64>()), 13);
    let parts = (prop_oneof![1u32..4, 1u32..25], zones, troubles, offsets, lists);
    parts.prop_map(|(surfaces, mut zones, troubles, offsets, lists)| {
        let cylinders = line_up(&mut zones);
        for zone in &mut zones {
            zone.surface_sectors.truncate(surfaces as usize);
            zone.surface_data_sectors.truncate(surfaces as usize);
        }
        for (zone, seed) in zones.iter_mut().zip(lists) {
            if let Some(seed) = seed {
                list_passes(zone, surfaces, seed);
            }
        }
        let surface_offsets =
            offsets.iter().take(surfaces as usize).copied().map(Angle::from_raw).collect();
        let mut params = LayoutParams {
            sector_bytes: 512,
            logical_sector_bytes: 512,
            surfaces,
            cylinders,
            zones,
            spare_regions: vec![],
            defects: vec![],
            surface_offsets,
        };
        make_legal(&mut params);
        for trouble in troubles {
            params = add(&params, &trouble).unwrap_or(params);
        }
        params
    })
}

/// Drops sparing, skips and orders that do not go together.
fn make_legal(params: &mut LayoutParams) {
    for _ in 0..3 * params.zones.len() {
        let Err(error) = Layout::new(params) else { return };
        let index = error.key.strip_prefix("zone[").and_then(|rest| rest.split(']').next());
        let index: usize = index.and_then(|index| index.parse().ok()).expect("a zone is at fault");
        let zone = &mut params.zones[index];
        if error.key.contains("skip") {
            zone.skip_first_sectors = 0;
            zone.skip_last_sectors = 0;
        } else if zone.sparing != Sparing::None {
            zone.sparing = Sparing::None;
        } else {
            zone.order = TrackOrder::Traditional;
        }
    }
    Layout::new(params).expect("without sparing, skips and orders every zone is legal");
}
