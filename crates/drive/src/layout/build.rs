//! Builds a layout: zones into bands between spare regions, then slips, remaps and addresses.

use super::check::{check_zones, spare_regions};
use super::order::{Sequence, TrackRun};
use super::{Band, Layout, Remap, Rings, Zone};
use crate::{
    Defect, LayoutParams, ParamError, Physical, Skew, Sparing, Track, TrackRange, ZoneParams,
};
use platterlab_units::Angle;
use std::collections::BTreeSet;

impl Layout {
    /// Checks and indexes a layout.
    ///
    /// # Errors
    /// Zones that overlap, leave gaps or miss cylinders; spare regions that overlap or do not lie
    /// on the drive; sparing that leaves no data; defects with nowhere to go; no capacity.
    pub fn new(params: &LayoutParams) -> Result<Self, ParamError> {
        check_zones(params)?;
        let mut layout = Self {
            surfaces: params.surfaces,
            cylinders: params.cylinders,
            sector_bytes: params.sector_bytes,
            logical_sector_bytes: params.logical_sector_bytes,
            capacity: 0,
            zones: params.zones.iter().map(|it| zone(it, params)).collect(),
            bands: Vec::new(),
            band_first_lba: Vec::new(),
            slips: Vec::new(),
            remaps: Vec::new(),
        };
        let spare = spare_regions(params)?;
        for (index, zone_params) in params.zones.iter().enumerate() {
            layout.add_zone(index, zone_params, &spare)?;
        }
        layout.add_slips(&params.defects)?;
        layout.number_bands(params)?;
        layout.add_remaps(&params.defects)?;
        Ok(layout)
    }

    /// Splits a zone into bands between spare regions.
    fn add_zone(
        &mut self,
        index: usize,
        params: &ZoneParams,
        spare: &[TrackRange],
    ) -> Result<(), ParamError> {
        let zone = &self.zones[index];
        let cylinders = u64::from(params.cylinders[1] - params.cylinders[0]) + 1;
        let tracks = cylinders * u64::from(self.surfaces);
        let mut spare_tracks: Vec<TrackRun> = Vec::new();
        for range in spare {
            spare_tracks.extend(self.runs_in_zone(zone, *range));
        }
        spare_tracks.sort_unstable();
        let mut first = 0;
        for run in spare_tracks {
            self.add_band(index, params, first, run.first)?;
            first = run.last + 1;
        }
        self.add_band(index, params, first, tracks)
    }

    /// The part of a track range that lies in `zone`, as runs of its sequence. Regions that cut a
    /// cylinder are refused beforehand where the order would scatter them.
    fn runs_in_zone(&self, zone: &Zone, range: TrackRange) -> Vec<TrackRun> {
        let first = range.first.max(Track { cylinder: zone.first_cylinder, surface: 0 });
        let end = Track { cylinder: zone.last_cylinder, surface: self.surfaces - 1 };
        let last = range.last.min(end);
        let place = |track: Track| [track.cylinder - zone.first_cylinder, track.surface];
        if first <= last { zone.sequence.runs(place(first), place(last)) } else { Vec::new() }
    }

    fn add_band(
        &mut self,
        zone_index: usize,
        params: &ZoneParams,
        first_track: u64,
        end_track: u64,
    ) -> Result<(), ParamError> {
        let Some(tracks) = end_track.checked_sub(first_track).filter(|tracks| *tracks > 0) else {
            return Ok(());
        };
        let key = format!("zone[{zone_index}].sparing");
        let zone = &self.zones[zone_index];
        let surfaces = u64::from(self.surfaces);
        let (first_raw, all) = (zone.raw_before(first_track), zone.raw_before(end_track));
        let all = all - first_raw;
        let by_track = zone.rings.is_some() && by_track(params);
        let (domain_raw, spares) = match params.sparing {
            _ if by_track => (all, all - zone.data_between(first_track, end_track)),
            Sparing::Tracks { tracks } => (
                all,
                zone.raw_before(end_track)
                    - zone.raw_before(end_track.saturating_sub(tracks.into())),
            ),
            _ => domain(params, surfaces, all),
        };
        let whole = |track: u64| track.is_multiple_of(surfaces);
        if matches!(params.sparing, Sparing::Cylinder { .. } | Sparing::Cylinders { .. })
            && !by_track
            && !(whole(first_track) && whole(end_track))
        {
            let what = "spare sectors per cylinder need spare regions of whole cylinders";
            return Err(ParamError::new(key, what));
        }
        if domain_raw == 0 {
            return Err(ParamError::new(format!("{key}.cylinders"), "must be at least 1"));
        }
        let Some(domain_data) = domain_raw.checked_sub(spares).filter(|data| *data > 0) else {
            let what = format!("{spares} spare sectors leave no data among {domain_raw}");
            return Err(ParamError::new(key, what));
        };
        // The last of several domains may be cut short by the end of the band.
        let cut = (all % domain_raw).saturating_sub(spares);
        let sectors = all / domain_raw * domain_data + cut;
        if sectors == 0 {
            let what = format!("{spares} spare sectors leave no data among {all}");
            return Err(ParamError::new(key, what));
        }
        let (front, through) = match params.sparing {
            Sparing::Cylinders { front, remaps_only, .. } => {
                (if front { spares } else { 0 }, remaps_only)
            }
            _ => (0, params.listed().is_some()),
        };
        self.bands.push(Band {
            zone: zone_index,
            first_lba: 0,
            sectors,
            first_track,
            tracks,
            first_raw,
            first_data: zone.data_between(0, first_track),
            by_track,
            domain_raw,
            domain_data,
            front,
            through,
            skip_first: 0,
            slips: 0..0,
        });
        Ok(())
    }

