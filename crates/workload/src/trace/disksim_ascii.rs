//! DiskSim's `ascii`: one request per line, `arrival_ms device block blocks flags`.
//!
//! Blocks are 512 bytes. The flags are hexadecimal; those that say who waits are kept.

use super::over_source::over_source;
use platterlab_units::{Operation, SECTOR_BYTES_DEFAULT};

use super::checks::{ArrivalChecks, extent};
use super::text::{self, Unit};
use super::{Declared, Format, Source, TraceError, TraceFacts};
use crate::{Criticality, Record};

const FIELDS: &str = "arrival_ms device block blocks flags";

/// The flag bits that become part of a [`Record`].
pub(super) mod flags {
    /// A read; without it a write.
    pub(in crate::trace) const READ: u32 = 0x1;
    /// A process waits.
    pub(in crate::trace) const TIME_CRITICAL: u32 = 0x2;
    /// A process will wait unless the request ends in time.
    pub(in crate::trace) const TIME_LIMITED: u32 = 0x4;
    /// The caller waits: time-critical.
    pub(in crate::trace) const SYNC: u32 = 0x80;
    /// Nobody waits yet; on a read it is a read-ahead, so time-limited.
    pub(in crate::trace) const ASYNC: u32 = 0x100;
}

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "disksim-ascii",
    title: "DiskSim's `ascii`: arrivals, device, address, length, flags",
    columns: &[
        ["arrival_ms", "ms", "when the request came"],
        ["device", "", "its number"],
        ["block", "sectors of 512 bytes", "first sector"],
        ["blocks", "sectors of 512 bytes", "length"],
        ["flags", "hexadecimal", "1 read; 2 or 80 somebody waits; 4 will wait; 100 nobody waits"],
    ],
    silent: "How long anything took.",
    sniff,
    open: |source, options| Ok(Box::new(DisksimAscii::new(source, options.own_clock))),
};

/// True if the first line has the shape of this format.
pub(super) fn sniff(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Ok([arrival, device, block, blocks, flags]) = text::fields::<5>(line, FIELDS) else {
        return false;
    };
    // A number with a comma is of a table.
    if line.contains(&b',') {
        return false;
    }
    let number = |field: &[u8]| field.strip_prefix(b"-").unwrap_or(field).first().copied();
    [arrival, device, block, blocks]
        .into_iter()
        .all(|field| number(field).is_some_and(|first| first.is_ascii_digit() || first == b'.'))
        && hexadecimal(flags).is_ok()
}

/// A reader of DiskSim's `ascii` format.
pub(super) struct DisksimAscii {
    source: Source,
    facts: TraceFacts,
    arrivals: ArrivalChecks,
}

impl DisksimAscii {
    /// Reads `source` from its beginning; arrivals are the file's own with `own_clock`, else counted
    /// from the first.
    #[must_use]
    pub(super) fn new(source: Source, own_clock: bool) -> Self {
        let facts = source.facts(Format::DisksimAscii, SECTOR_BYTES_DEFAULT);
        let arrivals =
            if own_clock { ArrivalChecks::by_own_clock() } else { ArrivalChecks::default() };
        Self { source, facts, arrivals }
    }

    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        let Some(line) = self.source.line()? else {
            return Ok(None);
        };
        let row = parse(line, &mut self.arrivals);
        row.map(Some).map_err(|what| self.source.error_at_line(what))
    }
}

over_source!(DisksimAscii);

fn parse(line: &[u8], arrivals: &mut ArrivalChecks) -> Result<Record, String> {
    let [arrival, device, block, blocks, flags] = text::fields(line, FIELDS)?;
    let arrival = text::time(arrival, "arrival_ms", Unit::Millisecond)?;
    let device = text::unsigned_32(device, "device")?;
    let (lba, sectors) =
        extent(text::unsigned(block, "block")?, text::unsigned(blocks, "blocks")?)?;
    let flags = hexadecimal(flags)?;
    Ok(Record {
        arrival: arrivals.place(arrival)?,
        queued: None,
        service: None,
        think: None,
        lba,
        sectors,
        device,
        operation: if flags & flags::READ != 0 { Operation::Read } else { Operation::Write },
        criticality: criticality(flags),
    })
}

fn hexadecimal(field: &[u8]) -> Result<u32, String> {
    let digits = field.strip_prefix(b"0x").unwrap_or(field);
    let value = digits.iter().try_fold(0u32, |value, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        (value >> 28 == 0).then_some(value << 4 | digit)
    });
    value.filter(|_| !digits.is_empty()).ok_or_else(|| {
        format!("flags `{}` are not a hexadecimal number below 2^32", text::shown(field))
    })
}

