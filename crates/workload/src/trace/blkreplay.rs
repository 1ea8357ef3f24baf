//! The loads of blkreplay: `start_s ; sector ; length ; op ; replay_delay ; replay_duration`.
//!
//! Sectors are 512 bytes. Free text may stand before the first request. A load to be replayed has
//! zero in the last two columns; the log of a replay has there, in seconds, how late the request
//! was given to the device and how long the device took: our queued and service time.

use super::over_source::over_source;
use platterlab_units::{Operation, SECTOR_BYTES_DEFAULT, Span};

use super::checks::{ArrivalChecks, extent};
use super::text::{self, Unit};
use super::{Declared, Format, Note, Notes, Position, Source, TraceError, TraceFacts};
use crate::{Criticality, Record};

const FIELDS: &str = "start_s ; sector ; length ; op ; replay_delay_s ; replay_duration_s";

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "blkreplay",
    title: "The loads of blkreplay, and the logs of its replays",
    columns: &[
        ["start_s", "s", "when the request came"],
        ["sector", "sectors of 512 bytes", "first sector"],
        ["length", "sectors of 512 bytes", "length"],
        ["op", "", "`R` or `W`, then `A` (read-ahead), `S` (somebody waits)"],
        ["replay_delay_s", "s", "how late it was issued; 0 in a load"],
        ["replay_duration_s", "s", "how long the device took; 0 in a load"],
    ],
    silent: "Which device; times of a load that was not replayed.",
    sniff,
    open: |source, _| Ok(Box::new(Blkreplay::new(source))),
};

/// True if some line near the beginning has the shape of a request or of the column heading.
pub(super) fn sniff(head: &[u8]) -> bool {
    // Bytes that are not text have semicolons, too.
    let is_text =
        |line: &&[u8]| line.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\r'));
    head.split(|byte| *byte == b'\n').filter(is_text).any(|line| {
        text::fields_by_semicolon::<6>(line, FIELDS)
            .is_ok_and(|[start, ..]| start == b"start" || starts_a_number(start))
    })
}

fn starts_a_number(field: &[u8]) -> bool {
    field.first().is_some_and(|first| first.is_ascii_digit() || b".-".contains(first))
}

/// A reader of blkreplay's loads.
pub(super) struct Blkreplay {
    source: Source,
    facts: TraceFacts,
    arrivals: ArrivalChecks,
    notes: Notes,
    in_header: bool,
}

impl Blkreplay {
    /// Reads `source` from its beginning.
    #[must_use]
    pub(super) fn new(source: Source) -> Self {
        let facts = source.facts(Format::Blkreplay, SECTOR_BYTES_DEFAULT);
        let arrivals = ArrivalChecks::default();
        Self { source, facts, arrivals, notes: Notes::default(), in_header: true }
    }

    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        while let Some(line) = self.source.line()? {
            if self.in_header && is_header(line) {
                self.notes.add(Note::HeaderLines);
                continue;
            }
            self.in_header = false;
            let row = parse(line, &mut self.arrivals);
            match row.map_err(|what| self.source.error_at_line(what))? {
                BlkreplayRow::Data(record) => return Ok(Some(record)),
                BlkreplayRow::Other(note) => self.notes.add(note),
            }
        }
        if self.in_header {
            let what = format!("holds no request; a request is a line of {FIELDS}");
            return Err(self.source.error(Position::File, what));
        }
        Ok(None)
    }
}

/// Before the first request, whatever does not begin with a number and a semicolon is free text.
fn is_header(line: &[u8]) -> bool {
    let mut columns = line.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
    !columns.next().is_some_and(starts_a_number) || columns.next().is_none()
}

over_source!(Blkreplay; notes);

enum BlkreplayRow {
    Data(Record),
    Other(Note),
}

fn parse(line: &[u8], arrivals: &mut ArrivalChecks) -> Result<BlkreplayRow, String> {
    let [start, sector, length, letters, delay, duration] =
        text::fields_by_semicolon(line, FIELDS)?;
    let start = text::time(start, "start_s", Unit::Second)?;
    let sector = text::unsigned(sector, "sector")?;
    let length = text::unsigned(length, "length")?;
    let delay = text::span(delay, "replay_delay_s", Unit::Second)?;
    let duration = text::span(duration, "replay_duration_s", Unit::Second)?;
    let (operation, criticality) = match kind(letters)? {
        LineKind::Data(operation, criticality) => (operation, criticality),
        LineKind::Other(note) => return Ok(BlkreplayRow::Other(note)),
    };
    let (lba, sectors) = extent(sector, length)?;
    let replayed = duration != Span::ZERO;
    Ok(BlkreplayRow::Data(Record {
        arrival: arrivals.place(start)?,
        queued: replayed.then_some(delay),
        service: replayed.then_some(duration),
        think: None,
        lba,
        sectors,
        device: 0,
        operation,
        criticality,
    }))
}

pub(super) enum LineKind {
    Data(Operation, Criticality),
    Other(Note),
}

