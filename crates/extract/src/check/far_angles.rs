//! Skews by which angles over many tracks do not come out, whichever are tried.

use super::Value;
use super::angles::Fitted;
use super::zone_angles::{MORE, SHARE, share};
use crate::Extraction;

/// What of each zone angles contradict. Of the angles that have a skew, such a share has to come out as
/// makes it the zone's, of the share that comes out where no skew is between: late completions spoil both
/// alike. A skew, or an order of tracks, that is another one leaves those that come out by chance.
pub(super) fn contradicted(fitted: &Fitted, found: &Extraction) -> Vec<(Value, String)> {
    let [right, all] = fitted.told.iter().fold([0, 0], |[right, all], told| {
        let [more, of] = told[0];
        [right + more, all + of]
    });
    let repeated = if all < MORE { 1.0 } else { right as f64 / all as f64 };
    let zones = (0..fitted.told.len()).filter(|index| !fitted.skews_agree[*index]);
    zones.flat_map(|index| zone(fitted, found, index, repeated)).collect()
}

fn zone(fitted: &Fitted, found: &Extraction, index: usize, repeated: f64) -> Vec<(Value, String)> {
    let told = &fitted.told[index];
    let off =
        |[right, all]: [usize; 2]| all >= MORE && (right as f64) < SHARE * repeated * all as f64;
    let mut named = Vec::new();
    if off(told[1]) || off(told[2]) {
        named.push(Value::ModelZone(index));
    }
    let zone = &fitted.layout.zones[index];
    // Only those of the first zone are printed. Where the arm moves with every step, both are its first skew.
    if index == 0 && off(told[1]) && found.track_skew_ms.ok().is_some() {
        named.push(Value::TrackSkew);
    }
    let mine =
        if zone.order.seeks_first() || fitted.layout.surfaces == 1 { told[1] } else { told[2] };
    if index == 0 && off(mine) && found.cylinder_skew_ms.ok().is_some() {
        named.push(Value::CylinderSkew);
    }
    let wrong = told[1..].iter().filter(|told| off(**told));
    let [right, all] = wrong.fold([0, 0], |[right, all], told| [right + told[0], all + told[1]]);
    let least = fitted.by_probe[index].iter().filter(|(_, [_, all])| *all >= MORE);
    let least = least.min_by(|(_, one), (_, other)| share(one).total_cmp(&share(other)));
    let probe = least.map_or_else(String::new, |(name, [right, all])| {
        format!(", {right} of {all} of probe {name}")
    });
    let note = format!(
        "{right} of {all} angles over the tracks of zone {index} come out by its skews and its order of \
         tracks{probe}; on one track {:.1} % do",
        100.0 * repeated
    );
    named.into_iter().map(|value| (value, note.clone())).collect()
}
