//! The bytes of a record: a tag, then numbers of variable length (seven bits to a byte, the lowest
//! first, the top bit set on all but the last).

use platterlab_units::{Operation, Span, Time};

use super::observed::{Cause, Observed, Pause, PauseKind};
use super::record::{Extent, Item, Process, Step};
use super::{Event, WriteMode};
use crate::Criticality;

pub(super) const MAGIC: [u8; 8] = *b"platflow";
/// Bytes of a block of records; a reader holds one.
pub(super) const BLOCK_BYTES: usize = 48 << 10;
/// The longest header, summary or name, in bytes.
pub(super) const TEXT_BYTES: usize = 32 << 10;

pub(super) const END: u8 = 0;
const PROCESS: u8 = 1;
const EXTENT: u8 = 2;
const RESIDENT: u8 = 3;
const OBSERVED: u8 = 4;
const PAUSE: u8 = 5;
/// Steps have the tags from here on, one per event.
const STEP: u8 = 16;

const WRITE_MODES: [WriteMode; 3] =
    [WriteMode::Synchronous, WriteMode::Asynchronous, WriteMode::Delayed];
const CLASSES: [Criticality; 4] =
    [Criticality::Unknown, Criticality::Critical, Criticality::Limited, Criticality::Noncritical];
const PS_PER_NS: u64 = 1_000;

/// Appends `value`.
pub(super) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_span(out: &mut Vec<u8>, span: Span) {
    put(out, span.as_ps() / PS_PER_NS);
}

fn position<T: PartialEq>(list: &[T], item: &T) -> u64 {
    list.iter().position(|other| other == item).unwrap_or_default() as u64
}

/// Appends one item; `at` is the record's own instant.
pub(super) fn encode(out: &mut Vec<u8>, at: Time, item: &Item) {
    match item {
        Item::Process(Process { id, parent, name }) => {
            out.push(PROCESS);
            put(out, u64::from(*id));
            put(out, parent.map_or(0, |parent| u64::from(parent) + 1));
            let name = name.as_deref().unwrap_or_default();
            put(out, name.len() as u64);
            out.extend_from_slice(name.as_bytes());
        }
        Item::Extent(Extent { file, page, pages, lba }) => {
            out.push(EXTENT);
            for value in [u64::from(*file), *page, u64::from(*pages), *lba] {
                put(out, value);
            }
        }
        Item::Resident { file, page, pages } => {
            out.push(RESIDENT);
            for value in [u64::from(*file), *page, u64::from(*pages)] {
                put(out, value);
            }
        }
        Item::Step(Step { process, compute, event }) => {
            let (number, fields) = event_fields(event);
            out.push(STEP + number);
            put(out, u64::from(*process));
            put_span(out, *compute);
            fields.into_iter().flatten().for_each(|value| put(out, value));
        }
        Item::Observed(observed) => encode_observed(out, at, observed),
        Item::Pause(Pause { process, start, span, kind }) => {
            out.push(PAUSE);
            put(out, u64::from(*process));
            put_span(out, at.since(*start));
            put_span(out, *span);
            put(out, position(&PauseKind::ALL, kind));
        }
    }
}

fn encode_observed(out: &mut Vec<u8>, at: Time, request: &Observed) {
    out.push(OBSERVED);
    put_span(out, at.since(request.completion));
    put_span(out, request.completion.since(request.issue));
    put_span(out, request.issue.since(request.arrival));
    put(out, request.lba);
    put(out, u64::from(request.sectors));
    let write = u64::from(request.operation == Operation::Write);
    put(
        out,
        position(&Cause::ALL, &request.cause) << 3
            | position(&CLASSES, &request.criticality) << 1
            | write,
    );
    put(out, request.process.map_or(0, |process| u64::from(process) + 1));
    put(out, request.limit.map_or(0, |limit| limit.as_ps() / PS_PER_NS + 1));
    put_span(out, request.waited);
}

