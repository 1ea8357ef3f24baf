//! What the campaign found, held against the survey of the tracks: sure is what both say.

use crate::agreed::{Agreed, Class, surfaces_differ, uneven};
use crate::campaign;
use crate::map_zones::{by_surface, zones};
use crate::pattern::{NOT_TO_THE_SECTOR, enough_ms};
use crate::settled_seeks::{Seeks, arm, longest, shortest};
use crate::settled_skews::{skews, two_skews};
use crate::surface_zones::SurfaceZone;
use crate::survey::{Piece, SEVERAL, Still, TrackMap};
use crate::zones::Zone;
use crate::{Estimate, Extraction};

/// Rotations that differ by more, in parts of themselves, are different ones.
const ROTATION: f64 = 5e-5;
/// Where the speed wanders, they differ by no more than this: a turn is known no better then than they tell together.
const APART: f64 = 1e-4;
/// Of what completions scatter by, two measurements differ by no such factor.
const SCATTER: f64 = 1.5;
/// The part of a turn that a track's sectors take: all but a gap and spares.
const TURN: std::ops::RangeInclusive<f64> = 0.75..=1.03;

/// The extraction with all doubts that the survey raises or cannot take away, and with what the
/// survey alone could see. A survey that is not `finished` says nothing of the whole drive; `seeks`
/// are the least and the longest, between tracks whose cylinders it made certain; `rotation_ms` comes
/// with the grain of the clock; where the campaign `writes`, it times the arm by writes.
pub(crate) fn reconciled(
    mut found: Extraction,
    rotation_ms: (Estimate, f64),
    map: &TrackMap,
    finished: bool,
    seeks: Seeks,
    writes: bool,
) -> Extraction {
    two_skews(&mut found, map);
    let sure = rotation(&mut found, rotation_ms.0, map);
    jitter(&mut found.jitter_ms, map);
    scattered(&mut found, map);
    let known = Agreed::of(&found, map, finished && sure);
    if !sure {
        doubt_all(&mut found, "the rotation is not certain");
    }
    let by_surface = by_surface(map, &known);
    lengths(&mut found, map, &known, rotation_ms.1);
    first_track(&mut found, &known, by_surface.as_deref());
    sector(&mut found);
    surfaces(&mut found, map, &known);
    skews(&mut found, map, &known, rotation_ms.1);
    switches(&mut found, &known);
    let still = seeks.still;
    arm(&mut found, &known, seeks, writes);
    shortest(&mut found, &known);
    hidden_by_head(&mut found, &known);
    longest(&mut found);
    past_cache(&mut found, still);
    if known.class == Some(Class::HeadFirst) {
        let sector_ms = found.sector_ms.value.unwrap_or(0.0);
        spikes(&mut found, sector_ms);
    } else {
        found.spikes_head_switch_ms.doubt(UNCONFIRMED);
    }
    passing(&mut found);
    found.zones = zones(&found, map, &known, by_surface);
    zone_skews(&mut found.zones, map, &known, found.rotation_ms.value.unwrap_or(f64::INFINITY));
    computed(&mut found);
    found.layout = finished.then(|| map.layout.clone());
    found
}

/// Whether two ways of measuring agree on it: the one that leaves less open counts. Where a cache hides
/// it at one place, the map does, whole or not: its tracks take a whole turn, and no part or multiple of one.
fn rotation(found: &mut Extraction, widened: Estimate, map: &TrackMap) -> bool {
    let (Some(here), Some(there)) = (widened.value, map.rotation_ms.value) else {
        let turns = map.turn_share.is_some_and(|share| TURN.contains(&share));
        if widened.value.is_none() && map.rotation_ms.ok().is_some() && turns {
            found.rotation_ms = map.rotation_ms.clone();
            return true;
        }
        found.rotation_ms = widened;
        found.rotation_ms.doubt("no second measurement, by reads, confirms it");
        return false;
    };
    let width = widened.half_width() + map.rotation_ms.half_width();
    let agree = (here - there).abs() <= width.max(ROTATION * here);
    let off_ms = (here - there).abs();
    if !agree && off_ms <= APART * here && wanders(&found.jitter_ms, map) {
        // The longer one tells its mean the better.
        found.rotation_ms = Estimate::new(there, off_ms + width, map.rotation_ms.method);
        return true;
    }
    let narrower = map.rotation_ms.half_width() < widened.half_width();
    found.rotation_ms = if narrower { map.rotation_ms.clone() } else { widened };
    if !agree {
        let note = format!("it is {here:.5} ms at one place and {there:.5} ms all over the drive");
        found.rotation_ms.doubt(&note);
    }
    agree && found.rotation_ms.ok().is_some()
}