/// The letters are blktrace's: R, W, D(iscard) or F(lush), then modifiers of which A(head) and
/// S(ync) say who waits.
pub(super) fn kind(letters: &[u8]) -> Result<LineKind, String> {
    let known = b"RWDFNASMB";
    let refuse = || format!("operation `{}` is none of R, W, RA, WS", text::shown(letters));
    if !letters.iter().all(|letter| known.contains(letter)) {
        return Err(refuse());
    }
    let has = |letter: u8| letters.iter().skip(1).any(|other| *other == letter);
    let criticality = match (has(b'A'), has(b'S')) {
        (true, _) => Criticality::Limited,
        (false, true) => Criticality::Critical,
        (false, false) => Criticality::Unknown,
    };
    match letters.first() {
        Some(b'R') => Ok(LineKind::Data(Operation::Read, criticality)),
        Some(b'W') => Ok(LineKind::Data(Operation::Write, criticality)),
        // A flush may carry the write that follows it: `FWS`.
        Some(b'F') if has(b'W') => Ok(LineKind::Data(Operation::Write, criticality)),
        Some(b'F') => Ok(LineKind::Other(Note::Flushes)),
        Some(b'D') => Ok(LineKind::Other(Note::Discards)),
        Some(b'N') => Ok(LineKind::Other(Note::WithoutData)),
        _ => Err(refuse()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::trace::TraceReader;
    use platterlab_units::Stamp;

    fn all(text: &str) -> Result<Vec<Record>, TraceError> {
        Blkreplay::new(testing::source(text)).collect()
    }

    #[test]
    fn loads_have_no_times_and_logs_of_replays_do() {
        let text = "Copyright 2012\n1 request follows\n\nstart ; sector; length ; op ;  \
                    replay_delay=0 ; replay_duration=0\n  0.5 ;  37 ; 64 ; W ; 0.0 ; 0.0\n\
                    0.949518165 ; 37 ; 14 ; RA ; 0.000001 ; 0.002\n1;1;1;D;0;0\n1;0;0;F;0;0\n";
        let mut reader = Blkreplay::new(testing::source(text));
        let records: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        assert_eq!(records.len(), 2);
        assert_eq!((records[0].queued, records[0].service), (None, None));
        assert_eq!((records[0].lba, records[0].sectors), (37, 64));
        assert_eq!(records[0].operation, Operation::Write);
        assert_eq!(records[1].arrival, Stamp::from_ps(449_518_165_000));
        assert_eq!(records[1].queued, Some(Span::from_us(1)));
        assert_eq!(records[1].service, Some(Span::from_us(2_000)));
        assert_eq!(records[1].criticality, Criticality::Limited);
        let notes: Vec<_> = reader.notes().iter().collect();
        assert_eq!(notes, [(Note::HeaderLines, 4), (Note::Flushes, 1), (Note::Discards, 1)]);
    }

    #[test]
    fn bytes_that_are_no_text_are_no_load() {
        assert!(sniff(b"PAR1\x15\n0.5 ; 1 ; 1 ; R ; 0 ; 0\n"));
        assert!(!sniff(b"PAR1\x15\n0\x00;\x01;\x02;\xf0;\x00;\x00\nPAR1"));
    }

    #[test]
    fn every_bad_line_says_what_and_where() {
        for (line, message) in [
            (
                "0.5 ; 1 ; 1 ; R ; 0 ; 0",
                "time runs backwards: this request arrives 500 ms before the one above it; sort the \
                 file by its time, or read what begins here by itself",
            ),
            ("2 ; -1 ; 1 ; R ; 0 ; 0", "sector `-1` is negative"),
            ("2 ; 1 ; 0 ; R ; 0 ; 0", "a length of 0 sectors; a request has at least one"),
            ("2 ; 1 ; x ; R ; 0 ; 0", "length `x` is not a whole number"),
            ("2 ; 1 ; 1 ; Q ; 0 ; 0", "operation `Q` is none of R, W, RA, WS"),
            ("2 ; 1 ; 1 ; ; 0 ; 0", "operation `` is none of R, W, RA, WS"),
            ("2 ; 1 ; 1 ; R ; 0 ; -1", "replay_duration_s `-1` is negative"),
            ("inf ; 1 ; 1 ; R ; 0 ; 0", "start_s `inf` is not a finite number"),
            (
                "hello",
                "1 field where 6 are expected: start_s ; sector ; length ; op ; \
                       replay_delay_s ; replay_duration_s",
            ),
            (
                "2 ; 1 ; 1 ; R ; 0 ; 0 ; 0",
                "7 fields where 6 are expected: start_s ; sector ; \
                                           length ; op ; replay_delay_s ; replay_duration_s",
            ),
        ] {
            let error = all(&format!("1;1;1;R;0;0\n{line}\n")).unwrap_err();
            assert_eq!(error.to_string(), format!("t, line 2: {message}"));
        }
        assert_eq!(
            all("only words\n").unwrap_err().to_string(),
            "t: holds no request; a request is a line of start_s ; sector ; length ; op ; \
             replay_delay_s ; replay_duration_s"
        );
    }
}
