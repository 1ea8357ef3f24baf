//! The figures of a controller's cache.

use platterlab_results::DistributionSummary;
use serde::Serialize;

/// What a controller's cache did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct CacheReport {
    /// Reads that went through the cache.
    pub reads: u64,
    /// Those of which everything was there.
    pub read_hits: u64,
    /// Writes that went through the cache.
    pub writes: u64,
    /// Those for which something had to be read first.
    pub write_fetches: u64,
    /// Commands too long for the cache.
    pub bypassed: u64,
    /// Sectors that were dirty and were written to their devices.
    pub flushed_sectors: u64,
    /// Sectors that are dirty still.
    pub dirty_sectors: u64,
    /// Sectors that were dirty and lost, with the memory's power or with their device.
    pub lost_sectors: u64,
    /// From the driver to the controller: how long the host's commands waited in the driver's queue
    /// and for whatever is before the controller. Of all of the run, as all figures of a cache.
    pub wait_ms: Option<DistributionSummary>,
    /// From the driver until the host heard that they are done.
    pub response_ms: Option<DistributionSummary>,
}