pub(super) fn criticality(flags: u32) -> Criticality {
    let has = |bits: u32| flags & bits != 0;
    if has(flags::TIME_CRITICAL | flags::SYNC) {
        Criticality::Critical
    } else if has(flags::TIME_LIMITED) || (has(flags::ASYNC) && has(flags::READ)) {
        Criticality::Limited
    } else if has(flags::ASYNC) {
        Criticality::Noncritical
    } else {
        Criticality::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use platterlab_units::{MAX_LBA, Stamp};

    fn all(text: &str) -> Result<Vec<Record>, TraceError> {
        DisksimAscii::new(testing::source(text), false).collect()
    }

    #[test]
    fn lines_become_records() {
        let text = "13.191135\t30\t0\t5\t1\n17.829285 20 576560 6 0\n17.829285 0 7 1 101\r\n";
        let records = all(text).unwrap();
        let first = Record {
            arrival: Stamp::ZERO,
            queued: None,
            service: None,
            think: None,
            lba: 0,
            sectors: 5,
            device: 30,
            operation: Operation::Read,
            criticality: Criticality::Unknown,
        };
        assert_eq!(records[0], first);
        assert_eq!(records[1].arrival, Stamp::from_ps(4_638_150_000));
        assert_eq!(records[1].operation, Operation::Write);
        assert_eq!(records[2].criticality, Criticality::Limited);
        assert_eq!(records.len(), 3);
        assert_eq!(all("0 0 9223372036854775807 1 1").unwrap()[0].lba, MAX_LBA);
    }

    #[test]
    fn arrivals_are_those_of_the_file_where_its_clock_is_wanted() {
        let text = "13.191135\t30\t0\t5\t1\n17.829285 20 576560 6 0\n";
        let arrivals = DisksimAscii::new(testing::source(text), true)
            .map(|record| record.map(|record| record.arrival))
            .collect::<Result<Vec<_>, _>>();
        let wanted = [13_191_135_000, 17_829_285_000].map(Stamp::from_ps);
        assert_eq!(arrivals.unwrap(), wanted);
    }

    #[test]
    fn flags_tell_who_waits() {
        for (flags, expected) in [
            (0x3, Criticality::Critical),
            (0x80, Criticality::Critical),
            (0x4, Criticality::Limited),
            (0x101, Criticality::Limited),
            (0x100, Criticality::Noncritical),
            (0x1, Criticality::Unknown),
        ] {
            assert_eq!(criticality(flags), expected, "{flags:#x}");
        }
    }

    #[test]
    fn every_bad_line_says_what_and_where() {
        for (line, message) in [
            ("1 0 -5 8 1", "block `-5` is negative"),
            (
                "1 0 9223372036854775808 8 1",
                "block `9223372036854775808` is above 9223372036854775807",
            ),
            (
                "1 0 9223372036854775807 2 1",
                "2 sectors from 9223372036854775807 reach beyond the last sector \
                 9223372036854775807",
            ),
            ("1 0 5 0 1", "a length of 0 sectors; a request has at least one"),
            ("1 0 5 4294967296 1", "a length of 4294967296 sectors is too large"),
            ("nan 0 5 8 1", "arrival_ms `nan` is not a finite number"),
            ("inf 0 5 8 1", "arrival_ms `inf` is not a finite number"),
            ("-1 0 5 8 1", "arrival_ms `-1` is negative"),
            ("1 0 5 8", "4 fields where 5 are expected: arrival_ms device block blocks flags"),
            ("1 0 5 8 1 1", "6 fields where 5 are expected: arrival_ms device block blocks flags"),
            ("", "0 fields where 5 are expected: arrival_ms device block blocks flags"),
            ("a b c d e", "arrival_ms `a` is not a number"),
            ("1 0 5 8 xyz", "flags `xyz` are not a hexadecimal number below 2^32"),
            ("1 0 5 8 100000000", "flags `100000000` are not a hexadecimal number below 2^32"),
            ("1 4294967296 5 8 1", "device `4294967296` is above 4294967295"),
            (
                "0.5 0 5 8 1",
                "time runs backwards: this request arrives 0.25 ms before the one above it; sort the \
                 file by its time, or read what begins here by itself",
            ),
        ] {
            let error = all(&format!("0.75 0 1 1 1\n{line}\n9 0 1 1 1\n")).unwrap_err();
            assert_eq!(error.to_string(), format!("t, line 2: {message}"));
        }
    }

    #[test]
    fn the_first_error_ends_the_trace() {
        let mut reader = DisksimAscii::new(testing::source("bad\n1 0 1 1 1\n"), false);
        assert!(reader.next().unwrap().is_err());
        assert!(reader.next().is_none());
    }
}
