//! The traces of MSR Cambridge: 36 volumes of 13 servers, a week of 2007.

use super::looks::{Look, like};
use super::table::{LINES, Separator, open_as};
use super::{Declared, Format};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "msr-cambridge",
    title: "MSR Cambridge (SNIA 388): a CSV without a heading",
    columns: &[
        ["Timestamp", "100 ns since 1601", "when the request was issued"],
        ["Hostname", "", "not used: a file is of one host"],
        ["DiskNumber", "", "the device"],
        ["Type", "", "`Read` or `Write`"],
        ["Offset", "bytes", "where it starts"],
        ["Size", "bytes", "how long it is"],
        ["ResponseTime", "100 ns", "from issue to completion, as the host saw it"],
    ],
    silent: "How much of a response was waiting: it is kept as one time. Who waits.",
    sniff: |head| {
        use Look::{Clock, Text, Whole, Word};
        like(head, Separator::Byte(b','), &[Clock, Text, Whole, Word, Whole, Whole, Whole])
    },
    open: |source, _| {
        let mapping = "time=1:100ns, device=3, op=4, lba=5:bytes, size=6:bytes, response=7:100ns";
        open_as(source, Format::MsrCambridge, mapping, &LINES)
    },
};
