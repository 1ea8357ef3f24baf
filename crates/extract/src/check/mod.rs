//! The proof: what was extracted is simulated, with the host's noise, and answers the same requests.
//!
//! Requests follow each other as they did, so that each pair of completions is a measurement of its
//! own: of the angle between two sectors, and of whether the arm was there in time. What does not
//! come out as it was measured is named, and no longer sure. No device is opened here; of the
//! crate of devices only the simulated one is used, and only in this folder.

mod angles;
mod arm_times;
mod compare;
mod drawn_up;
mod drift;
mod falsified;
mod far_angles;
mod far_skews;
mod free_skews;
mod machine;
mod open_layout;
mod read_seeks;
mod replica;
mod sector_time;
mod shared_spares;
mod shifts;
mod slopes;
mod strokes;
mod switches;
mod track_spares;
mod unbuilt;
mod zone_angles;
mod zone_ends;
mod zone_skews;
mod zone_starts;

use crate::clock::Turn;
use crate::reconcile::computed;
use crate::scattered::Common;
use crate::self_check::{Disagreement, Overlay, SelfCheck};
use crate::stats::{median, quantile};
use crate::survey::{Still, TimedMovement};
use crate::{Estimate, Extraction, Goal, Status, TrackMap};
use compare::Pair;
use machine::span;
use platterlab_device::{HostModel, Simulated, WriteConsent};
use platterlab_probe::{Access, End, Plan, Samples, run};
use platterlab_units::{Operation, Span};
use replica::Replica;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use unbuilt::Unbuilt;

/// Points of a distribution.
const QUANTILES: u32 = 32;

/// Who asked for a run, as far as that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Campaign,
    Survey,
    Movements,
    Arm,
}

/// A run as it was measured.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) part: Part,
    pub(crate) run: Samples,
}

/// What was measured, and what is known of the host.
pub(crate) struct Evidence<'a> {
    pub(crate) goal: &'a Goal,
    pub(crate) runs: &'a [Kept],
    pub(crate) map: &'a TrackMap,
    pub(crate) turn: Turn,
    pub(crate) grain_ms: f64,
    /// What interrupts are gathered over.
    pub(crate) ticks_ms: f64,
    /// Answers that take no longer may come from a cache.
    pub(crate) hit_ms: f64,
    /// A request on the track that the head is on, without its sector.
    pub(crate) still: Option<Still>,
    /// How movements scatter, if they do.
    pub(crate) scatter: Option<Common>,
    pub(crate) strokes: &'a [TimedMovement],
}

