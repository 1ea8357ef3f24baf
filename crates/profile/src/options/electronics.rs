use super::Size;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the controller's processor costs.
///
/// `read_ms` and `write_ms` run from the command's arrival until the mechanism or the buffer is
/// set to work. The tables below refine them: of `hit_after_write`, `hit`, `after_write` and the
/// plain values, the first that applies and states the operation holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Controller {
    /// Cost of a read in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub read_ms: f64,
    /// Cost of a write in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub write_ms: f64,
    /// From a read's last byte until the host sees the completion, in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub read_completion_ms: f64,
    /// From a write's last byte until the host sees the completion, in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub write_completion_ms: f64,
    /// Where the buffer serves the request: a read finds its data there, a write is reported from
    /// there.
    pub hit: Option<OperationTimes>,
    /// Where the previous command was a write.
    pub after_write: Option<OperationTimes>,
    /// Where the buffer serves the request and the previous command was a write.
    pub hit_after_write: Option<OperationTimes>,
}

/// Costs that replace the controller's plain ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperationTimes {
    /// Cost of a read in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub read_ms: Option<f64>,
    /// Cost of a write in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub write_ms: Option<f64>,
}

/// What the buffer memory does. Sizes are whole sectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Cache {
    /// Speed-matching buffer a single transfer can use. Where it is not given, as much as the
    /// transfer needs.
    pub buffer: Option<Size>,
    /// Data in the buffer before a read's bus transfer starts.
    pub read_fence: Size,
    /// The same as a share of the request, rounded down to sectors; the larger of both holds.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub read_fence_share: f64,
    /// Data in the buffer before a write's first sector goes to the media. A write smaller than
    /// this waits for all of its data.
    pub write_fence: Size,
    /// Segments that keep data between requests; 0 is no cache.
    #[schemars(range(max = 65_536))]
    pub segments: u32,
    /// Size of one segment; needed where there are segments.
    pub segment: Size,
    /// What is read beyond the request.
    pub read_ahead: ReadAhead,
    /// Whether data stays in its segment after it was read from there.
    pub keep_after_hit: bool,
    /// Whether a read of which only the first part is cached uses that part.
    pub partial_hits: bool,
    /// When a write is reported as complete.
    pub write_report: WriteReport,
    /// Whether data that was written can be read back from the buffer.
    pub hits_on_written: bool,
}

/// What a drive reads beyond the request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadAhead {
    /// Nothing.
    #[default]
    None,
    /// On to the end of the track.
    Track,
    /// On over tracks and cylinders until the segment is full.
    Aggressive,
    /// The whole track, starting wherever the head arrives on it.
    OnArrival,
}

/// When a write is reported as complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WriteReport {
    /// When its last sector is on the media.
    #[default]
    Media,
    /// When it is in the buffer, if it is the first write since a read or a sequential extension
    /// of the last write; else as `media` (Ruemmler and Wilkes 1994, immediate reporting).
    Immediate,
    /// When it is in the buffer.
    Buffer,
}

/// The way between the drive's buffer and the host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Bus {
    /// A transfer takes no time.
    #[default]
    Off,
    /// A transfer takes time in proportion to its length.
    Rate {
        /// To the host, in megabytes (10^6 bytes) per second. Given unless `read_sector_ms` is.
        #[schemars(range(min = 0.001, max = 1_000_000.0))]
        read_mb_s: Option<f64>,
        /// From the host, in megabytes (10^6 bytes) per second. Given unless `write_sector_ms` is.
        #[schemars(range(min = 0.001, max = 1_000_000.0))]
        write_mb_s: Option<f64>,
        /// Time of one sector to the host, in milliseconds.
        #[schemars(range(min = 0.0, max = 10_000.0))]
        read_sector_ms: Option<f64>,
        /// Time of one sector from the host, in milliseconds.
        #[schemars(range(min = 0.0, max = 10_000.0))]
        write_sector_ms: Option<f64>,
        /// To take the bus again, after a disconnect, for the data of a read, in milliseconds.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 10_000.0))]
        reconnect_ms: f64,
        /// From the start of the mechanism until a write's first sector comes over the bus, in
        /// milliseconds.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 10_000.0))]
        write_delay_ms: f64,
        /// Whether bus and mechanism work at the same time.
        #[serde(default = "overlap")]
        overlap: bool,
        /// Whether a read's bus transfer also starts when the head leaves a track, with less in
        /// the buffer than the read fence.
        #[serde(default)]
        release_at_track_end: bool,
    },
}

fn overlap() -> bool {
    true
}
