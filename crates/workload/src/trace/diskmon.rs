//! Logs of Sysinternals DiskMon.

use super::table::{LINES, Lines, Separator, is_comment, open_as, starts_a_number, whole_lines};
use super::{Declared, Format};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "diskmon",
    title: "Sysinternals DiskMon: columns between tabs (or commas)",
    columns: &[
        ["#", "", "the number of the row; not used"],
        ["Time", "s", "when the request came, from the first"],
        ["Duration (s)", "s", "from its start to its end"],
        ["Disk", "", "the device"],
        ["Request", "", "`Read` or `Write`"],
        ["Sector", "sectors of 512 bytes", "where it starts"],
        ["Length", "sectors of 512 bytes", "how long it is"],
    ],
    silent: "How much of a duration was waiting: it is kept as one time. A list whose column of times \
             was set to the time of day is not read. Who waits.",
    sniff: |head| row(head).is_some(),
    open: |source, _| {
        let mut source = source;
        let separator = row(source.peek()?).unwrap_or(Separator::Byte(b'\t'));
        let mapping = "time=2:s, response=3:s, device=4, op=5, lba=6:sectors, size=7:sectors";
        let lines = Lines { separator: Some(separator), ..LINES };
        open_as(source, Format::Diskmon, mapping, &lines)
    },
};

/// The separator of the rows, if the first, or the one below a heading, is one.
fn row(head: &[u8]) -> Option<Separator> {
    let lines: Vec<_> = whole_lines(head).filter(|line| !is_comment(line)).take(2).collect();
    let is_row = |separator: Separator, line: &[u8]| {
        let columns = separator.columns(line);
        columns.len() == 7
            && [0, 1, 2, 3, 5, 6].iter().all(|at| starts_a_number(columns[*at]))
            && columns[0].iter().all(u8::is_ascii_digit)
            && [&b"Read"[..], b"Write"].contains(&columns[4])
    };
    let separators = [Separator::Byte(b'\t'), Separator::Byte(b',')];
    separators.into_iter().find(|separator| lines.iter().any(|line| is_row(*separator, line)))
}