/// The number of an event in the format and its fields.
fn event_fields(event: &Event) -> (u8, [Option<u64>; 3]) {
    let one = |value: u64| [Some(value), None, None];
    let pages = |file: u32, page: u64, pages: u32| {
        [Some(u64::from(file)), Some(page), Some(u64::from(pages))]
    };
    match *event {
        Event::SystemCall { number } => (0, one(u64::from(number))),
        Event::SystemReturn => (1, [None; 3]),
        Event::Trap => (2, [None; 3]),
        Event::TrapComplete => (3, [None; 3]),
        Event::Read { file, page, pages: count } => (4, pages(file, page, count)),
        Event::Write { file, page, pages: count } => (5, pages(file, page, count)),
        Event::Sync { file } => (6, one(u64::from(file))),
        Event::SyncAll => (7, [None; 3]),
        Event::Forget { file, page } => (8, [Some(u64::from(file)), Some(page), None]),
        Event::ReadBlock { lba, sectors } => (9, [Some(lba), Some(u64::from(sectors)), None]),
        Event::WriteBlock { lba, sectors, mode } => {
            (10, [Some(lba), Some(u64::from(sectors)), Some(position(&WRITE_MODES, &mode))])
        }
        Event::Fork { child } => (11, one(u64::from(child))),
        Event::Exit => (12, [None; 3]),
        Event::Sleep { span } => (13, one(span.as_ps() / PS_PER_NS)),
        Event::Wait { event } => (14, one(u64::from(event))),
        Event::WakeUp { event } => (15, one(u64::from(event))),
        Event::Commit { sectors } => (16, one(u64::from(sectors))),
        Event::Flush => (17, [None; 3]),
    }
}

