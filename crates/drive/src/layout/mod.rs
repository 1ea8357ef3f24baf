//! Places of sectors: logical address to cylinder, surface, sector and angle, and back.
//!
//! The sequence of an address: **band** (a run of data tracks within one zone, between spare
//! regions) by binary search; **sparing domain** within the band and slips within the domain give
//! a raw sector count; that gives track and sector; the zone's **order** gives cylinder and
//! surface, its skews the angle. A remapped address is looked up last, as it overrides all this.

mod band;
mod build;
mod check;
mod check_listed;
mod order;
mod rings;
mod tracks;
mod translate;

pub(crate) use band::{Band, Remap, Zone};
pub use order::TrackOrder;
use rings::Rings;
pub use tracks::{Found, Tracks};

use platterlab_units::Angle;
use std::num::NonZeroU32;

/// The layout of one drive, checked and indexed.
#[derive(Clone, Debug)]
pub struct Layout {
    surfaces: u32,
    cylinders: u32,
    sector_bytes: u32,
    logical_sector_bytes: u32,
    capacity: u64,
    zones: Vec<Zone>,
    bands: Vec<Band>,
    /// First address of each band, for the search.
    band_first_lba: Vec<u64>,
    /// Raw positions of slipped sectors within their bands, all bands one after the other.
    slips: Vec<u64>,
    /// By address.
    remaps: Vec<Remap>,
}

/// Sectors with consecutive addresses that pass under one head one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Cylinder of the track.
    pub cylinder: u32,
    /// Surface of the track.
    pub surface: u32,
    /// First sector on the track, spares included, counted from the track's logical sector zero.
    pub sector: u32,
    /// Length in sectors.
    pub sectors: u32,
    /// Sectors around the track.
    pub sectors_per_track: u32,
    /// Angle of the track's logical sector zero.
    pub track_angle: Angle,
    /// Angle of one sector.
    pub sector_angle: Angle,
}

/// Where one sector begins: what a scheduler keeps of each that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The angle at which it begins.
    pub angle: Angle,
    /// Cylinder of its track.
    pub cylinder: u32,
    /// Surface of its track.
    pub surface: u32,
    /// Sectors around its track.
    pub sectors_per_track: NonZeroU32,
}

/// How a zone's order comes to a track: the steps from the zone's first track on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The zone, counted from the first.
    pub zone: usize,
    /// All steps: the track's number in the zone.
    pub tracks: u64,
    /// Those that change the cylinder, steps to another pass left out.
    pub cylinders: u64,
    /// Those from one pass of a seek-first or listed order to the next.
    pub serpentines: u64,
}

impl Run {
    /// Where its first sector begins.
    #[must_use]
    #[inline]
    pub fn spot(&self) -> Spot {
        let Self { cylinder, surface, sectors_per_track, .. } = *self;
        let sectors_per_track = NonZeroU32::new(sectors_per_track).unwrap_or(NonZeroU32::MIN);
        Spot { angle: self.angle(0), cylinder, surface, sectors_per_track }
    }

    /// The angle at which sector `offset` of the run begins; `offset` may be the run's length.
    #[must_use]
    #[inline]
    pub fn angle(&self, offset: u32) -> Angle {
        let sector = self.sector + offset;
        // One sector angle is rounded down: a whole revolution of them must still be no angle at
        // all.
        if sector == self.sectors_per_track {
            self.track_angle
        } else {
            self.track_angle + self.sector_angle.times(u64::from(sector))
        }
    }
}

impl Layout {
    /// Addressable sectors.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Bytes in a sector of the media, which addresses count.
    #[must_use]
    pub fn sector_bytes(&self) -> u32 {
        self.sector_bytes
    }

    /// Bytes in the smallest piece that can be asked for.
    #[must_use]
    pub fn logical_sector_bytes(&self) -> u32 {
        self.logical_sector_bytes
    }

    /// Recording surfaces.
    #[must_use]
    pub fn surfaces(&self) -> u32 {
        self.surfaces
    }

    /// Cylinders, spare ones included.
    #[must_use]
    pub fn cylinders(&self) -> u32 {
        self.cylinders
    }
}

/// Quotient and remainder, by 32-bit division where that is enough: it is several times faster.
#[inline]
fn divide(dividend: u64, divisor: u32) -> (u64, u32) {
    match u32::try_from(dividend) {
        Ok(small) => (u64::from(small / divisor), small % divisor),
        Err(_) => (dividend / u64::from(divisor), (dividend % u64::from(divisor)) as u32),
    }
}
