//! An order that follows no rule: its passes are listed.

use platterlab_units::Angle;

/// Passes over a group of cylinders, repeated from group to group. Together they cover every track
/// of a group once. They say of their tracks what a zone says elsewhere, so such a zone has no
/// sparing, no skews but the first track's, and no spare regions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Cylinders in a group, of which the zone has a whole number.
    pub group_cylinders: u32,
    /// Rotation of logical sector zero from a group's first track to the next group's.
    pub group_skew: Angle,
    /// In the order of their addresses.
    pub passes: Vec<Pass>,
}

/// Successive tracks on one surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The surface.
    pub surface: u32,
    /// The cylinders of its first and last track, counted from the group's first; where the first is
    /// the higher one, the pass goes back.
    pub cylinders: [u32; 2],
    /// Sectors around each track.
    pub sectors_per_track: u32,
    /// Sectors of each track that hold data, from logical sector zero on; none where the tracks are
    /// spare. Slipped sectors are counted: addresses behind them move on through all passes, and
    /// the zone has fewer of them.
    pub data_sectors: u32,
    /// Rotation of the first track's logical sector zero against that of the group's first track.
    pub first_angle: Angle,
    /// Rotation of logical sector zero from each track to the next.
    pub skew: Angle,
}
