//! Options of the layout, in the file's units.

use platterlab_drive::{MOST_CYLINDERS, MOST_SURFACES, Sparing, TrackOrder};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The size of the drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// Recording surfaces, each with one head.
    #[schemars(range(min = 1, max = MOST_SURFACES))]
    pub surfaces: u32,
    /// Cylinders, spare ones included.
    #[schemars(range(min = 1, max = MOST_CYLINDERS))]
    pub cylinders: u32,
    /// Bytes in one sector of the media: the physical sector, which addresses in results count.
    #[serde(default = "sector_bytes")]
    #[schemars(range(min = 1, max = 65_536))]
    pub sector_bytes: u32,
    /// Bytes in one logical sector: the smallest piece that the drive can be asked for. Where it is
    /// not given, 512 on a drive whose `sector_bytes` are 4096 (512e: a write of a part of a sector
    /// is a read, a revolution and a write), else `sector_bytes`. Write 4096 for a drive
    /// that takes whole sectors of 4096 bytes alone (4Kn).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 65_536))]
    pub logical_sector_bytes: Option<u32>,
    /// How far each surface is turned against the zones' skews, in turns: one number for each
    /// surface, or none at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surface_offset_turns: Vec<f64>,
}

impl Geometry {
    /// Bytes in one logical sector, stated or not.
    pub(crate) fn logical_sector_bytes(&self) -> u32 {
        // Nearly all drives of such sectors that were ever sold emulate those that came before.
        let usual = if self.sector_bytes == 4_096 { 512 } else { self.sector_bytes };
        self.logical_sector_bytes.unwrap_or(usual)
    }
}

fn sector_bytes() -> u32 {
    platterlab_units::SECTOR_BYTES_DEFAULT
}

/// Adjacent cylinders that are formatted alike.
///
/// Each skew is stated once, in sectors of the zone, in turns or in degrees; where it is not, it
/// is 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// First and last cylinder, both included.
    pub cylinders: [u32; 2],
    /// Sectors around one track, spare ones included.
    #[schemars(range(min = 1, max = 100_000))]
    pub sectors_per_track: u32,
    /// Sectors around a track of each surface, where surfaces differ. Skews in sectors still count
    /// `sectors_per_track`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface_sectors_per_track: Option<Vec<u32>>,
    /// Sectors that hold data on a track of each surface; the rest, at its end, is spare. Stands in
    /// the place of `sparing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface_data_sectors: Option<Vec<u32>>,
    /// Whether skews turn from the end of a track's data, so that no head waits over spares at the
    /// end of it, rather than from the end of the track.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skew_from_data_end: bool,
    /// The sequence in which addresses visit the zone's tracks.
    #[serde(default)]
    pub order: TrackOrder,
    /// Cylinders that a serpentine passes over on one surface before it continues on the next. Where
    /// it is not given, all of the zone. Belongs to the orders that seek first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = MOST_CYLINDERS))]
    pub serpentine_cylinders: Option<u32>,
    /// How far logical sector zero is turned from one track of a cylinder to the next, in sectors.
    #[schemars(range(max = 100_000))]
    pub track_skew_sectors: Option<u32>,
    /// How far logical sector zero is turned from one track of a cylinder to the next, in turns.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub track_skew_turns: Option<f64>,
    /// How far logical sector zero is turned from one track of a cylinder to the next, in degrees.
    #[schemars(range(min = 0.0, max = 360.0))]
    pub track_skew_deg: Option<f64>,
    /// How far logical sector zero is turned from a cylinder's last track to the next cylinder's
    /// first, in sectors.
    #[schemars(range(max = 100_000))]
    pub cylinder_skew_sectors: Option<u32>,
    /// How far logical sector zero is turned from a cylinder's last track to the next cylinder's
    /// first, in turns.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub cylinder_skew_turns: Option<f64>,
    /// How far logical sector zero is turned from a cylinder's last track to the next cylinder's
    /// first, in degrees.
    #[schemars(range(min = 0.0, max = 360.0))]
    pub cylinder_skew_deg: Option<f64>,
    /// How far logical sector zero is turned from the end of a serpentine's pass over one surface
    /// to the start of the next pass, in sectors. Belongs to the orders that seek first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100_000))]
    pub serpentine_skew_sectors: Option<u32>,
    /// How far logical sector zero is turned from the end of a serpentine's pass over one surface
    /// to the start of the next pass, in turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub serpentine_skew_turns: Option<f64>,
    /// How far logical sector zero is turned from the end of a serpentine's pass over one surface
    /// to the start of the next pass, in degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 360.0))]
    pub serpentine_skew_deg: Option<f64>,
    /// How far logical sector zero of the zone's first track is turned against the index mark, in
    /// sectors.
    #[schemars(range(max = 100_000))]
    pub first_track_skew_sectors: Option<u32>,
    /// How far logical sector zero of the zone's first track is turned against the index mark, in
    /// turns.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub first_track_skew_turns: Option<f64>,
    /// How far logical sector zero of the zone's first track is turned against the index mark, in
    /// degrees.
    #[schemars(range(min = 0.0, max = 360.0))]
    pub first_track_skew_deg: Option<f64>,
    /// How far logical sector zero is turned from one group of cylinders that share spares to the
    /// next, in addition to the steps between them, in sectors. Belongs to sparing by `cylinders`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100_000))]
    pub range_skew_sectors: Option<u32>,
    /// How far logical sector zero is turned from one group of cylinders that share spares to the
    /// next, in addition to the steps between them, in turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub range_skew_turns: Option<f64>,
    /// How far logical sector zero is turned from one group of cylinders that share spares to the
    /// next, in addition to the steps between them, in degrees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 360.0))]
    pub range_skew_deg: Option<f64>,
    /// Cylinders of one group of passes. The zone has a whole number of groups, and each repeats the
    /// passes. Belongs to the `listed` order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = MOST_CYLINDERS))]
    pub group_cylinders: Option<u32>,
    /// How far logical sector zero is turned from a group's first track to the next group's, in
    /// turns. Belongs to the `listed` order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub group_skew_turns: Option<f64>,
    /// The passes over a group, in the order of their addresses. Together they come to every track
    /// of the group once. Belongs to the `listed` order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pass: Vec<Pass>,
    /// The place of spare sectors.
    #[serde(default)]
    pub sparing: Sparing,
    /// Data sectors at the start of the zone that have no address.
    #[serde(default)]
    pub skip_first_sectors: u32,
    /// Data sectors at the end of the zone that have no address.
    #[serde(default)]
    pub skip_last_sectors: u32,
}

