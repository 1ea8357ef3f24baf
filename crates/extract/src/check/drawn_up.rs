//! The simulated drive as a model that a profile is made of.

use super::Evidence;
use super::angles::Fitted;
use super::read_seeks::ReadSeeks;
use super::replica::Replica;
use crate::{DriveModel, Extraction, ModelZone};
use platterlab_drive::{Skew, Sparing, ZoneParams};

/// The model, its skews those that angles on the whole drive have in common.
pub(super) fn model(
    replica: &Replica,
    found: &Extraction,
    evidence: &Evidence<'_>,
    fitted: &Fitted,
) -> DriveModel {
    let arm = ReadSeeks::of(&replica.drive, found, evidence);
    let zones = fitted.layout.zones.iter().enumerate();
    DriveModel {
        surfaces: fitted.layout.surfaces,
        zones: zones.map(|(index, zone)| drawn(zone, index, fitted)).collect(),
        seeks: arm.seeks,
        head_switch_ms: arm.head_switch_ms,
        still_ms: evidence.still.map(|it| it.time_ms),
        write_settle_ms: arm.write_settle_ms,
        angles: fitted.angles as u64,
        angles_right: fitted.right as u64,
    }
}

fn drawn(zone: &ZoneParams, index: usize, fitted: &Fitted) -> ModelZone {
    let turns = |skew: Skew| match skew {
        Skew::Sectors(count) => f64::from(count) / f64::from(zone.sectors_per_track),
        Skew::Turn(angle) => angle.as_turns(),
    };
    let (track_spare_sectors, cylinder_spare_sectors, spare_cylinders) = match zone.sparing {
        Sparing::Track { sectors } => (sectors, 0, 1),
        Sparing::Cylinder { sectors } => (0, sectors, 1),
        Sparing::Cylinders { sectors, cylinders, .. } => (0, sectors, cylinders),
        _ => (0, 0, 1),
    };
    ModelZone {
        cylinders: zone.cylinders,
        sectors_per_track: zone.sectors_per_track,
        surface_sectors_per_track: zone.surface_sectors.clone(),
        order: zone.order,
        serpentine_cylinders: zone.serpentine_cylinders,
        track_skew_turns: turns(zone.track_skew),
        cylinder_skew_turns: turns(zone.cylinder_skew),
        serpentine_skew_turns: turns(zone.serpentine_skew),
        skews_agree: fitted.skews_agree[index],
        first_track_skew_turns: turns(zone.first_track_skew),
        first_track_agrees: fitted.firsts_agree[index],
        track_spare_sectors,
        track_spares_agree: fitted.spares_agree[index],
        cylinder_spare_sectors,
        spare_cylinders,
        skip_first_sectors: zone.skip_first_sectors,
        skip_last_sectors: zone.skip_last_sectors,
    }
}
