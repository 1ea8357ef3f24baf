//! SKIPPY's slopes, held against the sectors that were counted: a line through those of other tracks has another
//! slope.

use super::Evidence;
use crate::{Estimate, Extraction};

/// The part of a track's sectors by which a slope may be off.
const OFF: f64 = 0.01;
/// The part of a slope's interval, to either side, that the count has to lie within: how many spares pass is not known
/// to the sector.
const WITHIN: f64 = 0.75;

/// Doubts slopes that are not those of the tracks there. Spares pass under the head, too, as far as the model has
/// them: where it has none, a slope by which there would be spares is not surer than that. The clock, and interrupts
/// that are gathered, leave a part of a turn open.
pub(super) fn settle(found: &mut Extraction, evidence: &Evidence<'_>) {
    let open = evidence.grain_ms.max(evidence.ticks_ms) / evidence.turn.period;
    let zones = found.model.as_ref().filter(|model| model.zones.len() == found.zones.len());
    let around: Vec<Option<f64>> = (0..found.zones.len())
        .map(|index| Some(&zones?.zones[index]))
        .map(|zone| zone.filter(|zone| zone.surface_sectors_per_track.is_empty()))
        .map(|zone| Some(f64::from(zone?.sectors_per_track)))
        .collect();
    if let Some(first) = found.zones.first() {
        let count = first.sectors_per_track.clone();
        hold(&mut found.skippy_sectors_per_track, &count, around[0], open);
    }
    for (zone, around) in found.zones.iter_mut().zip(around) {
        hold(&mut zone.skippy_sectors_per_track, &zone.sectors_per_track, around, open);
    }
}

fn hold(slope: &mut Estimate, count: &Estimate, around: Option<f64>, open: f64) {
    let more = open * slope.value.unwrap_or(0.0);
    slope.ci95 = slope.ci95.map(|[low, high]| [low - more, high + more]);
    let (Some(sectors), Some(count)) = (slope.ok(), count.value) else { return };
    let off = (WITHIN * slope.half_width()).max(OFF * count);
    if (sectors - around.unwrap_or(count)).abs() > off {
        slope.doubt(format!("a track has {count} sectors"));
    }
}