impl Evidence<'_> {
    /// How much of a time between two completions the host explains, in milliseconds.
    fn noise_ms(&self) -> f64 {
        self.turn.tolerance() + 2.0 * self.grain_ms
    }

    /// Sectors around tracks of so many with an address: as many more as nearly all tracks have, or by
    /// their own pace.
    fn around(&self, sectors: u64) -> u64 {
        let more = |(length, pace): &(u64, f64)| self.turn.period / pace - *length as f64;
        let zones = self.map.pieces.iter().filter(|piece| piece.tracks() >= FEW);
        let longest: BTreeSet<&u64> = zones.filter_map(|it| it.sectors.iter().max()).collect();
        let paces = &self.map.paces;
        let known = paces.iter().filter(|(length, _)| longest.contains(length));
        let known: Vec<f64> = known.map(more).collect();
        let usual = median(&known).unwrap_or(0.0).round();
        let alike = known.iter().filter(|more| (*more - usual).abs() <= 0.5).count();
        let own = paces.iter().find(|(length, _)| *length == sectors).map(more);
        let own = own.filter(|_| (alike as f64) < NEARLY_ALL * known.len() as f64);
        sectors.saturating_add_signed(own.unwrap_or(usual).round() as i64)
    }

    /// Sectors by which the last track of each cylinder is shorter, between two sectors.
    fn spares(&self, first: u64, end: u64, sectors: u64) -> u64 {
        let mine = self.map.pieces.iter().filter(|piece| {
            let mine = piece.first_lba < end && piece.first_lba + sectors >= first;
            // Where no zone is known, those behind the first one are not its cylinders.
            mine && piece.sectors.len() > 1 && piece.sectors.iter().max() == Some(&sectors)
        });
        let longest = mine.max_by_key(|piece| piece.cycles);
        longest
            .and_then(|piece| piece.sectors.iter().min())
            .map_or(0, |least| sectors.saturating_sub(*least))
    }

    /// Lengths of the first tracks, where the map has many alike.
    fn first_tracks(&self) -> Option<&[u64]> {
        let first = self.map.pieces.first()?;
        let many = first.first_lba == self.goal.region_lba && first.tracks() >= MANY;
        many.then_some(&first.sectors)
    }

    /// Behind the first tracks by the map that can be so long.
    fn alike(&self, sectors: u64) -> Option<u64> {
        let mut long = self.map.pieces.iter().filter(|piece| piece.tracks() >= FEW);
        let other = long.find(|piece| !piece.sectors.contains(&sectors));
        let last = self.map.pieces.last();
        let end = last.map(|it| it.first_lba + it.cycles * it.sectors.iter().sum::<u64>());
        let least = self.goal.region_lba;
        other.map(|piece| piece.first_lba).or(end).filter(|lba| *lba > least)
    }

    /// By how many sectors odd tracks between two sectors move those behind them.
    fn slack(&self, first: u64, end: u64, sectors: u64) -> u64 {
        let within = |first_lba: u64| first <= first_lba && first_lba < end;
        let odd = self.map.pieces.iter().filter(|it| it.tracks() < FEW && within(it.first_lba));
        odd.flat_map(|piece| &piece.sectors)
            .map(|count| sectors.abs_diff(*count))
            .filter(|off| *off <= FEW)
            .sum()
    }
}

/// Fewer tracks than this may be odd ones.
const FEW: u64 = 4;
/// The share of track lengths that have as many sectors without an address, where all do.
const NEARLY_ALL: f64 = 0.6;
/// So many tracks are a zone.
const MANY: u64 = 24;

/// A difference of times in words: that which is for more, or that for less.
fn differs(more_ms: f64, digits: usize, [more, less]: [&str; 2]) -> String {
    let word = if more_ms < 0.0 { less } else { more };
    format!("{:.digits$} ms {word}", more_ms.abs())
}

/// A printed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Rotation,
    SectorsPerTrack,
    Surfaces,
    TrackSkew,
    CylinderSkew,
    SeekMin,
    SeekMax,
    /// One of the zones, counted from the outermost.
    Zone(usize),
    /// All of them.
    Zones,
    /// One of the zones of the model, which alone has its skews.
    ModelZone(usize),
}

impl Value {
    fn named(self) -> String {
        match self {
            Self::Rotation => "rotation_ms".into(),
            Self::SectorsPerTrack => "sectors_per_track".into(),
            Self::Surfaces => "surfaces".into(),
            Self::TrackSkew => "track_skew_ms".into(),
            Self::CylinderSkew => "cylinder_skew_ms".into(),
            Self::SeekMin => "seek_min_ms".into(),
            Self::SeekMax => "seek_max_ms".into(),
            Self::Zone(index) => format!("zones[{index}]"),
            Self::Zones => "zones".into(),
            Self::ModelZone(index) => format!("model.zones[{index}]"),
        }
    }

    fn of(self, found: &mut Extraction) -> Vec<&mut Estimate> {
        match self {
            Self::Rotation => vec![&mut found.rotation_ms],
            Self::SectorsPerTrack => vec![&mut found.sectors_per_track],
            Self::Surfaces => vec![&mut found.surfaces],
            Self::TrackSkew => vec![&mut found.track_skew_ms],
            Self::CylinderSkew => vec![&mut found.cylinder_skew_ms],
            Self::SeekMin => vec![&mut found.seek_min_ms],
            Self::SeekMax => vec![&mut found.seek_max_ms],
            Self::Zone(index) => found
                .zones
                .get_mut(index)
                .map(|zone| vec![&mut zone.first_lba, &mut zone.sectors_per_track])
                .unwrap_or_default(),
            Self::Zones => found
                .zones
                .iter_mut()
                .flat_map(|zone| [&mut zone.first_lba, &mut zone.sectors_per_track])
                .collect(),
            // It says by itself whether its skews agree.
            Self::ModelZone(_) => Vec::new(),
        }
    }
}

