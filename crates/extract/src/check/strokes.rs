//! Movements of the arm: what they take on the simulated drive, and what they took.

use super::arm_times::{broken, distance};
use super::replica::Replica;
use super::{Evidence, Kept, Part, Value, differs};
use crate::Extraction;
use crate::positioning::positioning;
use platterlab_probe::{Plan, Samples};

/// A seek that differs by more, in parts of itself, is another one.
pub(super) const OTHER: f64 = 0.03;
/// The part of the cylinders that a movement over nearly all of them may leave out.
const NEARLY: f64 = 0.02;

/// What is wrong with a seek that the survey timed, on a drive whose tracks lie as extracted.
fn by_pairs(replica: &Replica, evidence: &Evidence<'_>, seek: f64, value: Value) -> Option<String> {
    let still = evidence.still?;
    let moved: Vec<(u32, f64, f64)> = evidence
        .strokes
        .iter()
        .filter_map(|it| {
            let (far, head) = distance(&replica.drive, it.from_lba, it.to_lba)?;
            // A head switch is over before a long seek is.
            let alone = !head || far > 1;
            let (took, width) = it.beyond(still);
            alone.then_some((far, took, width))
        })
        .collect();
    let furthest = replica.drive.layout().cylinders().saturating_sub(1);
    let wanted = if value == Value::SeekMin { 1 } else { furthest };
    let off = |(far, took, width): &&(u32, f64, f64)| {
        // No seek grows faster than the distance.
        let short = f64::from(wanted.abs_diff(*far)) / f64::from(wanted.max(1));
        short <= NEARLY && (took - seek).abs() > ((OTHER + short) * seek).max(2.0 * width)
    };
    let (far, took, _) = moved.iter().find(off)?;
    Some(format!("the arm takes {took:.3} ms over {far} cylinders by the map"))
}

/// Values that the movements contradict, each with what is wrong.
pub(super) fn compared(
    replica: &Replica,
    found: &Extraction,
    evidence: &Evidence<'_>,
    runs: &[(&Kept, Samples)],
) -> Vec<(Value, String)> {
    let mut wrong = Vec::new();
    for (value, said) in
        [(Value::SeekMin, &found.seek_min_ms), (Value::SeekMax, &found.seek_max_ms)]
    {
        let Some(seek) = said.ok() else { continue };
        if said.method.starts_with("pairs of reads") {
            wrong.extend(by_pairs(replica, evidence, seek, value).map(|note| (value, note)));
            continue;
        }
        let by_arm = said.method.starts_with("movement");
        let part = if by_arm { Part::Arm } else { Part::Campaign };
        let mine = runs.iter().filter(|(kept, _)| kept.part == part);
        let moved: Vec<Moved> = mine.flat_map(|run| moved(replica, evidence, run)).collect();
        let Some(still) = moved.iter().find(|it| it.far == 0 && !it.head) else { continue };
        let furthest = moved.iter().map(|it| it.far).max().unwrap_or(0);
        let wanted = if value == Value::SeekMin { 1 } else { furthest };
        let mine = moved.iter().filter(|it| it.far == wanted && (furthest > 1 || wanted == 1));
        let more = if by_arm && value == Value::SeekMin { least(mine) } else { each(mine) };
        let off = |(more, width): &(f64, f64)| {
            (more - still.more).abs() > (OTHER * seek).max(width + still.width)
        };
        if let Some((more, _)) = more.into_iter().find(off) {
            let more = more - still.more;
            let more = differs(more, 4, ["more", "less"]);
            wrong.push((value, format!("{wanted} cylinders took {more} than simulated")));
        }
    }
    if replica.counted && broken(&replica.drive, replica.until_lba, evidence) {
        let note = "movements between tracks take longer than such that go further";
        wrong.push((Value::Surfaces, note.into()));
    }
    wrong
}

/// How much more each of them took than simulated, and what that leaves open.
fn each<'a>(moved: impl Iterator<Item = &'a Moved>) -> Vec<(f64, f64)> {
    moved.map(|it| (it.more, it.width)).collect()
}

/// The same of the least of them all: with which of them the head changes may be open, as orders are, and it makes
/// none shorter.
fn least<'a>(moved: impl Iterator<Item = &'a Moved> + Clone) -> Vec<(f64, f64)> {
    let took = moved.clone().map(|it| it.took).reduce(f64::min);
    let simulated = moved.clone().map(|it| it.took - it.more).reduce(f64::min);
    let width = moved.map(|it| it.width).fold(0.0, f64::max);
    took.zip(simulated).map(|(took, simulated)| (took - simulated, width)).into_iter().collect()
}

/// A movement that was timed on both.
struct Moved {
    far: u32,
    head: bool,
    took: f64,
    /// How much longer it took than simulated, and what that leaves open, in milliseconds.
    more: f64,
    width: f64,
}

fn moved(
    replica: &Replica,
    evidence: &Evidence<'_>,
    (kept, again): &(&Kept, Samples),
) -> Vec<Moved> {
    let Plan::Seeker(plan) = &kept.run.plan else { return Vec::new() };
    let (measured, simulated) = (
        positioning(&kept.run, evidence.turn, evidence.scatter),
        positioning(again, evidence.turn, None),
    );
    let moved = measured.iter().filter_map(|one| {
        let other = simulated.iter().find(|other| other.target_lba == one.target_lba)?;
        let (far, head) = distance(&replica.drive, plan.anchor_lba, one.target_lba)?;
        let width = one.half_width + other.half_width + evidence.grain_ms;
        Some(Moved { far, head, took: one.time, more: one.time - other.time, width })
    });
    moved.collect()
}
