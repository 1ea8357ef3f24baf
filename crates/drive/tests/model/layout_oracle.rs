//! A second, slow way to lay out a drive: list every sector in the order of its address.

use platterlab_drive::{
    Defect, LayoutParams, Listed, Pass, Physical, Skew, Sparing, Track, TrackOrder, ZoneParams,
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

/// What kind of step leads to a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Surface,
    Cylinder,
    Pass,
}

/// A zone's tracks in the order of its addresses, each with the step that leads to it.
fn tracks(params: &LayoutParams, zone: &ZoneParams) -> Vec<(Track, Step)> {
    let [first, last] = zone.cylinders;
    let surfaces = |back: bool| -> Vec<u32> {
        let forwards = 0..params.surfaces;
        if back { forwards.rev().collect() } else { forwards.collect() }
    };
    let mut tracks = Vec::new();
    if let Some(order) = zone.listed() {
        return listed(order, zone.cylinders);
    }
    let [passes_alternate, groups_alternate] = match zone.order {
        TrackOrder::HybridSerpentine => [false, false],
        TrackOrder::SurfaceSerpentine => [true, false],
        TrackOrder::AlternatingHybridSerpentine => [false, true],
        TrackOrder::AlternatingSurfaceSerpentine => [true, true],
        order => {
            for cylinder in first..=last {
                let odd = (cylinder - first) % 2 == 1;
                let back = match order {
                    TrackOrder::CylinderSerpentine => odd,
                    TrackOrder::CylinderSerpentineReversed => !odd,
                    _ => false,
                };
                for (nth, surface) in surfaces(back).into_iter().enumerate() {
                    let step = if nth == 0 { Step::Cylinder } else { Step::Surface };
                    tracks.push((Track { cylinder, surface }, step));
                }
            }
            return tracks;
        }
    };
    let cylinders: Vec<u32> = (first..=last).collect();
    let width = zone.serpentine_cylinders.map_or(cylinders.len(), |width| width as usize);
    for (group, cylinders) in cylinders.chunks(width).enumerate() {
        let back = groups_alternate && group % 2 == 1;
        for (pass, surface) in surfaces(back).into_iter().enumerate() {
            let mut cylinders = cylinders.to_vec();
            if passes_alternate && pass % 2 == 1 {
                cylinders.reverse();
            }
            for (nth, cylinder) in cylinders.into_iter().enumerate() {
                let step = if nth == 0 { Step::Pass } else { Step::Cylinder };
                tracks.push((Track { cylinder, surface }, step));
            }
        }
    }
    tracks
}

/// The tracks of all groups, pass by pass.
fn listed(order: &Listed, [first, last]: [u32; 2]) -> Vec<(Track, Step)> {
    let groups = (first..=last).step_by(order.group_cylinders as usize);
    let of_pass = |group: u32, pass: &Pass| {
        let [from, to] = pass.cylinders.map(|cylinder| group + cylinder);
        let there: Vec<u32> =
            if from <= to { (from..=to).collect() } else { (to..=from).rev().collect() };
        let surface = pass.surface;
        there.into_iter().map(move |cylinder| (Track { cylinder, surface }, Step::Pass))
    };
    groups
        .flat_map(|group| order.passes.iter().flat_map(move |pass| of_pass(group, pass)))
        .collect()
}

/// The pass that comes to a track.
fn pass_of(zone: &ZoneParams, track: Track) -> Option<(&Listed, &Pass)> {
    let order = zone.listed()?;
    let own = (track.cylinder - zone.cylinders[0]) % order.group_cylinders;
    let comes = |pass: &&Pass| {
        let [from, to] = pass.cylinders;
        pass.surface == track.surface && (from.min(to)..=from.max(to)).contains(&own)
    };
    Some((order, order.passes.iter().find(comes)?))
}

fn zone_addresses(params: &LayoutParams, zone: &ZoneParams) -> Vec<Physical> {
    let is_spare = |track: &Track| {
        params.spare_regions.iter().any(|region| (region.first..=region.last).contains(track))
    };
    let tracks: Vec<Track> = tracks(params, zone).into_iter().map(|(track, _)| track).collect();
    let mut data = Vec::new();
    for part in tracks.split(is_spare).filter(|part| !part.is_empty()) {
        data.extend(part_addresses(params, zone, part));
    }
    let first = zone.skip_first_sectors as usize;
    let last = data.len() - zone.skip_last_sectors as usize;
    data[first..last].to_vec()
}

/// Sectors around a track.
pub(crate) fn around(zone: &ZoneParams, track: Track) -> u32 {
    match pass_of(zone, track) {
        Some((_, pass)) => pass.sectors_per_track,
        None => {
            *zone.surface_sectors.get(track.surface as usize).unwrap_or(&zone.sectors_per_track)
        }
    }
}

