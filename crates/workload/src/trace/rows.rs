//! Our own per-request rows, as `simulate --per-request FILE.csv` and `--requests` write them.

use super::table::{LINES, Separator, is_comment, open_as, whole_lines};
use super::{Declared, Format};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "rows",
    title: "Platterlab's own per-request rows, as CSV",
    columns: &[
        ["arrival_ms", "ms", "when the request came"],
        ["queue_ms", "ms", "from arrival to issue; of a system's requests there is none"],
        ["service_ms", "ms", "from issue to completion; of a system's requests `response_ms`"],
        ["lba", "sectors, taken as of 512 bytes", "first sector"],
        ["sectors", "sectors, taken as of 512 bytes", "length"],
        ["device", "", "its number; of a system's requests `volume`"],
        ["operation", "", "`read` or `write`"],
    ],
    silent: "The size of a sector: rows of a drive with others than 512 bytes have addresses in those. \
             Who waits.",
    sniff: |head| of_volumes(head).is_some(),
    open: |source, _| {
        let mut source = source;
        let volumes = of_volumes(source.peek()?) == Some(true);
        open_as(source, Format::Rows, mapping(volumes), &LINES)
    },
};

/// Whether the rows are requests to volumes rather than commands to drives; `None` if neither.
fn of_volumes(head: &[u8]) -> Option<bool> {
    let line = whole_lines(head).find(|line| !is_comment(line))?;
    let columns = Separator::Byte(b',').columns(line);
    of_columns(|name| columns.contains(&name.as_bytes()))
}

/// The same of a table that `has` columns of such names.
pub(super) fn of_columns(has: impl Fn(&str) -> bool) -> Option<bool> {
    let all = |names: &[&str]| names.iter().all(|name| has(name));
    if !all(&["arrival_ms", "response_ms", "lba", "sectors", "operation"]) {
        return None;
    }
    if has("volume") { Some(true) } else { all(&["device", "queue_ms"]).then_some(false) }
}

/// Which column is what, of requests to volumes or of commands to drives.
pub(super) fn mapping(volumes: bool) -> &'static str {
    if volumes {
        "time=arrival_ms:ms, lba=lba:sectors, size=sectors:sectors, op=operation, device=volume, \
         response=response_ms:ms"
    } else {
        "time=arrival_ms:ms, lba=lba:sectors, size=sectors:sectors, op=operation, device=device, \
         queued=queue_ms:ms, service=service_ms:ms"
    }
}
