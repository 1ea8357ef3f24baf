//! The extracted values as a drive that can be simulated.

use super::arm_times::{ArmTimes, broken};
use super::machine::{overhead_ms, params, span};
use super::shared_spares::SharedSpares;
use super::unbuilt::Unbuilt;
use super::zone_starts::{Rest, ZoneStarts};
use super::{Evidence, Value};
use crate::Extraction;
use crate::surface_zones::surface_zones;
use platterlab_drive::{
    Drive, DriveParams, LayoutParams, Listed, Physical, Skew, Sparing, TrackOrder, ZoneParams,
};
use platterlab_units::Angle;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::StrDeserializer;
use std::collections::BTreeMap;
use std::ops::Range;

/// More cylinders than any drive has.
const MOST: u64 = 20_000_000;

/// The simulated drive, and what of it was extracted.
pub(super) struct Replica {
    pub(super) drive: Drive,
    pub(super) layout: LayoutParams,
    /// First sectors of the zones, and sectors by which defects move the boundaries of tracks in
    /// each.
    pub(super) zones: Vec<u64>,
    slack: Vec<u64>,
    /// Sectors whose place is said to be sure.
    sure: Vec<Range<u64>>,
    /// Behind the last sector whose cylinder is.
    pub(super) until_lba: u64,
    /// Whether the skews from track to track and from cylinder to cylinder are sure, and which
    /// boundaries have which.
    skews: [bool; 2],
    /// Whether surfaces are sure.
    pub(super) counted: bool,
    /// Cylinders of a pass; none where all tracks of a cylinder come before the next cylinder.
    width: Option<u64>,
    /// By how much the skew to the next cylinder is more than that to the next track, in
    /// milliseconds; where both are sure.
    pub(super) step_ms: Option<f64>,
}

/// What the layout is made of, but the order of tracks.
struct Plan {
    rotation_ms: f64,
    surfaces: u64,
    width: Option<u64>,
    /// Skews from track to track, cylinder to cylinder, pass to pass, in turns.
    turns: [f64; 3],
    zones: Vec<(u64, u64)>,
    /// Sectors around the tracks of each surface, of zones where they differ, by their first sectors.
    surface_sectors: BTreeMap<u64, Vec<u64>>,
    /// Tracks of the first cylinder before the first sector.
    before: u64,
}

impl Replica {
    /// The drive whose first sector lies behind so many tracks of its cylinder.
    pub(super) fn of(
        found: &Extraction,
        evidence: &Evidence<'_>,
        before: u64,
    ) -> Result<Self, Unbuilt> {
        let goal = evidence.goal;
        if goal.region_lba != 0 {
            return Err(Unbuilt::Unknown("only a part of the drive was measured"));
        }
        let listed = is_listed(found);
        if !listed && evidence.map.pieces.first().is_some_and(|piece| differs(&piece.sectors)) {
            return Err(Unbuilt::Unknown("surfaces differ, or a cylinder's tracks do"));
        }
        if listed && before > 0 {
            return Err(Unbuilt::Unknown("surfaces differ, and the first cylinder is not whole"));
        }
        let starts = ZoneStarts::of(found, evidence)?;
        let until_lba = starts.until_lba;
        let zones = &starts.zones;
        if let Some(counted) = evidence.first_tracks().filter(|it| !it.contains(&zones[0].1)) {
            let note = format!("the survey counts {counted:?} sectors on the first tracks");
            return Err(Unbuilt::Contradiction(vec![Value::SectorsPerTrack, Value::Zone(0)], note));
        }
        let plan = Plan { before, ..plan(found, evidence, starts.zones.clone())? };
        let counted = found.surfaces.ok().is_some();
        let track = counted && found.track_skew_ms.ok().is_some();
        let alike = plan.surfaces == 1 || plan.width.is_some();
        let cylinder = if alike { track } else { counted && found.cylinder_skew_ms.ok().is_some() };
        let step_ms = (track && cylinder && !alike)
            .then(|| (plan.turns[1] - plan.turns[0]) * plan.rotation_ms);
        let zones: Vec<u64> = plan.zones.iter().map(|(first, _)| *first).collect();
        let end = |index: usize| zones.get(index + 1).copied().unwrap_or(u64::MAX);
        let slack = plan.zones.iter().enumerate();
        // Of surfaces that differ, all cylinders of a zone are alike: no defect moved any of their tracks.
        let alike = |first: &u64| plan.width.is_none() && plan.surface_sectors.contains_key(first);
        let slack =
            slack.map(
                |(index, (first, count))| {
                    if alike(first) { 0 } else { evidence.slack(*first, end(index), *count) }
                },
            );
        let slack: Vec<u64> = slack.collect();
        let (layout, rests) = layout(&plan, evidence)?;
        starts.are_even(&rests, &slack)?;
        let mut params = params(layout, overhead_ms(found), plan.rotation_ms);
        let mut replica = None;
        for order in orders(&plan, evidence) {
            params.layout.zones.iter_mut().for_each(|zone| zone.order = order);
            // Of one that knows where tracks are, what lies how far from what.
            let arm = ArmTimes::known(&drive(&params)?, found, evidence);
            params.mechanism.seek = arm.seek;
            params.mechanism.head_switch = [span(arm.head_ms); 2];
            let found = Self {
                drive: drive(&params)?,
                layout: params.layout.clone(),
                zones: zones.clone(),
                slack: slack.clone(),
                sure: starts.sure.clone(),
                until_lba,
                skews: [track, cylinder],
                counted,
                width: plan.width,
                step_ms,
            };
            if !broken(&found.drive, until_lba, evidence) {
                return Ok(found);
            }
            replica.get_or_insert(found);
        }
        replica.ok_or(Unbuilt::Unknown("no order of tracks is known"))
    }
}

