//! Parameters of the buffer memory.

use super::{WriteReport, WrittenMemory};
use platterlab_units::Span;

/// A share, in millionths.
pub type Millionths = u32;

/// The buffer memory. Sizes are whole sectors.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields, default))]
#[cfg_attr(
    feature = "file",
    serde(bound(
        serialize = "T: serde::Serialize, S: serde::Serialize, P: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de> + Default, S: serde::Deserialize<'de> + Default, \
                       P: serde::Deserialize<'de> + Default"
    )),
    schemars(bound = "T: schemars::JsonSchema + serde::Serialize + Default, \
                 S: schemars::JsonSchema + serde::Serialize + Default, \
                 P: schemars::JsonSchema + serde::Serialize + Default")
)]
pub struct CacheParams<T = Span, S = u32, P = Millionths> {
    /// Speed-matching buffer a single transfer can use. Where it is not given, as much as the
    /// transfer needs. A read has no more of it than a segment, if there are any.
    #[cfg_attr(feature = "file", serde(rename = "buffer"))]
    pub buffer_sectors: Option<S>,
    /// Data in the buffer before a read's bus transfer starts.
    #[cfg_attr(feature = "file", serde(rename = "read_fence"))]
    pub read_fence_sectors: S,
    /// The same as a share of the request, rounded down to sectors; the larger of both holds.
    #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1.0)))]
    pub read_fence_share: P,
    /// Data in the buffer before a write's first sector goes to the media. A write smaller than
    /// this waits for all of its data.
    #[cfg_attr(feature = "file", serde(rename = "write_fence"))]
    pub write_fence_sectors: S,
    /// Whether a write over several tracks waits on each for no more than what goes there, and on each
    /// anew.
    pub write_fence_by_track: bool,
    /// Where less of `write_fence` is enough, as the platter is slow.
    pub write_fence_slow: Option<SlowFence<T, P>>,
    /// Whether a read takes sectors in the order in which the arriving head meets them.
    pub zero_latency_read: bool,
    /// Whether a write puts sectors down in that order, once all of its data is in the buffer.
    pub zero_latency_write: bool,
    /// Segments that keep data between requests; 0: there is no cache.
    #[cfg_attr(feature = "file", schemars(range(max = crate::most::MOST_SEGMENTS)))]
    pub segments: u32,
    /// Size of one segment; needed where there are segments.
    #[cfg_attr(feature = "file", serde(rename = "segment"))]
    pub segment_sectors: S,
    /// Segments that can hold written data at a time; all where it is not given.
    pub write_segments: Option<u32>,
    /// Whether written data has segments of its own, `write_segments` of them.
    pub separate_write_segments: bool,
    /// How far is read beyond the request.
    pub read_ahead: ReadAhead,
    /// At least so much is read beyond the request.
    #[cfg_attr(feature = "file", serde(rename = "read_ahead_least"))]
    pub read_ahead_least_sectors: S,
    /// At most so much is; a segment where it is not given.
    #[cfg_attr(feature = "file", serde(rename = "read_ahead_most"))]
    pub read_ahead_most_sectors: Option<S>,
    /// After which reads more is read.
    pub read_ahead_after: ReadAheadAfter,
    /// Whether a drive that reads on to the end of the track reads the next one too, after a read
    /// that begins where the last command, a read, ended.
    pub read_ahead_next_track: bool,
    /// Whether what is read ahead may take the place of what was asked for.
    pub read_ahead_over_requested: bool,
    /// Whether it may take the place of data that the bus has not sent yet. Where not, read-ahead waits
    /// until there is room and the sector comes around again.
    pub read_ahead_over_unsent: bool,
    /// The effect on read-ahead of a read that finds all its data in the buffer.
    pub read_ahead_on_hit: OnHit,
    /// Until so long after a completion, in milliseconds, read-ahead that has come to its limit is
    /// still under way; then it is over. 0: at its limit it is not under way, but `extend`
    /// continues it however long it has been there.
    #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 100_000.0)))]
    #[cfg_attr(feature = "file", serde(rename = "read_ahead_hold_ms"))]
    pub read_ahead_hold: T,
    /// Commands that end read-ahead, and when.
    pub read_ahead_ends: ReadAheadEnds,
    /// Whether read-ahead can be broken off within a sector, rather than at its end.
    pub read_ahead_stops_in_sector: bool,
    /// How often a read that needs the media is not followed by read-ahead, as a share of such
    /// reads; drawn by chance.
    #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1.0)))]
    pub read_ahead_abandoned: P,
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
    /// Whether it does so too where the head has still to change tracks before it comes there. With
    /// `almost_hits` only.
    pub hits_on_later_tracks: bool,
    /// The effect of a write on cached data of the same addresses.
    pub overwritten: Overwritten,
    /// The instant at which a write is reported as complete.
    pub write_report: WriteReport,
    /// Where written data waits for the media until there is time for it; without it, it goes there
    /// at once. Needs `write_report = "buffer"`.
    pub write_back: Option<WriteBack<T, S>>,
    /// The fate of written data in the buffer when the power goes.
    pub written_memory: WrittenMemory,
    /// Whether data that was written can be read back from the buffer.
    pub hits_on_written: bool,
    /// Whether a write that begins where the last one ended shares its segment.
    pub combine_writes: bool,
}