/// Whether completions scatter less from one to the next than from one minute to another: all over the drive more than at
/// one place, or at one place themselves.
fn wanders(jitter_ms: &Estimate, map: &TrackMap) -> bool {
    let both = jitter_ms.value.zip(map.jitter_ms);
    jitter_ms.note == campaign::WANDERS || both.is_some_and(|(here, there)| there > SCATTER * here)
}

/// The same sector again and again, and many all over the drive, are complete as exactly.
fn jitter(found: &mut Estimate, map: &TrackMap) {
    let (Some(here), Some(there)) = (found.ok(), map.jitter_ms) else {
        return found.doubt("no second measurement, by reads, confirms it");
    };
    if here.max(there) > SCATTER * here.min(there) {
        found.doubt(format!("reads all over the drive scatter by {there:.4} ms"));
    }
    found.ci95 = Some([here.min(there), here.max(there)]);
}

/// Where completions scatter by more all over the drive than at one place, as when its speed drifts, the longest wait
/// that makes the revolution is no better known than that.
fn scattered(found: &mut Extraction, map: &TrackMap) {
    const PART: f64 = 0.05;
    let (Some(there), Some(least)) = (map.jitter_ms, found.mtm_ms.value) else { return };
    if found.jitter_ms.ok().is_none() && there > PART * least {
        found.access_ms.doubt(format!("reads all over the drive scatter by {there:.4} ms"));
    }
}

/// What is computed of others is no surer than these are.
pub(crate) fn computed(found: &mut Extraction) {
    let lacks = |others: &[(&Estimate, &str)]| {
        let open = others.iter().find(|(other, _)| other.ok().is_none());
        open.map(|(_, name)| format!("{name} is not certain"))
    };
    let whole = [(&found.rotation_ms, "the rotation"), (&found.sectors_per_track, "its track")];
    if let Some(why) = lacks(&whole) {
        found.sector_ms.doubt(why);
    }
    if let Some(why) = lacks(&[(&found.access_ms, "the shortest request")]) {
        found.mtm_ms.doubt(why);
    }
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
        estimate.doubt(note);
    }
}

/// The first track's length.
fn lengths(found: &mut Extraction, map: &TrackMap, known: &Agreed, grain_ms: f64) {
    let first = map.pieces.iter().find(|piece| piece.tracks() >= SEVERAL);
    // By a clock that counts in more than a sector, few tracks at one place are not told to the sector.
    let fine = |_: &f64| found.sector_ms.value.is_some_and(|sector_ms| sector_ms >= grain_ms);
    let longest = |piece: &Piece| piece.sectors.iter().copied().max().unwrap_or(0);
    let before = map.pieces.iter().take_while(|piece| piece.tracks() < SEVERAL);
    let longer =
        before.map(longest).max().filter(|most| first.is_some_and(|it| *most > longest(it)));
    match (found.sectors_per_track.ok().filter(|count| !known.mapped || fine(count)), first) {
        (Some(count), Some(first)) if !first.sectors.contains(&(count as u64)) => {
            let note = format!("the map of the tracks has {:?}", first.sectors);
            found.sectors_per_track.doubt(&note);
            // What it timed on what are no tracks is no request on one, and no change of them.
            for timed in
                [&mut found.access_ms, &mut found.head_switch_ms, &mut found.cylinder_switch_ms]
            {
                timed.doubt(&note);
            }
        }
        (Some(_), Some(_)) => {}
        (Some(_), None) => {
            found.sectors_per_track.doubt("no map of the tracks confirms it");
        }
        (None, Some(first)) if known.mapped => {
            found.sectors_per_track = Estimate::exact(longest(first), MAP);
        }
        (None, _) => {}
    }
    if let Some(most) = longer {
        // Of a zone of a few tracks: defects shorten tracks, and lengthen none.
        found.sectors_per_track.doubt(format!("one of the first tracks has {most}"));
    }
}