    /// Gives every band its first address, once skips and slips are known.
    fn number_bands(&mut self, params: &LayoutParams) -> Result<(), ParamError> {
        for (index, zone) in params.zones.iter().enumerate() {
            let skip = |key: &str, sectors: u32, band: Option<&mut Band>| match band {
                Some(band) if u64::from(sectors) < band.sectors => {
                    band.sectors -= u64::from(sectors);
                    Ok(())
                }
                None if sectors == 0 => Ok(()),
                _ => {
                    let what = format!("{sectors} sectors are all there is; leave at least one");
                    Err(ParamError::new(format!("zone[{index}].{key}"), what))
                }
            };
            let first = self.bands.iter_mut().find(|band| band.zone == index);
            skip("skip_first_sectors", zone.skip_first_sectors, first)?;
            if let Some(band) = self.bands.iter_mut().find(|band| band.zone == index) {
                band.skip_first = u64::from(zone.skip_first_sectors);
            }
            let last = self.bands.iter_mut().rfind(|band| band.zone == index);
            skip("skip_last_sectors", zone.skip_last_sectors, last)?;
        }
        for band in &mut self.bands {
            band.first_lba = self.capacity;
            self.capacity += band.sectors;
            self.band_first_lba.push(band.first_lba);
        }
        if self.capacity == 0 {
            let what = "every track is spare; the drive holds no data";
            return Err(ParamError::new("spare_region", what));
        }
        Ok(())
    }

    /// Slips take spares of their own domain; where a zone has none, its end has fewer addresses.
    fn add_slips(&mut self, defects: &[Defect]) -> Result<(), ParamError> {
        let mut slipped: Vec<(usize, u64, usize)> = Vec::new();
        for (number, defect) in defects.iter().enumerate() {
            if let Defect::Slipped(at) = defect {
                let key = || format!("defect[{number}].at");
                let (band, raw) = self.slip_position(*at).ok_or_else(|| not_data(key(), *at))?;
                slipped.push((band, raw, number));
            }
        }
        slipped.sort_unstable();
        for pair in slipped.windows(2) {
            if pair[0].0 == pair[1].0 && pair[0].1 == pair[1].1 {
                let key = format!("defect[{}].at", pair[1].2);
                return Err(ParamError::new(key, "this sector is slipped already"));
            }
        }
        self.slips = slipped.iter().map(|(_, raw, _)| *raw).collect();
        for (index, band) in self.bands.iter_mut().enumerate() {
            let from = slipped.partition_point(|(of, _, _)| *of < index);
            let to = slipped.partition_point(|(of, _, _)| *of <= index);
            band.slips = from..to;
            check_room(band, &self.zones[band.zone], &slipped[from..to])?;
        }
        Ok(())
    }

    /// A band and a position in its slip list's terms.
    fn slip_position(&self, at: Physical) -> Option<(usize, u64)> {
        let zone_index = self.zone_at(at.cylinder)?;
        let zone = &self.zones[zone_index];
        let index = self.track_of(zone_index, at)?;
        let within = |band: &Band| {
            band.zone == zone_index
                && (band.first_track..band.first_track + band.tracks).contains(&index)
        };
        let band = self.bands.iter().position(within)?;
        let raw = zone.raw_before(index) - self.bands[band].first_raw + u64::from(at.sector);
        let through = self.bands[band].through;
        if !through {
            return Some((band, raw));
        }
        // The end of the band may cut off a domain's data.
        let position = match zone.rings.as_ref().filter(|_| self.bands[band].by_track) {
            Some(rings) => self.bands[band].ring_position(rings, raw)?,
            None => self.bands[band].data_position(raw)?,
        };
        (position < self.bands[band].sectors).then_some((band, position))
    }

    fn add_remaps(&mut self, defects: &[Defect]) -> Result<(), ParamError> {
        let slipped: BTreeSet<Physical> = defects
            .iter()
            .filter_map(|defect| match defect {
                Defect::Slipped(at) => Some(*at),
                Defect::Remapped { .. } => None,
            })
            .collect();
        let mut moved = BTreeSet::new();
        let mut taken = BTreeSet::new();
        for (number, defect) in defects.iter().enumerate() {
            let Defect::Remapped { from, to } = *defect else { continue };
            let key = |end: &str| format!("defect[{number}].{end}");
            let lba = self.unmapped_lba(from).ok_or_else(|| not_data(key("from"), from))?;
            let on_drive =
                self.zone_at(to.cylinder).is_some_and(|zone| self.track_of(zone, to).is_some());
            let spare = on_drive && self.unmapped_lba(to).is_none() && !slipped.contains(&to);
            if !spare || !taken.insert(to) {
                let what = format!("{} is not a free spare sector", show(to));
                return Err(ParamError::new(key("to"), what));
            }
            if !moved.insert(lba) {
                return Err(ParamError::new(key("from"), "this sector is remapped already"));
            }
            self.remaps.push(Remap { lba, to });
        }
        self.remaps.sort_unstable_by_key(|remap| remap.lba);
        Ok(())
    }
}

