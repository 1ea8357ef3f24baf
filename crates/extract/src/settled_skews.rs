//! The skews of a drive, from what was measured at one place and all over it.

use crate::agreed::{Agreed, Class, surfaces_differ, uneven};
use crate::pattern::{LEAST, METHOD as STEPS, MIXED, enough_ms, mixed_ms};
use crate::stats::fold;
use crate::survey::TrackMap;
use crate::{Estimate, Extraction};

/// Those of the campaign where the map confirms them, else those of the map where it knows them
/// well enough.
pub(crate) fn skews(found: &mut Extraction, map: &TrackMap, known: &Agreed, grain_ms: f64) {
    const WHY: &str = "the map of the tracks does not confirm it";
    let Some(class) = known.class else {
        found.track_skew_ms.doubt(WHY);
        return found.cylinder_skew_ms.doubt(WHY);
    };
    let alike = class != Class::HeadFirst || map.other_switch_ms.ok().is_none();
    let sector_ms = found.sector_ms.value.unwrap_or(0.0);
    // A middle of many steps between tracks is no better than the clock they were taken with.
    let coarse = |skew: &Estimate| {
        let value = skew.value.unwrap_or(0.0);
        skew.method == STEPS && grain_ms > enough_ms(value, sector_ms)
    };
    // Skews are whole sectors, other ones in each zone.
    let known_first = |skew: &&Estimate| skew.ok().is_some() && !(alike && coarse(skew));
    let [track, other] = match &map.first_switches_ms {
        Some([track, _]) if alike && known_first(&track) => [track, &map.other_switch_ms],
        Some([track, other]) if !alike && [track, other].iter().all(known_first) => [track, other],
        _ => [&map.track_switch_ms, &map.other_switch_ms],
    };
    let enough = |skew: f64| enough_ms(skew, sector_ms);
    let turn_ms = found.rotation_ms.value.unwrap_or(f64::INFINITY);
    // Where there is none, one of them may seem to be nearly a whole turn.
    let near = |one: f64, other: f64| fold(one - other, turn_ms).abs() <= enough(one.min(other));
    let settle = |campaign: &mut Estimate, map: &Estimate| match (campaign.ok(), map.ok()) {
        (Some(one), Some(other)) if near(one, other) => {}
        (Some(one), Some(other)) => {
            // Neither is known so well that they could differ by less.
            let both = campaign.clone().weighted(map);
            let widths = campaign.half_width().hypot(map.half_width());
            if (one - other).abs() <= widths && both.half_width() <= enough(one) {
                *campaign = both;
            } else {
                campaign.doubt(WHY);
            }
        }
        (None, Some(skew)) if map.half_width() <= enough(skew) => *campaign = map.clone(),
        _ => campaign.doubt(WHY),
    };
    if class == Class::SeekFirst || surfaces_differ(map) || known.miscounted {
        // A line over all tracks of a pass tells more than steps at one place, and those over tracks that are
        // taken to be alike tell nothing of others.
        found.track_skew_ms = Estimate::unsupported(STEPS, WHY);
    }
    settle(&mut found.track_skew_ms, track);
    if alike {
        // From track to track the arm moves, or moves as if it did.
        found.cylinder_skew_ms = found.track_skew_ms.clone();
        if class == Class::HeadFirst {
            undo_mixed(found, map, grain_ms, &enough);
        }
    } else {
        if uneven(map) || known.miscounted {
            // Of cylinders that end with a shorter track the campaign's equal tracks tell nothing.
            found.cylinder_skew_ms = Estimate::unsupported(STEPS, WHY);
        }
        settle(&mut found.cylinder_skew_ms, other);
    }
    let counted = found.sectors_per_track.ok().is_some();
    for skew in [&mut found.track_skew_ms, &mut found.cylinder_skew_ms] {
        if !counted {
            // What may be a part of a sector, or a turn less that, is no skew for sure.
            skew.doubt("the sectors of a track are not counted");
        }
        // A whole turn is none.
        if skew.value.is_some_and(|value| turn_ms - value <= LEAST * sector_ms) {
            *skew = skew.clone().less(turn_ms);
        }
        if coarse(skew) {
            skew.doubt("the host's clock is too coarse for it");
        }
    }
}

/// What seems to be both skews is the mean of those of a cylinder, and one of them, or both, may be another one.
fn undo_mixed(found: &mut Extraction, map: &TrackMap, grain_ms: f64, enough: &dyn Fn(f64) -> f64) {
    let surfaces = map.layout.surfaces.ok().unwrap_or(1.0);
    let most = found.track_skew_ms.value.map_or(0.0, enough);
    if mixed_ms(grain_ms, 1.0) > most {
        found.cylinder_skew_ms.doubt(MIXED);
    }
    if mixed_ms(grain_ms, surfaces) > most {
        found.track_skew_ms.doubt(MIXED);
    }
}

/// What the campaign tells of two skews in turn, and of the movements over them, is of the one within first.
pub(crate) fn two_skews(found: &mut Extraction, map: &TrackMap) {
    if found.surfaces.value != Some(2.0) {
        return;
    }
    let within = map.layout.within;
    within.settle(&mut found.track_skew_ms, &mut found.cylinder_skew_ms);
    within.settle(&mut found.head_switch_ms, &mut found.cylinder_switch_ms);
    for zone in &mut found.zones {
        within.settle(&mut zone.track_skew_ms, &mut zone.cylinder_skew_ms);
    }
}
