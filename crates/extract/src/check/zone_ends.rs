//! Zones that would end with a cylinder of which hardly anything is used: their edge is off.

use crate::model::{DriveModel, ModelZone};
use crate::zones::Zone;

/// Sectors of a cylinder that nobody would use alone.
const FEW: u32 = 2;

/// Doubts where zones begin behind one that would end with a cylinder of few sectors, where most do
/// not: an edge that is a sector late makes such a cylinder, and spares of each zone make them all.
pub(super) fn doubt(zones: &mut [Zone], model: &DriveModel) {
    if zones.len() != model.zones.len() {
        return;
    }
    let Some((_, inner)) = model.zones.split_last() else { return };
    let odd = |zone: &ModelZone| {
        let tracks = model.surfaces * (zone.sectors_per_track - zone.track_spare_sectors);
        let used = tracks.saturating_sub(zone.cylinder_spare_sectors + zone.skip_last_sectors);
        model.surfaces > 1 && zone.skip_last_sectors > 0 && (1..=FEW).contains(&used)
    };
    if 2 * inner.iter().filter(|zone| odd(zone)).count() >= inner.len() {
        return;
    }
    for (_, next) in inner.iter().zip(&mut zones[1..]).filter(|(zone, _)| odd(zone)) {
        next.first_lba.doubt("the zone before would end with a cylinder of few sectors");
    }
}
