//! The block traces of Alibaba's cloud: 1,000 volumes, a month of 2020.

use super::looks::{Look, like};
use super::table::{LINES, Separator, open_as};
use super::{Declared, Format};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "alibaba",
    title: "Alibaba block traces: a CSV without a heading",
    columns: &[
        ["device_id", "", "the volume"],
        ["opcode", "", "`R` or `W`"],
        ["offset", "bytes", "where it starts"],
        ["length", "bytes", "how long it is"],
        ["timestamp", "µs since 1970", "when the request came"],
    ],
    silent: "How long anything took; who waits.",
    sniff: |head| {
        use Look::{Letter, Whole};
        like(head, Separator::Byte(b','), &[Whole, Letter, Whole, Whole, Whole])
    },
    open: |source, _| {
        let mapping = "device=1, op=2, lba=3:bytes, size=4:bytes, time=5:us";
        open_as(source, Format::Alibaba, mapping, &LINES)
    },
};
