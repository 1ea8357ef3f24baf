//! Angles between sectors, pair by pair, measured and simulated.

use super::drift::{drift, shifted};
use super::replica::Replica;
use super::{Evidence, Kept, Value};
use crate::Extraction;
use crate::clock::timed;
use crate::stats::{fold, mad, median, quantile};
use platterlab_probe::{Plan, Samples};
use std::collections::BTreeMap;

/// Boundaries between two sectors of a pair, at most.
const MOST_BOUNDARIES: usize = 3;
/// Pairs of a group that may come out otherwise, and at least so many.
const MOST: f64 = 0.1;
const LEAST: usize = 3;
/// Pairs in the order of their addresses, and how many of so many may not come out.
const CLUSTER: usize = 12;
const CLUSTERED: usize = 5;
/// Ticks of the host's clock by which an angle differs that lies elsewhere, at least.
const GRAINS: f64 = 1.5;
/// The chance of that, of each place.
const CHANCE: f64 = 1e-6;
/// Neighbouring sectors on two tracks of which more come out otherwise: tracks end elsewhere.
const EDGES: f64 = 0.3;
/// Pairs from which the usual share can be told, and the part of their kinds that it is told by.
const MANY: usize = 150;
const QUARTER: f64 = 0.25;

/// What lies between the two sectors of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Between {
    Nothing,
    Tracks,
    Cylinders,
}

/// Pairs of one kind in one zone.
#[derive(Default)]
struct Group {
    off: usize,
    near: Vec<f64>,
    /// Of those, the ones with one boundary between.
    single: Vec<f64>,
}

/// Pairs of requests of all runs, as far as the values tell what lies between them.
pub(super) fn pairs(
    replica: &Replica,
    evidence: &Evidence<'_>,
    runs: &[(&Kept, Samples)],
) -> Vec<Pair> {
    let told = runs.iter().filter(|(kept, again)| {
        let other = matches!(kept.run.plan, Plan::Seeker(_) | Plan::Rotation(_));
        !other && again.samples.len() == kept.run.samples.len()
    });
    let mut all: Vec<Pair> =
        told.flat_map(|(kept, again)| residuals(replica, evidence, &kept.run, again)).collect();
    all.sort_by_key(|pair| pair.lba);
    all
}

/// Values that the angles contradict, each with what is wrong.
pub(super) fn compared(
    found: &Extraction,
    evidence: &Evidence<'_>,
    runs: &[(&Kept, Samples)],
    pairs: &[Pair],
) -> Vec<(Value, String)> {
    let mut groups: BTreeMap<(usize, Between), Group> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (kept, again) in runs {
        if again.samples.len() == kept.run.samples.len() {
            let drift = drift(&kept.run, again, evidence, found.rotation_ms.half_width());
            wrong.extend(drift.map(|note| (Value::Rotation, note)));
        }
    }
    for pair in pairs {
        let group = groups.entry((pair.zone, pair.between)).or_default();
        if pair.off.abs() > pair.room {
            group.off += 1;
        } else {
            group.near.push(pair.off);
            if pair.boundaries == 1 {
                group.single.push(pair.off);
            }
        }
    }
    let usual = usual(&groups);
    for ((zone, between), group) in &groups {
        let count = group.off + group.near.len();
        let expected = usual * count as f64;
        let most = (MOST * count as f64).max(1.5 * expected + 6.0 * expected.sqrt());
        if group.off >= LEAST && group.off as f64 > most {
            let note = format!(
                "{} of {count} angles of zone {zone} come out otherwise when it is simulated",
                group.off
            );
            wrong.extend(named(*zone, *between).iter().map(|value| (*value, note.clone())));
        }
    }
    wrong.extend(clusters(pairs, usual, evidence.grain_ms));
    wrong.extend(edges(pairs));
    for (between, value, said) in [
        (Between::Tracks, Value::TrackSkew, &found.track_skew_ms),
        (Between::Cylinders, Value::CylinderSkew, &found.cylinder_skew_ms),
    ] {
        if let (Some(group), Some(skew)) = (groups.get(&(0, between)), said.ok()) {
            let sector_ms = found.sector_ms.value.unwrap_or(0.0);
            let least_ms = sector_ms.max(0.02 * skew.abs());
            let shifted = shifted(&group.single, least_ms, evidence.ticks_ms);
            wrong.extend(shifted.map(|note| (value, note)));
        }
    }
    wrong
}

