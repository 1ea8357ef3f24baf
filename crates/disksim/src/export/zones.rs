//! Zones, skews, spares and defects for DiskSim.

use platterlab_drive::{
    Defect as Resolved, Physical, Skew, Sparing, Sparing as DriveSparing, TrackOrder,
};
use platterlab_profile::{Defect, Profile, Zone};

/// Scheme number, number of spares and range of a zone's sparing.
fn scheme(sparing: Sparing) -> (u32, u32, u32) {
    match sparing {
        Sparing::None => (0, 0, 1),
        Sparing::Tracks { tracks } => (1, tracks, 1),
        Sparing::Cylinder { sectors } => (2, sectors, 1),
        Sparing::Track { sectors } => (3, sectors, 1),
        Sparing::Zone { sectors } => (9, sectors, 1),
        Sparing::Cylinders { cylinders: 1, sectors, front, remaps_only } => (
            match (front, remaps_only) {
                (false, false) => 8,
                (false, true) => 4,
                (true, false) => 5,
                (true, true) => 6,
            },
            sectors,
            1,
        ),
        Sparing::Cylinders { cylinders, sectors, .. } => (8, sectors, cylinders),
    }
}

/// The `dm_layout_g1` block.
pub(super) fn layout(profile: &Profile, lost: &mut Vec<String>) -> Vec<String> {
    let options = profile.options();
    let data: Vec<(usize, &Zone)> =
        options.zone.iter().enumerate().filter(|(index, _)| !is_spare(profile, *index)).collect();
    let mut schemes: Vec<(u32, u32, u32)> =
        data.iter().map(|(_, zone)| scheme(zone.sparing)).collect();
    if options.geometry.surface_offset_turns.iter().any(|turns| *turns != 0.0) {
        let what = "geometry.surface_offset_turns: DiskSim's surfaces are not turned by themselves";
        lost.push(what.to_owned());
    }
    // Spares at the end of the drive.
    let end = data.last().map_or(0, |(_, zone)| zone.skip_last_sectors);
    if end > 0
        && let Some(last) = schemes.last_mut()
        && last.0 == 0
    {
        *last = (7, end, 1);
    }
    let used = schemes.iter().find(|(number, ..)| *number != 0).copied().unwrap_or((0, 0, 1));
    for ((index, zone), own) in data.iter().zip(&schemes) {
        let cut = matches!(zone.sparing, Sparing::Cylinders { cylinders, front, remaps_only, .. }
            if cylinders > 1 && (front || remaps_only));
        // A zone without spares has zero of any kind.
        if cut || (own.0 != 0 && (own.0, own.2) != (used.0, used.2)) {
            lost.push(format!("zone[{index}].sparing: DiskSim has one scheme for all zones"));
        }
        let ranges = [zone.range_skew_turns, zone.range_skew_deg];
        let turned = ranges.iter().flatten().any(|turn| *turn != 0.0)
            || zone.range_skew_sectors.is_some_and(|sectors| sectors > 0);
        for (stated, key) in [
            (turned, "range_skew"),
            (zone.surface_sectors_per_track.is_some(), "surface_sectors_per_track"),
            (zone.surface_data_sectors.is_some(), "surface_data_sectors"),
            (zone.skew_from_data_end, "skew_from_data_end"),
        ] {
            if stated {
                lost.push(format!("zone[{index}].{key}: DiskSim has no such parameter"));
            }
        }
        if zone.skip_last_sectors > 0 && own.0 != 7 {
            lost.push(format!("zone[{index}].skip_last_sectors: DiskSim has no such parameter"));
        }
    }
    let follows = |mapping: u32, zone: &Zone| {
        zone.order
            == match mapping {
                0 => TrackOrder::Traditional,
                2 if !zone.cylinders[0].is_multiple_of(2) => TrackOrder::CylinderSerpentineReversed,
                _ => TrackOrder::CylinderSerpentine,
            }
    };
    let all = |mapping: &u32| data.iter().all(|(_, zone)| follows(*mapping, zone));
    let mapping = (0..=2).find(all).unwrap_or(0);
    for (index, zone) in &data {
        if !follows(mapping, zone) {
            lost.push(format!("zone[{index}].order: DiskSim has no such mapping for single zones"));
        }
    }
    let mut lines = vec![
        "      Layout Model = dm_layout_g1 {".to_owned(),
        format!("         LBN-to-PBN mapping scheme = {mapping},"),
        format!("         Sparing scheme used = {},", used.0),
        format!("         Rangesize for sparing = {},", used.2),
        "         Zones = [".to_owned(),
    ];
    for ((index, _), (_, spares, _)) in data.iter().zip(&schemes) {
        lines.extend(zone_lines(profile, *index, *spares));
        let end = if data.last().is_some_and(|(last, _)| last == index) { "" } else { "," };
        lines.push(format!("         }}{end}"));
    }
    lines.push("         ]".to_owned());
    lines.push("      }".to_owned());
    lines
}

/// Whether a zone has no data, as a spare region covers all of it.
pub(super) fn is_spare(profile: &Profile, index: usize) -> bool {
    let zone = &profile.options().zone[index];
    let surfaces = profile.options().geometry.surfaces;
    profile.options().spare_region.iter().any(|region| {
        region.first <= [zone.cylinders[0], 0] && region.last >= [zone.cylinders[1], surfaces - 1]
    })
}

