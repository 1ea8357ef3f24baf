//! The block traces of Tencent's cloud: some 5,000 volumes, ten days of 2018.

use super::looks::{Look, like};
use super::table::{LINES, Separator, open_as};
use super::{Declared, Format};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "tencent",
    title: "Tencent block traces (SNIA 27917): a CSV without a heading",
    columns: &[
        ["Timestamp", "s since 1970", "when the request came"],
        ["Offset", "sectors of 512 bytes", "where it starts"],
        ["Size", "sectors of 512 bytes", "how long it is"],
        ["IOType", "", "`0` read, `1` write"],
        ["VolumeID", "", "the device"],
    ],
    silent: "Parts of a second: requests of one second arrive together, so that queues between them \
             are not what they were. How long anything took; who waits.",
    sniff: |head| {
        use Look::{Bit, Whole};
        // The logs of fio have five whole numbers, too, with a blank behind each comma.
        let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
        let spaced = first.contains(&b' ');
        !spaced && like(head, Separator::Byte(b','), &[Whole, Whole, Whole, Bit, Whole])
    },
    open: |source, _| {
        let mapping = "time=1:s, lba=2:sectors, size=3:sectors, op=4, device=5";
        open_as(source, Format::Tencent, mapping, &LINES)
    },
};
