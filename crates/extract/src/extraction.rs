//! The result of an extraction: every value read off the samples of one drive.

use crate::Estimate;
use crate::bandwidth::{Fit, Rate};
use crate::model::DriveModel;
use crate::seek::SeekPoint;
use crate::seek_fit::SeekFit;
use crate::self_check::SelfCheck;
use crate::survey::LayoutGuess;
use crate::zones::Zone;
use schemars::JsonSchema;
use serde::Serialize;

/// What makes sequential reads slower than the media.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Slowed {
    /// Each read loses a turn, as without read-ahead.
    Read,
    /// Each track loses a turn, as where heads switch later than the skew allows.
    Track,
    /// Each read loses turns in another number.
    Turns,
    /// The interface, or the host: zones of other track lengths are as fast.
    Interface,
    /// The measurements do not tell.
    Unknown,
}

/// Everything read off the samples of one drive.
///
/// The papers call the skews "head switch time" and "cylinder switch time".
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Extraction {
    /// Whether a cache answered some of the requests in place of the platter.
    pub cached: bool,
    /// One revolution, in milliseconds.
    pub rotation_ms: Estimate,
    /// Standard deviation of completions around their place in the revolution.
    pub jitter_ms: Estimate,
    /// A request answered from the drive's cache: host, interface and controller.
    pub overhead_ms: Estimate,
    /// A request for a physical sector that is just about to pass: MTM and its transfer.
    pub access_ms: Estimate,
    /// Minimum time to media (MTM): `access_ms` less that sector's transfer.
    pub mtm_ms: Estimate,
    /// Smallest distance on one track that is served in the same revolution (STM), from SKIPPY.
    pub stm_sectors: Estimate,
    /// Sectors per track where SKIPPY ran.
    pub sectors_per_track: Estimate,
    /// The same from the slope of SKIPPY's lines alone, not rounded, as the paper has it.
    pub skippy_sectors_per_track: Estimate,
    /// One logical sector's pass under the head.
    pub sector_ms: Estimate,
    /// Recording surfaces that hold addresses.
    pub surfaces: Estimate,
    /// Turn of logical sector zero from track to track (the papers' head switch time); none with one surface,
    /// where each track is another cylinder's.
    pub track_skew_ms: Estimate,
    /// Turn of logical sector zero from cylinder to cylinder (the papers' cylinder switch time).
    pub cylinder_skew_ms: Estimate,
    /// What switching heads adds to a read on the same track.
    pub head_switch_ms: Estimate,
    /// The same from SKIPPY's downward spikes, to within one sector time.
    pub spikes_head_switch_ms: Estimate,
    /// What going to the next cylinder adds to a read on the same track.
    pub cylinder_switch_ms: Estimate,
    /// Zones, outermost first.
    pub zones: Vec<Zone>,
    /// Bandwidth of the first zone.
    pub outer_mib_s: Estimate,
    /// Bandwidth of the last zone.
    pub inner_mib_s: Estimate,
    /// What the geometry of the first zone says that bandwidth should be.
    pub predicted_outer_mib_s: Estimate,
    /// What makes sequential reads slower than the media there; none where nothing does.
    pub slowed_by: Option<Slowed>,
    /// Turns that each sequential read loses; none where it is not turns that they lose.
    pub lost_turns: Option<f64>,
    /// Bandwidth over position.
    pub rates: Vec<Rate>,
    /// Curves through it, best first.
    pub bandwidth_fits: Vec<Fit>,
    /// The least of the seek curve: all that the next cylinder adds to a read on the same track. What a controller, or
    /// a head that stays, saves there is in it.
    pub seek_min_ms: Estimate,
    /// The most of the seek curve.
    pub seek_max_ms: Estimate,
    /// By how much a seek is longer or shorter, each time another one, at most; none where none is seen to be.
    pub seek_scatter_ms: Option<Estimate>,
    /// Seek time over distance, MTM removed.
    pub seeks: Vec<SeekPoint>,
    /// Curves through it: against cylinders, where they are known, and against sectors.
    pub seek_fits: Vec<SeekFit>,
    /// In which order addresses go over the tracks, as far as a survey of them shows it.
    pub layout: Option<LayoutGuess>,
    /// How a simulation of all this compares with what was measured.
    pub self_check: SelfCheck,
    /// The drive that was simulated; none where too little is known of it.
    pub model: Option<DriveModel>,
}
