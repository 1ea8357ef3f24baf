//! Zones with their skews as angles, and bands: runs of data tracks with their sparing.

use super::order::{Place, Sequence};
use super::rings::Rings;
use crate::Physical;
use platterlab_units::Angle;
use std::ops::Range;

/// A zone with its skews as angles.
#[derive(Clone, Debug)]
pub(crate) struct Zone {
    pub(crate) first_cylinder: u32,
    pub(crate) last_cylinder: u32,
    pub(crate) sectors_per_track: u32,
    /// Where its tracks are not all alike.
    pub(crate) rings: Option<Rings>,
    pub(crate) sequence: Sequence,
    pub(crate) sector_angle: Angle,
    pub(crate) first_track_angle: Angle,
    pub(crate) track_skew: Angle,
    pub(crate) cylinder_skew: Angle,
    pub(crate) serpentine_skew: Angle,
    /// Cylinders that share spares, and the angle from one such group to the next.
    pub(crate) range: Option<(u32, Angle)>,
    /// By surface; empty where no surface is turned.
    pub(crate) surface_offsets: Box<[Angle]>,
}

impl Zone {
    /// The angle of a track's logical sector zero.
    ///
    /// Track `index` is reached by `index` steps, each of which turns by the skew of its kind; a new
    /// sparing range and the surface's own offset turn it further.
    #[inline]
    pub(crate) fn track_angle(&self, index: u64, place: Place) -> Angle {
        let Place { cylinder, surface, cylinder_steps, serpentine_steps } = place;
        let data = self.rings.as_ref().map_or(Angle::ZERO, |rings| rings.turned(index));
        let range = self
            .range
            .map_or(Angle::ZERO, |(cylinders, skew)| skew.times(u64::from(cylinder / cylinders)));
        let offset = self.surface_offsets.get(surface as usize).copied().unwrap_or_default();
        self.first_track_angle
            + data
            + self.track_skew.times(index - cylinder_steps - serpentine_steps)
            + self.cylinder_skew.times(cylinder_steps)
            + self.serpentine_skew.times(serpentine_steps)
            + range
            + offset
    }

    /// The angle of one sector, given the sectors of its track.
    #[inline]
    pub(crate) fn sector_angle(&self, per_track: u32) -> Angle {
        if per_track == self.sectors_per_track {
            self.sector_angle
        } else {
            Angle::of_slots(1, u64::from(per_track))
        }
    }

    /// Sectors around track `index`.
    pub(crate) fn around(&self, index: u64) -> u32 {
        self.rings.as_ref().map_or(self.sectors_per_track, |rings| rings.around(index))
    }

    /// Data sectors of the zone's tracks from one to another, where they are not all alike.
    pub(crate) fn data_between(&self, from: u64, to: u64) -> u64 {
        self.rings.as_ref().map_or(0, |rings| rings.before(to).1 - rings.before(from).1)
    }

    /// Raw sectors of the zone before a track.
    pub(crate) fn raw_before(&self, track: u64) -> u64 {
        match &self.rings {
            Some(rings) => rings.before(track).0,
            None => track * u64::from(self.sectors_per_track),
        }
    }
}

/// A run of data tracks within one zone, and how its sectors are numbered.
///
/// A raw position counts all sectors of the band, spares and defects included. The band is divided
/// into sparing domains of `domain_raw` positions, of which `domain_data` carry addresses.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    pub(crate) zone: usize,
    pub(crate) first_lba: u64,
    /// Addresses in the band.
    pub(crate) sectors: u64,
    /// Position of the first track in the zone's sequence.
    pub(crate) first_track: u64,
    pub(crate) tracks: u64,
    /// Raw and data sectors of the zone before the first track, where its tracks differ.
    pub(crate) first_raw: u64,
    pub(crate) first_data: u64,
    /// Whether each track has spares of its own number; the sizes below say nothing then.
    pub(crate) by_track: bool,
    pub(crate) domain_raw: u64,
    pub(crate) domain_data: u64,
    /// Spare positions before a domain's data.
    pub(crate) front: u64,
    /// Whether slips move addresses from domain to domain: the band's entries in the slip list are
    /// then data positions rather than raw ones.
    pub(crate) through: bool,
    /// Data positions before the first address.
    pub(crate) skip_first: u64,
    /// Where the band's entries lie in the layout's slip list.
    pub(crate) slips: Range<usize>,
}

impl Band {
    /// Domain and data position within it of the band's data position `data`.
    #[inline]
    pub(crate) fn split(&self, data: u64) -> (u64, u64) {
        if data < self.domain_data {
            (0, data)
        } else {
            (data / self.domain_data, data % self.domain_data)
        }
    }

    /// Good positions of a domain before its data, if `slips` of its spares are used up.
    #[inline]
    pub(crate) fn lead(&self, slips: usize) -> u64 {
        self.front.saturating_sub(slips as u64)
    }

    /// The data position of a raw position, slips not counted; `None` if it is a spare.
    pub(crate) fn data_position(&self, raw: u64) -> Option<u64> {
        let data = (raw % self.domain_raw).checked_sub(self.front)?;
        (data < self.domain_data).then(|| raw / self.domain_raw * self.domain_data + data)
    }

    /// The same where tracks have spares of their own number.
    pub(crate) fn ring_position(&self, rings: &Rings, raw: u64) -> Option<u64> {
        let spot = rings.raw(self.first_raw + raw);
        (spot.sector < spot.data_per_track)
            .then(|| rings.before(spot.track).1 - self.first_data + u64::from(spot.sector))
    }
}

/// An address that lives in a spare sector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remap {
    pub(crate) lba: u64,
    pub(crate) to: Physical,
}

/// The slips of one domain: `slips` holds raw positions, sorted; returns those in `[from, to)`.
#[inline]
pub(crate) fn slips_between(slips: &[u64], from: u64, to: u64) -> &[u64] {
    let first = slips.partition_point(|raw| *raw < from);
    let last = slips.partition_point(|raw| *raw < to);
    &slips[first..last]
}

/// The raw position of data position `data` in a domain that starts at raw position `from`, and
/// how many positions on from there are free of slips.
#[inline]
pub(crate) fn past_slips(slips: &[u64], from: u64, data: u64) -> (u64, u64) {
    // The k-th slip lies before the position if it has at most `data` good positions before it.
    let (mut low, mut high) = (0, slips.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if slips[middle] - from - middle as u64 <= data {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let raw = from + data + low as u64;
    (raw, slips.get(low).map_or(u64::MAX, |next| next - raw))
}
