//! The table of `biosnoop`, of BCC and of its kin in C.

use super::table::{Lines, Separator, is_comment, open_as, whole_lines};
use super::{Declared, Format, Note, Position};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "biosnoop",
    title: "biosnoop (BCC, libbpf-tools): columns between blanks",
    columns: &[
        ["TIME(s)", "s", "when the request was done, from the first"],
        ["COMM", "", "not used; it may hold blanks"],
        ["PID", "", "not used"],
        ["DISK", "", "the device, by name"],
        ["T", "", "`R`, `W`, or the letters of blktrace"],
        ["SECTOR", "sectors of 512 bytes", "where it starts"],
        ["BYTES", "bytes", "how long it is"],
        ["QUE(ms)", "ms", "how long it waited for its issue (`-Q`); may be missing"],
        ["LAT(ms)", "ms", "from issue to completion"],
    ],
    silent: "Requests under way when it began have their arrival put at the beginning. The script of \
             the name for bpftrace prints no addresses, so that its table is not a trace.",
    sniff: |head| heading(head).is_some(),
    open: |source, _| {
        let mut source = source;
        let Some(columns) = heading(source.peek()?) else {
            let what = "has no heading with TIME(s), COMM, PID, DISK, T, SECTOR, BYTES, LAT(ms)";
            return Err(source.error(Position::File, what));
        };
        if !columns.iter().any(|name| name == "SECTOR") {
            let what = "is a table of latencies without SECTOR and BYTES, as bpftrace's biosnoop.bt \
                        prints it: no trace of requests; record one with biosnoop of bcc-tools, or \
                        with blktrace";
            return Err(source.error(Position::File, what));
        }
        let queued =
            if columns.iter().any(|n| n == "QUE(ms)") { ", queued=QUE(ms):ms" } else { "" };
        let mapping = format!(
            "end=TIME(s):s, device=DISK, op=T, lba=SECTOR:sectors, size=BYTES:bytes, \
             service=LAT(ms):ms{queued}"
        );
        let lines = Lines {
            separator: Some(Separator::Blanks),
            heading: Some(is_heading),
            skip: repeated,
            wide: Some("COMM"),
        };
        open_as(source, Format::Biosnoop, &mapping, &lines)
    },
};

fn is_heading(line: &[u8]) -> bool {
    line.trim_ascii().starts_with(b"TIME(")
        && [b"LAT(ms)", b"   DISK"].iter().any(|word| line.windows(7).any(|part| part == *word))
}

/// The heading, printed once more, or what the tool says while it starts.
fn repeated(line: &[u8]) -> Option<Note> {
    (is_heading(line) || line.starts_with(b"Tracing")).then_some(Note::HeaderLines)
}

/// The names of the columns.
fn heading(head: &[u8]) -> Option<Vec<String>> {
    let mut lines = whole_lines(head).filter(|line| !is_comment(line)).take(4);
    let line = lines.find(|line| is_heading(line))?;
    let names = Separator::Blanks.columns(line);
    Some(names.into_iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}
