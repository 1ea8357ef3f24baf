//! The traces of a virtual desktop infrastructure that were published at SYSTOR 2017.

use super::looks::{Look, like};
use super::table::{LINES, Lines, Separator, open_as};
use super::{Declared, Format, Note};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "systor17",
    title: "SYSTOR '17 (SNIA 4964): a virtual desktop infrastructure, a CSV per LUN and hour",
    columns: &[
        ["Timestamp", "s since 1970", "when the request was issued, to the microsecond"],
        ["Response", "s", "from issue to completion"],
        ["IOType", "", "`R`, `W`, or nothing where no answer came"],
        ["LUN", "", "the device"],
        ["Offset", "bytes", "where it starts"],
        ["Size", "bytes", "how long it is"],
    ],
    silent: "How much of a response was waiting: it is kept as one time. What was never answered is \
             left out and counted. Who waits.",
    sniff: |head| {
        use Look::{LetterOrNone, Number, Point, Whole};
        like(head, Separator::Byte(b','), &[Point, Number, LetterOrNone, Whole, Whole, Whole])
    },
    open: |source, _| {
        let mapping = "time=1:s, response=2:s, op=3, device=4, lba=5:bytes, size=6:bytes";
        let lines = Lines { skip: unanswered, ..LINES };
        open_as(source, Format::Systor17, mapping, &lines)
    },
};

fn unanswered(line: &[u8]) -> Option<Note> {
    let operation = line.split(|byte| *byte == b',').nth(2)?;
    operation.trim_ascii().is_empty().then_some(Note::Unanswered)
}
