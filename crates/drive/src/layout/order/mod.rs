//! Track orders: the sequence in which consecutive addresses visit a zone's tracks.
//!
//! Contract: an order is a bijection between `0..cylinders * surfaces` and the zone's tracks, and
//! says how many of the steps so far changed the cylinder. The rest changed the surface only. Skew
//! follows from the two counts, so an order knows nothing of sectors or angles.

mod cylinder_serpentine;
mod traditional;

use crate::TrackOrder;

/// One track of a zone: where it is, and how the order came to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Counted from the zone's first cylinder.
    pub(crate) cylinder: u32,
    pub(crate) surface: u32,
    /// Steps from track 0 to here that changed the cylinder.
    pub(crate) cylinder_steps: u64,
}

impl TrackOrder {
    /// Track `index` of the zone's sequence.
    #[inline]
    pub(crate) fn place(self, index: u64, surfaces: u32) -> Place {
        match self {
            Self::Traditional => traditional::place(index, surfaces),
            Self::CylinderSerpentine => cylinder_serpentine::place(index, surfaces),
        }
    }

    /// Position in the zone's sequence of a track, its cylinder counted from the zone's first.
    #[inline]
    pub(crate) fn index(self, cylinder: u32, surface: u32, surfaces: u32) -> u64 {
        match self {
            Self::Traditional => traditional::index(cylinder, surface, surfaces),
            Self::CylinderSerpentine => cylinder_serpentine::index(cylinder, surface, surfaces),
        }
    }
}
