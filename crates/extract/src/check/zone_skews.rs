//! Skews of each zone, held against those by which angles all over it come out.

use super::angles::Fitted;
use crate::model::{DriveModel, ModelZone};
use crate::pattern::LEAST;
use crate::zones::Zone;
use crate::{Estimate, Extraction};

const COARSE: &str = "completions do not tell a sector, and no angles over many tracks do";
const PARTLY: &str = "in a part of the zone angles come out otherwise";
const UNLIKE: &str = "it is not the drive's, and no angles over many tracks confirm it";
const METHOD: &str = "angles all over the zone, whole sectors";

/// Sectors by which a skew of a zone differs from that of the first one, as whole ones in each.
const ROUNDED: f64 = 1.5;

/// Takes the skews of the zones of which the model has all angles by no others, where they are as long as those of the
/// drive or as what a few tracks of the zone showed, and doubts what these showed otherwise. Where completions do not
/// tell a sector, few tracks count for nothing, and angles of many for as much as they are those of the drive.
pub(super) fn settle(found: &mut Extraction, model: &DriveModel, fitted: &Fitted, coarse_ms: f64) {
    let turn = found.rotation_ms.clone();
    let Some(turn_ms) = turn.ok().filter(|_| found.zones.len() == model.zones.len()) else {
        return;
    };
    let drives = [&found.track_skew_ms, &found.cylinder_skew_ms].map(Estimate::ok);
    let sure = fitted.alone.iter().zip(&fitted.parts_agree);
    let sure = found.zones.iter_mut().zip(&model.zones).zip(sure);
    for ((zone, told), (alone, parts_agree)) in sure {
        let sector_ms = turn_ms / f64::from(told.sectors_per_track);
        let coarse = coarse_ms > sector_ms;
        for ((skew, turns), drive) in skews(zone, told).into_iter().zip(drives) {
            let told_ms = turns * turn_ms;
            let off = |other: f64| (other - told_ms).abs();
            let like = drive.is_some_and(|drive| off(drive) <= ROUNDED * sector_ms);
            if coarse && !(told.skews_agree && *alone && like) {
                skew.doubt(COARSE);
            }
            if !parts_agree {
                skew.doubt(PARTLY);
            }
            if !told.skews_agree {
                // Few tracks of the zone alone tell it, and the drive's others are of another skew.
                let apart = skew.ok().zip(drive).map_or(0.0, |(one, other)| (one - other).abs());
                if apart > ROUNDED * sector_ms {
                    skew.doubt(UNLIKE);
                }
                continue;
            }
            let left = LEAST * sector_ms + if *alone { skew.half_width() } else { 0.0 };
            if skew.ok().is_some_and(|one| off(one) > left) {
                skew.doubt(format!("angles over many tracks have {told_ms:.4} ms"));
            } else if *alone && !coarse && (like || skew.ok().is_some()) {
                *skew = Estimate::new(told_ms, turns * turn.half_width(), METHOD);
            }
        }
    }
}

/// Both skews with what the model has of them, in turns. With cylinders first each track is another
/// cylinder's.
fn skews<'a>(zone: &'a mut Zone, told: &ModelZone) -> [(&'a mut Estimate, f64); 2] {
    let cylinder = told.cylinder_skew_turns;
    let seeks_first = told.serpentine_cylinders.is_some();
    let track = if seeks_first { cylinder } else { told.track_skew_turns };
    [(&mut zone.track_skew_ms, track), (&mut zone.cylinder_skew_ms, cylinder)]
}
