//! Address translation: LBA to runs, places and angles, and back.

use super::band::{past_slips, slips_between};
use super::{Band, Layout, Run, Steps, Zone, divide};
use crate::Physical;
use platterlab_units::Angle;

impl Layout {
    /// The longest run that starts at `lba`, at most `max` sectors.
    ///
    /// `lba` must be below the capacity and `max` at least 1.
    #[must_use]
    #[inline]
    pub fn run(&self, lba: u64, max: u32) -> Run {
        debug_assert!(lba < self.capacity && max > 0, "address checked by the caller");
        if self.remaps.is_empty() { self.unmapped_run(lba, max) } else { self.mapped_run(lba, max) }
    }

    /// Where `lba` lies; `None` at or beyond the capacity.
    #[must_use]
    pub fn locate(&self, lba: u64) -> Option<Physical> {
        (lba < self.capacity).then(|| {
            let Run { cylinder, surface, sector, .. } = self.run(lba, 1);
            Physical { cylinder, surface, sector }
        })
    }

    /// The angle at which `lba` begins; `None` at or beyond the capacity.
    #[must_use]
    pub fn angle(&self, lba: u64) -> Option<Angle> {
        (lba < self.capacity).then(|| self.run(lba, 1).angle(0))
    }

    /// The address a physical sector holds; `None` for spares, defects and places that are not on
    /// the drive.
    #[must_use]
    pub fn lba_at(&self, at: Physical) -> Option<u64> {
        if let Some(remap) = self.remaps.iter().find(|remap| remap.to == at) {
            return Some(remap.lba);
        }
        let lba = self.unmapped_lba(at)?;
        let remapped = self.remaps.binary_search_by_key(&lba, |remap| remap.lba).is_ok();
        (!remapped).then_some(lba)
    }

    /// First address and length of the track that holds `lba`, as if no sector were remapped;
    /// `None` at or beyond the capacity.
    #[must_use]
    pub fn track_bounds(&self, lba: u64) -> Option<(u64, u32)> {
        if lba >= self.capacity {
            return None;
        }
        let Run { cylinder, surface, sector, sectors_per_track, .. } = self.unmapped_run(lba, 1);
        let is_here = |address: u64| {
            let run = self.unmapped_run(address, 1);
            (run.cylinder, run.surface) == (cylinder, surface)
        };
        // A track's addresses follow each other, and are no more than its sectors.
        let least = lba - lba.min(u64::from(sector));
        let beyond = self.capacity.min(lba + u64::from(sectors_per_track - sector));
        let first = first_that(least, lba, is_here);
        let end = first_that(lba, beyond, |address| !is_here(address));
        Some((first, (end - first) as u32))
    }

    #[inline]
    fn band_of(&self, lba: u64) -> &Band {
        if self.bands.len() == 1 {
            return &self.bands[0];
        }
        let after = self.band_first_lba.partition_point(|first| *first <= lba);
        &self.bands[after - 1]
    }

    #[inline]
    fn unmapped_run(&self, lba: u64, max: u32) -> Run {
        let band = self.band_of(lba);
        let zone = &self.zones[band.zone];
        let offset = lba - band.first_lba;
        let (raw, unbroken) = self.raw_of(band, offset);
        let (index, sector, sectors_per_track) = match &zone.rings {
            Some(rings) => {
                let spot = rings.raw(band.first_raw + raw);
                (spot.track, spot.sector, spot.per_track)
            }
            None => {
                let (track, sector) = divide(raw, zone.sectors_per_track);
                (band.first_track + track, sector, zone.sectors_per_track)
            }
        };
        let place = zone.sequence.place(index);
        let length = u64::from(max)
            .min(u64::from(sectors_per_track - sector))
            .min(band.sectors - offset)
            .min(unbroken);
        Run {
            cylinder: zone.first_cylinder + place.cylinder,
            surface: place.surface,
            sector,
            sectors: length as u32,
            sectors_per_track,
            track_angle: zone.track_angle(index, place),
            sector_angle: zone.sector_angle(sectors_per_track),
        }
    }

    /// The raw position of a band's address number `offset`, and how many from there on lie in
    /// consecutive positions.
    #[inline]
    fn raw_of(&self, band: &Band, offset: u64) -> (u64, u64) {
        let slips = &self.slips[band.slips.clone()];
        if band.by_track {
            return self.raw_by_track(band, slips, offset);
        }
        if band.through {
            let (position, unslipped) = past_slips(slips, 0, offset + band.skip_first);
            let (domain, data) = band.split(position);
            let raw = domain * band.domain_raw + band.front + data;
            return (raw, unslipped.min(band.domain_data - data));
        }
        let (domain, data) = band.split(offset + band.skip_first);
        let start = domain * band.domain_raw;
        let left = band.domain_data - data;
        if slips.is_empty() {
            return (start + band.front + data, left);
        }
        let own = slips_between(slips, start, start + band.domain_raw);
        let (raw, unslipped) = past_slips(own, start, data + band.lead(own.len()));
        (raw, unslipped.min(left))
    }

    /// The same where each track keeps its own spares.
    fn raw_by_track(&self, band: &Band, slips: &[u64], offset: u64) -> (u64, u64) {
        let Some(rings) = &self.zones[band.zone].rings else { return (offset, 1) };
        if band.through {
            let (position, unslipped) = past_slips(slips, 0, offset + band.skip_first);
            let spot = rings.data(band.first_data + position);
            let raw = rings.before(spot.track).0 - band.first_raw + u64::from(spot.sector);
            return (raw, unslipped.min(u64::from(spot.data_per_track - spot.sector)));
        }
        let spot = rings.data(band.first_data + band.skip_first + offset);
        let start = rings.before(spot.track).0 - band.first_raw;
        let own = slips_between(slips, start, start + u64::from(spot.per_track));
        let (raw, unslipped) = past_slips(own, start, u64::from(spot.sector));
        (raw, unslipped.min(u64::from(spot.data_per_track - spot.sector)))
    }

