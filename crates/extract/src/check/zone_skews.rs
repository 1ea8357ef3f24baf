//! Skews of each zone, held against those by which angles all over it come out.

use crate::Estimate;
use crate::model::{DriveModel, ModelZone};
use crate::pattern::LEAST;
use crate::zones::Zone;

const METHOD: &str = "angles all over the zone, whole sectors";

/// Takes the skews of the zones of which the model has all angles by no others, and doubts those that were measured
/// at a few tracks of these otherwise.
pub(super) fn settle(
    zones: &mut [Zone],
    model: &DriveModel,
    alone: &[bool],
    rotation_ms: &Estimate,
) {
    let Some(turn_ms) = rotation_ms.ok().filter(|_| zones.len() == model.zones.len()) else {
        return;
    };
    let half_width = rotation_ms.half_width();
    let sure = zones.iter_mut().zip(&model.zones).zip(alone);
    for ((zone, told), _) in sure.filter(|((_, told), alone)| told.skews_agree && **alone) {
        let sector_ms = turn_ms / f64::from(told.sectors_per_track);
        for (skew, turns) in skews(zone, told) {
            let told = Estimate::new(turns * turn_ms, turns * half_width, METHOD);
            let off = skew.ok().map(|value| (value - turns * turn_ms).abs());
            if off.is_some_and(|off| off > skew.half_width() + LEAST * sector_ms) {
                skew.doubt(format!("angles over many tracks have {:.4} ms", turns * turn_ms));
            } else {
                *skew = told;
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