impl Replica {
    /// Whether the angle over so many boundaries, of a cylinder among them or not, is sure.
    pub(super) fn tells(&self, boundaries: usize, cylinders: bool) -> bool {
        let [track, cylinder] = self.skews;
        let single = boundaries == 1 || track;
        boundaries == 0 || if cylinders { cylinder && single } else { track }
    }

    /// Whether a defect may have moved a boundary past this sector.
    pub(super) fn uncertain(&self, lba: u64, zone: usize) -> bool {
        let slack = self.slack.get(zone).copied().unwrap_or(0);
        let track = self.drive.layout().track_bounds(lba).filter(|_| slack > 0);
        track.is_some_and(|(first, sectors)| {
            lba < first + slack || lba + slack >= first + u64::from(sectors)
        })
    }

    /// The number of a sector's track, were all cylinders whole, counted from the end of its own.
    pub(super) fn track(&self, lba: u64) -> Option<u64> {
        let layout = self.drive.layout();
        let surfaces = u64::from(layout.surfaces());
        let cylinder = layout.locate(lba)?.cylinder;
        let (first, sectors) = layout.track_bounds(lba)?;
        let (mut next, mut behind) = (first + u64::from(sectors), 0);
        while self.heads_first() && behind + 1 < surfaces {
            match layout.locate(next).filter(|place| place.cylinder == cylinder) {
                Some(_) => next = layout.track_bounds(next).map(|(at, n)| at + u64::from(n))?,
                None => break,
            }
            behind += 1;
        }
        Some((u64::from(cylinder) + 1) * surfaces - 1 - behind)
    }

    /// Whether all tracks of a cylinder come before the next cylinder.
    pub(super) fn heads_first(&self) -> bool {
        self.width.is_none()
    }

    /// Whether a pass ends between a track and the next one of a zone: which skew is there hangs on the order, which
    /// may be open.
    pub(super) fn ends_pass(&self, zone: usize, before: Physical, after: Physical) -> bool {
        let first = self.layout.zones.get(zone).map_or(0, |zone| zone.cylinders[0]);
        let group = |place: Physical| u64::from(place.cylinder.saturating_sub(first));
        self.width.is_some_and(|width| {
            before.surface != after.surface || group(before) / width != group(after) / width
        })
    }

    /// Whether the place of all from one sector to another is said to be sure.
    pub(super) fn is_sure(&self, low: u64, high: u64) -> bool {
        self.sure.iter().any(|range| range.contains(&low) && range.contains(&high))
    }

    /// Behind the last sector that is held against the layout: where zones are not known, others are behind the first.
    pub(super) fn zoned_until(&self) -> u64 {
        let first = self.sure.first().filter(|_| self.zones.len() == 1);
        first.map_or(u64::MAX, |range| range.end)
    }

    /// What a sector takes to pass the head.
    pub(super) fn sector_ms(&self, lba: u64, period: f64) -> f64 {
        let track = self.drive.layout().track_bounds(lba);
        period / track.map_or(1.0, |(_, sectors)| f64::from(sectors.max(1)))
    }
}

fn drive(params: &DriveParams) -> Result<Drive, Unbuilt> {
    Drive::new(params).map_err(|error| {
        let all = vec![Value::SectorsPerTrack, Value::Surfaces, Value::Zones];
        Unbuilt::Contradiction(all, format!("there is no such drive: {error}"))
    })
}

