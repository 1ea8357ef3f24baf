use super::only_one;
use crate::error::Fault;
use crate::key::KeyPath;
use crate::{Defect, Order, ProfileOptions, Sparing, Zone};
use platterlab_drive::{
    Defect as DriveDefect, LayoutParams, Physical, Skew, Sparing as DriveSparing, Track,
    TrackOrder, TrackRange, ZoneParams,
};
use platterlab_units::Angle;

pub(super) fn layout(options: &ProfileOptions) -> Result<LayoutParams, Fault> {
    let zones = KeyPath::default().key("zone");
    let zones = options.zone.iter().enumerate().map(|(i, it)| zone(it, &zones.index(i)));
    let track = |[cylinder, surface]: [u32; 2]| Track { cylinder, surface };
    let regions = options.spare_region.iter();
    Ok(LayoutParams {
        sector_bytes: options.geometry.sector_bytes,
        surfaces: options.geometry.surfaces,
        cylinders: options.geometry.cylinders,
        zones: zones.collect::<Result<_, _>>()?,
        spare_regions: regions
            .map(|region| TrackRange { first: track(region.first), last: track(region.last) })
            .collect(),
        defects: options.defect.iter().copied().map(defect).collect(),
    })
}

fn zone(zone: &Zone, at: &KeyPath) -> Result<ZoneParams, Fault> {
    Ok(ZoneParams {
        cylinders: zone.cylinders,
        sectors_per_track: zone.sectors_per_track,
        order: match zone.order {
            Order::Traditional => TrackOrder::Traditional,
            Order::CylinderSerpentine => TrackOrder::CylinderSerpentine,
        },
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
        first_track_skew: skew(
            at,
            ("first_track_skew_sectors", zone.first_track_skew_sectors),
            ("first_track_skew_turns", zone.first_track_skew_turns),
            ("first_track_skew_deg", zone.first_track_skew_deg),
        )?,
        sparing: sparing(zone.sparing),
        skip_first_sectors: zone.skip_first_sectors,
        skip_last_sectors: zone.skip_last_sectors,
    })
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

fn sparing(sparing: Sparing) -> DriveSparing {
    match sparing {
        Sparing::None => DriveSparing::None,
        Sparing::Track { sectors } => DriveSparing::Track { sectors },
        Sparing::Cylinder { sectors } => DriveSparing::Cylinder { sectors },
        Sparing::Zone { sectors } => DriveSparing::Zone { sectors },
        Sparing::Tracks { tracks } => DriveSparing::Tracks { tracks },
        Sparing::Cylinders { cylinders, sectors, front, remaps_only } => {
            DriveSparing::Cylinders { cylinders, sectors, front, remaps_only }
        }
    }
}

fn defect(defect: Defect) -> DriveDefect {
    let physical = |[cylinder, surface, sector]: [u32; 3]| Physical { cylinder, surface, sector };
    match defect {
        Defect::Slipped { at } => DriveDefect::Slipped(physical(at)),
        Defect::Remapped { from, to } => {
            DriveDefect::Remapped { from: physical(from), to: physical(to) }
        }
    }
}
