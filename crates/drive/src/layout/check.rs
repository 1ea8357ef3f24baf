//! Checks of a layout before it is built.

use super::check_listed::{check_listed, has_listed};
use crate::{LayoutParams, ParamError, Sparing, Track, TrackOrder, TrackRange, ZoneParams};
use platterlab_units::MAX_LBA;

/// Logical sectors in one of the media's, at most: what a request leaves alone of one is kept in a
/// byte.
const MOST_LOGICAL: u32 = 1 << u8::BITS;

/// Checks that the media's sectors are made of logical ones.
fn check_logical_sector(params: &LayoutParams) -> Result<(), ParamError> {
    let (physical, logical) = (params.sector_bytes, params.logical_sector_bytes);
    if logical > 0 && physical.is_multiple_of(logical) && physical / logical <= MOST_LOGICAL {
        return Ok(());
    }
    let what = format!(
        "is {logical}, of which sector_bytes = {physical} is not a multiple, or more than \
         {MOST_LOGICAL} of them; write {physical}, or 512 \
         where the drive emulates sectors of 512 bytes"
    );
    Err(ParamError::new("geometry.logical_sector_bytes", what))
}

/// Checks that the zones lie on the drive, one after the other.
pub(super) fn check_zones(params: &LayoutParams) -> Result<(), ParamError> {
    let LayoutParams { surfaces, cylinders, sector_bytes, .. } = *params;
    for (key, value) in
        [("surfaces", surfaces), ("cylinders", cylinders), ("sector_bytes", sector_bytes)]
    {
        if value == 0 {
            return Err(ParamError::new(format!("geometry.{key}"), "must be at least 1"));
        }
    }
    check_logical_sector(params)?;
    let mut next = 0;
    let mut sectors = 0;
    for (index, zone) in params.zones.iter().enumerate() {
        let [first, last] = zone.cylinders;
        let key = format!("zone[{index}].cylinders");
        if zone.sectors_per_track == 0 {
            let key = format!("zone[{index}].sectors_per_track");
            return Err(ParamError::new(key, "must be at least 1"));
        }
        check_surfaces(index, zone, surfaces)?;
        check_order(index, zone)?;
        if last < first {
            let what = format!("[{first}, {last}] runs backwards; write [{last}, {first}]");
            return Err(ParamError::new(key, what));
        }
        if first != next {
            let trouble = if first > next { "leaves a gap before it" } else { "overlaps" };
            let what = format!("starts at cylinder {first} and {trouble}; start it at {next}");
            return Err(ParamError::new(key, what));
        }
        if last >= cylinders {
            let what = format!("ends beyond cylinder {}, the drive's last", cylinders - 1);
            return Err(ParamError::new(key, what));
        }
        check_listed(index, zone, surfaces)?;
        next = last + 1;
        let tracks = u128::from(next - first) * u128::from(surfaces);
        sectors += tracks * u128::from(zone.most_sectors());
    }
    if next != cylinders {
        let index = params.zones.len().saturating_sub(1);
        let what = format!(
            "the zones end before cylinder {next}, but the drive has {cylinders} cylinders; \
             end the last zone at {}",
            cylinders - 1
        );
        return Err(ParamError::new(format!("zone[{index}].cylinders"), what));
    }
    if sectors > u128::from(MAX_LBA) {
        let what = format!("{sectors} sectors are too many; a drive has at most 2^63 - 1");
        return Err(ParamError::new("geometry", what));
    }
    Ok(())
}

