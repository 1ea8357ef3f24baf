use super::Size;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the buffer memory does. Sizes are whole sectors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Cache {
    /// Speed-matching buffer a single transfer can use. Where it is not given, as much as the
    /// transfer needs. A read has no more of it than a segment, if there are any.
    pub buffer: Option<Size>,
    /// Data in the buffer before a read's bus transfer starts.
    pub read_fence: Size,
    /// The same as a share of the request, rounded down to sectors; the larger of both holds.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub read_fence_share: f64,
    /// Data in the buffer before a write's first sector goes to the media. A write smaller than
    /// this waits for all of its data.
    pub write_fence: Size,
    /// Whether a write over several tracks waits on each for no more than what goes there, and on each
    /// anew.
    pub write_fence_by_track: bool,
    /// Where less of `write_fence` is enough, as the platter is slow.
    pub write_fence_slow: Option<SlowFence>,
    /// Whether a read takes sectors in the order in which the arriving head meets them.
    pub zero_latency_read: bool,
    /// Whether a write puts sectors down in that order, once all of its data is in the buffer.
    pub zero_latency_write: bool,
    /// Segments that keep data between requests; 0 is no cache.
    #[schemars(range(max = 65_536))]
    pub segments: u32,
    /// Size of one segment; needed where there are segments.
    pub segment: Size,
    /// Segments that can hold written data at a time; all where it is not given.
    pub write_segments: Option<u32>,
    /// Whether written data has segments of its own, `write_segments` of them.
    pub separate_write_segments: bool,
    /// How far is read beyond the request.
    pub read_ahead: ReadAhead,
    /// At least so much is read beyond the request.
    pub read_ahead_least: Size,
    /// At most so much is; a segment where it is not given.
    pub read_ahead_most: Option<Size>,
    /// After which reads more is read.
    pub read_ahead_after: ReadAheadAfter,
    /// Whether a drive that reads on to the end of the track reads the next one too, after a read
    /// that begins where the last command, a read, ended.
    pub read_ahead_next_track: bool,
    /// Whether what is read ahead may take the place of what was asked for.
    pub read_ahead_over_requested: bool,
    /// What a read that finds all its data in the buffer does to read-ahead.
    pub read_ahead_on_hit: OnHit,
    /// Until so long after a completion, in milliseconds, read-ahead that has come to its limit is
    /// still under way; then it is over. 0: at its limit it is not under way, but `extend` has it go
    /// on however long it has been there.
    #[schemars(range(min = 0.0, max = 100_000.0))]
    pub read_ahead_hold_ms: f64,
    /// Which commands end read-ahead, and when.
    pub read_ahead_ends: ReadAheadEnds,
    /// Whether read-ahead can be broken off within a sector, rather than at its end.
    pub read_ahead_stops_in_sector: bool,
    /// How often a read that needs the media is not followed by read-ahead, as a share of such
    /// reads; drawn by chance.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub read_ahead_abandoned: f64,
    /// Whether data stays in its segment after it was read from there.
    pub keep_after_hit: bool,
    /// Whether data stays in its segment after it was read from the media.
    pub keep_after_miss: bool,
    /// Whether a read of which only the first part is cached uses that part.
    pub partial_hits: bool,
    /// Whether that part is sent while the rest is fetched, rather than with it.
    pub partial_hits_at_once: bool,
    /// Whether a read of what is being read ahead waits for it, rather than start anew.
    pub hits_in_flight: bool,
    /// Whether it does so too where none of its data is in the buffer yet.
    pub almost_hits: bool,
    /// What a write does to cached data of the same addresses.
    pub overwritten: Overwritten,
    /// When a write is reported as complete.
    pub write_report: WriteReport,
    /// Where written data waits for the media until there is time for it; without it, it goes there
    /// at once. Needs `write_report = "buffer"`.
    pub write_back: Option<WriteBack>,
    /// Whether data that was written can be read back from the buffer.
    pub hits_on_written: bool,
    /// Whether a write that begins where the last one ended shares its segment.
    pub combine_writes: bool,
}

