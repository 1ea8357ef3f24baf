//! The events of Linux's block layer as `blkparse` prints them, put together to requests like those
//! of `blktrace`: a D and a C of one request count once.

use platterlab_units::SECTOR_BYTES_DEFAULT;

use super::blktrace::{Action, Assembled, BlktraceEvent, EventStream, category};
use super::names::Names;
use super::table::{is_comment, whole_lines};
use super::text::{self, Unit};
use super::{Declared, Format, Note, Notes, Position, Source, TraceError};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "blkparse",
    title: "Linux's block layer: the events as `blkparse` prints them",
    columns: &[
        ["device", "", "major and minor number, `8,0`"],
        ["CPU, sequence", "", "not used"],
        ["time", "s", "when it happened"],
        ["PID", "", "not used"],
        ["action", "", "`Q` came, `D` issued, `C` done; `M`, `F` merged; `R` handed back; `X` cut"],
        ["RWBS", "", "`R` or `W`, `D` discard, `F` flush, then `A` (read-ahead), `S` (sync)"],
        ["sector + count", "sectors of 512 bytes", "where it starts and how long it is"],
    ],
    silent: "With another format of `blkparse -f` than its own it is not read. The tables at its end \
             are left out. Requests whose D or C is missing have no times.",
    sniff: |head| {
        let first = whole_lines(head).find(|line| !is_comment(line));
        first.is_some_and(|line| begins_an_event(line).is_some())
    },
    open: |source, _| {
        let facts = source.facts(Format::Blkparse, SECTOR_BYTES_DEFAULT);
        let events = TextEvents { source, line: 0, over: false, devices: Names::default() };
        Ok(Box::new(Assembled::new(facts, events)))
    },
};

/// The events of a text.
struct TextEvents {
    source: Source,
    line: u64,
    /// The tables at the end have begun.
    over: bool,
    devices: Names,
}

/// The seven columns that every event has.
struct Columns<'a> {
    device: &'a [u8],
    time: &'a [u8],
    action: &'a [u8],
    rwbs: &'a [u8],
    /// What stands behind them.
    rest: Vec<&'a [u8]>,
}

/// The columns of a line that looks like an event.
fn begins_an_event(line: &[u8]) -> Option<Columns<'_>> {
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let whole = |field: &[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    let device = fields.next()?;
    let comma = device.iter().position(|byte| *byte == b',')?;
    let (cpu, sequence, time, pid) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let pair = whole(&device[..comma]) && whole(&device[comma + 1..]);
    let numbers = whole(cpu) && whole(sequence) && whole(pid) && time.contains(&b'.');
    let action = fields.next()?;
    let letters = action.len() <= 2 && action.iter().all(u8::is_ascii_alphabetic);
    let rwbs = fields.next().unwrap_or_default();
    let columns = Columns { device, time, action, rwbs, rest: fields.collect() };
    (pair && numbers && letters).then_some(columns)
}

impl TextEvents {
    /// An event in a line; `None` for what concerns no request.
    fn event(line: &[u8], devices: &mut Names) -> Result<Option<BlktraceEvent>, String> {
        let Some(columns) = begins_an_event(line) else {
            return Err(format!(
                "`{}` is not an event: device CPU sequence time PID action RWBS sector + count",
                text::shown(line)
            ));
        };
        let action = match columns.action {
            b"Q" => Action::Queue,
            b"M" => Action::BackMerge,
            b"F" => Action::FrontMerge,
            b"R" => Action::Requeue,
            b"D" => Action::Issue,
            b"C" => Action::Complete,
            b"X" => Action::Other,
            _ => return Ok(None),
        };
        let ps = text::time(columns.time, "time", Unit::Second)?;
        let time_ns = u64::try_from(ps / 1_000).map_err(|_| "time is too large")?;
        let mut event = BlktraceEvent {
            action,
            category: bits(columns.rwbs)?,
            time_ns,
            sector: 0,
            bytes: 0,
            device: devices.device(columns.device)?,
        };
        match columns.rest.as_slice() {
            [sector, b"+", count, ..] => {
                event.sector = text::unsigned(sector, "sector")?;
                let bytes = text::unsigned_32(count, "count")?.checked_mul(SECTOR_BYTES_DEFAULT);
                event.bytes = bytes.ok_or_else(|| {
                    format!("a length of {} sectors is too large", text::shown(count))
                })?;
            }
            [sector, b"/", at, ..] if columns.action == b"X" => {
                event.sector = text::unsigned(sector, "sector")?;
                // How long it is does not stand here; that it moves data does.
                event.bytes = SECTOR_BYTES_DEFAULT;
                event.action = Action::Split(text::unsigned(at, "sector")?);
            }
            // A flush, or a command past the block layer: neither has a length.
            _ => {}
        }
        Ok(Some(event))
    }
}

/// The category of RWBS letters.
fn bits(rwbs: &[u8]) -> Result<u32, String> {
    let mut bits = 0;
    for (at, letter) in rwbs.iter().enumerate() {
        bits |= match letter {
            b'W' => category::WRITE,
            b'D' => category::DISCARD,
            b'F' if at == 0 => category::FLUSH,
            b'S' => category::SYNC,
            b'A' => category::AHEAD,
            b'R' | b'N' | b'F' | b'M' | b'B' | b'E' | b'Z' | b'V' => 0,
            _ => return Err(format!("RWBS `{}` has a letter unknown here", text::shown(rwbs))),
        };
    }
    Ok(bits)
}