fn zone_lines(profile: &Profile, index: usize, spares: u32) -> Vec<String> {
    let zone = &profile.params().layout.zones[index];
    let per_track = zone.sectors_per_track;
    let skew = |skew: Skew| match skew {
        Skew::Sectors(sectors) => format!("{sectors}"),
        Skew::Turn(angle) => format!("{:?}", angle.as_turns() * f64::from(per_track)),
    };
    let [slips, defects] = defects(profile, index);
    vec![
        "         dm_layout_g1_zone {".to_owned(),
        format!("            First cylinder number = {},", zone.cylinders[0]),
        format!("            Last cylinder number = {},", zone.cylinders[1]),
        format!("            Blocks per track = {per_track},"),
        format!("            Offset of first block = {},", skew(zone.first_track_skew)),
        format!("            Empty space at zone front = {},", zone.skip_first_sectors),
        format!("            Skew for track switch = {},", skew(zone.track_skew)),
        format!("            Skew for cylinder switch = {},", skew(zone.cylinder_skew)),
        format!("            Number of spares = {spares},"),
        format!("            slips = [ {slips} ],"),
        format!("            defects = [ {defects} ]"),
    ]
}

/// The slipped and the remapped sectors of a zone, as positions within it.
fn defects(profile: &Profile, index: usize) -> [String; 2] {
    let zone = &profile.options().zone[index];
    let surfaces = profile.options().geometry.surfaces;
    let per_track = u64::from(zone.sectors_per_track);
    let position = |[cylinder, surface, sector]: [u32; 3]| {
        let own = cylinder.checked_sub(zone.cylinders[0])?;
        let turned = match zone.order {
            TrackOrder::CylinderSerpentine => own % 2 == 1,
            TrackOrder::CylinderSerpentineReversed => own.is_multiple_of(2),
            _ => false,
        };
        let surface = if turned { surfaces - 1 - surface } else { surface };
        let track = u64::from(own) * u64::from(surfaces) + u64::from(surface);
        (cylinder <= zone.cylinders[1]).then(|| track * per_track + u64::from(sector))
    };
    let mut slips = Vec::new();
    let mut remaps = Vec::new();
    for defect in &profile.options().defect {
        match *defect {
            Defect::Slipped { at } => slips.extend(position(at)),
            Defect::SlippedTrack { at: [cylinder, surface] } => {
                slips.extend(position([cylinder, surface, 0]).map(|at| at / per_track));
            }
            Defect::Remapped { from, to } => {
                let track = matches!(zone.sparing, Sparing::Tracks { .. });
                let each = if track { per_track } else { 1 };
                if let (Some(from), Some(to)) = (position(from), position(to)) {
                    // Where whole tracks are spare, all sectors of one go to another.
                    if from.is_multiple_of(each) {
                        remaps.push(format!("{}, {}", from / each, to / each));
                    }
                }
            }
        }
    }
    let slips: Vec<String> = slips.iter().map(u64::to_string).collect();
    [slips.join(", "), remaps.join(", ")]
}

/// Remaps from one zone to another, and slips of a kind that the sparing does not go with, which
/// DiskSim cannot state.
pub(super) fn far_remaps(profile: &Profile, lost: &mut Vec<String>) {
    let zone_of = |cylinder: u32| {
        profile
            .params()
            .layout
            .zones
            .iter()
            .position(|zone| (zone.cylinders[0]..=zone.cylinders[1]).contains(&cylinder))
    };
    for (index, defect) in profile.options().defect.iter().enumerate() {
        let at = match defect {
            Defect::Slipped { at: [cylinder, ..] } | Defect::SlippedTrack { at: [cylinder, _] } => {
                *cylinder
            }
            Defect::Remapped { .. } => continue,
        };
        let zone = zone_of(at).and_then(|zone| profile.options().zone.get(zone));
        let tracks = zone.is_some_and(|zone| matches!(zone.sparing, Sparing::Tracks { .. }));
        if tracks != matches!(defect, Defect::SlippedTrack { .. }) {
            lost.push(format!(
                "defect[{index}]: DiskSim slips whole tracks where tracks are spare, and only there"
            ));
        }
    }
    let defects = &profile.params().layout.defects;
    for (index, defect) in defects.iter().enumerate() {
        let Resolved::Remapped { from, to } = *defect else { continue };
        let zone = zone_of(from.cylinder);
        if zone != zone_of(to.cylinder) {
            lost.push(format!("defect[{index}]: DiskSim remaps within a zone only"));
        }
        let zone = zone.and_then(|zone| profile.params().layout.zones.get(zone));
        let tracks = zone.filter(|zone| matches!(zone.sparing, DriveSparing::Tracks { .. }));
        if tracks.is_some_and(|zone| !whole_track(defects, [from, to], zone.sectors_per_track)) {
            lost.push(format!(
                "defect[{index}]: DiskSim remaps whole tracks where tracks are spare"
            ));
        }
    }
}

/// Whether all sectors of one track are remapped to those of another, one by one.
fn whole_track(defects: &[Resolved], [from, to]: [Physical; 2], sectors: u32) -> bool {
    (0..sectors).all(|sector| {
        let (from, to) = (Physical { sector, ..from }, Physical { sector, ..to });
        defects.contains(&Resolved::Remapped { from, to })
    })
}
