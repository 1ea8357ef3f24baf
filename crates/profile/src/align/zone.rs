//! One zone laid out anew.

use super::{AlignModel, Alignment, track_spares};
use crate::error::Fault;
use crate::key::KeyPath;
use crate::{Origin, origins};
use platterlab_drive::{Skew, ZoneParams};
use platterlab_units::Angle;
use toml::{Table, Value};

/// What becomes of one zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedZone {
    /// The tracks of each surface where surfaces differ, else those of all of them.
    pub surfaces: Vec<AlignedTrack>,
}

/// What becomes of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlignedTrack {
    /// Extents on it.
    pub extents: u32,
    /// Sectors around it before, spares included.
    pub sectors_before: u32,
    /// Sectors around it now, spares included.
    pub sectors: u32,
    /// Sectors of it that hold data before.
    pub data_sectors_before: u32,
    /// Sectors of it that hold data now.
    pub data_sectors: u32,
}

impl AlignedTrack {
    /// Spare sectors at its end.
    #[must_use]
    pub fn spares(&self) -> u32 {
        self.sectors - self.data_sectors
    }

    /// Spare sectors at its end that were none before.
    fn gained(&self) -> i64 {
        let before = i64::from(self.sectors_before - self.data_sectors_before);
        i64::from(self.spares()) - before
    }
}

impl AlignedZone {
    /// Spare sectors that a cylinder has within its tracks and did not have before.
    pub(super) fn gained_by_cylinder(&self, surfaces: u32) -> u64 {
        let listed: i64 = self.surfaces.iter().map(AlignedTrack::gained).sum();
        let each = i64::from(surfaces) / self.surfaces.len().max(1) as i64;
        (listed * each).max(0) as u64
    }
}

/// What zone `index` becomes with extents of `extent` sectors.
pub(super) fn plan(
    index: usize,
    zone: &ZoneParams,
    surfaces: u32,
    extent: u32,
    how: &Alignment,
) -> Result<AlignedZone, Fault> {
    if zone.listed().is_some() {
        let at = KeyPath::default().key("zone").index(index).key("order");
        let what = "lists passes that each state their own tracks; align a zone in another order";
        return Err(Fault::new(at, what));
    }
    let even = zone.surface_sectors.is_empty() && zone.surface_data_sectors.is_empty();
    let listed = if even { 1 } else { surfaces };
    let tracks = (0..listed).map(|surface| {
        let of = |list: &[u32]| list.get(surface as usize).copied();
        let around = of(&zone.surface_sectors).unwrap_or(zone.sectors_per_track);
        let usable = of(&zone.surface_data_sectors)
            .unwrap_or_else(|| around.saturating_sub(track_spares(zone.sparing)));
        track(index, around, usable, extent, how)
    });
    Ok(AlignedZone { surfaces: tracks.collect::<Result<_, _>>()? })
}

/// What a track becomes, by its sectors and those of them that hold data.
fn track(
    zone: usize,
    around: u32,
    usable: u32,
    extent: u32,
    how: &Alignment,
) -> Result<AlignedTrack, Fault> {
    let most = how.most_per_track.unwrap_or(u32::MAX);
    let extents = (usable / extent).min(most);
    let data = extents * extent;
    if data == 0 {
        let at = KeyPath::default().key("zone").index(zone).key("sectors_per_track");
        let what = format!(
            "an extent of {extent} sectors is {} more than the {usable} of a track here; use \
             extents of at most {usable} sectors",
            extent - usable.min(extent)
        );
        return Err(Fault::new(at, what));
    }
    let sectors = match how.model {
        AlignModel::ZoneMap => data + (around - usable),
        AlignModel::Spares | AlignModel::SkewCorrected => around,
    };
    Ok(AlignedTrack {
        extents,
        sectors_before: around,
        sectors,
        data_sectors_before: usable,
        data_sectors: data,
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
    let even = zone.surface_sectors.is_empty() && zone.surface_data_sectors.is_empty();
    let mut changes =
        if even { of_all(zone, &planned.surfaces[0], model) } else { of_each(planned, model) };
    // A stated skip would move addresses off the extents: whole extents are skipped instead.
    let extent = planned.surfaces.first().map_or(1, |track| track.data_sectors / track.extents);
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

/// The changes of a zone whose tracks are all alike.
fn of_all(zone: &ZoneParams, planned: &AlignedTrack, model: AlignModel) -> Vec<Change> {
    let mut changes = vec![("sparing", Some(sparing(planned.spares())))];
    if model == AlignModel::ZoneMap {
        changes.push(("sectors_per_track", Some(Value::from(planned.sectors))));
    }
    // A skew that counts from the end of the data stays what it is.
    if model != AlignModel::Spares && !zone.skew_from_data_end {
        let [(first, first_skew), (second, second_skew)] = if zone.order.seeks_first() {
            [(&CYLINDER, zone.cylinder_skew), (&SERPENTINE, zone.serpentine_skew)]
        } else {
            [(&TRACK, zone.track_skew), (&CYLINDER, zone.cylinder_skew)]
        };
        changes.extend(skew(first, first_skew, planned, model));
        changes.extend(skew(second, second_skew, planned, model));
    }
    changes
}

/// The changes of a zone whose surfaces differ. Skews in sectors count `sectors_per_track`, which
/// stays, so that they take the time they took.
fn of_each(planned: &AlignedZone, model: AlignModel) -> Vec<Change> {
    let list = |of: &dyn Fn(&AlignedTrack) -> u32| {
        Value::Array(planned.surfaces.iter().map(|track| Value::from(of(track))).collect())
    };
    let mut changes = vec![
        ("sparing", Some(sparing(0))),
        ("surface_sectors_per_track", Some(list(&|track| track.sectors))),
        ("surface_data_sectors", Some(list(&|track| track.data_sectors))),
    ];
    if model == AlignModel::SkewCorrected {
        changes.push(("skew_from_data_end", Some(Value::from(true))));
    }
    changes
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
fn skew(keys: &SkewKeys, old: Skew, planned: &AlignedTrack, model: AlignModel) -> [Change; 3] {
    let before = u64::from(planned.sectors_before);
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
    for (key, value) in &changes {
        let place = KeyPath::default().key("zone").index(index).key(key);
        origins::note(file, &place, value.is_some().then_some(origin));
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
