//! What another head and another cylinder add to a read.
//!
//! By writes, data comes over the interface meanwhile, and hides some of it, and the head settles longer.

use super::Evidence;
use super::arm_times::distance;
use super::replica::Replica;
use crate::reconcile::spikes;
use crate::stats::{MEDIAN_ERROR, mad, median};
use crate::{Estimate, Extraction};

/// A switch that is not known as well as that, in parts of it or in milliseconds, is not.
const SURE: f64 = 0.05;
const SURE_MS: f64 = 0.03;
const COARSE: &str = "the host's clock, or what completions are gathered over, leaves it open";
const MOVED: &str = "as long as the least seek: the arm may have moved";
const SCATTERED: &str = "seeks take another time each time, and no least seek tells their mean";
const NONE: &str = "no longer than none, by its error";
const BY_WRITES: &str =
    "timed by writes, which settle longer, and whose data comes over the interface meanwhile";

/// Takes what reads tell in place of what writes do, and doubts what both tell otherwise.
pub(super) fn settle(found: &mut Extraction, replica: &Replica, evidence: &Evidence<'_>) {
    let by_reads = head(replica, evidence);
    let (head, least) = (&mut found.head_switch_ms, &found.seek_min_ms);
    let alike = |(one, other): (f64, f64)| {
        (one - other).abs() <= (head.half_width() + least.half_width()).max(SURE * other)
    };
    if by_reads.is_none() && head.ok().zip(least.ok()).is_some_and(alike) {
        head.doubt(MOVED);
    }
    let coarse_ms = evidence.grain_ms.max(evidence.ticks_ms);
    let seek = &found.seek_min_ms;
    let by_seek = seek.ok().map(|value| Estimate::new(value, seek.half_width(), "least seek"));
    if evidence.scatter.is_some() && by_seek.is_none() {
        found.cylinder_switch_ms.doubt(SCATTERED);
    }
    for (switch, reads) in
        [(&mut found.head_switch_ms, by_reads), (&mut found.cylinder_switch_ms, by_seek)]
    {
        if !switch.value.is_some_and(|it| is_sure(it, switch.half_width() + coarse_ms)) {
            switch.doubt(COARSE);
        }
        if switch.ok().is_some_and(|it| it <= switch.half_width()) {
            switch.doubt(NONE);
        }
        let near = |one: f64, reads: &Estimate| {
            reads.value.is_some_and(|other| {
                let width = switch.half_width() + reads.half_width();
                (one - other).abs() <= width.max(SURE * other).max(SURE_MS)
            })
        };
        match (switch.ok(), reads) {
            (Some(_), Some(reads)) if evidence.goal.writes => *switch = reads,
            (Some(_), None) if evidence.goal.writes => switch.doubt(BY_WRITES),
            (Some(one), Some(reads)) if !near(one, &reads) => {
                switch.doubt(format!(
                    "{} takes {:.3} ms",
                    reads.method,
                    reads.value.unwrap_or(0.0)
                ));
            }
            (None, Some(reads)) => *switch = reads,
            _ => {}
        }
    }
    spikes(found, 0.0);
}

/// Doubts what writes tell where no simulation says what reads do.
pub(super) fn doubt_written(found: &mut Extraction, evidence: &Evidence<'_>) {
    if evidence.goal.writes {
        found.head_switch_ms.doubt(BY_WRITES);
        found.cylinder_switch_ms.doubt(BY_WRITES);
    }
}

/// What another head of the same cylinder adds to a read, where that is known well enough: where cylinders begin is
/// told by the skew to the next one, if that is another one.
fn head(replica: &Replica, evidence: &Evidence<'_>) -> Option<Estimate> {
    let still = evidence.still?;
    let sector_ms = replica.sector_ms(evidence.goal.region_lba, evidence.turn.period);
    let begun = !replica.heads_first() || replica.step_ms.is_some_and(|it| it.abs() > sector_ms);
    begun.then_some(())?;
    let sure = evidence.strokes.iter().filter(|it| it.from_lba.max(it.to_lba) < replica.until_lba);
    let heads =
        sure.filter(|it| distance(&replica.drive, it.from_lba, it.to_lba) == Some((0, true)));
    let (more, widths): (Vec<f64>, Vec<f64>) = heads.map(|it| it.beyond(still)).unzip();
    let (value, spread) = (median(&more)?, mad(&more)?);
    let error = 1.96 * MEDIAN_ERROR * spread / (more.len() as f64).sqrt();
    let width = error + median(&widths)?;
    (is_sure(value, width) && value > width)
        .then(|| Estimate::new(value, width, "reads of other heads of the cylinder"))
}

fn is_sure(value: f64, width: f64) -> bool {
    width <= (SURE * value).max(SURE_MS)
}
