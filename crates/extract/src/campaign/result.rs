//! From what was learnt to what is said.

use super::Goal;
use super::global::Global;
use super::local::Local;
use super::movement::Movement;
use super::zone_map::Found;
use crate::bandwidth::{Rate, ZONED, fits, of_zone};
use crate::clock::Turn;
use crate::pattern::Skews;
use crate::seek::{SeekPoint, longest, shortest};
use crate::seek_fit::seek_fits;
use crate::self_check::SelfCheck;
use crate::stats::median;
use crate::zones::Zone;
use crate::{Estimate, Extraction};

pub(super) fn extraction(goal: &Goal, local: &Local, global: &Global) -> Extraction {
    let nothing = || Estimate::unsupported("SKIPPY", "no sawtooth was found");
    let turn = local.turn();
    let sawtooth = local.sawtooth.as_ref();
    let skews = skews(local);
    let skews = skews.as_ref();
    let sector_ms = sector(local, turn);
    let transfer_ms = transfer(&sector_ms, goal);
    let access_ms = access(goal, local, &transfer_ms);
    let (outer_mib_s, inner_mib_s) = ends(goal, local, global);
    let seeks = seeks(goal, local, global);
    Extraction {
        cached: local.cached(),
        rotation_ms: rotation(local),
        jitter_ms: jitter(local),
        overhead_ms: hit(local),
        mtm_ms: minus(&access_ms, &transfer_ms, "shortest request less its transfer"),
        access_ms,
        stm_sectors: sawtooth.map_or_else(nothing, |sawtooth| {
            if access_of_skippy_is_open(goal, local) {
                return sawtooth.stm_sectors.clone().doubted(ELSEWHERE);
            }
            sawtooth.stm_sectors.clone()
        }),
        sectors_per_track: sectors_per_track(local),
        skippy_sectors_per_track: slope_sectors(local),
        sector_ms,
        surfaces: skews.map_or_else(nothing, |skews| skews.surfaces.clone()),
        track_skew_ms: skews.map_or_else(nothing, |skews| skews.track_skew_ms.clone()),
        cylinder_skew_ms: skews.map_or_else(nothing, |skews| skews.cylinder_skew_ms.clone()),
        head_switch_ms: switch(goal, local, local.next_track),
        spikes_head_switch_ms: sawtooth
            .map_or_else(nothing, |sawtooth| sawtooth.head_switch_ms.clone()),
        cylinder_switch_ms: switch(goal, local, local.next_cylinder),
        zones: zones(goal, local, global),
        outer_mib_s,
        inner_mib_s,
        predicted_outer_mib_s: nothing(),
        slowed_by: None,
        lost_turns: None,
        seek_scatter_ms: None,
        bandwidth_fits: fits(&global.rates, &global.changes(), goal.sector_bytes),
        rates: global.rates.clone(),
        seek_min_ms: trusted(shortest(&seeks, &global.seek_targets), goal, local),
        seek_max_ms: trusted(longest(&seeks, &global.seek_targets), goal, local),
        seek_fits: seek_fits(&seeks),
        seeks,
        layout: None,
        self_check: SelfCheck::none("the measurement is not finished"),
        model: None,
    }
}

const COARSE: &str = "the host's clock is too coarse for it";
pub(crate) const WANDERS: &str = "the speed wanders: completions scatter less from one to the next";

/// What completions scatter by, unless the clock counts in more than that and a microsecond, or too many lie far
/// off the others, as where most are hardly late.
fn jitter(local: &Local) -> Estimate {
    const FINE_MS: f64 = 1e-3;
    const NEARLY_ALL: f64 = 0.9;
    let method = "rotation";
    let found = local.rotation().and_then(|found| Some((found.turn?.jitter, found)));
    let Some((jitter, rotation)) = found else {
        return Estimate::unsupported(method, "not measured");
    };
    let estimate = Estimate::new(jitter, 0.0, method);
    if jitter.max(FINE_MS) < local.grain.ms() {
        estimate.doubted(COARSE)
    } else if !rotation.steady {
        estimate.doubted(WANDERS)
    } else if rotation.near < NEARLY_ALL {
        estimate.doubted("of too many completions it tells nothing: they are far off the others")
    } else {
        estimate
    }
}

/// An answer of the cache, which the clock leaves open by what it counts in.
fn hit(local: &Local) -> Estimate {
    /// Part of it.
    const OPEN: f64 = 0.1;
    let Some(mut hit) = local.overhead_ms.clone() else {
        return Estimate::unsupported("same sector read again", "not measured");
    };
    let grain_ms = local.grain.ms();
    hit.ci95 = hit.ci95.map(|[low, high]| [low - grain_ms, high + grain_ms]);
    if hit.value.is_some_and(|value| grain_ms > OPEN * value) {
        hit.doubt(COARSE);
    }
    hit
}

pub(super) fn rotation(local: &Local) -> Estimate {
    local.rotation().map_or_else(
        || Estimate::unsupported("rotation", "not measured"),
        |rotation| rotation.rotation_ms.clone(),
    )
}