/// Zones whose tracks end elsewhere: between two sectors that are next to each other there is no
/// boundary where the simulated drive has one.
fn edges(pairs: &[Pair]) -> Vec<(Value, String)> {
    let mut zones: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| pair.adjacent && pair.boundaries == 1) {
        let [off, count] = zones.entry(pair.zone).or_default();
        *off += usize::from(pair.off.abs() > pair.room);
        *count += 1;
    }
    let other = zones
        .into_iter()
        .filter(|(_, [off, count])| *off >= LEAST && *off as f64 > EDGES * *count as f64);
    let named = other.flat_map(|(zone, [off, count])| {
        let note = format!("{off} of {count} boundaries of tracks in zone {zone} lie elsewhere");
        named(zone, Between::Nothing).into_iter().map(move |value| (value, note.clone()))
    });
    named.collect()
}

/// The share of angles that come out otherwise by late completions alone: that of a quarter of the
/// kinds, as few come by their own share of them by chance.
fn usual(groups: &BTreeMap<(usize, Between), Group>) -> f64 {
    let share = |group: &Group| group.off as f64 / (group.off + group.near.len()) as f64;
    let many = groups.values().filter(|group| group.off + group.near.len() >= MANY);
    let shares: Vec<f64> = many.map(share).collect();
    quantile(&shares, QUARTER).unwrap_or(0.0).max(0.002)
}

/// How many of [`CLUSTER`] pairs may be late by chance: each late completion spoils two.
fn by_chance(usual: f64) -> usize {
    let late = 0.75 * usual;
    let (mut ways, mut events) = (1.0, 0);
    while events < CLUSTER / 2 && ways > CHANCE {
        events += 1;
        ways *= (CLUSTER + 2 - events) as f64 / events as f64 * late;
    }
    (2 * events).max(CLUSTERED)
}

/// Places where most angles come out otherwise: an edge that lies elsewhere. What the host's clock
/// makes of an angle is nothing.
fn clusters(pairs: &[Pair], usual: f64, grain_ms: f64) -> Vec<(Value, String)> {
    let offs: Vec<f64> = pairs.iter().map(|pair| pair.off).collect();
    let spread = 1.5 * mad(&offs).unwrap_or(0.0);
    let (many, most) = (by_chance(usual), CLUSTER * 3 / 4);
    // Far too much in some of them, or a little in nearly all.
    let off = |pair: &&Pair| pair.off.abs() > pair.room;
    let little = |pair: &&Pair| {
        let noise = pair.room - pair.unsaid;
        pair.off.abs() > (4.0 * spread).max(noise / 6.0).max(GRAINS * grain_ms) + pair.unsaid
    };
    let mut wrong = Vec::new();
    let mut said = None;
    for window in pairs.windows(CLUSTER) {
        let zone = window[0].zone;
        let far = window.iter().filter(off).count();
        // What lies elsewhere is off to one side, and noise to both.
        let late = window.iter().filter(little).filter(|pair| pair.off > 0.0).count();
        let early = window.iter().filter(little).filter(|pair| pair.off < 0.0).count();
        let offs: Vec<f64> = window.iter().map(|pair| pair.off).collect();
        let alike = median(&offs).unwrap_or(0.0).abs() > 3.0 * mad(&offs).unwrap_or(0.0);
        let count = if alike { late.max(early) } else { 0 };
        if (far >= many || count >= most) && said != Some(zone) {
            said = Some(zone);
            let note = format!(
                "{} of {CLUSTER} angles from sector {} to {} come out otherwise when it is \
                 simulated",
                far.max(count),
                window[0].lba,
                window[CLUSTER - 1].lba
            );
            let near = [Value::Zone(zone), Value::Zone(zone + 1)];
            wrong.extend(near.map(|value| (value, note.clone())));
        }
    }
    wrong
}

