//! The seek curve: positioning times with MTM removed.

use crate::Estimate;
use schemars::JsonSchema;
use serde::Serialize;

/// One movement of the arm.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct SeekPoint {
    /// From start to start, in sectors.
    pub distance_sectors: u64,
    /// In cylinders, where the zones are known.
    pub distance_cylinders: Option<u32>,
    /// What the movement adds to a request on the same track: settling included, less what the
    /// transfer over the interface hides of it.
    pub seek_ms: f64,
    /// Half the width of its 95 % interval.
    pub half_width_ms: f64,
}

/// The time of the shortest movement that was asked for, if it could be timed.
pub(crate) fn shortest(points: &[SeekPoint], asked_sectors: &[u64]) -> Estimate {
    let least = points.iter().min_by(|a, b| a.seek_ms.total_cmp(&b.seek_ms));
    extreme(least, asked_sectors.iter().min(), points, "least of the seek curve")
}

/// The time of the longest movement that was asked for, if it could be timed.
pub(crate) fn longest(points: &[SeekPoint], asked_sectors: &[u64]) -> Estimate {
    let most = points.iter().max_by(|a, b| a.seek_ms.total_cmp(&b.seek_ms));
    extreme(most, asked_sectors.iter().max(), points, "most of the seek curve")
}

fn extreme(
    point: Option<&SeekPoint>,
    asked_sectors: Option<&u64>,
    points: &[SeekPoint],
    method: &'static str,
) -> Estimate {
    let (Some(point), Some(asked)) = (point, asked_sectors) else {
        return Estimate::unsupported(method, "no target of SEEKER could be timed");
    };
    let estimate = Estimate::new(point.seek_ms, point.half_width_ms, method)
        .noted(format!("at {} sectors", point.distance_sectors));
    if points.iter().any(|point| point.distance_sectors == *asked) {
        estimate
    } else {
        estimate.doubted(format!("the movement over {asked} sectors could not be timed"))
    }
}