/// From the angles of many tracks; without known tracks, SKIPPY's are hints.
fn skews(local: &Local) -> Option<Skews> {
    let from_skippy = || {
        let note = "read off SKIPPY alone: skews below the jitter do not show there";
        local.sawtooth.as_ref().map(|sawtooth| sawtooth.skews.clone().doubted(note))
    };
    local.starts.as_ref().map(|starts| starts.skews.clone()).or_else(from_skippy)
}

fn sector(local: &Local, turn: Option<Turn>) -> Estimate {
    let method = "rotation over sectors per track";
    match (local.known(), turn) {
        (Some(known), Some(turn)) => {
            let count = known.sectors_per_track as f64;
            Estimate::new(turn.period / count, 1.96 * turn.error / count, method)
        }
        (None, _) => {
            let why = format!("sectors per track are not known: {}", local.failure());
            Estimate::unsupported(method, why)
        }
        (_, None) => Estimate::unsupported(method, "the rotation is not known"),
    }
}

/// A request is one physical sector, which may be several logical ones.
fn transfer(sector_ms: &Estimate, goal: &Goal) -> Estimate {
    let unit = f64::from(goal.unit_sectors);
    match sector_ms.ok() {
        Some(value) => Estimate::new(value * unit, sector_ms.half_width() * unit, "sectors"),
        None => sector_ms.clone(),
    }
}

fn sectors_per_track(local: &Local) -> Estimate {
    let method = "sectors between track boundaries";
    match local.known() {
        Some(known) => Estimate::exact(known.sectors_per_track, method),
        None => Estimate::unsupported(method, local.failure()),
    }
}

fn slope_sectors(local: &Local) -> Estimate {
    let method = "slope of SKIPPY";
    match (&local.sawtooth, local.turn()) {
        (Some(sawtooth), Some(turn)) => {
            let slope = sawtooth.slope;
            let count = slope.sectors_per_track(turn.period);
            Estimate::new(count, 1.96 * count * slope.tau_error / slope.tau, method)
        }
        _ => Estimate::unsupported(method, "no sawtooth was found"),
    }
}

/// Why the step of SKIPPY at which the revolution is made tells neither STM nor the access time.
const ELSEWHERE: &str =
    "steps backwards mostly end on another track, and read-ahead may have taken the head elsewhere";

/// Whether that step is all that is known of them: no search has found the same wait.
fn access_of_skippy_is_open(goal: &Goal, local: &Local) -> bool {
    local.same_track.found.is_none() && !goal.writes
}

/// The searched value, or what SKIPPY saw to within half a sector time, where all tracks that it went over are
/// as long.
fn access(goal: &Goal, local: &Local, transfer_ms: &Estimate) -> Estimate {
    const UNCOUNTED: &str = "steps went over tracks that are not known to be alike";
    match (local.same_track.found, &local.sawtooth) {
        (Some(found), _) => {
            let method = "longest wait that makes the revolution";
            let estimate = Estimate::new(found.time, found.half_width, method);
            plausible(trusted(estimate, goal, local), local)
        }
        (None, Some(sawtooth)) if access_of_skippy_is_open(goal, local) => {
            sawtooth.access_ms.clone().doubted(ELSEWHERE)
        }
        (None, Some(sawtooth)) if transfer_ms.ok().is_none() => {
            sawtooth.access_ms.clone().doubted(UNCOUNTED)
        }
        (None, Some(sawtooth)) => sawtooth.access_ms.clone(),
        (None, None) => Estimate::unsupported("SKIPPY", "no sawtooth was found"),
    }
}

/// A movement's time, doubted if read-ahead may have moved the head before it.
fn trusted(estimate: Estimate, goal: &Goal, local: &Local) -> Estimate {
    match local.read_cache.failure() {
        Some(why) if !goal.writes && local.hit_ms().is_some() => {
            estimate.doubted(format!("not timed past the read cache: {why}"))
        }
        _ => estimate,
    }
}

/// The shortest request, doubted if an answer from the cache takes longer.
fn plausible(estimate: Estimate, local: &Local) -> Estimate {
    let hit_ms = local.hit_ms().unwrap_or(0.0);
    if estimate.value.is_some_and(|value| value + estimate.half_width() < 0.98 * hit_ms) {
        return estimate.doubted("shorter than an answer from the cache");
    }
    estimate
}

fn minus(from: &Estimate, other: &Estimate, method: &'static str) -> Estimate {
    match (from.ok(), other.ok()) {
        (Some(value), Some(less)) => {
            let half_width = from.half_width().hypot(other.half_width());
            Estimate::new(value - less, half_width, method)
        }
        _ => {
            let lacks = [from, other].into_iter().filter(|each| each.ok().is_none());
            let whys: Vec<&str> = lacks.map(|each| each.note.as_str()).collect();
            Estimate::unsupported(
                method,
                format!("needs the shortest request and a sector's time; {}", whys.join("; ")),
            )
        }
    }
}

fn switch(goal: &Goal, local: &Local, movement: Movement) -> Estimate {
    let method = "shortest request, less that on the same track";
    match (movement.found, local.same_track.found) {
        (Some(there), Some(here)) => {
            let half_width = there.half_width.hypot(here.half_width);
            trusted(Estimate::new(there.time - here.time, half_width, method), goal, local)
        }
        _ => Estimate::unsupported(method, "the movement could not be timed"),
    }
}