impl<T: Default, S: Default, P: Default> Default for CacheParams<T, S, P> {
    /// A buffer without end and without a cache; what else is said applies once there is one.
    fn default() -> Self {
        Self {
            buffer_sectors: None,
            read_fence_sectors: S::default(),
            read_fence_share: P::default(),
            write_fence_sectors: S::default(),
            write_fence_by_track: false,
            write_fence_slow: None,
            zero_latency_read: false,
            zero_latency_write: false,
            segments: 0,
            segment_sectors: S::default(),
            write_segments: None,
            separate_write_segments: false,
            read_ahead: ReadAhead::default(),
            read_ahead_least_sectors: S::default(),
            read_ahead_most_sectors: None,
            read_ahead_after: ReadAheadAfter::default(),
            read_ahead_next_track: false,
            read_ahead_over_requested: true,
            read_ahead_over_unsent: true,
            read_ahead_on_hit: OnHit::default(),
            read_ahead_hold: T::default(),
            read_ahead_ends: ReadAheadEnds::default(),
            read_ahead_stops_in_sector: true,
            read_ahead_abandoned: P::default(),
            keep_after_hit: false,
            keep_after_miss: true,
            partial_hits: false,
            partial_hits_at_once: true,
            hits_in_flight: true,
            almost_hits: true,
            hits_on_later_tracks: false,
            overwritten: Overwritten::default(),
            write_report: WriteReport::default(),
            write_back: None,
            written_memory: WrittenMemory::default(),
            hits_on_written: false,
            combine_writes: true,
        }
    }
}

