//! Track orders: the sequence in which consecutive addresses visit a zone's tracks.
//!
//! Contract: an order is a bijection between `0..cylinders * surfaces` and the zone's tracks, and
//! says of what kind the steps so far were: to another cylinder, or, in seek-first and listed orders,
//! to the next pass over a group of cylinders. The rest changed the surface only. Skew follows from the
//! counts, so an order knows nothing of sectors or angles.

mod cylinder_serpentine;
mod listed;
mod seek_first;
mod traditional;

use crate::ZoneParams;
use listed::Legs;
use seek_first::Passes;

/// The sequence in which consecutive addresses visit tracks (Gim 2009, Figure 3).
///
/// Head-first orders use all surfaces of a cylinder before the next cylinder; seek-first orders pass
/// over `serpentine_cylinders` cylinders on one surface before the next surface. A pass, or a
/// group of passes, may turn every second time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum TrackOrder {
    /// All surfaces of a cylinder from the first, then the next cylinder from the first again.
    #[default]
    Traditional,
    /// As traditional, but every second cylinder from the last surface to the first.
    CylinderSerpentine,
    /// As `cylinder-serpentine`, but the zone's first cylinder from the last surface to the first.
    CylinderSerpentineReversed,
    /// Seek-first: every second pass goes back, so that a new surface needs no seek.
    SurfaceSerpentine,
    /// Seek-first: every pass starts at the group's first cylinder.
    HybridSerpentine,
    /// As surface-serpentine, but every second group from the last surface to the first.
    AlternatingSurfaceSerpentine,
    /// As hybrid-serpentine, but every second group from the last surface to the first.
    AlternatingHybridSerpentine,
    /// As `pass` lists it: over groups of cylinders that no rule describes. Passes state their own
    /// sectors, spares and skews; a slipped sector moves all later addresses of the zone on.
    Listed,
}

impl TrackOrder {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Traditional,
        Self::CylinderSerpentine,
        Self::CylinderSerpentineReversed,
        Self::SurfaceSerpentine,
        Self::HybridSerpentine,
        Self::AlternatingSurfaceSerpentine,
        Self::AlternatingHybridSerpentine,
        Self::Listed,
    ];

    /// Of an order that seeks before it changes the head: whether every second pass over a group of
    /// cylinders goes back, and whether every second group does.
    fn turns_back(self) -> Option<[bool; 2]> {
        match self {
            Self::HybridSerpentine => Some([false, false]),
            Self::SurfaceSerpentine => Some([true, false]),
            Self::AlternatingHybridSerpentine => Some([false, true]),
            Self::AlternatingSurfaceSerpentine => Some([true, true]),
            _ => None,
        }
    }

    /// Whether it goes over many cylinders on one surface before it comes to the next.
    #[must_use]
    pub fn seeks_first(self) -> bool {
        self.turns_back().is_some()
    }
}

/// One track of a zone: where it is, and how the order came to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Counted from the zone's first cylinder.
    pub(crate) cylinder: u32,
    pub(crate) surface: u32,
    /// Steps from track 0 to here that changed the cylinder, those to another pass left out.
    pub(crate) cylinder_steps: u64,
    /// Steps from track 0 to here from one pass to the next.
    pub(crate) serpentine_steps: u64,
}

/// Tracks that follow each other in a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TrackRun {
    pub(crate) first: u64,
    pub(crate) last: u64,
}

/// The tracks of one zone in the order of their addresses. Cylinders are counted from its first.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    kind: Kind,
    surfaces: u32,
}

#[derive(Clone, Debug)]
enum Kind {
    Traditional,
    CylinderSerpentine { reversed: bool },
    SeekFirst(Passes),
    Listed(Legs),
}

impl Sequence {
    pub(crate) fn new(zone: &ZoneParams, surfaces: u32, cylinders: u32) -> Self {
        let kind = match zone.order {
            TrackOrder::Traditional => Kind::Traditional,
            TrackOrder::CylinderSerpentine => Kind::CylinderSerpentine { reversed: false },
            TrackOrder::CylinderSerpentineReversed => Kind::CylinderSerpentine { reversed: true },
            TrackOrder::Listed => Kind::Listed(Legs::new(&zone.passes, surfaces)),
            TrackOrder::SurfaceSerpentine
            | TrackOrder::HybridSerpentine
            | TrackOrder::AlternatingSurfaceSerpentine
            | TrackOrder::AlternatingHybridSerpentine => {
                Kind::SeekFirst(Passes::new(zone, surfaces, cylinders))
            }
        };
        Self { kind, surfaces }
    }

    /// Track `index` of the sequence.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> Place {
        match &self.kind {
            Kind::Traditional => traditional::place(index, self.surfaces),
            Kind::CylinderSerpentine { reversed } => {
                cylinder_serpentine::place(index, self.surfaces, *reversed)
            }
            Kind::SeekFirst(passes) => passes.place(index),
            Kind::Listed(legs) => legs.place(index),
        }
    }

    /// Position in the sequence of a track.
    #[inline]
    pub(crate) fn index(&self, cylinder: u32, surface: u32) -> u64 {
        match &self.kind {
            Kind::Traditional => traditional::index(cylinder, surface, self.surfaces),
            Kind::CylinderSerpentine { reversed } => {
                cylinder_serpentine::index(cylinder, surface, self.surfaces, *reversed)
            }
            Kind::SeekFirst(passes) => passes.index(cylinder, surface),
            Kind::Listed(legs) => legs.index(cylinder, surface),
        }
    }

    /// Tracks after which the sequence of surfaces begins anew.
    pub(crate) fn cycle_tracks(&self) -> u64 {
        match &self.kind {
            Kind::Traditional => u64::from(self.surfaces),
            Kind::CylinderSerpentine { .. } => 2 * u64::from(self.surfaces),
            Kind::SeekFirst(passes) => passes.cycle_tracks(),
            Kind::Listed(legs) => legs.cycle_tracks(),
        }
    }

    /// Tracks from `index` on that are on the same surface, at least, and whether a seek-first order
    /// comes to their cylinders for the last time.
    pub(crate) fn stretch(&self, index: u64) -> (u64, bool) {
        match &self.kind {
            Kind::SeekFirst(passes) => passes.stretch(index),
            Kind::Listed(legs) => (legs.stretch(index), false),
            Kind::Traditional | Kind::CylinderSerpentine { .. } => (1, false),
        }
    }

    /// The tracks from one to another in cylinder-then-surface order; whole cylinders in all
    /// orders but the traditional one. A listed order has no such regions.
    pub(crate) fn runs(&self, first: [u32; 2], last: [u32; 2]) -> Vec<TrackRun> {
        match &self.kind {
            Kind::SeekFirst(passes) => passes.runs(first[0], last[0]),
            Kind::Listed(_) => Vec::new(),
            Kind::Traditional | Kind::CylinderSerpentine { .. } => {
                let index = |[cylinder, surface]: [u32; 2]| {
                    traditional::index(cylinder, surface, self.surfaces)
                };
                vec![TrackRun { first: index(first), last: index(last) }]
            }
        }
    }
}
