//! The seek curve: positioning times with MTM removed.

use crate::Estimate;
use serde::Serialize;

/// One movement of the arm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

/// The shortest of the points.
pub(crate) fn shortest(points: &[SeekPoint]) -> Estimate {
    extreme(points.iter().min_by(|a, b| a.seek_ms.total_cmp(&b.seek_ms)), "least of the seek curve")
}

/// The longest of the points.
pub(crate) fn longest(points: &[SeekPoint]) -> Estimate {
    extreme(points.iter().max_by(|a, b| a.seek_ms.total_cmp(&b.seek_ms)), "most of the seek curve")
}

fn extreme(point: Option<&SeekPoint>, method: &'static str) -> Estimate {
    match point {
        Some(point) => Estimate::new(point.seek_ms, point.half_width_ms, method)
            .noted(format!("at {} sectors", point.distance_sectors)),
        None => Estimate::unsupported(method, "no target of SEEKER could be timed"),
    }
}
