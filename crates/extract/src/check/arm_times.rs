//! What the arm takes, as printed values and movements of the survey tell it.

use super::Evidence;
use super::machine::{overhead_ms, span};
use crate::Extraction;
use crate::survey::{BROKEN, Keyed, broken as contradictions};
use platterlab_drive::{Drive, SeekCurve};
use std::collections::BTreeMap;

/// What of the arm is known.
pub(super) struct ArmTimes {
    pub(super) seek: SeekCurve,
    pub(super) head_ms: f64,
}

impl ArmTimes {
    /// The seek curve through what was printed and what the survey timed, on a drive whose tracks lie as
    /// extracted.
    pub(super) fn known(drive: &Drive, found: &Extraction, evidence: &Evidence<'_>) -> Self {
        let base = evidence.still.map(|it| it.time_ms).unwrap_or_else(|| overhead_ms(found));
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
        Self { seek, head_ms: head_ms.max(0.0) }
    }
}

/// Cylinders from one sector to another, and whether the head is another one.
pub(super) fn distance(drive: &Drive, from: u64, to: u64) -> Option<(u32, bool)> {
    let (from, to) = (drive.layout().locate(from)?, drive.layout().locate(to)?);
    Some((from.cylinder.abs_diff(to.cylinder), from.surface != to.surface))
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

/// Whether movements of the survey cannot be of one arm, as cylinders lie on the simulated drive.
pub(super) fn broken(drive: &Drive, until_lba: u64, evidence: &Evidence<'_>) -> bool {
    let sure = evidence.strokes.iter().filter(|it| it.from_lba.max(it.to_lba) < until_lba);
    let keyed: Vec<Keyed> = sure
        .filter_map(|it| {
            let (far, head) = distance(drive, it.from_lba, it.to_lba)?;
            // Sectors of an inner zone take longer to pass, which is no part of the way there.
            let time = it.time_ms - it.sector_ms;
            Some(Keyed { key: (u64::from(far), head), time, width: it.width_ms })
        })
        .collect();
    contradictions(&keyed, BROKEN).len() >= BROKEN
}
