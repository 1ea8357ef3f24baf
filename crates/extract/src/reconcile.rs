//! What the campaign found, held against the survey of the tracks: sure is what both say.

use crate::pattern::LEAST;
use crate::survey::{Piece, TrackMap};
use crate::zones::Zone;
use crate::{Estimate, Extraction, Status};

/// Rotations that differ by more, in parts of themselves, are different ones.
const ROTATION: f64 = 5e-5;
/// Skews that differ by more are.
const SKEW: f64 = 0.01;
/// Tracks of a stretch that is a zone, not a defect.
const SEVERAL: u64 = 4;
/// Sectors that defects take from a track.
const NEARLY: u64 = 4;

/// The extraction with all doubts that the survey raises or cannot take away. A survey that is not
/// `finished` says nothing of the whole drive.
pub(crate) fn reconciled(
    mut found: Extraction,
    rotation_ms: Estimate,
    map: &TrackMap,
    finished: bool,
) -> Extraction {
    let sure = rotation(&mut found, rotation_ms, map);
    let known = Agreed::of(&found, map, finished && sure);
    if !sure {
        doubt_all(&mut found, "the rotation is not certain");
    }
    lengths(&mut found, map);
    surfaces(&mut found, map, &known);
    skews(&mut found, map, &known);
    seeks(&mut found, &known);
    found.zones = zones(&found, map, &known);
    found
}

/// What the survey leaves certain.
struct Agreed {
    /// Heads before cylinders, or the other way; none where both can be.
    head_first: Option<bool>,
    /// The map covers the drive, and no track of it is in doubt.
    mapped: bool,
}

impl Agreed {
    fn of(found: &Extraction, map: &TrackMap, finished: bool) -> Self {
        let mapped = finished && map.status == Status::Ok && map.hidden_boundaries == 0;
        let class = map.layout.class.value.filter(|_| map.layout.class.status == Status::Ok);
        let agreed =
            found.surfaces.ok().is_some() && found.surfaces.ok() == map.layout.surfaces.ok();
        let head_first = match class {
            Some("head-first") if agreed => Some(true),
            Some("seek-first") if map.layout.surfaces.ok().is_some() => Some(false),
            _ => None,
        };
        Self { head_first, mapped }
    }
}

fn doubt(estimate: &mut Estimate, note: &str) {
    if estimate.ok().is_some() {
        *estimate = estimate.clone().doubted(note);
    }
}

/// Whether two ways of measuring agree on it: the one that leaves less open counts.
fn rotation(found: &mut Extraction, widened: Estimate, map: &TrackMap) -> bool {
    let (Some(here), Some(there)) = (widened.value, map.rotation_ms.value) else {
        found.rotation_ms = widened;
        doubt(&mut found.rotation_ms, "no second measurement, by reads, confirms it");
        return false;
    };
    let width = widened.half_width() + map.rotation_ms.half_width();
    let agree = (here - there).abs() <= width.max(ROTATION * here);
    let narrower = map.rotation_ms.half_width() < widened.half_width();
    found.rotation_ms = if narrower { map.rotation_ms.clone() } else { widened };
    if !agree {
        let note = format!("it is {here:.5} ms at one place and {there:.5} ms all over the drive");
        doubt(&mut found.rotation_ms, &note);
    }
    agree && found.rotation_ms.ok().is_some()
}

fn doubt_all(found: &mut Extraction, note: &str) {
    for estimate in [
        &mut found.sectors_per_track,
        &mut found.surfaces,
        &mut found.track_skew_ms,
        &mut found.cylinder_skew_ms,
        &mut found.seek_min_ms,
        &mut found.seek_max_ms,
        &mut found.mtm_ms,
        &mut found.access_ms,
        &mut found.head_switch_ms,
        &mut found.cylinder_switch_ms,
    ] {
        doubt(estimate, note);
    }
}

/// The first track's length.
fn lengths(found: &mut Extraction, map: &TrackMap) {
    let Some(count) = found.sectors_per_track.ok() else { return };
    let Some(first) = map.pieces.iter().find(|piece| piece.tracks() >= SEVERAL) else {
        return doubt(&mut found.sectors_per_track, "no map of the tracks confirms it");
    };
    if !first.sectors.contains(&(count as u64)) {
        let note = format!("the map of the tracks has {:?}", first.sectors);
        doubt(&mut found.sectors_per_track, &note);
    }
}

fn surfaces(found: &mut Extraction, map: &TrackMap, known: &Agreed) {
    match known.head_first {
        Some(true) => {}
        Some(false) => found.surfaces = map.layout.surfaces.clone(),
        None => {
            let why = "cylinders before heads, or one surface, are not excluded";
            doubt(&mut found.surfaces, why);
        }
    }
    if !known.mapped && known.head_first == Some(false) {
        doubt(&mut found.surfaces, "the map of the tracks is not whole");
    }
}