    fn mapped_run(&self, lba: u64, max: u32) -> Run {
        let next = self.remaps.partition_point(|remap| remap.lba < lba);
        match self.remaps.get(next) {
            Some(remap) if remap.lba == lba => self.run_at(remap.to),
            Some(remap) => {
                let before = u32::try_from(remap.lba - lba).unwrap_or(u32::MAX);
                self.unmapped_run(lba, max.min(before))
            }
            None => self.unmapped_run(lba, max),
        }
    }

    /// The run of the one sector at a place that is known to be on the drive.
    fn run_at(&self, at: Physical) -> Run {
        let zone_index = self.zone_at(at.cylinder).unwrap_or(0);
        let zone = &self.zones[zone_index];
        let index = zone.sequence.index(at.cylinder - zone.first_cylinder, at.surface);
        Run {
            cylinder: at.cylinder,
            surface: at.surface,
            sector: at.sector,
            sectors: 1,
            sectors_per_track: zone.around(index),
            track_angle: zone.track_angle(index, zone.sequence.place(index)),
            sector_angle: zone.sector_angle(zone.around(index)),
        }
    }

    /// The first address on a track: spares may come before it; `None` if it holds none.
    #[must_use]
    pub fn first_lba_on(&self, cylinder: u32, surface: u32) -> Option<u64> {
        self.steps(cylinder, surface)?;
        let around = self.run_at(Physical { cylinder, surface, sector: 0 }).sectors_per_track;
        (0..around).find_map(|sector| self.lba_at(Physical { cylinder, surface, sector }))
    }

    /// The zone of a track and the steps of its order up to the track; `None` if there is no such
    /// track.
    #[must_use]
    pub fn steps(&self, cylinder: u32, surface: u32) -> Option<Steps> {
        let zone = self.zone_at(cylinder)?;
        let Zone { first_cylinder, sequence, .. } = &self.zones[zone];
        if surface >= self.surfaces {
            return None;
        }
        let index = sequence.index(cylinder - first_cylinder, surface);
        let place = sequence.place(index);
        Some(Steps {
            zone,
            tracks: index,
            cylinders: place.cylinder_steps,
            serpentines: place.serpentine_steps,
        })
    }

    pub(super) fn zone_at(&self, cylinder: u32) -> Option<usize> {
        let after = self.zones.partition_point(|zone| zone.first_cylinder <= cylinder);
        let index = after.checked_sub(1)?;
        (cylinder <= self.zones[index].last_cylinder).then_some(index)
    }

    pub(super) fn unmapped_lba(&self, at: Physical) -> Option<u64> {
        let zone_index = self.zone_at(at.cylinder)?;
        let zone = &self.zones[zone_index];
        let index = self.track_of(zone_index, at)?;
        // Bands are sorted by zone, then by track.
        let after =
            self.bands.partition_point(|band| (band.zone, band.first_track) <= (zone_index, index));
        let band = &self.bands[after.checked_sub(1)?];
        if band.zone != zone_index || index >= band.first_track + band.tracks {
            return None;
        }
        let raw = zone.raw_before(index) - band.first_raw + u64::from(at.sector);
        self.band_lba(band, raw)
    }

    /// The number in the zone of the track that has this sector.
    pub(super) fn track_of(&self, zone: usize, at: Physical) -> Option<u64> {
        let zone = &self.zones[zone];
        if at.surface >= self.surfaces {
            return None;
        }
        let index = zone.sequence.index(at.cylinder - zone.first_cylinder, at.surface);
        (at.sector < zone.around(index)).then_some(index)
    }

    /// The address at raw position `raw` of a band, if it is neither spare nor slipped.
    fn band_lba(&self, band: &Band, raw: u64) -> Option<u64> {
        let zone = &self.zones[band.zone];
        let slips = &self.slips[band.slips.clone()];
        let position = if let Some(rings) = zone.rings.as_ref().filter(|_| band.by_track) {
            let spot = rings.raw(band.first_raw + raw);
            let (start, data) = rings.before(spot.track);
            if band.through {
                let position = band.ring_position(rings, raw)?;
                let slipped_before = slips.binary_search(&position).err()?;
                let offset = (position - slipped_before as u64).checked_sub(band.skip_first)?;
                return (offset < band.sectors).then(|| band.first_lba + offset);
            }
            let start = start - band.first_raw;
            let own = slips_between(slips, start, start + u64::from(spot.per_track));
            let slipped_before = own.binary_search(&raw).err()? as u32;
            let sector = spot.sector - slipped_before;
            if sector >= spot.data_per_track {
                return None;
            }
            data - band.first_data + u64::from(sector)
        } else if band.through {
            let position = band.data_position(raw)?;
            let slipped_before = slips.binary_search(&position).err()?;
            position - slipped_before as u64
        } else {
            let domain = raw / band.domain_raw;
            let start = domain * band.domain_raw;
            let own = slips_between(slips, start, start + band.domain_raw);
            let slipped_before = own.binary_search(&raw).err()? as u64;
            let data = (raw - start - slipped_before).checked_sub(band.lead(own.len()))?;
            if data >= band.domain_data {
                return None;
            }
            domain * band.domain_data + data
        };
        let offset = position.checked_sub(band.skip_first)?;
        (offset < band.sectors).then(|| band.first_lba + offset)
    }
}

/// The first address from `low` on that has what all after it have; `high` if none before it does.
fn first_that(mut low: u64, mut high: u64, has: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if has(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