/// Checks what is stated of single surfaces: one number for each, data within its track.
fn check_surfaces(index: usize, zone: &ZoneParams, surfaces: u32) -> Result<(), ParamError> {
    let refuse =
        |key: &str, what: String| Err(ParamError::new(format!("zone[{index}].{key}"), what));
    for (key, list) in [
        ("surface_sectors_per_track", &zone.surface_sectors),
        ("surface_data_sectors", &zone.surface_data_sectors),
    ] {
        if !list.is_empty() && list.len() != surfaces as usize {
            return refuse(key, format!("lists {} surfaces; there are {surfaces}", list.len()));
        }
        if list.contains(&0) {
            return refuse(key, "must be at least 1 for every surface".into());
        }
    }
    if !zone.surface_data_sectors.is_empty() && zone.sparing != Sparing::None {
        let what = "the rest of each track is spare already; leave out the sparing".into();
        return refuse("surface_data_sectors", what);
    }
    for (surface, data) in zone.surface_data_sectors.iter().enumerate() {
        let around = zone.surface_sectors.get(surface).unwrap_or(&zone.sectors_per_track);
        if data > around {
            let what =
                format!("{data} are more than the {around} around a track of surface {surface}");
            return refuse("surface_data_sectors", what);
        }
    }
    let least = zone.surface_sectors.iter().min().unwrap_or(&zone.sectors_per_track);
    match zone.sparing {
        Sparing::Track { sectors } | Sparing::Cylinder { sectors }
            if sectors >= *least && !zone.surface_sectors.is_empty() =>
        {
            refuse("sparing", format!("{sectors} spare sectors leave no data among {least}"))
        }
        _ => Ok(()),
    }
}

/// Checks that a zone's order has passes, and that what it spares can be kept in them.
fn check_order(index: usize, zone: &ZoneParams) -> Result<(), ParamError> {
    if !zone.order.seeks_first() {
        return Ok(());
    }
    if zone.serpentine_cylinders == Some(0) {
        let key = format!("zone[{index}].serpentine_cylinders");
        return Err(ParamError::new(key, "must be at least 1"));
    }
    let all = zone.cylinders[1].saturating_sub(zone.cylinders[0]) + 1;
    let width = zone.serpentine_cylinders.unwrap_or(all);
    match zone.sparing {
        Sparing::Cylinders { cylinders, .. } if !cylinders.is_multiple_of(width) => {
            let key = format!("zone[{index}].sparing.cylinders");
            let what = format!(
                "{cylinders} cylinders do not follow each other in this order; share spares among \
                 whole serpentines, a multiple of {width} cylinders"
            );
            Err(ParamError::new(key, what))
        }
        Sparing::Cylinder { sectors } if sectors >= zone.sectors_per_track => {
            let what = format!(
                "in an order that seeks first, a cylinder's {sectors} spare sectors have to leave \
                 data on its last track, of {}",
                zone.sectors_per_track
            );
            Err(ParamError::new(format!("zone[{index}].sparing"), what))
        }
        _ => Ok(()),
    }
}

/// The spare regions, sorted and checked.
pub(super) fn spare_regions(params: &LayoutParams) -> Result<Vec<TrackRange>, ParamError> {
    let mut regions: Vec<(usize, TrackRange)> =
        params.spare_regions.iter().copied().enumerate().collect();
    regions.sort_by_key(|(_, range)| range.first);
    for (index, range) in &regions {
        let on_drive =
            |track: Track| track.cylinder < params.cylinders && track.surface < params.surfaces;
        if range.last < range.first || !on_drive(range.first) || !on_drive(range.last) {
            let what = format!(
                "must run forwards within {} cylinders and {} surfaces",
                params.cylinders, params.surfaces
            );
            return Err(ParamError::new(format!("spare_region[{index}]"), what));
        }
        if has_listed(params, [range.first.cylinder, range.last.cylinder]) {
            let what = "cuts a zone of listed passes; give those passes `data_sectors = 0`";
            return Err(ParamError::new(format!("spare_region[{index}]"), what));
        }
        let serpentine = params.zones.iter().any(|zone| {
            zone.order != TrackOrder::Traditional
                && zone.cylinders[0] <= range.last.cylinder
                && zone.cylinders[1] >= range.first.cylinder
        });
        if serpentine && (range.first.surface != 0 || range.last.surface + 1 != params.surfaces) {
            let what = "must be whole cylinders in a zone of this track order";
            return Err(ParamError::new(format!("spare_region[{index}]"), what));
        }
    }
    for pair in regions.windows(2) {
        if pair[1].1.first <= pair[0].1.last {
            let what = format!("overlaps spare_region[{}]", pair[0].0);
            return Err(ParamError::new(format!("spare_region[{}]", pair[1].0), what));
        }
    }
    Ok(regions.into_iter().map(|(_, range)| range).collect())
}
