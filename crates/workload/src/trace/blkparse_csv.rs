//! Requests in a CSV with the words of blkparse: what `trace convert` writes for spreadsheets.

use super::table::{LINES, Separator, is_comment, open_as, whole_lines};
use super::{Declared, Format};

/// The heading.
pub(super) const HEADING: &str = "time_s,device,rwbs,sector,sectors,queued_ms,service_ms";

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "blkparse-csv",
    title: "A CSV with the words of blkparse, one row per request",
    columns: &[
        ["time_s", "s", "when the request came (its Q)"],
        ["device", "", "its number"],
        ["rwbs", "", "`R` or `W`, then `A` (read-ahead), `S` (somebody waits)"],
        ["sector", "sectors of 512 bytes", "first sector"],
        ["sectors", "sectors of 512 bytes", "length"],
        ["queued_ms", "ms", "from Q to D; empty if unknown"],
        ["service_ms", "ms", "from D to C; empty if unknown"],
    ],
    silent: "Whether nobody waits for a write.",
    sniff: |head| {
        let heading = whole_lines(head).find(|line| !is_comment(line)).unwrap_or_default();
        Separator::Byte(b',').columns(heading) == Separator::Byte(b',').columns(HEADING.as_bytes())
    },
    open: |source, _| {
        let mapping = "time=time_s:s, device=device, op=rwbs, lba=sector:sectors, \
                       size=sectors:sectors, queued=queued_ms:ms, service=service_ms:ms";
        open_as(source, Format::BlkparseCsv, mapping, &LINES)
    },
};
