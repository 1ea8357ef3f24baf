//! The measured drive as one that can be simulated.

use crate::SeekPoint;
use platterlab_drive::TrackOrder;
use schemars::JsonSchema;
use serde::Serialize;

/// The drive that the self-check simulated: where its sectors lie, and how well it is known.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct DriveModel {
    /// Recording surfaces; one where they are not known.
    pub surfaces: u32,
    /// Zones, outermost first; together they hold every address.
    pub zones: Vec<ModelZone>,
    /// Seek time of reads over distance in cylinders; distances rise.
    pub seeks: Vec<SeekPoint>,
    /// What another head of the same cylinder adds to a read; none where no read tells it.
    pub head_switch_ms: Option<f64>,
    /// A read where the head rests on the track, without latency and transfer.
    pub still_ms: Option<f64>,
    /// What the movements of the arm that were timed by writes have more than those of reads; none
    /// where they were timed by reads, or nothing was timed by both.
    pub write_settle_ms: Option<f64>,
    /// Angles between two sectors anywhere on the drive that were measured.
    pub angles: u64,
    /// How many of them the model has, to within what the host scatters.
    pub angles_right: u64,
}

/// Adjacent cylinders that are formatted alike.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ModelZone {
    /// First and last cylinder, both included.
    pub cylinders: [u32; 2],
    /// Sectors around one track, spares included; the most of any surface where they differ.
    pub sectors_per_track: u32,
    /// The same for each surface, where surfaces differ; else empty.
    pub surface_sectors_per_track: Vec<u32>,
    /// The sequence in which addresses visit the tracks.
    pub order: TrackOrder,
    /// Cylinders of a pass over one surface, in orders that seek first.
    pub serpentine_cylinders: Option<u32>,
    /// Turn of logical sector zero from track to track of a cylinder.
    pub track_skew_turns: f64,
    /// Turn of logical sector zero from cylinder to cylinder.
    pub cylinder_skew_turns: f64,
    /// Turn of logical sector zero from pass to pass, in orders that seek first.
    pub serpentine_skew_turns: f64,
    /// Whether angles over many tracks come out by the skews: whole sectors, or angles where they do by none.
    pub skews_agree: bool,
    /// Turn of the zone's first sector against that of the drive.
    pub first_track_skew_turns: f64,
    /// Whether angles across zones show it.
    pub first_track_agrees: bool,
    /// Spare sectors at the end of each track.
    pub track_spare_sectors: u32,
    /// Whether angles come out by no other count of them; where cylinders share spares, shorter tracks show these.
    pub track_spares_agree: bool,
    /// Spare sectors at the end of each cylinder, or of each so many cylinders that share them; of each pass in orders
    /// that seek first, where it is one.
    pub cylinder_spare_sectors: u32,
    /// Cylinders that share those.
    pub spare_cylinders: u32,
    /// Sectors at the beginning that have no address.
    pub skip_first_sectors: u32,
    /// Sectors at the end that have no address.
    pub skip_last_sectors: u32,
}
