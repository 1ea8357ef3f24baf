//! Skews that few tracks leave open, as angles over many show them.
//!
//! The clock, or what completions scatter by, leaves a skew open by a sector or two. Over hundreds of tracks these
//! add up: of all whole sectors near what is known of both skews, hardly ever more than one pair has the far angles.

use super::angles::{Fitted, fitted};
use super::{Evidence, replayed};
use crate::pattern::{LEAST, least_ms};
use crate::tracks::WHOLE;
use crate::{Estimate, Extraction, Status};
use platterlab_drive::Skew;

const METHOD: &str = "angles all over the first zone, whole sectors";
/// Sectors that a skew may be off by, of those that are tried on either side.
const MOST_OFF: f64 = 2.5;

/// Makes the skews sure that are not, where heads come first and all tracks and surfaces are known, if no others do
/// nearly as well, and they are what is known of both.
pub(super) fn settle(found: &mut Extraction, evidence: &Evidence<'_>) {
    let class = &evidence.map.layout.class;
    let heads_first = class.status == Status::Ok && class.value == Some("head-first");
    let counted = found.surfaces.ok().is_some_and(|count| count > 1.0);
    let open = [&found.track_skew_ms, &found.cylinder_skew_ms].map(|skew| skew.ok().is_none());
    if !heads_first || !counted || !open.contains(&true) || evidence.map.status != Status::Ok {
        return;
    }
    if let Some([track, cylinder]) = settled(found, evidence) {
        if open[0] {
            found.track_skew_ms = track;
        }
        if open[1] {
            found.cylinder_skew_ms = cylinder;
        }
    }
}

/// Makes sectors of skews that are whole ones as wide as those of a track with spares are, so many times as wide
/// as without.
pub(super) fn narrow(found: &mut Extraction, share: f64) {
    for skew in [&mut found.track_skew_ms, &mut found.cylinder_skew_ms] {
        if let Some(value) = skew.value.filter(|_| skew.method == WHOLE) {
            let note = std::mem::take(&mut skew.note);
            *skew =
                Estimate::new(share * value, share * skew.half_width(), skew.method).noted(note);
        }
    }
}

fn settled(found: &Extraction, evidence: &Evidence<'_>) -> Option<[Estimate; 2]> {
    let (turn, sector_ms) = (found.rotation_ms.clone(), found.sector_ms.ok()?);
    let turn_ms = turn.ok()?;
    let hints = hints(found, evidence)?;
    if hints.iter().any(|hint| hint.half_width() > MOST_OFF * sector_ms) {
        return None;
    }
    let [track_skew_ms, cylinder_skew_ms] = hints.clone();
    let tried = Extraction { track_skew_ms, cylinder_skew_ms, ..found.clone() };
    let (replica, runs, _) = replayed(&tried, evidence).ok()?;
    let Fitted { layout, skews_agree, alone, .. } = fitted(&replica, evidence, &runs);
    let zone = layout.zones.first().filter(|_| skews_agree[0] && alone[0])?;
    let whole = [zone.track_skew, zone.cylinder_skew].map(|skew| match skew {
        Skew::Sectors(count) => Some(count),
        Skew::Turn(_) => None,
    });
    let sector = 1.0 / f64::from(zone.sectors_per_track);
    let skew = |count: u32| {
        let turns = f64::from(count) * sector;
        Estimate::new(turns * turn_ms, turns * turn.half_width(), METHOD)
            .noted(format!("{count} sectors"))
    };
    let skews = [skew(whole[0]?), skew(whole[1]?)];
    let near = |(skew, hint): (&Estimate, &Estimate)| {
        let off = skew.value.unwrap_or(f64::NAN) - hint.value.unwrap_or(f64::NAN);
        off.abs() <= hint.half_width() + LEAST * sector_ms
    };
    skews.iter().zip(&hints).all(near).then_some(skews)
}

/// What is known of both skews, sure or not.
fn hints(found: &Extraction, evidence: &Evidence<'_>) -> Option<[Estimate; 2]> {
    let map = evidence.map;
    let hint = |found: &Estimate, map: &Estimate| {
        let known = if found.value.is_some() { found } else { map };
        Some(Estimate::new(known.value?, known.half_width(), METHOD))
    };
    let track = hint(&found.track_skew_ms, &map.track_switch_ms)?;
    let cylinder = hint(&found.cylinder_skew_ms, &map.other_switch_ms)?;
    if track.value != cylinder.value {
        return Some([track, cylinder]);
    }
    // What looks alike may differ by what the clock, or interrupts that are gathered, do not tell.
    let differ_ms = least_ms(0.0, evidence.grain_ms.max(evidence.ticks_ms));
    let wide = |skew: Estimate| {
        let half_width = skew.half_width().max(differ_ms);
        skew.value.map(|value| Estimate::new(value, half_width, METHOD))
    };
    Some([wide(track)?, wide(cylinder)?])
}