/// Where a cylinder's tracks are those of surfaces that differ, the drive's first one is meant: at one place,
/// two that are alike may be others.
fn first_track(found: &mut Extraction, known: &Agreed, by_surface: Option<&[SurfaceZone]>) {
    let Some(first) = by_surface.and_then(|zones| zones.first()) else { return };
    if known.class == Some(Class::HeadFirst) && found.sectors_per_track.ok().is_some() {
        found.sectors_per_track = Estimate::exact(first.sectors[0], MAP);
    }
}

/// A sector takes its part of the turn that all measurements agree on, not of that of one place.
fn sector(found: &mut Extraction) {
    if let (Some(count), Some(_)) = (found.sectors_per_track.value, found.rotation_ms.value) {
        let part = found.rotation_ms.clone().divided(count);
        found.sector_ms = Estimate { method: "rotation over sectors per track", ..part };
    }
}

fn surfaces(found: &mut Extraction, map: &TrackMap, known: &Agreed) {
    match known.class {
        Some(Class::HeadFirst) => found.surfaces = map.layout.surfaces.clone(),
        Some(_) if known.mapped => found.surfaces = map.layout.surfaces.clone(),
        Some(_) => found.surfaces.doubt("the map of the tracks is not whole"),
        None => {
            let open = "cylinders before heads, or other counts, are not excluded";
            let why = &map.layout.surfaces.note;
            let note = if why.is_empty() { open.into() } else { format!("{open}; {why}") };
            found.surfaces.doubt(note);
        }
    }
}

/// With cylinders first each track is another cylinder's, and the other skew is that from pass to pass. Over a
/// cylinder whose tracks are not alike, the campaign's equal ones tell nothing. Skews are whole sectors: one that is
/// not known so well is none.
fn zone_skews(zones: &mut [Zone], map: &TrackMap, known: &Agreed, turn_ms: f64) {
    const WHY: &str = "tracks of a cylinder are not alike";
    const FEW: &str = "interrupts are gathered over more than a sector, and few cylinders tell it";
    for zone in zones {
        if surfaces_differ(map) || known.miscounted {
            zone.track_skew_ms.doubt(WHY);
        }
        if uneven(map) || known.miscounted {
            zone.cylinder_skew_ms.doubt(WHY);
        }
        match known.class {
            Some(Class::HeadFirst) => {}
            Some(Class::OneSurface | Class::SeekFirst) => {
                zone.cylinder_skew_ms = zone.track_skew_ms.clone()
            }
            None => {
                zone.cylinder_skew_ms.doubt("which boundaries are those of cylinders is not known");
            }
        }
        let sector_ms = turn_ms / zone.sectors_per_track.value.unwrap_or(1.0);
        if map.gathered_ms.max(map.unfollowed_ticks_ms) > sector_ms {
            zone.cylinder_skew_ms.doubt(FEW);
        }
        for skew in [&mut zone.track_skew_ms, &mut zone.cylinder_skew_ms] {
            if skew.half_width() > enough_ms(skew.value.unwrap_or(0.0), sector_ms) {
                skew.doubt(NOT_TO_THE_SECTOR);
            }
        }
    }
}

/// What the movements to the next track and over the next boundary of another skew were: with heads first,
/// those to another head and to another cylinder; with cylinders first, that to another cylinder and another one.
fn switches(found: &mut Extraction, known: &Agreed) {
    let (head, cylinder) = (&mut found.head_switch_ms, &mut found.cylinder_switch_ms);
    match known.class {
        Some(Class::HeadFirst) => {}
        Some(Class::OneSurface) => {
            // Which tracks seemed to end a cylinder is chance.
            std::mem::swap(head, cylinder);
            head.doubt("there is one surface");
        }
        Some(Class::SeekFirst) => {
            // Whether a pass ends where another skew was is not known.
            std::mem::swap(head, cylinder);
            head.doubt("it is not known to be a movement to another head alone");
        }
        None => {
            let note = "which of the two moves the arm is not known";
            head.doubt(note);
            cylinder.doubt(note);
        }
    }
}