/// Spares at the end of a track, where every track has its own.
fn own_spares(params: &LayoutParams, zone: &ZoneParams, track: Track) -> Option<u32> {
    if let Some(data) = zone.surface_data_sectors.get(track.surface as usize) {
        return Some(around(zone, track) - data);
    }
    match (zone.sparing, zone.order) {
        (Sparing::Track { sectors }, _) => Some(sectors),
        (Sparing::Cylinder { sectors }, order) if order.seeks_first() => {
            let of_cylinder = |(other, _): &(Track, Step)| other.cylinder == track.cylinder;
            let (last, _) = tracks(params, zone).into_iter().rfind(of_cylinder).expect("a track");
            Some(if last == track { sectors } else { 0 })
        }
        _ => None,
    }
}

/// The addresses of tracks that no spare region divides.
fn part_addresses(params: &LayoutParams, zone: &ZoneParams, part: &[Track]) -> Vec<Physical> {
    let on_track = |track: &Track| {
        let Track { cylinder, surface } = *track;
        (0..around(zone, *track)).map(move |sector| Physical { cylinder, surface, sector })
    };
    let raw: Vec<Physical> = part.iter().flat_map(on_track).collect();
    let slipped = |at: &Physical| params.defects.contains(&Defect::Slipped(*at));
    if zone.listed().is_some() {
        let holds = |track: &Track| pass_of(zone, *track).map_or(0, |(_, pass)| pass.data_sectors);
        let data = |track: &Track| on_track(track).take(holds(track) as usize).collect::<Vec<_>>();
        return part.iter().flat_map(data).filter(|at| !slipped(at)).collect();
    }
    if part.iter().all(|track| own_spares(params, zone, *track).is_some()) {
        let data = |track: &Track| {
            let spares = own_spares(params, zone, *track).unwrap_or(0);
            let size = around(zone, *track) - spares;
            on_track(track).filter(|at| !slipped(at)).take(size as usize).collect::<Vec<_>>()
        };
        return part.iter().flat_map(data).collect();
    }
    let surfaces = (0..params.surfaces).map(|surface| Track { cylinder: 0, surface });
    let per_cylinder: u32 = surfaces.map(|track| around(zone, track)).sum();
    let per_cylinder = per_cylinder as usize;
    let last_tracks = |count: usize| -> usize {
        part.iter().rev().take(count).map(|track| around(zone, *track) as usize).sum()
    };
    let (domain, spares) = match zone.sparing {
        Sparing::None => (raw.len(), 0),
        Sparing::Track { .. } => unreachable!("every track has its own"),
        Sparing::Cylinder { sectors } => (per_cylinder, sectors as usize),
        Sparing::Zone { sectors } => (raw.len(), sectors as usize),
        Sparing::Tracks { tracks } => (raw.len(), last_tracks(tracks as usize)),
        Sparing::Cylinders { cylinders, sectors, .. } => {
            (per_cylinder * cylinders as usize, sectors as usize)
        }
    };
    let (front, remaps_only) = match zone.sparing {
        Sparing::Cylinders { front, remaps_only, .. } => (front, remaps_only),
        _ => (false, false),
    };
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
        let mut before: Option<Track> = None;
        for (track, step) in tracks(params, zone) {
            if let Some(before) = before.filter(|_| zone.skew_from_data_end) {
                let all = around(zone, before);
                let data = all - own_spares(params, zone, before).unwrap_or(0);
                angle = angle + Angle::of_slots(u64::from(data), u64::from(all));
            }
            if before.is_some() {
                angle = angle
                    + turned(match step {
                        Step::Surface => zone.track_skew,
                        Step::Cylinder => zone.cylinder_skew,
                        Step::Pass => zone.serpentine_skew,
                    });
            }
            let ranges = match zone.sparing {
                Sparing::Cylinders { cylinders, .. } => {
                    (track.cylinder - zone.cylinders[0]) / cylinders
                }
                _ => 0,
            };
            if let Some((order, pass)) = pass_of(zone, track) {
                let own = track.cylinder - zone.cylinders[0];
                let (group, along) = (own / order.group_cylinders, own % order.group_cylinders);
                let along = along.abs_diff(pass.cylinders[0]);
                angle = turned(zone.first_track_skew) + pass.first_angle;
                angle = (0..group).fold(angle, |sum, _| sum + order.group_skew);
                angle = (0..along).fold(angle, |sum, _| sum + pass.skew);
            }
            let further = (0..ranges).map(|_| turned(zone.range_skew));
            let offset = params.surface_offsets.get(track.surface as usize).copied();
            angles.insert(track, further.chain(offset).fold(angle, |sum, part| sum + part));
            before = Some(track);
        }
    }
    angles
}
