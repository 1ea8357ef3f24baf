//! The layout of sectors, in the drive's units.

use super::only_one;
use super::order::{check_keys, passes};
use crate::error::Fault;
use crate::key::KeyPath;
use crate::{Defect, ProfileOptions, Zone};
use platterlab_drive::{
    Defect as DriveDefect, LayoutParams, Physical, Skew, Sparing, Track, TrackRange, ZoneParams,
};
use platterlab_units::Angle;

pub(super) fn layout(options: &ProfileOptions) -> Result<LayoutParams, Fault> {
    let zones = KeyPath::default().key("zone");
    let zones = options.zone.iter().enumerate().map(|(i, it)| zone(it, &zones.index(i)));
    let track = |[cylinder, surface]: [u32; 2]| Track { cylinder, surface };
    let regions = options.spare_region.iter();
    Ok(LayoutParams {
        sector_bytes: options.geometry.sector_bytes,
        logical_sector_bytes: options.geometry.logical_sector_bytes(),
        surfaces: options.geometry.surfaces,
        cylinders: options.geometry.cylinders,
        zones: zones.collect::<Result<_, _>>()?,
        spare_regions: regions
            .map(|region| TrackRange { first: track(region.first), last: track(region.last) })
            .collect(),
        defects: defects(options),
        surface_offsets: surface_offsets(options)?,
    })
}

fn surface_offsets(options: &ProfileOptions) -> Result<Vec<Angle>, Fault> {
    let (turns, surfaces) = (&options.geometry.surface_offset_turns, options.geometry.surfaces);
    let key = || KeyPath::default().key("geometry").key("surface_offset_turns");
    if !turns.is_empty() && turns.len() != surfaces as usize {
        let what =
            format!("has {} numbers; write one for each of {surfaces} surfaces", turns.len());
        return Err(Fault::new(key(), what));
    }
    match turns.iter().position(|turns| !(-1.0..=1.0).contains(turns)) {
        Some(wrong) => Err(Fault::new(key().index(wrong), "must lie between -1 and 1 turn")),
        None => Ok(turns.iter().copied().map(Angle::of_turns).collect()),
    }
}

fn zone(zone: &Zone, at: &KeyPath) -> Result<ZoneParams, Fault> {
    check_keys(zone, at)?;
    Ok(ZoneParams {
        cylinders: zone.cylinders,
        sectors_per_track: zone.sectors_per_track,
        surface_sectors: zone.surface_sectors_per_track.clone().unwrap_or_default(),
        surface_data_sectors: zone.surface_data_sectors.clone().unwrap_or_default(),
        skew_from_data_end: zone.skew_from_data_end,
        order: zone.order,
        serpentine_cylinders: zone.serpentine_cylinders,
        passes: passes(zone, at)?,
        track_skew: skew(
            at,
            ("track_skew_sectors", zone.track_skew_sectors),
            ("track_skew_turns", zone.track_skew_turns),
            ("track_skew_deg", zone.track_skew_deg),
        )?,
        cylinder_skew: skew(
            at,
            ("cylinder_skew_sectors", zone.cylinder_skew_sectors),
            ("cylinder_skew_turns", zone.cylinder_skew_turns),
            ("cylinder_skew_deg", zone.cylinder_skew_deg),
        )?,
        serpentine_skew: skew(
            at,
            ("serpentine_skew_sectors", zone.serpentine_skew_sectors),
            ("serpentine_skew_turns", zone.serpentine_skew_turns),
            ("serpentine_skew_deg", zone.serpentine_skew_deg),
        )?,
        first_track_skew: skew(
            at,
            ("first_track_skew_sectors", zone.first_track_skew_sectors),
            ("first_track_skew_turns", zone.first_track_skew_turns),
            ("first_track_skew_deg", zone.first_track_skew_deg),
        )?,
        range_skew: range_skew(zone, at)?,
        sparing: zone.sparing,
        skip_first_sectors: zone.skip_first_sectors,
        skip_last_sectors: zone.skip_last_sectors,
    })
}

/// The angle added at each new sparing range, which only sparing by groups of cylinders has.
fn range_skew(zone: &Zone, at: &KeyPath) -> Result<Skew, Fault> {
    let stated = [
        ("range_skew_sectors", zone.range_skew_sectors.is_some()),
        ("range_skew_turns", zone.range_skew_turns.is_some()),
        ("range_skew_deg", zone.range_skew_deg.is_some()),
    ];
    let unused = stated.iter().find(|(_, stated)| *stated);
    match (zone.sparing, unused) {
        (Sparing::Cylinders { .. }, _) | (_, None) => skew(
            at,
            ("range_skew_sectors", zone.range_skew_sectors),
            ("range_skew_turns", zone.range_skew_turns),
            ("range_skew_deg", zone.range_skew_deg),
        ),
        (_, Some((key, _))) => {
            Err(Fault::new(at.key(key), "belongs to `sparing.kind = \"cylinders\"`"))
        }
    }
}

fn skew(
    at: &KeyPath,
    sectors: (&str, Option<u32>),
    turns: (&str, Option<f64>),
    degrees: (&str, Option<f64>),
) -> Result<Skew, Fault> {
    let turn = |turns: f64| Skew::Turn(Angle::of_turns(turns));
    let ways = vec![
        (sectors.0, sectors.1.map(Skew::Sectors)),
        (turns.0, turns.1.map(turn)),
        (degrees.0, degrees.1.map(|degrees| turn(degrees / 360.0))),
    ];
    Ok(only_one(at, ways)?.unwrap_or(Skew::Sectors(0)))
}

/// Each defect in its place, then what else of slipped tracks there is.
fn defects(options: &ProfileOptions) -> Vec<DriveDefect> {
    let first = options.defect.iter().copied().map(defect);
    let rest = options.defect.iter().filter_map(|defect| match defect {
        Defect::SlippedTrack { at: [cylinder, surface] } => {
            let holds = |zone: &&Zone| (zone.cylinders[0]..=zone.cylinders[1]).contains(cylinder);
            let zone = options.zone.iter().find(holds)?;
            let of_surface = zone.surface_sectors_per_track.as_ref();
            let sectors = of_surface.and_then(|list| list.get(*surface as usize).copied());
            let sectors = sectors.unwrap_or(zone.sectors_per_track);
            Some((1..sectors).map(|sector| [*cylinder, *surface, sector]))
        }
        _ => None,
    });
    first.chain(rest.flatten().map(|at| defect(Defect::Slipped { at }))).collect()
}

fn defect(defect: Defect) -> DriveDefect {
    let physical = |[cylinder, surface, sector]: [u32; 3]| Physical { cylinder, surface, sector };
    match defect {
        Defect::Slipped { at } => DriveDefect::Slipped(physical(at)),
        Defect::SlippedTrack { at: [cylinder, surface] } => {
            DriveDefect::Slipped(Physical { cylinder, surface, sector: 0 })
        }
        Defect::Remapped { from, to } => {
            DriveDefect::Remapped { from: physical(from), to: physical(to) }
        }
    }
}
