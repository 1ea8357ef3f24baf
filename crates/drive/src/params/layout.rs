//! Parameters of the layout: zones, skews, track orders, spares and defects.

use super::Listed;
use crate::layout::TrackOrder;
use platterlab_units::Angle;

/// The layout of sectors.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutParams {
    /// Bytes in a sector of the media, which addresses count: the physical sector.
    pub sector_bytes: u32,
    /// Bytes in the smallest piece that can be asked for; divides `sector_bytes`.
    pub logical_sector_bytes: u32,
    /// Recording surfaces, each with one head.
    pub surfaces: u32,
    /// Cylinders, spare ones included.
    pub cylinders: u32,
    /// From the first cylinder to the last, without gap or overlap.
    pub zones: Vec<ZoneParams>,
    /// Tracks that hold no data, as ranges within the zones' track sequence.
    pub spare_regions: Vec<TrackRange>,
    /// Sectors that cannot be used.
    pub defects: Vec<Defect>,
    /// How far each surface is turned against the others, as its heads and servo marks are; none
    /// where empty.
    pub surface_offsets: Vec<Angle>,
}

/// Adjacent cylinders that are formatted alike.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneParams {
    /// First and last cylinder, both included.
    pub cylinders: [u32; 2],
    /// Sectors around one track, spares included; what skews in sectors count.
    pub sectors_per_track: u32,
    /// The same for each surface, where surfaces differ; else empty.
    pub surface_sectors: Vec<u32>,
    /// Sectors that hold data on the tracks of each surface, the rest being spares at the end; empty
    /// where `sparing` says it.
    pub surface_data_sectors: Vec<u32>,
    /// Whether a skew turns from the end of a track's data rather than from the end of the track.
    pub skew_from_data_end: bool,
    /// The sequence in which addresses visit the zone's tracks.
    pub order: TrackOrder,
    /// Cylinders of a group in orders that seek first, at least 1; the zone's last group may have
    /// fewer. `None` makes the zone one group.
    pub serpentine_cylinders: Option<u32>,
    /// The passes of the listed order.
    pub passes: Listed,
    /// Rotation of logical sector zero from one surface to the next of the same cylinder, in
    /// head-first orders.
    pub track_skew: Skew,
    /// Rotation of logical sector zero from one cylinder to the next.
    pub cylinder_skew: Skew,
    /// Rotation of logical sector zero from the end of one pass over a surface to the start of the
    /// next, in seek-first orders.
    pub serpentine_skew: Skew,
    /// Rotation of the zone's first track against the index mark.
    pub first_track_skew: Skew,
    /// Rotation of logical sector zero from one group of cylinders that share spares to the next,
    /// added to that of the steps between them; nothing under other kinds of sparing.
    pub range_skew: Skew,
    /// The place of spare sectors.
    pub sparing: Sparing,
    /// Data sectors at the start of the zone that have no address.
    pub skip_first_sectors: u32,
    /// Data sectors at the end of the zone that have no address.
    pub skip_last_sectors: u32,
}

impl ZoneParams {
    /// Sectors around the zone's longest tracks.
    #[must_use]
    pub fn most_sectors(&self) -> u32 {
        match self.listed() {
            Some(order) => {
                order.passes.iter().map(|pass| pass.sectors_per_track).max().unwrap_or(0)
            }
            None => self.surface_sectors.iter().copied().max().unwrap_or(self.sectors_per_track),
        }
    }

    /// The passes, if its order is a list of them.
    #[must_use]
    pub fn listed(&self) -> Option<&Listed> {
        (self.order == TrackOrder::Listed).then_some(&self.passes)
    }
}

/// How far logical sector zero is turned at a boundary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Skew {
    /// A number of the zone's sectors.
    Sectors(u32),
    /// A fraction of a revolution.
    Turn(Angle),
}

/// How spare sectors are set aside within a zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum Sparing {
    /// None are.
    #[default]
    None,
    /// The last sectors of every track.
    Track {
        /// How many sectors of each track.
        #[cfg_attr(feature = "file", schemars(range(min = 1)))]
        sectors: u32,
    },
    /// The last sectors of every cylinder; where an order seeks first, of its last track.
    Cylinder {
        /// How many sectors of each cylinder.
        #[cfg_attr(feature = "file", schemars(range(min = 1)))]
        sectors: u32,
    },
    /// The last sectors of the zone.
    Zone {
        /// How many sectors of the zone.
        #[cfg_attr(feature = "file", schemars(range(min = 1)))]
        sectors: u32,
    },
    /// The last tracks of the zone.
    Tracks {
        /// How many tracks of the zone.
        #[cfg_attr(feature = "file", schemars(range(min = 1)))]
        tracks: u32,
    },
    /// The last or the first sectors of each group of `cylinders`, counted from the zone's first.
    Cylinders {
        /// How many cylinders share them: whole serpentines where an order seeks first.
        #[cfg_attr(feature = "file", schemars(range(min = 1, max = crate::MOST_CYLINDERS)))]
        cylinders: u32,
        /// How many sectors they share.
        #[cfg_attr(feature = "file", schemars(range(min = 1)))]
        sectors: u32,
        /// Whether they are the first rather than the last ones.
        #[cfg_attr(feature = "file", serde(default))]
        front: bool,
        /// Whether they are kept for remapped sectors: a slip then moves all later addresses of
        /// the zone, and the zone has fewer of them.
        #[cfg_attr(feature = "file", serde(default))]
        remaps_only: bool,
    },
}

/// A track: cylinder, then surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Track {
    /// Counted from the first, usually the outermost.
    pub cylinder: u32,
    /// Counted from the first.
    pub surface: u32,
}

/// Tracks from `first` to `last`, both included, in cylinder-then-surface order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackRange {
    /// The first track.
    pub first: Track,
    /// The last track.
    pub last: Track,
}

/// A physical sector: track, then position on it counted from the track's logical sector zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Physical {
    /// Cylinder.
    pub cylinder: u32,
    /// Surface.
    pub surface: u32,
    /// Sector on the track, spares included.
    pub sector: u32,
}

/// A sector that cannot be used, and what stands in for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Its address and all later ones of its sparing domain move one sector on.
    Slipped(Physical),
    /// Its address alone moves to a spare sector.
    Remapped {
        /// The sector that cannot be used.
        from: Physical,
        /// The spare that holds its data.
        to: Physical,
    },
}
