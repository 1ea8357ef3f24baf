//! Movements of the arm: what they take on the simulated drive, and what they took.

use super::model::{Model, overhead_ms, span};
use super::{Evidence, Kept, Part, Value};
use crate::Extraction;
use crate::positioning::positioning;
use crate::survey::{BROKEN, Keyed, broken};
use platterlab_drive::{Drive, SeekCurve};
use platterlab_probe::{Plan, Samples};
use std::collections::BTreeMap;

/// A movement that a survey timed, by first sectors of its tracks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke {
    pub(crate) from_lba: u64,
    pub(crate) to_lba: u64,
    pub(crate) time_ms: f64,
    pub(crate) width_ms: f64,
}

/// What of the arm is known.
pub(super) struct Known {
    pub(super) seek: SeekCurve,
    pub(super) head_ms: f64,
}

/// A seek that differs by more, in parts of itself, is another one.
const OTHER: f64 = 0.03;

/// Cylinders from one sector to another, and whether the head is another one.
pub(super) fn distance(drive: &Drive, from: u64, to: u64) -> Option<(u32, bool)> {
    let (from, to) = (drive.layout().locate(from)?, drive.layout().locate(to)?);
    Some((from.cylinder.abs_diff(to.cylinder), from.surface != to.surface))
}

/// The seek curve through what was printed and what the survey timed, on a drive whose tracks lie as
/// extracted.
pub(super) fn known(drive: &Drive, found: &Extraction, evidence: &Evidence<'_>) -> Known {
    let base = evidence.still_ms.unwrap_or_else(|| overhead_ms(found));
    let mut times: BTreeMap<(u32, bool), Vec<f64>> = BTreeMap::new();
    for stroke in evidence.strokes {
        if let Some(key) = distance(drive, stroke.from_lba, stroke.to_lba) {
            times.entry(key).or_default().push((stroke.time_ms - base).max(0.0));
        }
    }
    let middle = |times: &Vec<f64>| crate::stats::median(times);
    let head = times.get(&(0, true)).and_then(middle);
    let mut points: BTreeMap<u32, f64> = BTreeMap::new();
    for ((far, _), times) in &times {
        if let (1.., Some(time)) = (*far, middle(times)) {
            let old = points.entry(*far).or_insert(time);
            *old = old.min(time);
        }
    }
    for point in &found.seeks {
        if let Some(far @ 1..) = point.distance_cylinders {
            points.entry(far).or_insert(point.seek_ms);
        }
    }
    let last = drive.layout().cylinders().saturating_sub(1).max(1);
    let most = found.seek_max_ms.ok();
    points.extend(found.seek_min_ms.ok().map(|least| (1, least)));
    points.extend(most.map(|most| (last, most)));
    let seek = curve(&points, most);
    let head_ms = found.head_switch_ms.ok().or(head).unwrap_or(0.0);
    Known { seek, head_ms: head_ms.max(0.0) }
}

/// What rises of the points, the first and the last among them.
fn curve(points: &BTreeMap<u32, f64>, most: Option<f64>) -> SeekCurve {
    let mut rising: Vec<(u32, f64)> = Vec::new();
    let last = points.last_key_value().map(|(far, _)| *far);
    for (far, time) in points {
        let below = most.is_none_or(|most| *time <= most) || Some(*far) == last;
        let above = rising.last().is_none_or(|(_, before)| time > before);
        if below && above {
            rising.push((*far, *time));
        }
    }
    if rising.is_empty() {
        return SeekCurve::Constant { time: span(1.0) };
    }
    SeekCurve::Table { points: rising.into_iter().map(|(far, ms)| (far, span(ms))).collect() }
}

/// Values that the movements contradict, each with what is wrong.
pub(super) fn compared(
    model: &Model,
    found: &Extraction,
    evidence: &Evidence<'_>,
    runs: &[(&Kept, Samples)],
) -> Vec<(Value, String)> {
    let mut wrong = Vec::new();
    for (value, said) in
        [(Value::SeekMin, &found.seek_min_ms), (Value::SeekMax, &found.seek_max_ms)]
    {
        let Some(seek) = said.ok() else { continue };
        let by_arm = said.method.starts_with("movement");
        let part = if by_arm { Part::Arm } else { Part::Campaign };
        let mine = runs.iter().filter(|(kept, _)| kept.part == part);
        let moved: Vec<Moved> = mine.flat_map(|run| moved(model, evidence, run)).collect();
        let Some(still) = moved.iter().find(|it| it.far == 0 && !it.head) else { continue };
        let furthest = moved.iter().map(|it| it.far).max().unwrap_or(0);
        let wanted = if value == Value::SeekMin { 1 } else { furthest };
        let off = |it: &&Moved| {
            let more = it.more - still.more;
            it.far == wanted && more.abs() > (OTHER * seek).max(it.width + still.width)
        };
        if let Some(it) = moved.iter().filter(|_| furthest > 1 || wanted == 1).find(off) {
            let more = it.more - still.more;
            wrong
                .push((value, format!("{wanted} cylinders took {more:.4} ms more than simulated")));
        }
    }
    if model.counted && broken_by(model, evidence) {
        let note = "movements between tracks take longer than such that go further";
        wrong.push((Value::Surfaces, note.into()));
    }
    wrong
}

/// A movement that was timed on both.
struct Moved {
    far: u32,
    head: bool,
    /// How much longer it took than simulated, and what that leaves open, in milliseconds.
    more: f64,
    width: f64,
}

fn moved(model: &Model, evidence: &Evidence<'_>, (kept, again): &(&Kept, Samples)) -> Vec<Moved> {
    let Plan::Seeker(plan) = &kept.run.plan else { return Vec::new() };
    let (measured, simulated) =
        (positioning(&kept.run, evidence.turn), positioning(again, evidence.turn));
    let moved = measured.iter().filter_map(|one| {
        let other = simulated.iter().find(|other| other.target_lba == one.target_lba)?;
        let (far, head) = distance(&model.drive, plan.anchor_lba, one.target_lba)?;
        let width = one.half_width + other.half_width + evidence.grain_ms;
        Some(Moved { far, head, more: one.time - other.time, width })
    });
    moved.collect()
}

/// Whether movements of the survey cannot be of one arm, as cylinders lie on the simulated drive.
pub(super) fn broken_by(model: &Model, evidence: &Evidence<'_>) -> bool {
    let sure = evidence.strokes.iter().filter(|it| it.from_lba.max(it.to_lba) < model.until_lba);
    let keyed: Vec<Keyed> = sure
        .filter_map(|it| {
            let (far, head) = distance(&model.drive, it.from_lba, it.to_lba)?;
            Some(Keyed { key: (u64::from(far), head), time: it.time_ms, width: it.width_ms })
        })
        .collect();
    broken(&keyed, BROKEN) >= BROKEN
}
