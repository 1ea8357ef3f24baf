//! Logs of fio's requests (`write_iolog`): version 3 with times, version 2 without.

use super::over_source::over_source;
use platterlab_units::{Operation, SECTOR_BYTES_DEFAULT, Stamp};

use super::checks::{ArrivalChecks, extent};
use super::names::Names;
use super::text::{self, Unit};
use super::{Declared, Format, Note, Notes, Position, Source, TraceError, TraceFacts};
use crate::{Criticality, Record};

/// The first line of version 2.
const FIRST_2: &[u8] = b"fio version 2 iolog";
/// The first line of version 3.
pub(super) const FIRST_3: &[u8] = b"fio version 3 iolog";
const FIELDS_2: &str = "file action [offset length]";
const FIELDS_3: &str = "time_us file action [offset length]";

/// Version 2, declared.
pub(super) const V2: Declared = Declared {
    name: "fio-iolog-v2",
    title: "fio's iolog, version 2: what it did, in order",
    columns: &[
        ["file", "", "the device, by name"],
        [
            "action",
            "",
            "`read`, `write`, `wait`; `add`, `open`, `close`, `sync`, `trim` are counted",
        ],
        ["offset", "bytes; of `wait` µs", "where it starts"],
        ["length", "bytes", "how long it is"],
    ],
    silent: "When requests came: all come at once, but for the times of `wait`. How long anything took.",
    sniff: |head| head.starts_with(FIRST_2),
    open: |source, _| Ok(Box::new(FioIolog::new(source, false)?)),
};

/// Version 3, declared.
pub(super) const V3: Declared = Declared {
    name: "fio-iolog-v3",
    title: "fio's iolog, version 3: what it did, and when",
    columns: &[
        ["time", "µs", "when fio began the request"],
        ["file", "", "the device, by name"],
        ["action", "", "`read` or `write`; `add`, `open`, `close`, `sync`, `trim` are counted"],
        ["offset", "bytes", "where it starts"],
        ["length", "bytes", "how long it is"],
    ],
    silent: "How long anything took; who waits.",
    sniff: |head| head.starts_with(FIRST_3),
    open: |source, _| Ok(Box::new(FioIolog::new(source, true)?)),
};

/// A reader of both versions.
struct FioIolog {
    source: Source,
    facts: TraceFacts,
    timed: bool,
    /// Of version 2: the sum of the waits.
    waited_ps: u128,
    arrivals: ArrivalChecks,
    names: Names,
    notes: Notes,
}

/// What became of a line.
enum Line {
    Data(Record, bool),
    Wait(u128),
    Other(Note),
}

impl FioIolog {
    fn new(mut source: Source, timed: bool) -> Result<Self, TraceError> {
        let format = if timed { Format::FioIologV3 } else { Format::FioIologV2 };
        let first = if timed { FIRST_3 } else { FIRST_2 };
        if source.line()?.map(<[u8]>::trim_ascii_end) != Some(first) {
            let what = format!("does not begin with the line `{}`", text::shown(first));
            return Err(source.error(Position::File, what));
        }
        Ok(Self {
            facts: source.facts(format, SECTOR_BYTES_DEFAULT),
            source,
            timed,
            waited_ps: 0,
            arrivals: ArrivalChecks::default(),
            names: Names::default(),
            notes: Notes::default(),
        })
    }

    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        while let Some(line) = self.source.line()? {
            if line.trim_ascii().is_empty() {
                continue;
            }
            if [FIRST_2, FIRST_3].contains(&line.trim_ascii()) {
                let what = "another log begins here, which fio wrote to the end of this one: read \
                            each by itself";
                return Err(self.source.error_at_line(what));
            }
            let (names, arrivals) = (&mut self.names, &mut self.arrivals);
            let read = if self.timed {
                parse_3(line, names, arrivals)
            } else {
                parse_2(line, names, arrivals, self.waited_ps)
            };
            match read.map_err(|what| self.source.error_at_line(what))? {
                Line::Data(record, widened) => {
                    self.notes.count_if(Note::Widened, widened);
                    return Ok(Some(record));
                }
                Line::Wait(ps) => self.waited_ps += ps,
                Line::Other(note) => self.notes.add(note),
            }
        }
        Ok(None)
    }
}

fn parse_3(line: &[u8], names: &mut Names, arrivals: &mut ArrivalChecks) -> Result<Line, String> {
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let time = fields.next().unwrap_or_default();
    let time = text::time(time, "time_us", Unit::Microsecond)?;
    let rest: Vec<&[u8]> = fields.collect();
    line_of(&rest, names, FIELDS_3)?.at(time, arrivals)
}

fn parse_2(
    line: &[u8],
    names: &mut Names,
    arrivals: &mut ArrivalChecks,
    waited_ps: u128,
) -> Result<Line, String> {
    let fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let rest: Vec<&[u8]> = fields.collect();
    if let [_, b"wait", offset, ..] = rest.as_slice() {
        return Ok(Line::Wait(text::time(offset, "wait", Unit::Microsecond)?));
    }
    line_of(&rest, names, FIELDS_2)?.at(waited_ps, arrivals)
}

