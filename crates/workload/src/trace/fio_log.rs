//! The latency and bandwidth logs of fio (`write_lat_log`, `write_bw_log`), with `log_offset=1`.

use super::looks::{Look, like};
use super::table::{LINES, Separator, is_comment, open_as, whole_lines};
use super::{Declared, Format, LogValue, Options, Position, text};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "fio-log",
    title: "fio's latency or bandwidth log, written with `log_offset=1`",
    columns: &[
        ["time", "ms", "when the request was done"],
        [
            "value",
            "ns or KiB/s",
            "its latency; of a bandwidth log (`--trace-option value=bandwidth`)",
        ],
        ["data direction", "", "`0` read, `1` write, `2` trim"],
        ["block size", "bytes", "how long it is"],
        ["offset", "bytes", "where it starts"],
        ["priority", "", "not used; older versions have none"],
        ["issue time", "ns", "when it was issued, with `log_issue_time=1`"],
    ],
    silent: "Parts of a millisecond of the time; which file or device; how much of a latency was \
             waiting. A latency and a bandwidth look the same: say so if it is the latter. Without \
             `log_offset=1` there are no addresses, and with `log_avg_msec` no requests.",
    sniff: |head| {
        let spaced =
            whole_lines(head).next().is_some_and(|line| line.windows(2).any(|w| w == b", "));
        let comma = Separator::Byte(b',');
        let plain = [5, 6, 7].iter().any(|columns| like(head, comma, &LOOKS[..*columns]));
        spaced && (plain || in_hex(head) || like(head, comma, &LOOKS[..4]))
    },
    open: |source, options| {
        let mut source = source;
        if !has_offset(source.peek()?) {
            let what = "is a log of fio without addresses; write it with log_offset=1";
            return Err(source.error(Position::File, what));
        }
        let mapping = mapping(options, has_issue(source.peek()?));
        open_as(source, Format::FioLog, mapping, &LINES)
    },
};

const LOOKS: [Look; 7] =
    [Look::Whole, Look::Whole, Look::Three, Look::Whole, Look::Whole, Look::Whole, Look::Whole];

fn mapping(options: &Options, has_issue: bool) -> &'static str {
    match (options.value, has_issue) {
        (LogValue::Latency, false) => "end=1:ms, response=2:ns, op=3, size=4:bytes, lba=5:bytes",
        (LogValue::Latency, true) => "time=7:ns, response=2:ns, op=3, size=4:bytes, lba=5:bytes",
        (LogValue::Bandwidth, false) => "time=1:ms, op=3, size=4:bytes, lba=5:bytes",
        (LogValue::Bandwidth, true) => "time=7:ns, op=3, size=4:bytes, lba=5:bytes",
    }
}

/// The priority as fio has written it since 3.17: `0x0000`.
fn in_hex(head: &[u8]) -> bool {
    let mut lines = whole_lines(head).filter(|line| !is_comment(line));
    lines.next().is_some_and(|line| {
        let columns = Separator::Byte(b',').columns(line);
        matches!(columns.len(), 5..=7)
            && columns[4..].iter().take(2).any(|field| field.starts_with(b"0x"))
            && columns[..4].iter().all(|field| field.iter().all(u8::is_ascii_digit))
    })
}

/// Whether each line ends in the time of its issue.
fn has_issue(head: &[u8]) -> bool {
    let mut rows = whole_lines(head).filter(|line| !is_comment(line));
    rows.next().is_some_and(|line| Separator::Byte(b',').columns(line).len() == 7)
}

/// Six columns, or five of which the last is not a priority: that is 0 or 1, or in hexadecimal, and
/// an offset is 0 or a sector at the least.
fn has_offset(head: &[u8]) -> bool {
    let rows = whole_lines(head).filter(|line| !is_comment(line));
    rows.map(|line| Separator::Byte(b',').columns(line)).any(|columns| match columns.len() {
        5 => text::unsigned(columns[4], "offset").is_ok_and(|offset| offset > 1),
        count => count >= 6,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Options, Record, TraceError, read, testing};
    use platterlab_units::Stamp;

    fn opened(text: &str) -> Result<Vec<Record>, TraceError> {
        read(testing::source(text), None, &Options::default())?.collect()
    }

    #[test]
    fn a_log_with_issue_times_says_when_each_came() {
        for priority in ["0", "0x0000"] {
            let text = format!(
                "9, 2000500, 0, 4096, 8192, {priority}, 7000100\n\
                 9, 1000000, 1, 4096, 4096, {priority}, 8000300\n"
            );
            let records = opened(&text).unwrap();
            assert_eq!(records[1].arrival, Stamp::from_ps(1_000_200_000));
            assert_eq!((records[0].lba, records[1].lba), (16, 8));
        }
    }

    #[test]
    fn offsets_near_the_beginning_of_a_device_are_offsets() {
        let records = opened("6, 1869235, 0, 4096, 0\n17, 11916448, 1, 4096, 8192\n").unwrap();
        assert_eq!((records[0].lba, records[1].lba), (0, 16));
        for priority in ["0", "1", "0x4004"] {
            let text = format!("6, 1869235, 0, 4096, {priority}\n17, 11916448, 1, 4096, 0\n");
            assert!(opened(&text).unwrap_err().to_string().contains("log_offset=1"), "{priority}");
        }
    }

    #[test]
    fn one_without_addresses_says_how_to_write_it() {
        let error = opened("6, 1869235, 0, 4096\n17, 11916448, 1, 4096\n").unwrap_err();
        assert!(error.to_string().contains("log_offset=1"), "{error}");
    }
}