/// The extraction, with what its simulation contradicts no longer sure.
pub(crate) fn checked(found: Extraction, evidence: &Evidence<'_>) -> Extraction {
    let placed = zone_starts::placed(&found, evidence);
    let mut found = held_against(found, &Evidence { strokes: &placed, ..*evidence });
    slopes::settle(&mut found, evidence);
    for zone in found.zones.iter_mut().filter(|zone| zone.first_lba.ok().is_none()) {
        let inside = [
            &mut zone.skippy_sectors_per_track,
            &mut zone.track_skew_ms,
            &mut zone.cylinder_skew_ms,
        ];
        for value in inside {
            value.doubt("where the zone begins is not certain");
        }
    }
    open_layout::settle(&mut found);
    computed(&mut found);
    found
}

fn held_against(mut found: Extraction, evidence: &Evidence<'_>) -> Extraction {
    far_skews::settle(&mut found, evidence);
    let mut held = String::new();
    let (wrong, probes) = match replayed(&found, evidence) {
        Err(Unbuilt::Unknown(why)) => {
            switches::doubt_written(&mut found, evidence);
            found.self_check = SelfCheck::none(why);
            return found;
        }
        Err(Unbuilt::Contradiction(values, note)) => {
            switches::doubt_written(&mut found, evidence);
            (values.into_iter().map(|value| (value, note.clone())).collect(), Vec::new())
        }
        Ok((replica, runs, pairs)) => {
            let mut wrong = compare::compared(&found, evidence, &runs, &pairs);
            wrong.extend(strokes::compared(&replica, &found, evidence, &runs));
            let fitted = angles::fitted(&replica, evidence, &runs);
            let far = far_angles::contradicted(&fitted, &found);
            let is_open = !far.is_empty();
            wrong.extend(far);
            let model = drawn_up::model(&replica, &found, evidence, &fitted);
            let coarse_ms = evidence.grain_ms.max(evidence.ticks_ms);
            sector_time::settle(&mut found, &model, coarse_ms);
            zone_ends::doubt(&mut found.zones, &model);
            zone_skews::settle(&mut found, &model, &fitted, coarse_ms);
            switches::settle(&mut found, &replica, evidence);
            if is_open {
                open_layout::doubt_order(&mut found);
            }
            held = reach(&replica, evidence.goal);
            found.model = Some(model);
            (wrong, overlays(&runs))
        }
    };
    let mut said: BTreeMap<Value, String> = BTreeMap::new();
    for (value, note) in wrong {
        said.entry(value).or_insert(note);
    }
    // Where the arm moves with every step, both skews are the same one.
    let skews = [Value::TrackSkew, Value::CylinderSkew];
    if found.track_skew_ms.value == found.cylinder_skew_ms.value
        && let Some(note) = skews.iter().find_map(|skew| said.get(skew)).cloned()
    {
        said.extend(skews.map(|skew| (skew, note.clone())));
    }
    if skews.iter().any(|skew| said.contains_key(skew)) {
        // What each zone has of them was found in the same simulation.
        for zone in &mut found.zones {
            for skew in [&mut zone.track_skew_ms, &mut zone.cylinder_skew_ms] {
                skew.doubt("self-check: those of the drive do not come out");
            }
        }
    }
    found.self_check = SelfCheck {
        status: if said.is_empty() { Status::Ok } else { Status::Ambiguous },
        note: held,
        disagreements: Vec::new(),
        probes,
    };
    for (value, note) in said {
        for estimate in value.of(&mut found) {
            estimate.doubt(format!("self-check: {note}"));
        }
        found.self_check.disagreements.push(Disagreement { value: value.named(), note });
    }
    found
}