impl Line {
    fn at(self, ps: u128, arrivals: &mut ArrivalChecks) -> Result<Self, String> {
        match self {
            Self::Data(record, widened) => {
                let arrival = arrivals.place(ps)?;
                Ok(Self::Data(Record { arrival, ..record }, widened))
            }
            other => Ok(other),
        }
    }
}

/// `file action [offset length]`, without its time.
fn line_of(fields: &[&[u8]], names: &mut Names, expected: &str) -> Result<Line, String> {
    let operation = match fields {
        [_, b"add" | b"open" | b"close"] => return Ok(Line::Other(Note::OtherEvents)),
        [_, b"sync" | b"datasync" | b"sync_file_range", ..] => {
            return Ok(Line::Other(Note::Flushes));
        }
        [_, b"trim", ..] => return Ok(Line::Other(Note::Discards)),
        [_, b"read", _, _] => Operation::Read,
        [_, b"write", _, _] => Operation::Write,
        [_, b"read" | b"write", ..] | [] | [_] => {
            return Err(format!("{} fields where {expected} is expected", fields.len()));
        }
        [_, action, ..] => {
            return Err(format!(
                "action `{}` is none of read, write, wait, add, open, close, sync, datasync, trim",
                text::shown(action)
            ));
        }
    };
    let offset = text::unsigned(fields[2], "offset")?;
    let length = text::unsigned(fields[3], "length")?;
    let sector = u64::from(SECTOR_BYTES_DEFAULT);
    let end = offset.checked_add(length).ok_or("offset and length reach too far")?;
    let past = end.div_ceil(sector);
    let count = if length == 0 { 0 } else { past - offset / sector };
    let (lba, sectors) = extent(offset / sector, count)?;
    let widened = !offset.is_multiple_of(sector) || !end.is_multiple_of(sector);
    let record = Record {
        arrival: Stamp::ZERO,
        queued: None,
        service: None,
        think: None,
        lba,
        sectors,
        device: names.device(fields[0])?,
        operation,
        criticality: Criticality::Unknown,
    };
    Ok(Line::Data(record, widened))
}

over_source!(FioIolog; notes; names.list());

#[cfg(test)]
mod tests {
    use super::super::{Options, read, testing};
    use super::*;

    fn all(text: &str) -> Result<Vec<Record>, TraceError> {
        read(testing::source(text), None, &Options::default())?.collect()
    }

    #[test]
    fn version_3_has_times_and_names() {
        let text = "fio version 3 iolog\n20 /dev/sda add\n30 /dev/sda open\n182 /dev/sda read 61440 \
                    4096\n620 /dev/sdb write 774144 512\n700 /dev/sda close\n";
        let mut reader = read(testing::source(text), None, &Options::default()).unwrap();
        let records: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(records.len(), 2);
        assert_eq!((records[0].lba, records[0].sectors, records[0].device), (120, 8, 0));
        assert_eq!(records[1].arrival, Stamp::from_us(438));
        assert_eq!((records[1].device, records[1].operation), (1, Operation::Write));
        assert_eq!(reader.device_names(), ["/dev/sda", "/dev/sdb"]);
        assert_eq!(reader.notes().count(Note::OtherEvents), 3);
    }

    #[test]
    fn version_2_has_waits() {
        let text = "fio version 2 iolog\n/dev/sda add\n/dev/sda open\n/dev/sda read 0 4096\n/dev/sda \
                    wait 5000 0\n/dev/sda write 512 100\n/dev/sda sync 0 0\n/dev/sda close\n";
        let records = all(text).unwrap();
        assert_eq!(records[1].arrival, Stamp::from_us(5_000));
        assert_eq!((records[1].lba, records[1].sectors), (1, 1));
    }

    #[test]
    fn every_bad_line_says_what_and_where() {
        for (line, message) in [
            ("5 f read 0", "3 fields where time_us file action [offset length] is expected"),
            (
                "5 f eat 0 1",
                "action `eat` is none of read, write, wait, add, open, close, sync, \
                             datasync, trim",
            ),
            ("x f read 0 1", "time_us `x` is not a number"),
            (
                "fio version 3 iolog",
                "another log begins here, which fio wrote to the end of this one: read each by itself",
            ),
            ("5 f read 0 0", "a length of 0 sectors; a request has at least one"),
            ("5 f read -1 1", "offset `-1` is negative"),
            (
                "1 f read 0 1",
                "time runs backwards: this request arrives 0.001 ms before the one above it; sort the \
                 file by its time, or read what begins here by itself",
            ),
        ] {
            let text = format!("fio version 3 iolog\n2 f read 0 512\n{line}\n");
            assert_eq!(all(&text).unwrap_err().to_string(), format!("t, line 3: {message}"));
        }
    }
}
