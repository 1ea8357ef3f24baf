//! The checks of a controller and its cache before they are built.

use super::{CacheOptions, ControllerOptions, Replacement};
use std::fmt;

/// Why a controller cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{what} is {given}: it has to be {needed}")]
pub struct ControllerError {
    /// Its dotted key in the controller's table of an experiment: `cache.granule`.
    pub key: &'static str,
    /// Which value.
    pub what: &'static str,
    /// What it is.
    pub given: String,
    /// What it may be.
    pub needed: String,
}

/// Granules of a line at most: one word has a bit for each.
const MOST_GRANULES: u32 = 64;

fn wrong<T: fmt::Display>(
    key: &'static str,
    what: &'static str,
    given: T,
    needed: &str,
) -> ControllerError {
    ControllerError { key, what, given: given.to_string(), needed: needed.to_owned() }
}

/// Whether a controller makes sense by itself.
pub(crate) fn check(options: &ControllerOptions) -> Result<(), ControllerError> {
    if options.max_outstanding == Some(0) {
        return Err(wrong("depth", "the number of outstanding commands", 0, "1 or more"));
    }
    options.cache.as_ref().map_or(Ok(()), cache)
}

fn cache(options: &CacheOptions) -> Result<(), ControllerError> {
    let CacheOptions { size_sectors, line_sectors, granule_sectors, .. } = *options;
    if granule_sectors == 0 || line_sectors == 0 || line_sectors % granule_sectors != 0 {
        let needed = "a multiple of the granule, and neither of them 0";
        return Err(wrong("cache.line", "the line size in sectors", line_sectors, needed));
    }
    if line_sectors / granule_sectors > MOST_GRANULES {
        let least = line_sectors.div_ceil(MOST_GRANULES);
        let needed = format!("{least} or more, so that {MOST_GRANULES} or fewer make a line");
        let what = "the granule size in sectors";
        return Err(wrong("cache.granule", what, granule_sectors, &needed));
    }
    let lines = size_sectors / u64::from(line_sectors);
    if lines == 0 || lines > u64::from(u32::MAX / 4) {
        let what = "the cache size in sectors";
        return Err(wrong("cache.size", what, size_sectors, "1 to 2^30 lines"));
    }
    // A command that begins in the middle of a line touches one line more than its length says.
    let most = (lines - 1) * u64::from(line_sectors) + 1;
    if u64::from(options.max_request_sectors) > most {
        let needed = format!("{most} or less, what the cache holds wherever it begins");
        let what = "the longest cached request";
        return Err(wrong("cache.max_request", what, options.max_request_sectors, &needed));
    }
    let cluster_lines = options.flush.max_cluster_lines;
    let gather_lines = options.max_gather_lines.unwrap_or(1);
    for (key, what, given) in [
        ("cache.drive_depth", "the number of commands a device is given", options.depth),
        (
            "cache.flush.max_cluster_lines",
            "the number of lines written by one command",
            cluster_lines,
        ),
        ("cache.max_gather_lines", "the number of lines gathered", gather_lines),
    ] {
        if given == 0 {
            return Err(wrong(key, what, given, "1 or more"));
        }
    }
    if let Replacement::SegmentedLru { shares } = &options.replacement {
        let sum: f64 = shares.iter().sum();
        let all = shares.iter().all(|&share| share > 0.0);
        if !all || (sum - 1.0).abs() > 1e-6 {
            let needed = "greater than 0 each and 1 together";
            let what = "the shares of the segments";
            return Err(wrong("cache.replacement.shares", what, format!("{shares:?}"), needed));
        }
    }
    if options.flush.period.is_some_and(|period| period.as_ps() == 0) {
        return Err(wrong("cache.flush.period_ms", "the flush period", 0, "longer"));
    }
    Ok(())
}
