//! The traces of UMass (Financial, WebSearch), in the format of the Storage Performance Council.

use super::looks::{Look, begins_like};
use super::table::{LINES, Separator, open_as};
use super::{Declared, Format};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "spc",
    title: "SPC-1 and UMass (Financial, WebSearch): a CSV without a heading",
    columns: &[
        ["ASU", "", "application storage unit: the device"],
        ["LBA", "sectors of 512 bytes", "where it starts"],
        ["Size", "bytes", "how long it is"],
        ["Opcode", "", "`R` or `W`"],
        ["Timestamp", "s", "when the request came"],
    ],
    silent: "How long anything took; who waits. What stands behind the fifth column, as the format \
             allows, is not used.",
    sniff: |head| {
        use Look::{Letter, Point, Whole};
        begins_like(head, Separator::Byte(b','), &[Whole, Whole, Whole, Letter, Point])
    },
    open: |source, _| {
        let mapping = "device=1, lba=2:sectors, size=3:bytes, op=4, time=5:s";
        open_as(source, Format::Spc, mapping, &LINES)
    },
};
