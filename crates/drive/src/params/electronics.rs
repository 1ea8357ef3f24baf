//! Controller, buffer memory and bus.

use platterlab_units::{Operation, Span};

/// What the controller's processor costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControllerParams {
    /// From the command's arrival until the mechanism or the buffer is set to work:
    /// `[operation][cache hit][previous operation]`, each indexed 0 = read / no, 1 = write / yes.
    pub overhead: [[[Span; 2]; 2]; 2],
    /// What replaces it; the first rule that applies holds.
    pub rules: Vec<OverheadRule>,
    /// From the last byte until the host sees the completion, by operation.
    pub completion: [Span; 2],
    /// When it has no time for the host because the head comes to the end of a track; always some
    /// where `None`.
    pub track_end: Option<TrackEnd>,
}

/// When the controller has no time for the host, as the head comes to the end of the track on which a
/// command ended: the data of a read that would begin to go over the bus then, and the report of a
/// write, come afterwards. A write that ends with its track is reported once the head is on the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackEnd {
    /// From so long before the head is there, by operation.
    pub before: [Span; 2],
    /// Until so long after it.
    pub after: Span,
}

/// An overhead for commands that come close after another, in address, place or time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverheadRule {
    /// Of commands of this kind.
    pub operation: Operation,
    /// Whether the buffer serves them; either where `None`.
    pub hit: Option<bool>,
    /// After a command of this kind; any where `None`.
    pub after: Option<Operation>,
    /// After at least so many commands of the same kind, each beginning where the one before it
    /// ended, the last of them where this one begins.
    pub run: u32,
    /// Where their first sector lies, seen from the last sector of the command before.
    pub near: Near,
    /// Where they come no later than this after the last completion.
    pub idle: Option<Span>,
    /// Whether read-ahead is under way as they arrive; either where `None`.
    pub reading_ahead: Option<bool>,
    /// The overhead.
    pub time: Span,
    /// From the last byte until the host sees the completion, where that differs too.
    pub completion: Option<Span>,
}

/// How close to each other two sectors lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Near {
    /// Anywhere.
    Anywhere,
    /// On the same track.
    Track,
    /// At most so many cylinders away.
    Cylinders(u32),
}

/// What the buffer memory does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheParams {
    /// Sectors of speed-matching buffer a single transfer can use; see [`Self::read_room_sectors`].
    pub buffer_sectors: u32,
    /// Sectors in the buffer before a read's bus transfer starts.
    pub read_fence_sectors: u32,
    /// The same as a share of the request in millionths, rounded down; the larger of both holds.
    pub read_fence_millionths: u32,
    /// Sectors in the buffer before a write's first sector goes to the media.
    pub write_fence_sectors: u32,
    /// Whether that is so again on each track the write goes on to, and never more than what goes
    /// there.
    pub write_fence_by_track: bool,
    /// Where less of it is enough, as the platter is slow.
    pub write_fence_slow: Option<SlowFence>,
    /// Whether a read takes sectors in the order in which the arriving head meets them.
    pub zero_latency_read: bool,
    /// Whether a write puts sectors down in that order, once all its data is there.
    pub zero_latency_write: bool,
    /// Cache segments that keep data between requests; 0 is no cache.
    pub segments: u32,
    /// Sectors in one segment.
    pub segment_sectors: u32,
    /// Segments that written data can have at a time.
    pub write_segments: u32,
    /// Whether written data has segments of its own: the last [`CacheParams::write_segments`].
    pub separate_write_segments: bool,
    /// How far is read beyond the request.
    pub read_ahead: ReadAhead,
    /// At least so many sectors are read beyond the request.
    pub read_ahead_least_sectors: u32,
    /// At most so many are; as many as a segment has where `None`.
    pub read_ahead_most_sectors: Option<u32>,
    /// After which reads more is read.
    pub read_ahead_after: ReadAheadAfter,
    /// Whether the next track is read too after a read that begins where the last command, a read,
    /// ended.
    pub read_ahead_next_track: bool,
    /// Whether what is read ahead may take the place of what was asked for.
    pub read_ahead_over_requested: bool,
    /// What a read that finds all its data in the buffer does to read-ahead.
    pub read_ahead_on_hit: OnHit,
    /// Until so long after a completion, read-ahead that has come to its limit is still under way;
    /// then it is over. Zero: it is not under way, and goes on where hits extend it.
    pub read_ahead_hold: Span,
    /// Which commands end read-ahead, and when.
    pub read_ahead_ends: ReadAheadEnds,
    /// Whether read-ahead can be broken off within a sector, rather than at its end.
    pub read_ahead_stops_in_sector: bool,
    /// How often, in millionths, a read that needs the media is not followed by read-ahead.
    pub read_ahead_abandoned_millionths: u32,
    /// Whether data stays in its segment after it was read from there.
    pub keep_after_hit: bool,
    /// Whether data stays in its segment after it was read from the media.
    pub keep_after_miss: bool,
    /// Whether a read whose first part only is cached uses that part.
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
    /// Where written data waits for the media, where it can wait at all.
    pub write_back: Option<WriteBack>,
    /// Whether data that was written can be read back from the buffer.
    pub hits_on_written: bool,
    /// Whether a write that begins where the last one ended shares its segment.
    pub combine_writes: bool,
}

