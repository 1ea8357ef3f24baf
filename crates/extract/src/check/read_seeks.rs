//! The seek curve of reads, by cylinders of the simulated drive.

use super::arm_times::distance;
use super::{Evidence, Part};
use crate::survey::TimedMovement;
use crate::{Extraction, SeekPoint};
use platterlab_drive::Drive;
use platterlab_probe::Plan;
use std::collections::BTreeMap;

/// Times that differ by no more are alike, in milliseconds: what writes have more at both ends of the curve, and what
/// the head takes and the arm.
const ALIKE_MS: f64 = 0.1;

/// What of the arm reads tell.
pub(super) struct ReadSeeks {
    pub(super) seeks: Vec<SeekPoint>,
    pub(super) head_switch_ms: Option<f64>,
    pub(super) write_settle_ms: Option<f64>,
}

impl ReadSeeks {
    /// The survey's movements, the least and the longest seek, and what SEEKER timed between them:
    /// by reads, or by writes that have as much more at both ends.
    pub(super) fn of(drive: &Drive, found: &Extraction, evidence: &Evidence<'_>) -> Self {
        let head_switch_ms = head_switch_ms(drive, evidence);
        let mut seeks = survey(drive, evidence, head_switch_ms);
        let layout = drive.layout();
        let last = layout.cylinders().saturating_sub(1);
        for (far, seek) in [(1, &found.seek_min_ms), (last, &found.seek_max_ms)] {
            let sectors = layout.capacity() * u64::from(far) / u64::from(last.max(1));
            let point = |seek_ms| point(far, sectors, seek_ms, seek.half_width());
            seeks.extend(seek.ok().filter(|_| far > 0).map(|seek_ms| (far, point(seek_ms))));
        }
        let seeker = seeker(drive, found, evidence, head_switch_ms);
        let writes = evidence.goal.writes;
        let settle = writes.then(|| more_of_writes(&seeker, &seeks)).flatten();
        if !writes || settle.is_some() {
            for mut point in seeker {
                point.seek_ms -= settle.unwrap_or(0.0);
                let far = point.distance_cylinders.unwrap_or(0);
                seeks.entry(far).or_insert(point);
            }
        }
        Self { seeks: seeks.into_values().collect(), head_switch_ms, write_settle_ms: settle }
    }
}

fn point(far: u32, sectors: u64, seek_ms: f64, half_width_ms: f64) -> SeekPoint {
    SeekPoint {
        distance_sectors: sectors,
        distance_cylinders: Some(far),
        seek_ms: seek_ms.max(0.0),
        half_width_ms,
    }
}

/// What reads tell of movements to other cylinders; of those as far, the least. One to another head tells of the arm
/// where it took longer than heads do, and no longer one to the same head took less.
fn survey(
    drive: &Drive,
    evidence: &Evidence<'_>,
    heads_ms: Option<f64>,
) -> BTreeMap<u32, SeekPoint> {
    let Some(still) = evidence.still else { return BTreeMap::new() };
    let moved = |it: &TimedMovement| {
        let (far, head) = distance(drive, it.from_lba, it.to_lba)?;
        let (seek_ms, width_ms) = it.beyond(still);
        let moved = point(far, it.from_lba.abs_diff(it.to_lba), seek_ms, width_ms);
        (far > 0 && !(head && far == 1)).then_some((far, head, moved))
    };
    let mut all: Vec<(u32, bool, SeekPoint)> = evidence.strokes.iter().filter_map(moved).collect();
    all.sort_by_key(|it| std::cmp::Reverse(it.0));
    let mut seeks: BTreeMap<u32, SeekPoint> = BTreeMap::new();
    let mut least: Option<SeekPoint> = None;
    for same in all.chunk_by(|one, other| one.0 == other.0) {
        let arms = same.iter().filter(|it| !it.1).map(|it| it.2);
        let arm = arms.min_by(|one, other| one.seek_ms.total_cmp(&other.seek_ms));
        least =
            arm.into_iter().chain(least).min_by(|one, other| one.seek_ms.total_cmp(&other.seek_ms));
        for (far, head, new) in same {
            let room = |arm: SeekPoint| arm.half_width_ms + new.half_width_ms;
            let less = least.is_some_and(|arm| arm.seek_ms + room(arm) < new.seek_ms);
            if *head && (less || is_by_heads(new, heads_ms)) {
                continue;
            }
            let old = seeks.entry(*far).or_insert(*new);
            if new.seek_ms < old.seek_ms {
                *old = *new;
            }
        }
    }
    seeks
}

/// Whether a movement to another head took no longer than heads do: it tells nothing of the arm.
fn is_by_heads(moved: &SeekPoint, heads_ms: Option<f64>) -> bool {
    heads_ms.is_some_and(|it| moved.seek_ms <= it + moved.half_width_ms + ALIKE_MS)
}

/// The points of SEEKER in cylinders, where it began is known.
fn seeker(
    drive: &Drive,
    found: &Extraction,
    evidence: &Evidence<'_>,
    heads_ms: Option<f64>,
) -> Vec<SeekPoint> {
    let runs = evidence.runs.iter().filter(|kept| kept.part == Part::Campaign);
    let targets = runs.filter_map(|kept| match &kept.run.plan {
        Plan::Seeker(plan) => plan.targets.iter().max().copied().map(|to| (plan.targets.len(), to)),
        _ => None,
    });
    let last = found.seeks.iter().map(|point| point.distance_sectors).max();
    let Some(((_, to), last)) = targets.max().zip(last) else { return Vec::new() };
    let Some(from) = to.checked_sub(last) else { return Vec::new() };
    let points = found.seeks.iter().filter_map(|it| {
        let (far, head) = distance(drive, from, from + it.distance_sectors)?;
        let by_head = head && is_by_heads(it, heads_ms);
        (far > 0 && !by_head).then_some(SeekPoint { distance_cylinders: Some(far), ..*it })
    });
    points.collect()
}

/// What seeks by writes have more than those by reads, where both ends of the curve have as much.
fn more_of_writes(writes: &[SeekPoint], reads: &BTreeMap<u32, SeekPoint>) -> Option<f64> {
    let far = |point: &&SeekPoint| point.distance_cylinders;
    let ends = [writes.iter().min_by_key(far)?, writes.iter().max_by_key(far)?];
    let more = ends.map(|end| {
        let (near, read) = reads.range(..=end.distance_cylinders?).next_back()?;
        let as_far = f64::from(*near) >= 0.99 * f64::from(end.distance_cylinders?);
        as_far.then_some(end.seek_ms - read.seek_ms)
    });
    let (least, most) = (more[0]?, more[1]?);
    ((least - most).abs() <= ALIKE_MS).then_some(f64::midpoint(least, most))
}

/// What another head of the same cylinder adds to a read, at least.
fn head_switch_ms(drive: &Drive, evidence: &Evidence<'_>) -> Option<f64> {
    let still = evidence.still?;
    let heads = evidence
        .strokes
        .iter()
        .filter(|it| distance(drive, it.from_lba, it.to_lba) == Some((0, true)));
    let more = heads.map(|it| it.beyond(still).0.max(0.0));
    crate::stats::median(&more.collect::<Vec<f64>>())
}
