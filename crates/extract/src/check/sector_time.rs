//! What a sector of the first zone takes to pass, by the spares of its track.

use super::far_skews;
use crate::{DriveModel, Extraction};

const UNKNOWN: &str = "how many spare sectors each track has is not known";

/// Gives a sector of the first zone its part of a track with its spares, which have no address and pass under the head
/// too; what such a sector takes is not sure where angles do not tell the spares.
pub(super) fn settle(found: &mut Extraction, model: &DriveModel, coarse_ms: f64) {
    let Some(first) = model.zones.first() else { return };
    if !first.track_spares_agree {
        return found.sector_ms.doubt(UNKNOWN);
    }
    let fine = found.sector_ms.value.is_some_and(|it| it >= coarse_ms);
    if first.track_spare_sectors == 0 || !fine {
        return;
    }
    let around = f64::from(first.sectors_per_track);
    far_skews::narrow(found, 1.0 - f64::from(first.track_spare_sectors) / around);
    found.sector_ms = found.rotation_ms.clone().divided(around);
    found.sector_ms.method = "rotation over sectors around a track, spares included";
}
