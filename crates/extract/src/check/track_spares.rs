//! How many spare sectors each track of a zone has, as angles show it.
//!
//! The pace of sectors under the head shows them too, but on hundreds of sectors one more is no more than the noise of
//! the pace. A track that is a sector longer has each of its sectors elsewhere, and so other angles.

use super::far_skews;
use super::zone_angles::MORE;
use crate::{DriveModel, Extraction};
use platterlab_drive::{LayoutParams, Sparing, ZoneParams};

const UNKNOWN: &str = "how many spare sectors each track has is not known";
/// Counts beside that of the pace that are tried, on either side.
const BESIDE: u32 = 3;
/// The share of all angles by which late completions make one count better than another.
const CHANCE: f64 = 0.01;

/// Spares of each track of a zone; none where all of a cylinder share them, or surfaces differ.
pub(super) fn of(zone: &ZoneParams) -> Option<u32> {
    match zone.sparing {
        _ if !zone.surface_sectors.is_empty() => None,
        Sparing::None => Some(0),
        Sparing::Track { sectors } => Some(sectors),
        _ => None,
    }
}

/// A zone whose tracks have as many sectors with an address, and so many spares.
fn with(zone: &ZoneParams, spares: u32) -> ZoneParams {
    let Some(before) = of(zone) else { return zone.clone() };
    let sparing = if spares == 0 { Sparing::None } else { Sparing::Track { sectors: spares } };
    ZoneParams {
        sectors_per_track: zone.sectors_per_track - before + spares,
        sparing,
        ..zone.clone()
    }
}

/// The counts that are worth a try: that of the pace first, its neighbours, those of the other zones, and none. Of a
/// zone that has none of its own kind, none at all but itself.
fn tried(zone: &ZoneParams, others: &[u32]) -> Vec<u32> {
    let Some(own) = of(zone) else { return vec![0] };
    let beside = own.saturating_sub(BESIDE)..=own + BESIDE;
    let mut counts = vec![own];
    for count in beside.chain(others.iter().copied()).chain([0, 1]) {
        if !counts.contains(&count) {
            counts.push(count);
        }
    }
    counts
}

/// Layouts in which each zone has one after another of the counts that are worth a try; which each zone has in them, if
/// there is one left.
pub(super) fn layouts(layout: &LayoutParams) -> Vec<(LayoutParams, Vec<Option<u32>>)> {
    let mut others: Vec<u32> = layout.zones.iter().filter_map(of).collect();
    others.sort_unstable();
    others.dedup();
    let tried: Vec<Vec<u32>> = layout.zones.iter().map(|zone| tried(zone, &others)).collect();
    let most = tried.iter().map(Vec::len).max().unwrap_or(0);
    let layout = |number: usize| {
        let counts: Vec<Option<u32>> = tried.iter().map(|all| all.get(number).copied()).collect();
        let zones = layout.zones.iter().zip(&counts).map(|(zone, count)| match count {
            Some(count) => with(zone, *count),
            None => zone.clone(),
        });
        (LayoutParams { zones: zones.collect(), ..layout.clone() }, counts)
    };
    (0..most).map(layout).collect()
}

/// By which count of those that were tried most angles come out, the first of them where others are hardly better; and
/// whether by no other nearly as many do, both neighbours among them. What has no other count is sure.
pub(super) fn best(right: &[(u32, usize)]) -> Option<(usize, bool)> {
    let most = right.iter().map(|it| it.1).max()?;
    let hardly = MORE.max((CHANCE * most as f64) as usize);
    let index = right.iter().position(|it| it.1 + hardly > most)?;
    let (spares, has) = (right[index].0, |count: u32| right.iter().any(|it| it.0 == count));
    let fewer = right.iter().filter(|it| it.0 != spares).all(|it| it.1 + hardly <= most);
    let inside = has(spares + 1) && (spares == 0 || has(spares - 1));
    Some((index, right.len() == 1 || fewer && inside))
}

/// Gives a sector of the first zone its part of a track with its spares, which have no address and pass under the head
/// too; what such a sector takes is not sure where angles do not tell the spares.
pub(super) fn settle(found: &mut Extraction, model: &DriveModel, alone: bool, coarse_ms: f64) {
    let Some(first) = model.zones.first() else { return };
    if !first.track_spares_agree {
        return found.sector_ms.doubt(UNKNOWN);
    }
    let fine = found.sector_ms.value.is_some_and(|it| it >= coarse_ms);
    if first.track_spare_sectors == 0 || !(first.skews_agree && alone && fine) {
        return;
    }
    let around = f64::from(first.sectors_per_track);
    far_skews::narrow(found, 1.0 - f64::from(first.track_spare_sectors) / around);
    found.sector_ms = found.rotation_ms.clone().divided(around);
    found.sector_ms.method = "rotation over sectors around a track, spares included";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_by_which_most_angles_come_out_is_sure_beside_its_neighbours_alone() {
        let right = [(2, 50), (1, 80), (3, 20), (0, 40)];
        assert_eq!(best(&right), Some((1, true)));
        // As many, or nearly so, by another one.
        assert_eq!(best(&[(2, 76), (1, 80), (3, 20), (0, 40)]), Some((0, false)));
        assert_eq!(best(&[(2, 80), (1, 80), (3, 20)]), Some((0, false)));
        // Of many, some more by chance.
        assert_eq!(best(&[(2, 122_234), (1, 122_244), (3, 1_000), (0, 800)]), Some((0, false)));
        // Who knows how many by one more?
        assert_eq!(best(&[(2, 50), (3, 80)]), Some((1, false)));
        assert_eq!(best(&[(0, 7)]), Some((0, true)));
        assert_eq!(best(&[]), None);
    }
}