/// Whether the tracks of each surface are known, of surfaces that differ.
fn is_listed(found: &Extraction) -> bool {
    let listed = found.zones.first().map(|zone| zone.surface_sectors_per_track.len());
    listed.is_some_and(|count| count > 1 && found.surfaces.ok() == Some(count as f64))
}

/// Whether more than one track of a cycle differs from the others.
fn differs(sectors: &[u64]) -> bool {
    let most = sectors.iter().max().copied().unwrap_or(0);
    sectors.iter().filter(|count| **count != most).count() > 1
}

fn plan(
    found: &Extraction,
    evidence: &Evidence<'_>,
    zones: Vec<(u64, u64)>,
) -> Result<Plan, Unbuilt> {
    let unknown = Unbuilt::Unknown("the rotation is not known");
    let rotation_ms = found.rotation_ms.ok().ok_or(unknown)?;
    let layout = &evidence.map.layout;
    let surfaces = found.surfaces.ok().map_or(1, |count| count as u64);
    let width = layout.serpentine_cylinders.ok().map(|count| count as u64);
    let seek_first = layout.class.value == Some("seek-first");
    if surfaces > 1 && seek_first && width.is_none() {
        return Err(Unbuilt::Unknown("how many cylinders a pass goes over is not known"));
    }
    let width = width.filter(|_| surfaces > 1 && seek_first);
    let track = found.track_skew_ms.ok().unwrap_or(0.0);
    let cylinder = found.cylinder_skew_ms.ok().unwrap_or(track);
    let pass = evidence.map.other_switch_ms.ok().unwrap_or(cylinder);
    let alike = surfaces == 1 || width.is_some();
    if let (Some(track), Some(cylinder), true) =
        (found.track_skew_ms.ok(), found.cylinder_skew_ms.ok(), alike)
        && (track - cylinder).abs() > found.sector_ms.value.unwrap_or(0.0)
    {
        let note = "each track is on another cylinder than the one before, and the skews differ";
        let both = vec![Value::TrackSkew, Value::CylinderSkew];
        return Err(Unbuilt::Contradiction(both, note.into()));
    }
    let along = if width.is_some() { track } else { cylinder };
    let turns = [track, along, pass].map(|skew| skew / rotation_ms);
    let surface_sectors = surface_sectors(found, surfaces)?;
    Ok(Plan { rotation_ms, surfaces, width, turns, zones, surface_sectors, before: 0 })
}

/// Sectors around the tracks of each surface, of zones where they differ, by their first sectors.
fn surface_sectors(found: &Extraction, surfaces: u64) -> Result<BTreeMap<u64, Vec<u64>>, Unbuilt> {
    let mut listed = BTreeMap::new();
    for (index, zone) in found.zones.iter().enumerate() {
        let sectors = &zone.surface_sectors_per_track;
        let sure = zone.first_lba.ok().zip(zone.sectors_per_track.ok());
        let Some((first_lba, count)) = sure.filter(|_| !sectors.is_empty()) else { continue };
        if sectors[0] != count as u64 {
            let note = format!("{count} sectors are said to be around a track, of {sectors:?}");
            return Err(Unbuilt::Contradiction(vec![Value::Zone(index)], note));
        }
        if sectors.len() as u64 == surfaces {
            listed.insert(first_lba as u64, sectors.clone());
        }
    }
    Ok(listed)
}