impl CacheParams {
    /// Sectors of speed-matching buffer a read can use: it goes through a segment, if there are any.
    pub(crate) fn read_room_sectors(&self) -> u32 {
        if self.segments > 0 {
            self.buffer_sectors.min(self.segment_sectors)
        } else {
            self.buffer_sectors
        }
    }
}

impl Default for CacheParams {
    /// A buffer without end and without a cache; what else is said applies once there is one.
    fn default() -> Self {
        Self {
            buffer_sectors: u32::MAX,
            read_fence_sectors: 0,
            read_fence_millionths: 0,
            write_fence_sectors: 0,
            write_fence_by_track: false,
            write_fence_slow: None,
            zero_latency_read: false,
            zero_latency_write: false,
            segments: 0,
            segment_sectors: 0,
            write_segments: u32::MAX,
            separate_write_segments: false,
            read_ahead: ReadAhead::None,
            read_ahead_least_sectors: 0,
            read_ahead_most_sectors: None,
            read_ahead_after: ReadAheadAfter::AnyRead,
            read_ahead_next_track: false,
            read_ahead_over_requested: true,
            read_ahead_on_hit: OnHit::Extend,
            read_ahead_hold: Span::ZERO,
            read_ahead_ends: ReadAheadEnds::MediaNeeded,
            read_ahead_stops_in_sector: true,
            read_ahead_abandoned_millionths: 0,
            keep_after_hit: true,
            keep_after_miss: true,
            partial_hits: false,
            partial_hits_at_once: true,
            hits_in_flight: true,
            almost_hits: true,
            overwritten: Overwritten::KeepsEarlier,
            write_report: WriteReport::Media,
            write_back: None,
            hits_on_written: false,
            combine_writes: true,
        }
    }
}

/// How much of a write's fence holds where the platter is so slow that the bus cannot fall far behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowFence {
    /// Where a write begins on a track whose sectors take at least so long to pass.
    pub from_sector: Span,
    /// Of the sectors that would have to be there, in millionths, rounded up.
    pub millionths: u32,
}

/// How far a drive reads beyond the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadAhead {
    /// Not at all.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadAheadAfter {
    /// Any.
    AnyRead,
    /// Those that begin where the last command, a read, ended.
    SequentialReads,
    /// Those that begin where the last command ended; so it is for the next track, too.
    Sequential,
}

/// What a read that finds all its data in the buffer does to read-ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnHit {
    /// Nothing.
    Ignore,
    /// Read-ahead of the same segment that is under way goes on as far as it would after a read
    /// from the media.
    Continue,
    /// Read-ahead of the same segment goes on as far as it would after a read from the media.
    Extend,
    /// The same, and it starts again where it had been broken off.
    Start,
}

/// Which commands end read-ahead, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadAheadEnds {
    /// Those that need the media, once their overhead is over.
    MediaNeeded,
    /// All but reads of what it has read or reads now, as they arrive.
    OtherCommand,
}

/// What a write does to cached data of the same addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overwritten {
    /// It is brought up to date.
    Updated,
    /// It is given up; of a segment cut in two, the earlier part stays.
    KeepsEarlier,
    /// It is given up with all that comes before it in its segment.
    KeepsLater,
    /// Its whole segment is given up; one that is being read ahead is brought up to date.
    Dropped,
}

/// When a write is reported as complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WriteReport {
    /// When its last sector is on the media.
    Media,
    /// When it is in the buffer, if it is the first write since a read or a sequential extension
    /// of the last write; else as `Media` (Ruemmler–Wilkes 1994, "Write caching").
    Immediate,
    /// When it is in the buffer.
    Buffer,
    /// When it is in the buffer, which beyond the command being written takes only one that
    /// continues it. Each is written by itself, and while any waits even data in the buffer does.
    BufferInTurn,
}

/// A write-back cache: written data goes to the media when the drive has nothing else to do, in
/// rising order of addresses, over and over; before that only to make room or for a flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteBack {
    /// Sectors that can wait.
    pub sectors: u32,
    /// Runs of consecutive addresses that can wait.
    pub extents: u32,
    /// How long the drive has nothing to do before it begins.
    pub idle: Span,
}

/// The way between buffer and host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusParams {
    /// Time of one sector to the host.
    pub read_sector: Span,
    /// Time of one sector from the host.
    pub write_sector: Span,
    /// To take the bus again, after a disconnect, for the data of a read.
    pub reconnect: Span,
    /// When the drive sets about that: as long before the head has passed a read's last sector as so
    /// many take, be it before its first one or on the way to the last one's track, rather than at
    /// the read fence. Where not all of it has room, so many sectors before the buffer is full.
    pub reconnect_before_end: Option<u32>,
    /// From the start of the mechanism until a write's first sector comes over the bus.
    pub write_delay: Span,
    /// Whether bus and mechanism work at the same time.
    pub overlap: bool,
    /// Whether a read's bus transfer also starts when the head leaves a track, fence or not.
    pub release_at_track_end: bool,
    /// How long a drive that has the bus keeps it, by operation.
    pub hold: [BusHold; 2],
    /// Whether it has the bus from the start of a command on, while the controller works on it, and
    /// again to report.
    pub hold_overhead: bool,
}

/// How long a drive that has the bus keeps it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BusHold {
    /// As long as data goes over it.
    #[default]
    Data,
    /// From the first byte to the last, pauses included.
    Transfer,
    /// From the command to its completion.
    Command,
}
