//! A second, slow way to lay out a drive: list every sector in the order of its address.

use platterlab_drive::{
    Defect, LayoutParams, Physical, Skew, Sparing, Track, TrackOrder, ZoneParams,
};
use platterlab_units::Angle;
use std::collections::BTreeMap;

/// The physical sector of every address.
pub(crate) fn addresses(params: &LayoutParams) -> Vec<Physical> {
    let mut all: Vec<Physical> =
        params.zones.iter().flat_map(|zone| zone_addresses(params, zone)).collect();
    for defect in &params.defects {
        if let Defect::Remapped { from, to } = defect {
            let moved = all.iter_mut().find(|at| *at == from).expect("the sector held data");
            *moved = *to;
        }
    }
    all
}

/// A zone's tracks in the order of its addresses.
fn tracks(params: &LayoutParams, zone: &ZoneParams) -> Vec<Track> {
    let [first, last] = zone.cylinders;
    let mut tracks = Vec::new();
    for cylinder in first..=last {
        let mut surfaces: Vec<u32> = (0..params.surfaces).collect();
        if zone.order == TrackOrder::CylinderSerpentine && (cylinder - first) % 2 == 1 {
            surfaces.reverse();
        }
        tracks.extend(surfaces.into_iter().map(|surface| Track { cylinder, surface }));
    }
    tracks
}

fn zone_addresses(params: &LayoutParams, zone: &ZoneParams) -> Vec<Physical> {
    let is_spare = |track: &Track| {
        params.spare_regions.iter().any(|region| (region.first..=region.last).contains(track))
    };
    let tracks = tracks(params, zone);
    let mut data = Vec::new();
    for part in tracks.split(is_spare).filter(|part| !part.is_empty()) {
        data.extend(part_addresses(params, zone, part));
    }
    let first = zone.skip_first_sectors as usize;
    let last = data.len() - zone.skip_last_sectors as usize;
    data[first..last].to_vec()
}

/// The addresses of tracks that no spare region divides.
fn part_addresses(params: &LayoutParams, zone: &ZoneParams, part: &[Track]) -> Vec<Physical> {
    let on_track = |track: &Track| {
        let Track { cylinder, surface } = *track;
        (0..zone.sectors_per_track).map(move |sector| Physical { cylinder, surface, sector })
    };
    let raw: Vec<Physical> = part.iter().flat_map(on_track).collect();
    let per_track = zone.sectors_per_track as usize;
    let (domain, spares) = match zone.sparing {
        Sparing::None => (raw.len(), 0),
        Sparing::Track { sectors } => (per_track, sectors as usize),
        Sparing::Cylinder { sectors } => (per_track * params.surfaces as usize, sectors as usize),
        Sparing::Zone { sectors } => (raw.len(), sectors as usize),
        Sparing::Tracks { tracks } => (raw.len(), tracks as usize * per_track),
        Sparing::Cylinders { cylinders, sectors, .. } => {
            (per_track * params.surfaces as usize * cylinders as usize, sectors as usize)
        }
    };
    let (front, remaps_only) = match zone.sparing {
        Sparing::Cylinders { front, remaps_only, .. } => (front, remaps_only),
        _ => (false, false),
    };
    let slipped = |at: &Physical| params.defects.contains(&Defect::Slipped(*at));
    let addressed = |domain: &[Physical]| -> Vec<Physical> {
        let size = domain.len().saturating_sub(spares);
        let mut kept: Vec<Physical> = domain.to_vec();
        if remaps_only {
            let first = if front { domain.len() - size } else { 0 };
            kept = kept[first..first + size].to_vec();
        }
        kept.retain(|at| !slipped(at));
        let first = if front && !remaps_only { kept.len() - size.min(kept.len()) } else { 0 };
        kept.into_iter().skip(first).take(size).collect()
    };
    raw.chunks(domain).flat_map(addressed).collect()
}

/// The angle of logical sector zero of every track, step by step.
pub(crate) fn track_angles(params: &LayoutParams) -> BTreeMap<Track, Angle> {
    let mut angles = BTreeMap::new();
    for zone in &params.zones {
        let turned = |skew: Skew| match skew {
            Skew::Sectors(sectors) => {
                Angle::of_slots(u64::from(sectors), u64::from(zone.sectors_per_track))
            }
            Skew::Turn(angle) => angle,
        };
        let mut angle = turned(zone.first_track_skew);
        let tracks = tracks(params, zone);
        for (index, track) in tracks.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).map(|before| tracks[before]) {
                let same_cylinder = before.cylinder == track.cylinder;
                let skew = if same_cylinder { zone.track_skew } else { zone.cylinder_skew };
                angle = angle + turned(skew);
            }
            angles.insert(*track, angle);
        }
    }
    angles
}