/// How far the simulated drive was held against the one that was measured; empty where all over it.
fn reach(replica: &Replica, goal: &Goal) -> String {
    let until = replica.zoned_until();
    if until >= goal.region_lba + goal.region_sectors {
        return String::new();
    }
    format!("up to sector {until} alone: no zones behind it are known")
}

/// A drive, the runs on it, and pairs of requests of them.
type Replayed<'a> = (Replica, Vec<(&'a Kept, Samples)>, Vec<Pair>);

/// The runs on the drive that was extracted, with cylinders beginning where pairs show it: no value
/// says where in a cylinder the first sector is, and where spare tracks are.
fn replayed<'a>(found: &Extraction, evidence: &Evidence<'a>) -> Result<Replayed<'a>, Unbuilt> {
    let mut replica = Replica::of(found, evidence, 0)?;
    let mut runs = simulated(&replica, evidence);
    let mut pairs = compare::pairs(&replica, evidence, &runs);
    let before = shifts::before(&replica, &pairs, evidence.turn.period);
    let begun = (before > 0).then(|| Replica::of(found, evidence, before).ok()).flatten();
    if let Some(begun) = begun {
        replica = begun;
        runs = simulated(&replica, evidence);
        pairs = compare::pairs(&replica, evidence, &runs);
    }
    if let Some(lba) = shifts::follow(&replica, &mut pairs, evidence.turn.period) {
        replica.until_lba = replica.until_lba.min(lba);
    }
    Ok((replica, runs, pairs))
}

/// The same requests of the same runs, on the simulated drive.
fn simulated<'a>(replica: &Replica, evidence: &Evidence<'a>) -> Vec<(&'a Kept, Samples)> {
    let host = HostModel {
        think: Span::from_us(3),
        jitter: span(evidence.turn.jitter),
        clock_grain: span(evidence.grain_ms),
        ..HostModel::default()
    };
    let Ok(mut device) = Simulated::new(replica.drive.clone(), "self-check", host, 0) else {
        return Vec::new();
    };
    let consent = WriteConsent::for_simulation();
    let tells = |kept: &&Kept| {
        let told = !matches!(kept.run.plan, Plan::Zoned(_) | Plan::Overhead(_) | Plan::Recall(_));
        told && kept.run.end == End::Complete
    };
    evidence
        .runs
        .iter()
        .filter(tells)
        .map(|kept| {
            let first = kept.run.samples.first().map(|sample| sample.operation);
            let writes = first == Some(Operation::Write);
            let access = if writes { Access::Write(&consent) } else { Access::Read };
            let again =
                run(&mut device, &kept.run.plan, access, &mut |_| ControlFlow::Continue(()));
            (kept, again)
        })
        .collect()
}

/// Both distributions of each probe.
fn overlays(runs: &[(&Kept, Samples)]) -> Vec<Overlay> {
    let mut by_probe: BTreeMap<&'static str, [Vec<f64>; 2]> = BTreeMap::new();
    for (kept, again) in runs {
        let [measured, simulated] = by_probe.entry(kept.run.plan.name()).or_default();
        measured.extend(kept.run.samples.iter().map(|sample| sample.elapsed().as_ms()));
        simulated.extend(again.samples.iter().map(|sample| sample.elapsed().as_ms()));
    }
    let quantiles = |times: &[f64]| -> Vec<f64> {
        let share = |part: u32| f64::from(part) / f64::from(QUANTILES);
        (0..=QUANTILES).filter_map(|part| quantile(times, share(part))).collect()
    };
    let overlay = |(probe, [measured, simulated]): (&'static str, [Vec<f64>; 2])| {
        let (measured_ms, simulated_ms) = (quantiles(&measured), quantiles(&simulated));
        let squares = measured_ms.iter().zip(&simulated_ms).map(|(a, b)| (a - b) * (a - b));
        let demerit_ms = (squares.sum::<f64>() / measured_ms.len().max(1) as f64).sqrt();
        let requests = measured.len() as u64;
        Overlay { probe, requests, measured_ms, simulated_ms, demerit_ms }
    };
    by_probe.into_iter().map(overlay).collect()
}