/// Which values angles of a kind speak of.
fn named(zone: usize, between: Between) -> Vec<Value> {
    match (zone, between) {
        (0, Between::Nothing) => vec![Value::SectorsPerTrack, Value::Zone(0)],
        (0, Between::Tracks) => vec![Value::SectorsPerTrack, Value::TrackSkew, Value::Surfaces],
        (0, Between::Cylinders) => vec![Value::CylinderSkew, Value::Surfaces],
        _ => vec![Value::Zone(zone)],
    }
}

/// Two requests in turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The lower one's address.
    pub(super) lba: u64,
    pub(super) zone: usize,
    pub(super) between: Between,
    pub(super) boundaries: usize,
    /// The number of the lower one's track, were all cylinders whole.
    pub(super) track: u64,
    /// How much farther on the higher one is than simulated, in milliseconds.
    pub(super) off: f64,
    /// How much of that noise explains, and skews no value tells.
    pub(super) room: f64,
    /// What of it the skews.
    pub(super) unsaid: f64,
    /// Whether no other sector that could be asked for lies between the two.
    pub(super) adjacent: bool,
}

fn residuals(
    replica: &Replica,
    evidence: &Evidence<'_>,
    measured: &Samples,
    simulated: &Samples,
) -> Vec<Pair> {
    let (measured, simulated) = (timed(measured), timed(simulated));
    let period = evidence.turn.period;
    let unit = u64::from(evidence.goal.unit_sectors);
    let both = measured.windows(2).zip(simulated.windows(2));
    both.filter(|(pair, _)| pair.iter().all(|it| it.elapsed() > evidence.hit_ms))
        .filter_map(|(pair, again)| {
            let (zone, between, boundaries) = between(replica, pair[0].lba, pair[1].lba)?;
            if pair.iter().any(|it| replica.uncertain(it.lba, zone)) {
                return None;
            }
            let took = pair[1].completed - pair[0].completed;
            let off = fold(took - (again[1].completed - again[0].completed), period);
            let off = if pair[0].lba > pair[1].lba { -off } else { off };
            let lba = pair[0].lba.min(pair[1].lba);
            // Skews of inner zones are not printed: those of the first, to within a sector.
            let inner = if zone > 0 { boundaries as f64 } else { 0.0 };
            let unsaid = inner * replica.sector_ms(lba, period);
            let room = evidence.noise_ms() + unsaid;
            let track = replica.track(lba)?;
            let adjacent = pair[0].lba.abs_diff(pair[1].lba) <= unit;
            Some(Pair { lba, zone, between, boundaries, track, off, room, unsaid, adjacent })
        })
        .collect()
}

/// What lies between two sectors of one zone; `None` where that is too much, or not sure.
fn between(replica: &Replica, one: u64, other: u64) -> Option<(usize, Between, usize)> {
    let (low, high) = (one.min(other), one.max(other));
    if !replica.is_sure(low, high) {
        return None;
    }
    let zone = |lba: u64| replica.zones.partition_point(|first| *first <= lba).checked_sub(1);
    let layout = replica.drive.layout();
    let (mut at, mut boundaries) = (low, 0);
    let mut cylinders = false;
    loop {
        let (first, sectors) = layout.track_bounds(at)?;
        let next = first + u64::from(sectors);
        if high < next {
            break;
        }
        boundaries += 1;
        if boundaries > MOST_BOUNDARIES {
            return None;
        }
        let (before, after) = (layout.locate(at)?, layout.locate(next)?);
        cylinders |= replica.heads_first() && before.cylinder != after.cylinder;
        if replica.ends_pass(zone(low)?, before, after) {
            return None;
        }
        at = next;
    }
    let between = match (boundaries, cylinders) {
        (0, _) => Between::Nothing,
        (_, true) => Between::Cylinders,
        (_, false) => Between::Tracks,
    };
    let same = zone(low)? == zone(high)?;
    (same && replica.tells(boundaries, cylinders)).then_some((zone(low)?, between, boundaries))
}