impl Default for Cache {
    fn default() -> Self {
        Self {
            buffer: None,
            read_fence: Size::default(),
            read_fence_share: 0.0,
            write_fence: Size::default(),
            write_fence_by_track: false,
            write_fence_slow: None,
            zero_latency_read: false,
            zero_latency_write: false,
            segments: 0,
            segment: Size::default(),
            write_segments: None,
            separate_write_segments: false,
            read_ahead: ReadAhead::default(),
            read_ahead_least: Size::default(),
            read_ahead_most: None,
            read_ahead_after: ReadAheadAfter::default(),
            read_ahead_next_track: false,
            read_ahead_over_requested: true,
            read_ahead_on_hit: OnHit::default(),
            read_ahead_hold_ms: 0.0,
            read_ahead_ends: ReadAheadEnds::default(),
            read_ahead_stops_in_sector: true,
            read_ahead_abandoned: 0.0,
            keep_after_hit: false,
            keep_after_miss: true,
            partial_hits: false,
            partial_hits_at_once: true,
            hits_in_flight: true,
            almost_hits: true,
            overwritten: Overwritten::default(),
            write_report: WriteReport::default(),
            write_back: None,
            hits_on_written: false,
            combine_writes: true,
        }
    }
}

/// How much of `write_fence` holds where the platter is so slow that the bus cannot fall far behind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlowFence {
    /// Where a write begins on a track whose sectors take at least so long to pass, in milliseconds.
    #[schemars(range(min = 0.0, max = 10_000.0))]
    pub from_sector_ms: f64,
    /// Of the sectors that would have to be there, rounded up; at least one.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub share: f64,
}

/// How far a drive reads beyond the request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadAhead {
    /// Not at all.
    #[default]
    None,
    /// On to the end of the track.
    Track,
    /// On to the end of the track; after a request that reaches that end, on to the end of the
    /// track behind the one that would be read next.
    TrackOrNext,
    /// On to the end of the track, and then its beginning up to the request.
    WholeTrack,
    /// On to the end of the cylinder.
    Cylinder,
    /// On over tracks and cylinders until the segment is full.
    Aggressive,
    /// The whole track, starting wherever the head arrives on it.
    OnArrival,
}

/// After which reads from the media a drive reads on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadAheadAfter {
    /// Any.
    #[default]
    AnyRead,
    /// Those that begin where the last command, a read, ended.
    SequentialReads,
    /// Those that begin where the last command ended; so it is for the next track, too.
    Sequential,
}

/// What a read that finds all its data in the buffer does to read-ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnHit {
    /// Nothing.
    Ignore,
    /// Read-ahead of the same segment that is under way goes on as far as it would after a read
    /// from the media.
    Continue,
    /// Read-ahead of the same segment goes on as far as it would after a read from the media.
    #[default]
    Extend,
    /// The same, and it starts again where it had been broken off.
    Start,
}

/// Which commands end read-ahead, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadAheadEnds {
    /// Those that need the media, once their overhead is over.
    #[default]
    MediaNeeded,
    /// All but reads of what it has read or reads now, as they arrive.
    OtherCommand,
}

/// What a write does to cached data of the same addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Overwritten {
    /// It is brought up to date.
    Updated,
    /// It is given up; of a segment cut in two, the earlier part stays.
    #[default]
    KeepsEarlier,
    /// It is given up with all that comes before it in its segment.
    KeepsLater,
    /// Its whole segment is given up; one that is being read ahead is brought up to date.
    Dropped,
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
    /// When it is in the buffer, which beyond the command being written takes only one that
    /// continues it. Each is written by itself, and while any waits even data in the buffer does.
    BufferInTurn,
}

/// A write-back cache. Data goes to the media when the drive has nothing else to do, in rising order
/// of addresses, over and over; before that only to make room or for a flush. It can be read back.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteBack {
    /// Data that can wait.
    pub capacity: Size,
    /// Runs of consecutive addresses that can wait.
    #[schemars(range(min = 1, max = 1_024))]
    pub extents: u32,
    /// How long the drive has nothing to do before it begins, in milliseconds.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 100_000.0))]
    pub idle_ms: f64,
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
        /// When the drive sets about that: as long before the head has passed the read's last sector
        /// as so many take, be it before its first one or on the way to the last one's track. Where
        /// not all of it has room, so many sectors before the buffer is full. The read fence does not
        /// count then.
        #[schemars(range(max = 4_096))]
        reconnect_before_end: Option<u32>,
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
        /// How long the drive keeps a bus that others want too, for a read.
        #[serde(default)]
        hold_read: BusHold,
        /// The same for a write.
        #[serde(default)]
        hold_write: BusHold,
        /// Whether the drive keeps a bus that others want too while its controller works on a
        /// command, and takes it to report that a write is done.
        #[serde(default)]
        hold_overhead: bool,
    },
}

/// How long a drive that has the bus keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BusHold {
    /// As long as data goes over it.
    #[default]
    Data,
    /// From the first byte to the last, pauses included.
    Transfer,
    /// From the command to its completion.
    Command,
}

fn overlap() -> bool {
    true
}