impl EventStream for TextEvents {
    fn next(&mut self, notes: &mut Notes) -> Result<Option<(u64, BlktraceEvent)>, TraceError> {
        loop {
            let Some(line) = self.source.line()? else { return Ok(None) };
            self.line += 1;
            self.over |= line.starts_with(b"CPU") || line.starts_with(b"Total (");
            if self.over && begins_an_event(line).is_some() {
                let what = "events begin again below the tables at the end: several runs of blkparse \
                            are in this file; read each by itself";
                return Err(self.source.error_at_line(what));
            }
            if self.over || is_comment(line) {
                notes.add(Note::OtherEvents);
                continue;
            }
            let event = Self::event(line, &mut self.devices);
            match event.map_err(|what| self.source.error_at_line(what))? {
                Some(event) => return Ok(Some((self.line, event))),
                None => notes.add(Note::Events),
            }
        }
    }

    fn error(&self, at: u64, what: String) -> TraceError {
        self.source.error(Position::Line(at), what)
    }

    fn order_advice(&self) -> &'static str {
        "`blkparse` prints events in order where it reads the files of all CPUs at once, as in \
         `blkparse -i NAME`; sort what several runs of it printed: `sort -s -n -k4,4 FILE`, \
         without the tables at the end"
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

#[cfg(test)]
mod tests {
    use super::super::{Options, read, testing};
    use super::*;
    use crate::Record;
    use platterlab_units::{Operation, Span};

    fn all(text: &str) -> Result<Vec<Record>, TraceError> {
        read(testing::source(text), None, &Options::default())?.collect()
    }

    #[test]
    fn issue_and_completion_of_a_request_count_once() {
        let text = "  8,0    3        1     0.000000000   697  Q   W 223490 + 8 [kjournald]\n  8,0    3  \
                    2     0.000001829   697  G   W 223490 + 8 [kjournald]\n  8,0    3  3     0.000010000 \
                    697  D   W 223490 + 8 [kjournald]\n  8,16   1  1     0.000020000     9  D  RA 64 + 16 \
                    [cat]\n  8,0    1        4     0.002010000     0  C   W 223490 + 8 [0]\n  8,16   1  2 \
                    0.005020000     0  C  RA 64 + 16 [0]\n  8,0    1  5   0.006   0  D FFS [x]\nCPU0 \
                    (8,0):\n Reads Queued:  0,  0KiB\n";
        let records = all(text).unwrap();
        assert_eq!(records.len(), 2);
        assert_eq!(
            (records[0].queued, records[0].service),
            (Some(Span::from_us(10)), Some(Span::from_us(2_000)))
        );
        assert_eq!((records[0].operation, records[0].device), (Operation::Write, 8 << 20));
        assert_eq!((records[1].queued, records[1].service), (None, Some(Span::from_us(5_000))));
        assert_eq!((records[1].lba, records[1].sectors, records[1].device), (64, 16, 8 << 20 | 16));
    }

    #[test]
    fn requests_are_cut_in_two() {
        let text = "8,0 0 1 0.0 7 Q R 0 + 16 [x]\n8,0 0 2 0.1 7 X R 0 / 8 [x]\n8,0 0 3 0.2 7 D R 0 + 8 \
                    [x]\n8,0 0 4 0.3 7 D R 8 + 8 [x]\n8,0 0 5 0.4 0 C R 0 + 8 [0]\n8,0 0 6 0.5 0 C R 8 + \
                    8 [0]\n";
        let extents: Vec<_> = all(text).unwrap().iter().map(|r| (r.lba, r.sectors)).collect();
        assert_eq!(extents, [(0, 8), (8, 8)]);
    }

    #[test]
    fn text_out_of_order_is_to_be_sorted() {
        let text = "8,0 0 1 2.0 7 Q R 0 + 8 [x]\n8,0 0 2 1.0 7 Q R 8 + 8 [x]\n";
        let said = all(text).unwrap_err().to_string();
        assert!(said.starts_with("t, line 2: time runs backwards"), "{said}");
        assert!(
            said.contains("`sort -s -n -k4,4 FILE`") && !said.contains("NAME.blktrace"),
            "{said}"
        );
    }

    #[test]
    fn events_below_the_tables_are_of_another_run() {
        let text = "8,0 0 1 1.0 7 Q R 0 + 8 [x]\nTotal (8,0):\n Reads Queued: 1, 4KiB\n";
        assert_eq!(all(text).unwrap().len(), 1);
        let said = all(&text.repeat(2)).unwrap_err().to_string();
        assert!(said.starts_with("t, line 4: events begin again below the tables"), "{said}");
    }

    #[test]
    fn bad_lines_say_what_and_where() {
        for (line, message) in [
            (
                "hello",
                "`hello` is not an event: device CPU sequence time PID action RWBS sector + count",
            ),
            ("8,0 0 2 1.5 7 Q R x + 8 [x]", "sector `x` is not a whole number"),
            ("8,0 0 2 1.5 7 Q RQ 0 + 8 [x]", "RWBS `RQ` has a letter unknown here"),
            ("8,0 0 2 1.5 7 Q R 0 + 8388608 [x]", "a length of 8388608 sectors is too large"),
        ] {
            let error = all(&format!("8,0 0 1 1.0 7 Q R 0 + 16 [x]\n{line}\n")).unwrap_err();
            assert_eq!(error.to_string(), format!("t, line 2: {message}"));
        }
    }
}
