//! The seek curve of reads, by cylinders of the simulated drive.

use super::arm_times::distance;
use super::strokes::OTHER;
use super::{Evidence, Part};
use crate::survey::TimedMovement;
use crate::{Extraction, SeekPoint};
use platterlab_drive::Drive;
use platterlab_probe::Plan;
use std::collections::BTreeMap;

/// Times that differ by no more are alike, in milliseconds: what SEEKER has more at both ends of the curve, and what
/// the head takes and the arm.
const ALIKE_MS: f64 = 0.1;

/// What of the arm reads tell.
pub(super) struct ReadSeeks {
    pub(super) seeks: Vec<SeekPoint>,
    pub(super) head_switch_ms: Option<f64>,
    pub(super) write_settle_ms: Option<f64>,
}

impl ReadSeeks {
    /// The survey's movements, the least and the longest seek, and what SEEKER timed between them, less what it
    /// has more at both ends.
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
        let more_ms = more_ms(&seeker, &seeks);
        let known = more_ms.is_some() || !evidence.goal.writes && !is_contradicted(&seeker, &seeks);
        for mut point in seeker.into_iter().filter(|_| known) {
            point.seek_ms -= more_ms.unwrap_or(0.0);
            let far = point.distance_cylinders.unwrap_or(0);
            seeks.entry(far).or_insert(point);
        }
        let settle = more_ms.filter(|_| evidence.goal.writes);
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

/// What the seeks of SEEKER have more than those by pairs of reads, where both ends of the curve have as much: what
/// writes settle longer, or less by what the request held that they are counted from.
fn more_ms(seeker: &[SeekPoint], reads: &BTreeMap<u32, SeekPoint>) -> Option<f64> {
    let [least, most] = ends_ms(seeker, reads);
    let ((least, _), (most, _)) = (least?, most?);
    ((least - most).abs() <= ALIKE_MS).then_some(f64::midpoint(least, most))
}

/// Whether an end of the curve is another one by pairs of reads.
fn is_contradicted(seeker: &[SeekPoint], reads: &BTreeMap<u32, SeekPoint>) -> bool {
    let other = |(more_ms, read_ms): (f64, f64)| more_ms.abs() > ALIKE_MS.max(OTHER * read_ms);
    ends_ms(seeker, reads).into_iter().flatten().any(other)
}

/// What both ends of SEEKER's curve have more than pairs of reads that go as far, and what these take.
fn ends_ms(seeker: &[SeekPoint], reads: &BTreeMap<u32, SeekPoint>) -> [Option<(f64, f64)>; 2] {
    let far = |point: &&SeekPoint| point.distance_cylinders;
    [seeker.iter().min_by_key(far), seeker.iter().max_by_key(far)].map(|end| {
        let end = end?;
        let (near, read) = reads.range(..=end.distance_cylinders?).next_back()?;
        let as_far = f64::from(*near) >= 0.99 * f64::from(end.distance_cylinders?);
        as_far.then_some((end.seek_ms - read.seek_ms, read.seek_ms))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn points(times: &[(u32, f64)]) -> Vec<SeekPoint> {
        times.iter().map(|(far, ms)| point(*far, 100 * u64::from(*far), *ms, 0.01)).collect()
    }

    #[test]
    fn seeker_is_held_against_both_ends_of_what_reads_take() {
        let reads = points(&[(1, 3.26), (100, 6.0), (4_889, 23.39)]);
        let reads = reads.into_iter().map(|it| (it.distance_cylinders.unwrap_or(0), it)).collect();
        let told = |times: &[(u32, f64)]| {
            let seeker = points(times);
            (more_ms(&seeker, &reads), is_contradicted(&seeker, &reads))
        };
        // Counted from a request that held a head switch.
        let (more, _) = told(&[(1, 0.29), (40, 1.4), (4_889, 20.42)]);
        assert!(more.is_some_and(|more| (more + 2.97).abs() < 1e-9), "{more:?}");
        assert!(told(&[(1, 3.27), (4_889, 23.4)]).0.is_some_and(|more| more.abs() < 0.02));
        assert_eq!(told(&[(1, 1.0), (4_889, 23.4)]), (None, true));
        // Less than what seeks differ by.
        assert_eq!(told(&[(1, 3.25), (4_889, 23.8)]), (None, false));
        // Its far end is at a place that no pairs of reads tell of.
        assert_eq!(told(&[(1, 3.25), (3_000, 17.0)]), (None, false));
    }
}
