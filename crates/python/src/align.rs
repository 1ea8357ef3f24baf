//! Extent-aligned tracks.

use crate::answers::Answer;
use crate::error::input;
use crate::profile::Profile;
use platterlab_drive::{DriveParams, Skew};
use platterlab_profile::{AlignModel, Aligned, Alignment};
use platterlab_units::MIB;
use pyo3::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// What extent-aligned tracks cost a drive.
#[derive(JsonSchema, Serialize)]
pub(crate) struct AlignAccount {
    capacity_before_sectors: u64,
    capacity_sectors: u64,
    capacity_lost_pct: f64,
    spares_gained_sectors: u64,
    zones: Vec<AlignZoneAccount>,
}

/// The same of a zone.
#[derive(JsonSchema, Serialize)]
struct AlignZoneAccount {
    cylinders: [u32; 2],
    /// Where surfaces differ.
    surface: Option<u32>,
    extents_per_track: u32,
    data_sectors_before: u32,
    data_sectors: u32,
    spare_sectors: u32,
    media_rate_before_mib_s: f64,
    media_rate_mib_s: f64,
    sequential_before_mib_s: f64,
    sequential_mib_s: f64,
}

/// The profile laid out anew so that tracks hold whole extents, and what that cost.
#[pyfunction]
#[pyo3(signature = (profile, extent_bytes, model, most_per_track = None))]
pub(crate) fn align(
    profile: &Profile,
    extent_bytes: u64,
    model: u32,
    most_per_track: Option<u32>,
) -> PyResult<(Profile, Answer<AlignAccount>)> {
    let Some(model) = AlignModel::ALL.into_iter().find(|it| it.number() == model) else {
        return Err(input(format!("there is no model {model}; there are 1, 2 and 3")));
    };
    if most_per_track == Some(0) {
        return Err(input("a track cannot hold 0 extents; write at least 1"));
    }
    let how = Alignment { extent_bytes, model, most_per_track };
    let aligned = profile.inner.aligned(&how).map_err(input)?;
    let account = Answer(account(profile, &aligned));
    Ok((Profile::new(aligned.profile), account))
}

fn account(before: &Profile, aligned: &Aligned) -> AlignAccount {
    let lost = 1.0 - aligned.capacity_sectors as f64 / aligned.capacity_before_sectors as f64;
    let zones = aligned.zones.iter().enumerate().flat_map(|(index, zone)| {
        let differ = zone.surfaces.len() > 1;
        zone.surfaces.iter().enumerate().map(move |(surface, track)| {
            let (old, new) = (before.inner.params(), aligned.profile.params());
            let old = rates(old, index, track.sectors_before, track.data_sectors_before);
            let new = rates(new, index, track.sectors, track.data_sectors);
            AlignZoneAccount {
                cylinders: before.inner.params().layout.zones[index].cylinders,
                surface: differ.then_some(surface as u32),
                extents_per_track: track.extents,
                data_sectors_before: track.data_sectors_before,
                data_sectors: track.data_sectors,
                spare_sectors: track.spares(),
                media_rate_before_mib_s: old.0,
                media_rate_mib_s: new.0,
                sequential_before_mib_s: old.1,
                sequential_mib_s: new.1,
            }
        })
    });
    AlignAccount {
        capacity_before_sectors: aligned.capacity_before_sectors,
        capacity_sectors: aligned.capacity_sectors,
        capacity_lost_pct: 100.0 * lost,
        spares_gained_sectors: aligned.spares_gained_sectors,
        zones: zones.collect(),
    }
}

/// Rate of the media and of sequential reads on a track of so many sectors, so many with data.
fn rates(params: &DriveParams, zone: usize, around: u32, data: u32) -> (f64, f64) {
    let zone = &params.layout.zones[zone];
    let turn_s = params.mechanism.rotation.as_ms() / 1e3;
    let mib = |sectors: u32| f64::from(sectors) * f64::from(params.layout.sector_bytes) / MIB;
    // A track's data, and the way from its end to the next track's begin: the skew, and what lies
    // between the end of the data and the end of the track.
    let skew = if zone.order.seeks_first() { zone.cylinder_skew } else { zone.track_skew };
    let counted = if zone.surface_sectors.is_empty() { around } else { zone.sectors_per_track };
    let skewed = match skew {
        Skew::Sectors(sectors) => f64::from(sectors) / f64::from(counted),
        Skew::Turn(angle) => angle.as_turns(),
    };
    let data_turns = f64::from(data) / f64::from(around);
    let turns = if zone.skew_from_data_end {
        data_turns + skewed
    } else if skewed < data_turns - 1e-9 {
        1.0 + skewed
    } else {
        skewed
    };
    (mib(around) / turn_s, mib(data) / (turns * turn_s))
}