/// Positions of one sparing domain in a band of `all`, and how many of them are spare.
fn domain(params: &ZoneParams, surfaces: u64, all: u64) -> (u64, u64) {
    let per_track = u64::from(params.sectors_per_track);
    let per_cylinder = match params.surface_sectors.as_slice() {
        [] => per_track * surfaces,
        differing => differing.iter().copied().map(u64::from).sum(),
    };
    match params.sparing {
        Sparing::None => (all, 0),
        Sparing::Track { sectors } => (per_track, u64::from(sectors)),
        Sparing::Cylinder { sectors } => (per_cylinder, u64::from(sectors)),
        Sparing::Zone { sectors } => (all, u64::from(sectors)),
        Sparing::Tracks { tracks } => (all, u64::from(tracks) * per_track),
        Sparing::Cylinders { cylinders, sectors, .. } => {
            (per_cylinder * u64::from(cylinders), u64::from(sectors))
        }
    }
}

/// A domain with spares takes as many slips as it has; one without gives up data at its end.
fn check_room(
    band: &mut Band,
    zone: &Zone,
    slipped: &[(usize, u64, usize)],
) -> Result<(), ParamError> {
    if slipped.is_empty() {
        return Ok(());
    }
    if let Some(rings) = zone.rings.as_ref().filter(|_| band.by_track && !band.through) {
        let spot = |raw: u64| rings.raw(band.first_raw + raw);
        for same in slipped.chunk_by(|a, b| spot(a.1).track == spot(b.1).track) {
            let track = spot(same[0].1);
            too_many(same, u64::from(track.per_track - track.data_per_track))?;
        }
        return Ok(());
    }
    let spares = band.domain_raw - band.domain_data;
    if band.through || (spares == 0 && band.domain_raw >= band.sectors) {
        let lost = slipped.len() as u64;
        let key = || format!("defect[{}].at", slipped[0].2);
        if lost >= band.sectors {
            return Err(ParamError::new(key(), "the defects leave no data"));
        }
        if !band.through {
            band.domain_data -= lost;
        }
        band.sectors -= lost;
        return Ok(());
    }
    for same in slipped.chunk_by(|a, b| a.1 / band.domain_raw == b.1 / band.domain_raw) {
        too_many(same, spares)?;
    }
    Ok(())
}

/// Refuses slips that share a domain with fewer spares.
fn too_many(same: &[(usize, u64, usize)], spares: u64) -> Result<(), ParamError> {
    if same.len() as u64 <= spares {
        return Ok(());
    }
    let what = format!("{} defects share {spares} spare sectors; remap some elsewhere", same.len());
    Err(ParamError::new(format!("defect[{}].at", same[0].2), what))
}

/// Whether every track keeps its own spares, and tracks differ in them.
fn by_track(zone: &ZoneParams) -> bool {
    !zone.surface_data_sectors.is_empty()
        || zone.listed().is_some()
        || matches!(zone.sparing, Sparing::Track { .. })
        || (zone.order.seeks_first() && matches!(zone.sparing, Sparing::Cylinder { .. }))
}

fn zone(params: &ZoneParams, layout: &LayoutParams) -> Zone {
    let per_track = u64::from(params.sectors_per_track);
    let angle = |skew: Skew| match skew {
        Skew::Sectors(sectors) => Angle::of_slots(u64::from(sectors), per_track),
        Skew::Turn(angle) => angle,
    };
    let cylinders = params.cylinders[1] - params.cylinders[0] + 1;
    let sequence = Sequence::new(params, layout.surfaces, cylinders);
    Zone {
        first_cylinder: params.cylinders[0],
        last_cylinder: params.cylinders[1],
        sectors_per_track: params.sectors_per_track,
        rings: Rings::of(params, &sequence, u64::from(cylinders) * u64::from(layout.surfaces)),
        sequence,
        sector_angle: Angle::of_slots(1, per_track),
        first_track_angle: angle(params.first_track_skew),
        track_skew: angle(params.track_skew),
        cylinder_skew: angle(params.cylinder_skew),
        serpentine_skew: angle(params.serpentine_skew),
        range: match params.sparing {
            Sparing::Cylinders { cylinders, .. } if angle(params.range_skew) != Angle::ZERO => {
                Some((cylinders.max(1), angle(params.range_skew)))
            }
            _ => None,
        },
        surface_offsets: layout.surface_offsets.clone().into(),
    }
}

fn not_data(key: String, at: Physical) -> ParamError {
    ParamError::new(key, format!("{} holds no data", show(at)))
}

fn show(at: Physical) -> String {
    format!("sector {} of cylinder {}, surface {}", at.sector, at.cylinder, at.surface)
}