/// Where heads come first, another head is used in the next cylinder as well, but for serpentines. What takes as long as
/// the change of heads alone may be that: a shorter seek is hidden by it, unless the least seek says that it is as long.
fn hidden_by_head(found: &mut Extraction, known: &Agreed) {
    const WHY: &str = "it takes as long as a change of heads, which may hide a shorter seek";
    let (head, cylinder) = (&found.head_switch_ms, &found.cylinder_switch_ms);
    let near = |one: &Estimate, other: &Estimate| {
        let values = one.ok().zip(other.ok());
        values.is_some_and(|(a, b)| (a - b).abs() <= one.half_width() + other.half_width())
    };
    let hidden = near(head, cylinder) && !near(&found.seek_min_ms, cylinder);
    if hidden && known.class == Some(Class::HeadFirst) {
        found.cylinder_switch_ms.doubt(WHY);
    }
}

/// What a drive reads or writes for itself behind its cache comes before the shortest request, or moves the arm away
/// from it: pairs of reads on one track have to confirm that, and so what others take more.
fn past_cache(found: &mut Extraction, still: Option<Still>) {
    /// What a write, and one measurement and the other, may take more, in parts of it or in milliseconds.
    const NEAR: f64 = 0.05;
    const NEAR_MS: f64 = 0.03;
    let access = &found.access_ms;
    let shortest = access.ok().zip(found.sector_ms.value).zip(still);
    let near = shortest.is_some_and(|((access_ms, sector_ms), still)| {
        let off_ms = (access_ms - sector_ms - still.time_ms).abs();
        off_ms <= access.half_width() + still.width_ms + (NEAR * still.time_ms).max(NEAR_MS)
    });
    if found.cached && !near {
        let requests =
            [&mut found.access_ms, &mut found.head_switch_ms, &mut found.cylinder_switch_ms];
        for request in requests {
            request.doubt("a cache shows, and no pairs of reads confirm the shortest request");
        }
    }
}

const UNCONFIRMED: &str = "no movement to another head confirms it";

/// Spikes are those of another head where heads come first; few steps make them, and a single late one moves them:
/// a movement has to confirm them, to their interval and at least `least_ms`. One that is wider than a few sectors
/// has any movement in it.
pub(crate) fn spikes(found: &mut Extraction, least_ms: f64) {
    /// Sectors, and a part of what they tell.
    const WIDE: f64 = 4.0;
    const WIDE_PART: f64 = 0.1;
    /// What two steps of SKIPPY leave open, in sectors, however wide its interval is.
    const STEPS: f64 = 2.0;
    let sector_ms = found.sector_ms.value.unwrap_or(0.0);
    let wide_ms = WIDE * sector_ms;
    let (spikes, switch) = (&mut found.spikes_head_switch_ms, &found.head_switch_ms);
    let narrow = |value: f64| spikes.half_width() <= (WIDE_PART * value).max(wide_ms);
    let near = switch.ok().zip(spikes.value).is_some_and(|(one, other)| {
        let most = (STEPS * sector_ms).max(WIDE_PART * one);
        let open = spikes.half_width().max(least_ms).min(most);
        narrow(other) && (one - other).abs() <= switch.half_width() + open
    });
    if !near {
        spikes.doubt(UNCONFIRMED);
    }
}

/// The step of SKIPPY that makes the revolution tells what passes meanwhile only where it stays on its track, and
/// nothing is read ahead: then it is what passes in the shortest request.
fn passing(found: &mut Extraction) {
    /// Sectors: that which is asked for, and what the host takes between two requests.
    const MORE: f64 = 2.0;
    let Some(stm) = found.stm_sectors.ok() else { return };
    let shortest = found.access_ms.ok().zip(found.sector_ms.ok());
    let Some((access_ms, sector_ms)) = shortest else {
        return found.stm_sectors.doubt("the shortest request is not known to confirm it");
    };
    let sectors = access_ms / sector_ms;
    if (stm - sectors).abs() > found.stm_sectors.half_width() + MORE {
        found.stm_sectors.doubt(format!("{sectors:.1} sectors pass in the shortest request"));
    }
}

const MAP: &str = "map of the tracks";