impl<T, S, P> CacheParams<T, S, P> {
    /// The same in other units; each is converted together with the key that states it.
    ///
    /// # Errors
    /// The first that cannot be converted.
    pub fn in_units<T2, S2, P2, E>(
        &self,
        time: impl Fn(&T, &'static str) -> Result<T2, E>,
        size: impl Fn(&S, &'static str) -> Result<S2, E>,
        share: impl Fn(&P) -> P2,
    ) -> Result<CacheParams<T2, S2, P2>, E> {
        Ok(CacheParams {
            buffer_sectors: self
                .buffer_sectors
                .as_ref()
                .map(|it| size(it, "buffer"))
                .transpose()?,
            read_fence_sectors: size(&self.read_fence_sectors, "read_fence")?,
            read_fence_share: share(&self.read_fence_share),
            write_fence_sectors: size(&self.write_fence_sectors, "write_fence")?,
            write_fence_by_track: self.write_fence_by_track,
            write_fence_slow: match &self.write_fence_slow {
                Some(it) => Some(SlowFence {
                    from_sector: time(&it.from_sector, "write_fence_slow.from_sector_ms")?,
                    share: share(&it.share),
                }),
                None => None,
            },
            zero_latency_read: self.zero_latency_read,
            zero_latency_write: self.zero_latency_write,
            segments: self.segments,
            segment_sectors: size(&self.segment_sectors, "segment")?,
            write_segments: self.write_segments,
            separate_write_segments: self.separate_write_segments,
            read_ahead: self.read_ahead,
            read_ahead_least_sectors: size(&self.read_ahead_least_sectors, "read_ahead_least")?,
            read_ahead_most_sectors: self
                .read_ahead_most_sectors
                .as_ref()
                .map(|it| size(it, "read_ahead_most"))
                .transpose()?,
            read_ahead_after: self.read_ahead_after,
            read_ahead_next_track: self.read_ahead_next_track,
            read_ahead_over_requested: self.read_ahead_over_requested,
            read_ahead_over_unsent: self.read_ahead_over_unsent,
            read_ahead_on_hit: self.read_ahead_on_hit,
            read_ahead_hold: time(&self.read_ahead_hold, "read_ahead_hold_ms")?,
            read_ahead_ends: self.read_ahead_ends,
            read_ahead_stops_in_sector: self.read_ahead_stops_in_sector,
            read_ahead_abandoned: share(&self.read_ahead_abandoned),
            keep_after_hit: self.keep_after_hit,
            keep_after_miss: self.keep_after_miss,
            partial_hits: self.partial_hits,
            partial_hits_at_once: self.partial_hits_at_once,
            hits_in_flight: self.hits_in_flight,
            almost_hits: self.almost_hits,
            hits_on_later_tracks: self.hits_on_later_tracks,
            overwritten: self.overwritten,
            write_report: self.write_report,
            write_back: match &self.write_back {
                Some(it) => Some(WriteBack {
                    sectors: size(&it.sectors, "write_back.capacity")?,
                    extents: it.extents,
                    idle: time(&it.idle, "write_back.idle_ms")?,
                }),
                None => None,
            },
            written_memory: self.written_memory,
            hits_on_written: self.hits_on_written,
            combine_writes: self.combine_writes,
        })
    }
}

impl CacheParams {
    /// Sectors of speed-matching buffer that a transfer which needs no segment can use.
    pub(crate) fn room_sectors(&self) -> u32 {
        self.buffer_sectors.unwrap_or(u32::MAX)
    }

    /// Sectors of it a read can use: it goes through a segment, if there are any.
    pub(crate) fn read_room_sectors(&self) -> u32 {
        let room = self.room_sectors();
        if self.segments > 0 { room.min(self.segment_sectors) } else { room }
    }

    /// Sectors of it a write can use: what is reported in its turn goes through a segment as well.
    pub(crate) fn write_room_sectors(&self) -> u32 {
        match self.write_report {
            WriteReport::BufferInTurn => self.read_room_sectors(),
            _ => self.room_sectors(),
        }
    }

    /// Segments that written data can have at a time.
    pub(crate) fn most_write_segments(&self) -> u32 {
        self.write_segments.unwrap_or(u32::MAX)
    }
}

/// How much of `write_fence` holds where the platter is so slow that the bus cannot fall far behind.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields))]
pub struct SlowFence<T = Span, P = Millionths> {
    /// Where a write begins on a track whose sectors take at least so long to pass, in milliseconds.
    #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = crate::LONGEST_MS)))]
    #[cfg_attr(feature = "file", serde(rename = "from_sector_ms"))]
    pub from_sector: T,
    /// Of the sectors that would have to be there, rounded up; at least one.
    #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 1.0)))]
    pub share: P,
}

/// A write-back cache. Data goes to the media when the drive has nothing else to do, in rising order
/// of addresses, over and over; before that only to make room or for a flush. It can be read back.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(deny_unknown_fields))]
#[cfg_attr(
    feature = "file",
    serde(bound(
        serialize = "T: serde::Serialize, S: serde::Serialize",
        deserialize = "T: serde::Deserialize<'de> + Default, S: serde::Deserialize<'de>"
    )),
    schemars(
        bound = "T: schemars::JsonSchema + serde::Serialize + Default, S: schemars::JsonSchema"
    )
)]
pub struct WriteBack<T = Span, S = u32> {
    /// Data that can wait.
    #[cfg_attr(feature = "file", serde(rename = "capacity"))]
    pub sectors: S,
    /// Runs of consecutive addresses that can wait.
    #[cfg_attr(feature = "file", schemars(range(min = 1, max = crate::most::MOST_EXTENTS)))]
    pub extents: u32,
    /// How long the drive has nothing to do before it begins, in milliseconds.
    #[cfg_attr(feature = "file", serde(rename = "idle_ms", default))]
    #[cfg_attr(feature = "file", schemars(range(min = 0.0, max = 100_000.0)))]
    pub idle: T,
}

/// How far a drive reads beyond the request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum ReadAheadAfter {
    /// Any.
    #[default]
    AnyRead,
    /// Those that begin where the last command, a read, ended.
    SequentialReads,
    /// Those that begin where the last command ended; so it is for the next track, too.
    Sequential,
}

/// The effect on read-ahead of a read that finds all its data in the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum OnHit {
    /// Nothing.
    Ignore,
    /// Read-ahead of the same segment that is under way continues as far as it would after a read
    /// from the media.
    Continue,
    /// Read-ahead of the same segment continues as far as it would after a read from the media.
    #[default]
    Extend,
    /// The same, and it starts again where it had been broken off.
    Start,
}

/// Commands that end read-ahead, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
pub enum ReadAheadEnds {
    /// Those that need the media, once their overhead is over.
    #[default]
    MediaNeeded,
    /// All but reads of what it has read or reads now, as they arrive.
    OtherCommand,
}

/// The effect of a write on cached data of the same addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(rename_all = "kebab-case"))]
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
