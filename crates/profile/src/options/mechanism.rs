//! Spindle, arm and heads, in the file's units.

use platterlab_drive::{LONGEST_MS, Latency};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rotation of the platters. Exactly one of `speed_rpm` and `rotation_ms` is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spindle {
    /// Nominal speed in revolutions per minute.
    #[schemars(range(min = 1.0, max = 100_000.0))]
    pub speed_rpm: Option<f64>,
    /// Nominal rotation period in milliseconds.
    #[schemars(range(min = 0.001, max = 60_000.0))]
    pub rotation_ms: Option<f64>,
    /// How much faster than nominal this drive turns, in parts per million; negative is slower.
    #[serde(default)]
    #[schemars(range(min = -100_000.0, max = 100_000.0))]
    pub speed_error_ppm: f64,
    /// Position of the platter when the simulation starts, in turns.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub phase_turns: f64,
    /// How much the platter falls behind with each sector that has passed under the head, in
    /// nanoseconds: what rounding does to it in DiskSim. No drive does so.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub sector_lag_ns: f64,
    /// The most by which the speed deviates from its mean, rising and falling evenly, in parts per
    /// million; with `drift_period_s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100_000))]
    pub drift_ppm: Option<u32>,
    /// The time in which the speed rises, falls and comes back, in seconds; with `drift_ppm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.001, max = 3_600.0))]
    pub drift_period_s: Option<f64>,
    /// How the time until a sector comes around is found.
    #[serde(default)]
    pub latency: Latency,
}

/// Thermal recalibration of the arm: while one lasts, only what the buffer holds can be read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recalibration {
    /// From one to the next in seconds, the first so long after the simulation starts.
    #[schemars(range(min = 0.001, max = 86_400.0))]
    pub every_s: f64,
    /// How long one takes, in milliseconds; less than from one to the next.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub takes_ms: f64,
}

/// Moving between tracks within one transfer, and settling.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Switch {
    /// From one surface to another of the same cylinder, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub head_ms: f64,
    /// From a cylinder's last track to the next cylinder's first, in milliseconds. Where it is not
    /// given, the seek time at distance 1.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub track_ms: Option<f64>,
    /// From one surface to another before a write, settling included, in milliseconds. Where it is
    /// not given, `head_ms` and `settle_write_ms`.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub head_write_ms: Option<f64>,
    /// Before a read on the track the head is on already, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub resettle_read_ms: f64,
    /// Before a write on the track the head is on already, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub resettle_write_ms: f64,
    /// Added to every seek and switch before reading, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub settle_read_ms: f64,
    /// Added to every seek and switch before writing, in milliseconds.
    #[schemars(range(min = 0.0, max = LONGEST_MS))]
    pub settle_write_ms: f64,
}

/// The passing of sectors under the head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Media {
    /// Whether sectors take time to pass under the head.
    pub transfer: bool,
}

impl Default for Media {
    fn default() -> Self {
        Self { transfer: true }
    }
}
