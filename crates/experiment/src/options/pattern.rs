//! The keys of synthetic requests: shares, addresses and lengths.

use super::LawOptions;
use platterlab_profile::Size;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What requests look like. Each is sequential, local or general to the one before of its process.
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
    pub local_distance_sectors: LawOptions,
    /// Where the other requests lie.
    pub spread: SpreadOptions,
    /// Lengths in sectors of 512 bytes, rounded up to blocks.
    pub size_sectors: LawOptions,
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
            local_distance_sectors: LawOptions::Normal { mean: 0.0, variance: 40_000.0 },
            spread: SpreadOptions::Uniform {},
            size_sectors: LawOptions::Constant { value: 8.0 },
            max_size: Size::from_bytes(64 << 20),
            block: Size::from_bytes(4_096),
            span: None,
        }
    }
}

/// Where requests lie that are neither sequential nor local.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SpreadOptions {
    /// Anywhere alike.
    Uniform {},
    /// In parts of equal size, scattered over the volume: the k-th is asked for in proportion to
    /// `1 / k^theta`.
    Zipf {
        /// The law's exponent.
        #[schemars(range(min = 0.01, max = 10.0))]
        theta: f64,
        /// How many parts there are.
        #[serde(default = "parts")]
        #[schemars(range(min = 1, max = 1_000_000_000))]
        parts: u64,
    },
}

fn parts() -> u64 {
    10_000
}
