//! Zones from changes of the bandwidth.

use crate::Estimate;
use crate::bandwidth::Rate;
use crate::stats::{change_points, mad, median};
use schemars::JsonSchema;
use serde::Serialize;

/// Adjacent addresses that are formatted alike.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Zone {
    /// Its first sector.
    pub first_lba: Estimate,
    /// Sectors around one track; around the first one where surfaces differ.
    pub sectors_per_track: Estimate,
    /// Sectors around the tracks of each surface, in the order in which the zone's first passes go over
    /// them; empty where surfaces do not differ, or are not known.
    pub surface_sectors_per_track: Vec<u64>,
    /// The same from the slope of SKIPPY's lines in this zone, not rounded.
    pub skippy_sectors_per_track: Estimate,
    /// Turn of logical sector zero from track to track.
    pub track_skew_ms: Estimate,
    /// Turn of logical sector zero from cylinder to cylinder.
    pub cylinder_skew_ms: Estimate,
    /// Bandwidth of sequential reads.
    pub mib_s: Estimate,
}

/// The indices at which the rate changes its level for good.
///
/// A single place that stands out is no zone: a running median of three goes first. The penalty
/// is that of a change which explains noise alone in one run out of a hundred.
pub(crate) fn changes(rates: &[Rate]) -> Vec<usize> {
    let raw: Vec<f64> = rates.iter().map(|rate| rate.sectors_per_ms.ln()).collect();
    let smooth: Vec<f64> = (0..raw.len())
        .map(|i| {
            let window = &raw[i.saturating_sub(1)..(i + 2).min(raw.len())];
            median(window).unwrap_or(raw[i])
        })
        .collect();
    let steps: Vec<f64> = raw.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let sigma = mad(&steps).unwrap_or(0.0) / std::f64::consts::SQRT_2;
    // Differences of less than a tenth of a percent are no zones.
    let sigma = sigma.max(3e-4);
    let penalty = 4.0 * sigma * sigma * (raw.len().max(2) as f64).ln();
    change_points(&smooth, penalty, 3)
}