/// Successive tracks on one surface, in a `listed` order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pass {
    /// The surface.
    #[schemars(range(max = 1023))]
    pub surface: u32,
    /// The cylinders of the first and the last track, counted from the group's first; where the
    /// first is the higher one, the pass goes back.
    pub cylinders: [u32; 2],
    /// Sectors around each track; the zone's where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100_000))]
    pub sectors_per_track: Option<u32>,
    /// Sectors of each track that hold data, the rest, at its end, being spare; all of them where
    /// it is not given, and 0 where the tracks are spare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 100_000))]
    pub data_sectors: Option<u32>,
    /// How far logical sector zero of the first track is turned against that of the group's first
    /// track, in turns.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub first_track_skew_turns: f64,
    /// How far logical sector zero is turned from each track to the next, in turns.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub track_skew_turns: f64,
}

/// Tracks that hold no data, in cylinder-then-surface order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpareRegion {
    /// The first track: `[cylinder, surface]`.
    pub first: [u32; 2],
    /// The last track: `[cylinder, surface]`.
    pub last: [u32; 2],
}

/// A sector that cannot be used, and what stands in for it. Sectors are counted along the track
/// from its logical sector zero, spare ones included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Defect {
    /// Its address and all later ones up to the next spare sector move one sector on.
    Slipped {
        /// The sector that cannot be used: `[cylinder, surface, sector]`.
        at: [u32; 3],
    },
    /// A whole track is unusable: all later addresses of the sparing domain move one track on.
    SlippedTrack {
        /// The track: `[cylinder, surface]`.
        at: [u32; 2],
    },
    /// Its address alone moves to a spare sector.
    Remapped {
        /// The sector that cannot be used: `[cylinder, surface, sector]`.
        from: [u32; 3],
        /// The spare sector that holds its data: `[cylinder, surface, sector]`.
        to: [u32; 3],
    },
}
