//! The latency and bandwidth logs of fio (`write_lat_log`, `write_bw_log`), with `log_offset=1`.

use super::looks::{Look, like};
use super::table::{LINES, Separator, is_comment, open_as, whole_lines};
use super::{Declared, Format, LogValue, Options, Position};

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
    ],
    silent: "Parts of a millisecond of the time; which file or device; how much of a latency was \
             waiting. A latency and a bandwidth look the same: say so if it is the latter. Without \
             `log_offset=1` there are no addresses, and with `log_avg_msec` no requests.",
    sniff: |head| {
        let spaced =
            whole_lines(head).next().is_some_and(|line| line.windows(2).any(|w| w == b", "));
        let comma = Separator::Byte(b',');
        spaced && (like(head, comma, &LOOKS[..5]) || like(head, comma, &LOOKS) || in_hex(head))
    },
    open: |source, options| {
        let mut source = source;
        if !has_offset(source.peek()?) {
            let what = "is a log of fio without addresses; write it with log_offset=1";
            return Err(source.error(Position::File, what));
        }
        open_as(source, Format::FioLog, mapping(options), &LINES)
    },
};

const LOOKS: [Look; 6] =
    [Look::Whole, Look::Whole, Look::Three, Look::Whole, Look::Whole, Look::Whole];

fn mapping(options: &Options) -> &'static str {
    match options.value {
        LogValue::Latency => "end=1:ms, response=2:ns, op=3, size=4:bytes, lba=5:bytes",
        LogValue::Bandwidth => "time=1:ms, op=3, size=4:bytes, lba=5:bytes",
    }
}

/// The priority as fio has written it since 3.17: `0x0000`.
fn in_hex(head: &[u8]) -> bool {
    let mut lines = whole_lines(head).filter(|line| !is_comment(line));
    lines.next().is_some_and(|line| {
        let columns = Separator::Byte(b',').columns(line);
        matches!(columns.len(), 5 | 6)
            && columns.last().is_some_and(|last| last.starts_with(b"0x"))
            && columns[..4].iter().all(|field| field.iter().all(u8::is_ascii_digit))
    })
}

/// Six columns, or five of which the last is no priority: below 64 KiB of a device few requests of
/// many lie, and every priority does.
fn has_offset(head: &[u8]) -> bool {
    let rows = whole_lines(head).filter(|line| !is_comment(line));
    rows.map(|line| Separator::Byte(b',').columns(line)).any(|columns| match columns.len() {
        5 => columns[4].len() >= 5 && !columns[4].starts_with(b"0x"),
        count => count >= 6,
    })
}
