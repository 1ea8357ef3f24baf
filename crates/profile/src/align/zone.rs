//! One zone made over.

use super::{AlignModel, Alignment, track_spares};
use crate::Origin;
use crate::error::Fault;
use crate::key::KeyPath;
use platterlab_drive::{Skew, TrackOrder, ZoneParams};
use platterlab_units::Angle;
use toml::{Table, Value};

/// What becomes of one zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedZone {
    /// Extents on a track.
    pub extents_per_track: u32,
    /// Sectors around a track before, spares included.
    pub sectors_per_track_before: u32,
    /// Sectors around a track now, spares included.
    pub sectors_per_track: u32,
    /// Sectors of a track that hold data before.
    pub data_sectors_before: u32,
    /// Sectors of a track that hold data now.
    pub data_sectors: u32,
    /// Spare sectors at the end of a track now.
    pub spare_sectors: u32,
}

/// What zone `index` becomes with extents of `extent` sectors.
pub(super) fn plan(
    index: usize,
    zone: &ZoneParams,
    extent: u32,
    how: &Alignment,
) -> Result<AlignedZone, Fault> {
    let before = track_spares(zone.sparing);
    let usable = zone.sectors_per_track - before;
    let most = how.most_per_track.unwrap_or(u32::MAX);
    let extents = (usable / extent).min(most);
    let data = extents * extent;
    if data == 0 {
        let at = KeyPath::default().key("zone").index(index).key("sectors_per_track");
        let what = format!(
            "an extent of {extent} sectors is {} more than the {usable} of a track here; use \
             extents of at most {usable} sectors",
            extent - usable.min(extent)
        );
        return Err(Fault::new(at, what));
    }
    let sectors_per_track = match how.model {
        AlignModel::ZoneMap => data + before,
        AlignModel::Spares | AlignModel::SkewCorrected => zone.sectors_per_track,
    };
    Ok(AlignedZone {
        extents_per_track: extents,
        sectors_per_track_before: zone.sectors_per_track,
        sectors_per_track,
        data_sectors_before: usable,
        data_sectors: data,
        spare_sectors: sectors_per_track - data,
    })
}

/// Puts the plan of zone `index` into a profile's table, with where it comes from.
pub(super) fn rewrite(
    file: &mut Table,
    index: usize,
    zone: &ZoneParams,
    planned: &AlignedZone,
    model: AlignModel,
    origin: &Origin,
) {
    let mut changes = vec![("sparing", Some(sparing(planned.spare_sectors)))];
    if model == AlignModel::ZoneMap {
        changes.push(("sectors_per_track", Some(Value::from(planned.sectors_per_track))));
    }
    if model != AlignModel::Spares {
        let [(first, first_skew), (second, second_skew)] = match zone.order {
            TrackOrder::SeekFirst(_) => {
                [(&CYLINDER, zone.cylinder_skew), (&SERPENTINE, zone.serpentine_skew)]
            }
            _ => [(&TRACK, zone.track_skew), (&CYLINDER, zone.cylinder_skew)],
        };
        changes.extend(skew(first, first_skew, planned, model));
        changes.extend(skew(second, second_skew, planned, model));
    }
    // A stated skip would move addresses off the extents: whole extents are skipped instead.
    let extent = planned.data_sectors / planned.extents_per_track;
    for (key, sectors) in [
        ("skip_first_sectors", zone.skip_first_sectors),
        ("skip_last_sectors", zone.skip_last_sectors),
    ] {
        if !sectors.is_multiple_of(extent) {
            changes.push((key, Some(Value::from(sectors.div_ceil(extent) * extent))));
        }
    }
    apply(file, index, changes, origin);
}

type Change = (&'static str, Option<Value>);

/// The ways to state a skew: in sectors, turns and degrees.
type SkewKeys = [&'static str; 3];

const TRACK: SkewKeys = ["track_skew_sectors", "track_skew_turns", "track_skew_deg"];
const CYLINDER: SkewKeys = ["cylinder_skew_sectors", "cylinder_skew_turns", "cylinder_skew_deg"];
const SERPENTINE: SkewKeys =
    ["serpentine_skew_sectors", "serpentine_skew_turns", "serpentine_skew_deg"];

fn sparing(sectors: u32) -> Value {
    let kind = if sectors == 0 { "none" } else { "track" };
    let mut table = Table::from_iter([("kind".to_owned(), Value::from(kind))]);
    if sectors > 0 {
        table.insert("sectors".to_owned(), Value::from(sectors));
    }
    Value::Table(table)
}

/// A skew that takes the time it took, from the end of the track (models 1 and 2) or from the end
/// of its data (model 3).
fn skew(keys: &SkewKeys, old: Skew, planned: &AlignedZone, model: AlignModel) -> [Change; 3] {
    let before = u64::from(planned.sectors_per_track_before);
    let turns = |angle: Angle| Value::from(angle.as_turns());
    let [in_sectors, in_turns] = match (model, old) {
        (AlignModel::SkewCorrected, Skew::Sectors(sectors)) => {
            let from_data_end = u64::from(planned.data_sectors) + u64::from(sectors);
            [Some(Value::from((from_data_end % before) as u32)), None]
        }
        (AlignModel::SkewCorrected, Skew::Turn(angle)) => {
            [None, Some(turns(angle + Angle::of_slots(u64::from(planned.data_sectors), before)))]
        }
        (_, Skew::Sectors(sectors)) => {
            [None, Some(turns(Angle::of_slots(u64::from(sectors), before)))]
        }
        (_, Skew::Turn(angle)) => [None, Some(turns(angle))],
    };
    [(keys[0], in_sectors), (keys[1], in_turns), (keys[2], None)]
}

/// Sets or removes keys of a zone, and says where what is set comes from.
fn apply(file: &mut Table, index: usize, changes: Vec<Change>, origin: &Origin) {
    let origin = Value::try_from(origin).ok();
    let provenance = file.entry("provenance").or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(provenance) = provenance {
        for (key, value) in &changes {
            let place = format!("zone[{index}].{key}");
            let inner = format!("{place}.");
            provenance.retain(|known, _| *known != place && !known.starts_with(&inner));
            if let (Some(_), Some(origin)) = (value, &origin) {
                provenance.insert(place, origin.clone());
            }
        }
    }
    let Some(Value::Array(zones)) = file.get_mut("zone") else { return };
    let Some(Value::Table(zone)) = zones.get_mut(index) else { return };
    for (key, value) in changes {
        match value {
            Some(value) => zone.insert(key.to_owned(), value),
            None => zone.remove(key),
        };
    }
}
