//! The keys of synthetic requests: shares, addresses and lengths.

use platterlab_profile::Size;
use platterlab_workload::synthetic::{Law, Spread};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The pattern of requests. Each is sequential, local or general to the one before of its process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Pattern {
    /// Share of reads.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub read_share: f64,
    /// Share of requests that start where the one before ended.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub sequential_share: f64,
    /// Share of requests that start near the one before.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub local_share: f64,
    /// From the start of the one before to the start of a local one, in sectors of 512 bytes.
    pub local_distance_sectors: Law,
    /// Addresses of requests that are neither sequential nor local.
    pub spread: Spread,
    /// Lengths in sectors of 512 bytes, rounded up to blocks.
    pub size_sectors: Law,
    /// The longest request.
    pub max_size: Size,
    /// Addresses and lengths are multiples of this.
    pub block: Size,
    /// How much of each volume is used; all of it where this is not given.
    pub span: Option<Size>,
}

impl Default for Pattern {
    fn default() -> Self {
        Self {
            read_share: 0.66,
            sequential_share: 0.0,
            local_share: 0.0,
            local_distance_sectors: Law::Normal { mean: 0.0, variance: 40_000.0 },
            spread: Spread::Uniform,
            size_sectors: Law::Constant { value: 8.0 },
            max_size: Size::from_bytes(64 << 20),
            block: Size::from_bytes(4_096),
            span: None,
        }
    }
}