/// The orders that can be meant, the likeliest first: what a survey calls a serpentine may begin with
/// the last surface.
fn orders(plan: &Plan, evidence: &Evidence<'_>) -> Vec<TrackOrder> {
    let layout = &evidence.map.layout;
    let words = layout.order.value.into_iter().chain(layout.order.alternatives.iter().copied());
    let fits = |order: &TrackOrder| {
        order.seeks_first() == plan.width.is_some() && *order != TrackOrder::Listed
    };
    let mut orders = Vec::new();
    for order in words.filter_map(order).chain(TrackOrder::ALL).filter(fits) {
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    orders
}

/// The order of a word of the profile file.
fn order(word: &str) -> Option<TrackOrder> {
    let word: StrDeserializer<'_, serde::de::value::Error> = word.into_deserializer();
    TrackOrder::deserialize(word).ok()
}

/// The layout, and what each zone leaves of its last cylinder.
fn layout(plan: &Plan, evidence: &Evidence<'_>) -> Result<(LayoutParams, Vec<Rest>), Unbuilt> {
    let goal = evidence.goal;
    let end = goal.region_lba + goal.region_sectors;
    let (mut zones, mut made, mut cylinder) = (Vec::new(), Vec::new(), 0);
    let spared = plan.width.and_then(|_| surface_zones(evidence.map)).unwrap_or_default();
    for (index, &(first, sectors)) in plan.zones.iter().enumerate() {
        let next = plan.zones.get(index + 1).map_or(end, |(first, _)| *first);
        let surface_sectors = plan.surface_sectors.get(&first).cloned().unwrap_or_default();
        let mapped = spared.iter().find(|it| it.first_lba == first);
        let short = match plan.width {
            _ if !surface_sectors.is_empty() => 0,
            None => evidence.spares(first, next, sectors),
            Some(_) => mapped.map_or(0, |it| it.spares),
        };
        let shared = plan.width.filter(|_| short == 0 && surface_sectors.is_empty());
        let shared = shared.and_then(|width| {
            let pieces = &evidence.map.pieces;
            SharedSpares::of_groups(pieces, first..next, sectors, plan.surfaces, width)
        });
        let shared = shared.unwrap_or(SharedSpares::of_each(short));
        // Spares of cylinders leave the other tracks none: what their pace says is then rounding.
        let around = if shared.sectors > 0 { 0 } else { evidence.around(sectors) }.max(sectors);
        let cylinder_sectors = match surface_sectors[..] {
            [] => plan.surfaces * sectors,
            _ => surface_sectors.iter().sum(),
        };
        let before = if index == 0 { plan.before * sectors } else { 0 };
        let all = before + next - first;
        let extent = mapped.filter(|_| !surface_sectors.is_empty()).and_then(|it| it.extent(all));
        let extent = extent.or_else(|| shared.cylinders_of(all, cylinder_sectors));
        let extent = extent.filter(|(many, _)| u64::from(cylinder) + (*many).min(MOST) < MOST);
        let Some((many, skip)) = extent else {
            return Err(Unbuilt::Unknown("there would be more cylinders than on any drive"));
        };
        let around = if surface_sectors.is_empty() { around } else { sectors };
        let zone = ZoneExtent { sectors, surface_sectors, around, shared, many, before, skip };
        zones.push(zone_params(plan, &zone, cylinder).ok_or_else(|| {
            let note = format!("zone {index} has no whole cylinders from sector {first} on");
            Unbuilt::Contradiction(vec![Value::Zone(index)], note)
        })?);
        cylinder += many as u32;
        made.push(Rest { sectors: zone.skip, track_sectors: zone.sectors });
    }
    let params = LayoutParams {
        sector_bytes: goal.sector_bytes,
        logical_sector_bytes: goal.sector_bytes,
        surfaces: plan.surfaces as u32,
        cylinders: cylinder,
        zones,
        spare_regions: Vec::new(),
        defects: Vec::new(),
        surface_offsets: Vec::new(),
    };
    Ok((params, made))
}

/// A zone in cylinders.
struct ZoneExtent {
    /// Sectors of a track with an address, those of each surface where they differ, and all around it.
    sectors: u64,
    surface_sectors: Vec<u64>,
    around: u64,
    shared: SharedSpares,
    many: u64,
    /// Sectors at the beginning without one.
    before: u64,
    /// Sectors at the end without one.
    skip: u64,
}

fn zone_params(plan: &Plan, zone: &ZoneExtent, first: u32) -> Option<ZoneParams> {
    let last = first.checked_add(u32::try_from(zone.many).ok()?.checked_sub(1)?)?;
    let [track, along, pass] = plan.turns.map(|turns| Skew::Turn(Angle::of_turns(turns)));
    let SharedSpares { cylinders, sectors } = zone.shared;
    let sparing = match (zone.around - zone.sectors, sectors as u32) {
        (0, 0) => Sparing::None,
        (0, sectors) if cylinders == 1 => Sparing::Cylinder { sectors },
        (0, sectors) => {
            let cylinders = cylinders as u32;
            Sparing::Cylinders { cylinders, sectors, front: false, remaps_only: false }
        }
        (spare, _) => Sparing::Track { sectors: spare as u32 },
    };
    Some(ZoneParams {
        cylinders: [first, last],
        sectors_per_track: zone.around as u32,
        surface_sectors: zone.surface_sectors.iter().map(|count| *count as u32).collect(),
        surface_data_sectors: Vec::new(),
        skew_from_data_end: false,
        // Until those that can be meant are tried.
        order: TrackOrder::Traditional,
        serpentine_cylinders: plan.width.map(|width| width as u32),
        passes: Listed::default(),
        track_skew: track,
        cylinder_skew: along,
        serpentine_skew: pass,
        first_track_skew: Skew::Sectors(0),
        range_skew: Skew::Sectors(0),
        sparing,
        skip_first_sectors: u32::try_from(zone.before).ok()?,
        skip_last_sectors: u32::try_from(zone.skip).ok()?,
    })
}