fn skews(found: &mut Extraction, map: &TrackMap, known: &Agreed) {
    let sector_ms = found.sector_ms.value.unwrap_or(0.0);
    let agree = |one: &Estimate, other: &Estimate| match (one.ok(), other.value) {
        (Some(one), Some(other)) => (one - other).abs() <= (SKEW * one).max(LEAST * sector_ms),
        _ => false,
    };
    if !agree(&found.track_skew_ms, &map.track_switch_ms) || known.head_first.is_none() {
        doubt(&mut found.track_skew_ms, "the map of the tracks does not confirm it");
    }
    if known.head_first != Some(true) || !agree(&found.cylinder_skew_ms, &map.other_switch_ms) {
        doubt(&mut found.cylinder_skew_ms, "the map of the tracks does not confirm it");
    }
}

/// A seek is one only where the arm is known to have moved.
fn seeks(found: &mut Extraction, known: &Agreed) {
    if known.head_first != Some(true) {
        let note = "which tracks share a cylinder is not known: the arm may not have moved";
        doubt(&mut found.seek_min_ms, note);
        doubt(&mut found.seek_max_ms, note);
    }
    let least = found.seeks.iter().min_by(|a, b| a.seek_ms.total_cmp(&b.seek_ms));
    let one = least.is_some_and(|point| {
        point.distance_cylinders == Some(1) && point.seek_ms > 3.0 * point.half_width_ms
    });
    if !one {
        doubt(&mut found.seek_min_ms, "it is not that of the movement to the next cylinder");
    }
}

/// The zones of the map, where there is a whole one, with what the campaign knows of each.
fn zones(found: &Extraction, map: &TrackMap, known: &Agreed) -> Vec<Zone> {
    let stretches = stretches(&map.pieces);
    let Some(stretches) = stretches.filter(|_| known.mapped) else {
        let note = "no whole map of the tracks confirms it, or surfaces differ";
        let mut zones = found.zones.clone();
        for zone in &mut zones {
            doubt(&mut zone.first_lba, note);
            doubt(&mut zone.sectors_per_track, note);
        }
        return zones;
    };
    let mut zones: Vec<Zone> =
        stretches.iter().map(|(first, sectors, _)| zone(*first, *sectors, &found.zones)).collect();
    // Where other zones end with a track that is short of spares, this one's may look like a track
    // of the next.
    let spared = stretches.iter().any(|(_, _, after_odd)| *after_odd);
    for (zone, (_, sectors, after_odd)) in zones.iter_mut().zip(stretches).skip(1) {
        if spared && !after_odd {
            let note =
                format!("the last track before may be one of {sectors} sectors by its spares");
            doubt(&mut zone.first_lba, &note);
        }
    }
    zones
}

fn zone(first: u64, sectors: u64, campaign: &[Zone]) -> Zone {
    const METHOD: &str = "map of the tracks";
    let none = || Estimate::unsupported(METHOD, "not measured in this zone");
    let near = |zone: &&Zone| {
        let apart = zone.first_lba.value.map(|lba| (lba - first as f64).abs());
        zone.sectors_per_track.value == Some(sectors as f64)
            && apart.is_some_and(|apart| apart <= 64.0 * sectors as f64)
    };
    let same = campaign.iter().find(near);
    let or_none = |of: fn(&Zone) -> &Estimate| same.map_or_else(none, |zone| of(zone).clone());
    Zone {
        first_lba: Estimate::exact(first, METHOD),
        sectors_per_track: Estimate::exact(sectors, METHOD),
        skippy_sectors_per_track: or_none(|zone| &zone.skippy_sectors_per_track),
        track_skew_ms: or_none(|zone| &zone.track_skew_ms),
        cylinder_skew_ms: or_none(|zone| &zone.cylinder_skew_ms),
        mib_s: or_none(|zone| &zone.mib_s),
    }
}

/// First sector and track length of each zone, and whether an odd track is before it; `None` where lengths come back, as they do when
/// surfaces differ, or rise.
fn stretches(pieces: &[Piece]) -> Option<Vec<(u64, u64, bool)>> {
    let mut zones: Vec<(u64, u64, bool)> = Vec::new();
    let mut odd = false;
    for piece in pieces {
        if piece.tracks() < SEVERAL {
            odd = true;
            continue;
        }
        let after_odd = std::mem::take(&mut odd);
        let most = *piece.sectors.iter().max()?;
        // Of a cylinder, one track may be short of the spares of all.
        if piece.sectors.iter().filter(|count| **count != most).count() > 1 {
            return None;
        }
        match zones.last() {
            Some((_, last, _)) if most > *last => return None,
            Some((_, last, _)) if *last == most => {}
            Some((_, last, _)) if last - most < NEARLY && piece.tracks() < 2 * SEVERAL => {
                return None;
            }
            _ => zones.push((piece.first_lba, most, after_odd)),
        }
    }
    (!zones.is_empty()).then_some(zones)
}