/// Reads the numbers of one block.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl Cursor<'_> {
    /// The next number; an error says what it should have been.
    pub(super) fn number(&mut self, name: &str) -> Result<u64, String> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte =
                *self.bytes.get(self.at).ok_or_else(|| format!("the block ends within {name}"))?;
            self.at += 1;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(format!("{name} is longer than 64 bits"))
    }

    fn short(&mut self, name: &str) -> Result<u32, String> {
        let value = self.number(name)?;
        u32::try_from(value).map_err(|_| format!("{name} of {value} is above {}", u32::MAX))
    }

    fn count(&mut self, name: &str) -> Result<u32, String> {
        match self.short(name)? {
            0 => Err(format!("{name} of 0; there is at least one")),
            count => Ok(count),
        }
    }

    pub(super) fn span(&mut self, name: &str) -> Result<Span, String> {
        span(self.number(name)?, name)
    }

    fn maybe(&mut self, name: &str) -> Result<Option<u32>, String> {
        match self.number(name)? {
            0 => Ok(None),
            more => u32::try_from(more - 1).map(Some).map_err(|_| format!("{name} of {more}")),
        }
    }

    fn word<T: Copy>(&mut self, list: &[T], name: &str) -> Result<T, String> {
        pick(list, self.number(name)?, name)
    }

    /// A text with its length before it.
    pub(super) fn text(&mut self, name: &str) -> Result<String, String> {
        let length = self.number(name)?;
        let length = usize::try_from(length).ok().filter(|length| *length <= TEXT_BYTES);
        let bytes = length.and_then(|length| self.bytes.get(self.at..self.at + length));
        let bytes = bytes.ok_or_else(|| format!("{name} is longer than its block"))?;
        self.at += bytes.len();
        String::from_utf8(bytes.to_vec()).map_err(|_| format!("{name} is not UTF-8"))
    }

    /// An instant `before` nanoseconds of the file back from `at`.
    fn before(&mut self, at: Time, name: &str) -> Result<Time, String> {
        let span = self.span(name)?;
        at.as_ps()
            .checked_sub(span.as_ps())
            .map(Time::from_ps)
            .ok_or_else(|| format!("{name} lies before the start of the flow"))
    }

    /// The item after a tag.
    pub(super) fn item(&mut self, tag: u8, at: Time) -> Result<Item, String> {
        Ok(match tag {
            PROCESS => {
                let (id, parent) = (self.short("a process")?, self.maybe("a parent")?);
                let name = self.text("a name")?;
                Item::Process(Process { id, parent, name: (!name.is_empty()).then_some(name) })
            }
            EXTENT => Item::Extent(Extent {
                file: self.short("a file")?,
                page: self.number("a page")?,
                pages: self.count("a number of pages")?,
                lba: self.number("an address")?,
            }),
            RESIDENT => Item::Resident {
                file: self.short("a file")?,
                page: self.number("a page")?,
                pages: self.count("a number of pages")?,
            },
            OBSERVED => Item::Observed(self.observed(at)?),
            PAUSE => Item::Pause(self.pause(at)?),
            _ => Item::Step(Step {
                process: self.short("a process")?,
                compute: self.span("a computation time")?,
                event: self.event(tag)?,
            }),
        })
    }

    fn pause(&mut self, at: Time) -> Result<Pause, String> {
        let process = self.short("a process")?;
        let start = self.before(at, "the start of a pause")?;
        let span = self.span("a pause")?;
        if span > at.since(start) {
            return Err("a pause that ends after it was recorded".into());
        }
        Ok(Pause { process, start, span, kind: self.word(&PauseKind::ALL, "a kind of pause")? })
    }

    fn observed(&mut self, at: Time) -> Result<Observed, String> {
        let completion = self.before(at, "a completion")?;
        let issue = self.before(completion, "an issue")?;
        let arrival = self.before(issue, "an arrival")?;
        let (lba, sectors) = (self.number("an address")?, self.short("a length")?);
        let kind = self.number("a kind of request")?;
        Ok(Observed {
            arrival,
            issue,
            completion,
            lba,
            sectors,
            operation: if kind & 1 == 1 { Operation::Write } else { Operation::Read },
            cause: pick(&Cause::ALL, kind >> 3, "a cause")?,
            criticality: pick(&CLASSES, kind >> 1 & 3, "a class")?,
            process: self.maybe("a process")?,
            limit: match self.number("a time limit")? {
                0 => None,
                more => Some(span(more - 1, "a time limit")?),
            },
            waited: self.span("a wait")?,
        })
    }

    fn event(&mut self, tag: u8) -> Result<Event, String> {
        Ok(match tag.wrapping_sub(STEP) {
            0 => {
                let number = self.number("a system call")?;
                let number = u16::try_from(number).map_err(|_| format!("system call {number}"))?;
                Event::SystemCall { number }
            }
            1 => Event::SystemReturn,
            2 => Event::Trap,
            3 => Event::TrapComplete,
            kind @ (4 | 5) => {
                let (file, page) = (self.short("a file")?, self.number("a page")?);
                let pages = self.count("a number of pages")?;
                if page.checked_add(u64::from(pages)).is_none() {
                    return Err(format!("page {page} is too large"));
                }
                if kind == 4 {
                    Event::Read { file, page, pages }
                } else {
                    Event::Write { file, page, pages }
                }
            }
            6 => Event::Sync { file: self.short("a file")? },
            7 => Event::SyncAll,
            8 => Event::Forget { file: self.short("a file")?, page: self.number("a page")? },
            9 => Event::ReadBlock {
                lba: self.number("an address")?,
                sectors: self.count("a length")?,
            },
            10 => Event::WriteBlock {
                lba: self.number("an address")?,
                sectors: self.count("a length")?,
                mode: self.word(&WRITE_MODES, "a mode of writing")?,
            },
            11 => Event::Fork { child: self.short("a child")? },
            12 => Event::Exit,
            13 => Event::Sleep { span: self.span("a sleep")? },
            14 => Event::Wait { event: self.short("an event")? },
            15 => Event::WakeUp { event: self.short("an event")? },
            16 => Event::Commit { sectors: self.short("a length")? },
            17 => Event::Flush,
            _ => {
                return Err(format!(
                    "a record of kind {tag}, which version {} has not",
                    super::VERSION
                ));
            }
        })
    }
}

fn span(ns: u64, name: &str) -> Result<Span, String> {
    ns.checked_mul(PS_PER_NS)
        .map(Span::from_ps)
        .ok_or_else(|| format!("{name} of {ns} ns is above 213 days"))
}

fn pick<T: Copy>(list: &[T], number: u64, name: &str) -> Result<T, String> {
    usize::try_from(number)
        .ok()
        .and_then(|number| list.get(number))
        .copied()
        .ok_or_else(|| format!("{name} numbered {number}; there are {}", list.len()))
}
