//! DiskSim's `validate`: service times measured on a drive, one request at a time.
//!
//! `R|W tag block blocks service_us gap_us`, blocks of 512 bytes. The tag (`Hit`, `Miss`, `Doub`,
//! `Trip`) is what the writer believed of the drive's cache; most writers put `Hit` everywhere, so
//! it is checked and dropped. The gap column has two meanings, and the file does not say which: see
//! [`GapMeaning`].

use super::over_source::over_source;
use platterlab_units::{Operation, SECTOR_BYTES_DEFAULT, Span, Stamp};

use super::checks::extent;
use super::text::{self, Unit};
use super::{Declared, Format, GapMeaning, Source, TraceError, TraceFacts};
use crate::{Criticality, Record};

const FIELDS: &str = "R|W tag block blocks service_us gap_us";
const TAGS: [&[u8]; 4] = [b"Hit", b"Miss", b"Doub", b"Trip"];

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "disksim-validate",
    title: "DiskSim's `validate`: service times measured on a drive",
    columns: &[
        ["operation", "", "`R` or `W`"],
        ["tag", "", "what the writer took for a hit of the drive's cache; not used"],
        ["block", "sectors of 512 bytes", "first sector"],
        ["blocks", "sectors of 512 bytes", "length"],
        ["service_us", "µs", "from issue to completion"],
        ["gap_us", "µs", "the drive's idle time before or after it (`--trace-option gap=`)"],
    ],
    silent: "Which device; who waits; which side of its request a gap lies on.",
    sniff,
    open: |source, options| Ok(Box::new(DisksimValidate::new(source, options.gap))),
};

/// True if the first line has the shape of this format.
pub(super) fn sniff(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    text::fields::<6>(line, FIELDS)
        .is_ok_and(|[operation, tag, ..]| matches!(operation, b"R" | b"W") && TAGS.contains(&tag))
}

/// A reader of DiskSim's `validate` format.
///
/// The trace is closed: each request was issued when the one before was done and a gap was over.
/// Arrivals are those issues, added up; nothing waits in the driver, so `queued` is zero.
pub(super) struct DisksimValidate {
    source: Source,
    facts: TraceFacts,
    gap: GapMeaning,
    /// Completion of the latest request.
    completion: Stamp,
    /// The gap that follows it, where gaps lie after.
    after: Option<Span>,
    first: bool,
}

impl DisksimValidate {
    /// Reads `source` from its beginning.
    #[must_use]
    pub(super) fn new(source: Source, gap: GapMeaning) -> Self {
        let facts = source.facts(Format::DisksimValidate, SECTOR_BYTES_DEFAULT);
        Self { source, facts, gap, completion: Stamp::ZERO, after: None, first: true }
    }

    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        let Some(line) = self.source.line()? else {
            return Ok(None);
        };
        let row = parse(line).map_err(|what| self.source.error_at_line(what))?;
        Ok(Some(self.place(&row)))
    }

    /// The row on the trace's clock, whose zero is the issue of the first row.
    fn place(&mut self, row: &ValidateRow) -> Record {
        let think = match self.gap {
            GapMeaning::After => self.after.replace(row.gap),
            GapMeaning::Before => Some(row.gap),
        };
        let arrival =
            if self.first { Stamp::ZERO } else { self.completion + think.unwrap_or_default() };
        self.first = false;
        self.completion = arrival + row.service;
        Record {
            arrival,
            queued: Some(Span::ZERO),
            service: Some(row.service),
            think,
            lba: row.lba,
            sectors: row.sectors,
            device: 0,
            operation: row.operation,
            criticality: Criticality::Unknown,
        }
    }
}

over_source!(DisksimValidate);

struct ValidateRow {
    operation: Operation,
    lba: u64,
    sectors: u32,
    service: Span,
    gap: Span,
}

fn parse(line: &[u8]) -> Result<ValidateRow, String> {
    let [operation, tag, block, blocks, service, gap] = text::fields(line, FIELDS)?;
    let operation = match operation {
        b"R" => Operation::Read,
        b"W" => Operation::Write,
        other => return Err(format!("operation `{}` is neither R nor W", text::shown(other))),
    };
    if !TAGS.contains(&tag) {
        return Err(format!("tag `{}` is none of Hit, Miss, Doub, Trip", text::shown(tag)));
    }
    let (lba, sectors) =
        extent(text::unsigned(block, "block")?, text::unsigned(blocks, "blocks")?)?;
    let service = text::span(service, "service_us", Unit::Microsecond)?;
    let gap = text::span(gap, "gap_us", Unit::Microsecond)?;
    Ok(ValidateRow { operation, lba, sectors, service, gap })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    const TEXT: &str =
        "W Hit 4583176 4 663.00000 100.00000\nR Miss 7 8 607.5 200\nR Trip 9 1 1 3\n";

    fn all(text: &str, gap: GapMeaning) -> Result<Vec<Record>, TraceError> {
        DisksimValidate::new(testing::source(text), gap).collect()
    }

    fn times(gap: GapMeaning) -> Vec<(f64, Option<f64>)> {
        let us = |ms: f64| (ms * 1e4).round() / 10.0;
        let records = all(TEXT, gap).unwrap().into_iter();
        records.map(|r| (us(r.arrival.as_ms()), r.think.map(|t| us(t.as_ms())))).collect()
    }

    #[test]
    fn a_gap_after_belongs_to_the_next_request() {
        let expected = [(0.0, None), (763.0, Some(100.0)), (1570.5, Some(200.0))];
        assert_eq!(times(GapMeaning::After), expected);
    }

    #[test]
    fn a_gap_before_belongs_to_its_own_request() {
        let expected = [(0.0, Some(100.0)), (863.0, Some(200.0)), (1473.5, Some(3.0))];
        assert_eq!(times(GapMeaning::Before), expected);
    }

    #[test]
    fn rows_are_read_in_full() {
        let expected = Record {
            arrival: Stamp::ZERO,
            queued: Some(Span::ZERO),
            service: Some(Span::from_us(663)),
            think: None,
            lba: 4_583_176,
            sectors: 4,
            device: 0,
            operation: Operation::Write,
            criticality: Criticality::Unknown,
        };
        assert_eq!(all(TEXT, GapMeaning::After).unwrap()[0], expected);
    }

    #[test]
    fn every_bad_line_says_what_and_where() {
        for (line, message) in [
            ("X Hit 1 1 1 1", "operation `X` is neither R nor W"),
            ("R Foo 1 1 1 1", "tag `Foo` is none of Hit, Miss, Doub, Trip"),
            ("R Hit -1 1 1 1", "block `-1` is negative"),
            ("R Hit 1 0 1 1", "a length of 0 sectors; a request has at least one"),
            ("R Hit 1 1 -1 1", "service_us `-1` is negative"),
            ("R Hit 1 1 1 -0.5", "gap_us `-0.5` is negative"),
            ("R Hit 1 1 nan 1", "service_us `nan` is not a finite number"),
            ("R Hit 1 1 1 1e15", "gap_us is longer than 213 days"),
            (
                "R Hit 1 1 1",
                "5 fields where 6 are expected: R|W tag block blocks service_us gap_us",
            ),
            (
                "R Hit 1 1 1 1 1",
                "7 fields where 6 are expected: R|W tag block blocks service_us gap_us",
            ),
        ] {
            let error = all(&format!("R Hit 1 1 1 1\n{line}\n"), GapMeaning::After).unwrap_err();
            assert_eq!(error.to_string(), format!("t, line 2: {message}"));
        }
    }
}
