//! The 48-byte events of Linux's `struct blk_io_trace`, version 7, of either byte order.

use super::super::{Notes, Position, Source, TraceError};

/// Bytes of an event before its payload.
const EVENT_BYTES: usize = 48;
/// The first word of every event: a magic number, and the version in the lowest byte.
const MAGIC: u32 = 0x6561_7400;
const VERSION: u8 = 7;
/// The event carries the id of a control group, eight bytes before the rest of its payload.
const CGROUP: u32 = 1 << 8;
const CGROUP_BYTES: usize = 8;

/// What happened, as far as a request's life is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::trace) enum Action {
    /// Q: a request came to the block layer.
    Queue,
    /// M: a request was joined to the end of another.
    BackMerge,
    /// F: a request was joined to the front of another.
    FrontMerge,
    /// R: the device handed a request back.
    Requeue,
    /// D: a request went to the device.
    Issue,
    /// C: a request, or its first part, is done.
    Complete,
    /// X: a request was cut; the rest begins at this sector.
    Split(u64),
    /// Anything else: allocation, insertion, plugging, remapping, notes.
    Other,
}

/// Bits of an event's category.
pub(in crate::trace) mod category {
    pub(in crate::trace) const WRITE: u32 = 1 << 1;
    pub(in crate::trace) const FLUSH: u32 = 1 << 2;
    pub(in crate::trace) const SYNC: u32 = 1 << 3;
    pub(in crate::trace) const PASSTHROUGH: u32 = 1 << 9;
    pub(in crate::trace) const NOTIFY: u32 = 1 << 10;
    pub(in crate::trace) const AHEAD: u32 = 1 << 11;
    pub(in crate::trace) const DISCARD: u32 = 1 << 13;
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::trace) struct BlktraceEvent {
    pub(in crate::trace) action: Action,
    pub(in crate::trace) category: u32,
    pub(in crate::trace) time_ns: u64,
    pub(in crate::trace) sector: u64,
    pub(in crate::trace) bytes: u32,
    pub(in crate::trace) device: u32,
}

impl BlktraceEvent {
    /// True if any bit of `mask` is set in the category.
    pub(super) fn has(&self, mask: u32) -> bool {
        self.category & mask != 0
    }
}

/// True if the first bytes are an event's, of any version.
pub(super) fn sniff(head: &[u8]) -> bool {
    matches!(head, [_, b't', b'a', b'e', ..] | [b'e', b'a', b't', 0..=31, ..])
}

/// What to do about binary files whose events are out of order.
pub(super) const APART: &str = "were files of several CPUs put into one? Keep them apart as \
                                NAME.blktrace.0, NAME.blktrace.1, ..., and name one of them";

/// Events in order of time, from wherever.
pub(in crate::trace) trait EventStream {
    /// The next event and its place; what is not an event is noted.
    fn next(&mut self, notes: &mut Notes) -> Result<Option<(u64, BlktraceEvent)>, TraceError>;

    /// An error at a place that came with an event.
    fn error(&self, at: u64, what: String) -> TraceError;

    /// What to do about events out of the order of time.
    fn order_advice(&self) -> &'static str;

    /// Bytes of the files read so far.
    fn bytes_read(&self) -> u64;

    /// Bytes of the files; `None` for a pipe.
    fn bytes_total(&self) -> Option<u64>;

    /// The place of the event read last.
    fn place(&self) -> Position;
}

/// The events of a trace in the order of the file.
pub(super) struct Events {
    source: Source,
    big_endian: bool,
}

impl Events {
    /// Tells the byte order from the first event.
    pub(super) fn new(mut source: Source) -> Result<Self, TraceError> {
        let big_endian = source.peek()?.starts_with(b"eat");
        Ok(Self { source, big_endian })
    }

    /// Whether its words have their high bytes first.
    pub(super) fn is_big_endian(&self) -> bool {
        self.big_endian
    }
}

impl EventStream for Events {
    fn next(&mut self, _: &mut Notes) -> Result<Option<(u64, BlktraceEvent)>, TraceError> {
        let at = self.source.offset();
        let big_endian = self.big_endian;
        let Some(bytes) = self.source.take(EVENT_BYTES, "an event")? else {
            return Ok(None);
        };
        let parsed = parse(bytes, big_endian);
        let (mut event, code, payload) =
            parsed.map_err(|what| self.source.error_at_byte(at, what))?;
        let payload = self.source.take(payload, "an event's payload")?;
        event.action = action(code, event.category, payload.unwrap_or_default());
        Ok(Some((at, event)))
    }

    fn error(&self, at: u64, what: String) -> TraceError {
        self.source.error_at_byte(at, what)
    }

    fn order_advice(&self) -> &'static str {
        APART
    }

    fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    fn bytes_total(&self) -> Option<u64> {
        self.source.bytes_total()
    }

    fn place(&self) -> Position {
        self.source.place()
    }
}

/// The event without its action, the action's code, and the length of the payload that follows.
fn parse(bytes: &[u8], big_endian: bool) -> Result<(BlktraceEvent, u32, usize), String> {
    let number = |from: usize, length: usize| {
        let field = &bytes[from..from + length];
        let push = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if big_endian { field.iter().fold(0, push) } else { field.iter().rev().fold(0, push) }
    };
    let magic = number(0, 4) as u32;
    if magic & !0xff != MAGIC {
        return Err(format!("{magic:#010x} where an event begins with {:#010x}", MAGIC | 7));
    }
    if magic as u8 != VERSION {
        return Err(format!("an event of version {}; this reads version {VERSION}", magic as u8));
    }
    let action = number(28, 4) as u32;
    let event = BlktraceEvent {
        action: Action::Other,
        category: action >> 16,
        time_ns: number(8, 8),
        sector: number(16, 8),
        bytes: number(24, 4) as u32,
        device: number(36, 4) as u32,
    };
    Ok((event, action & 0xffff, number(46, 2) as usize))
}

fn action(code: u32, category: u32, payload: &[u8]) -> Action {
    if category & category::NOTIFY != 0 {
        return Action::Other;
    }
    match code & !CGROUP {
        1 => Action::Queue,
        2 => Action::BackMerge,
        3 => Action::FrontMerge,
        6 => Action::Requeue,
        7 => Action::Issue,
        8 => Action::Complete,
        13 => {
            let skip = if code & CGROUP != 0 { CGROUP_BYTES } else { 0 };
            // Always big-endian, whatever the machine.
            let sector = payload.get(skip..).and_then(<[u8]>::first_chunk::<8>);
            sector.map_or(Action::Other, |sector| Action::Split(u64::from_be_bytes(*sector)))
        }
        _ => Action::Other,
    }
}