/// All zones, each with its bandwidth.
fn zones(goal: &Goal, local: &Local, global: &Global) -> Vec<Zone> {
    let Some(known) = local.known().filter(|_| !global.rates.is_empty()) else {
        return Vec::new();
    };
    let zone = |(index, found): (usize, &Found)| {
        let places = global.places(index);
        let sectors_per_track = match &found.sectors_per_track {
            // Tracks of both lengths meet in one place: neither is a mistake.
            Ok(count) if found.first_lba.ok().is_some() && found.first_lba.half_width() == 0.0 => {
                Estimate::exact(*count, COUNT)
            }
            Ok(count) => agree(*count, known.sectors_per_track, places, global.places(0)),
            Err(why) => Estimate::unsupported(COUNT, why.clone()),
        };
        let inside = global.inside.inside(index);
        let or_not = |estimate: Option<&Option<Estimate>>, method| {
            let none = || Estimate::unsupported(method, "not measured in this zone");
            estimate.and_then(Clone::clone).unwrap_or_else(none)
        };
        Zone {
            first_lba: found.first_lba.clone(),
            sectors_per_track,
            surface_sectors_per_track: Vec::new(),
            skippy_sectors_per_track: or_not(inside.map(|i| &i.skippy_sectors), "slope of SKIPPY"),
            track_skew_ms: or_not(inside.map(|i| &i.track_skew_ms), "angles of many tracks"),
            cylinder_skew_ms: or_not(inside.map(|i| &i.cylinder_skew_ms), "angles of many tracks"),
            mib_s: bandwidth(goal, local, global, index),
        }
    };
    global.zones.iter().enumerate().map(zone).collect()
}

/// Of the places of ZONED in a zone: those all over the drive, and its own.
fn bandwidth(goal: &Goal, local: &Local, global: &Global, index: usize) -> Estimate {
    let own = global.inside.inside(index).map_or(&[][..], |inside| &inside.rates);
    of_zone(global.places(index), own, goal.sector_bytes).unwrap_or_else(|| {
        let why = match local.known() {
            _ if !goal.whole => "only the start of the drive was looked at".to_owned(),
            None => format!("no place was read: {}", local.failure()),
            Some(_) if global.rates.is_empty() => {
                "no place was read before the measurement ended".to_owned()
            }
            Some(_) => "none of the places that were read lies in this zone with all its sectors"
                .to_owned(),
        };
        Estimate::unsupported(ZONED, why)
    })
}

const COUNT: &str = "sectors between track boundaries";

/// A track length, doubted if it does not go with the bandwidth of its zone.
fn agree(count: u64, outer_count: u64, places: &[Rate], outer: &[Rate]) -> Estimate {
    let estimate = Estimate::exact(count, COUNT);
    let middle = |places: &[Rate]| {
        median(&places.iter().map(|rate| rate.sectors_per_ms).collect::<Vec<f64>>())
    };
    let (Some(rate), Some(outer_rate)) = (middle(places), middle(outer)) else {
        return estimate.doubted("found at the end of the drive; bandwidth shows no such zone");
    };
    let off = (rate / outer_rate) / (count as f64 / outer_count as f64) - 1.0;
    if off.abs() > 0.02 {
        let note = "bandwidth and track length disagree: more zones than ZONED resolves, or \
                    something other than the media limits it";
        return estimate.doubted(note);
    }
    estimate
}

/// Bandwidth where the drive starts and where it ends.
fn ends(goal: &Goal, local: &Local, global: &Global) -> (Estimate, Estimate) {
    let last = global.zones.len().saturating_sub(1);
    (bandwidth(goal, local, global, 0), bandwidth(goal, local, global, last))
}

/// What the arm's movement adds. The sector at the end of it takes its own zone's time to pass.
fn seeks(goal: &Goal, local: &Local, global: &Global) -> Vec<SeekPoint> {
    let (Some(here), Some(known)) = (local.same_track.found, local.known()) else {
        return Vec::new();
    };
    let map = global.cylinders.as_ref();
    let unit = f64::from(goal.unit_sectors);
    let transfer = |sectors: u64| unit * known.turn.period / sectors.max(1) as f64;
    let mtm = here.time - transfer(known.sectors_per_track);
    let mut points: Vec<SeekPoint> = global
        .seeks
        .iter()
        .map(|seek| {
            let sectors = map.map(|map| map.sectors_per_track(seek.target_lba));
            let cylinders =
                map.map(|map| map.cylinder(seek.target_lba) - map.cylinder(global.seek_from));
            let transfer = transfer(sectors.unwrap_or(known.sectors_per_track));
            SeekPoint {
                distance_sectors: seek.target_lba.saturating_sub(global.seek_from),
                distance_cylinders: cylinders,
                seek_ms: seek.time - transfer - mtm,
                half_width_ms: seek.half_width.hypot(here.half_width),
            }
        })
        .collect();
    points.sort_by_key(|point| point.distance_sectors);
    points
}
