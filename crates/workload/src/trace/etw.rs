//! Windows' disk events as `xperf -a dumper` prints them: also Microsoft's production servers.

use super::table::{LINES, Lines, Separator, open_as, whole_lines};
use super::{Declared, Format, Note};

/// The format, declared.
pub(super) const DECLARED: Declared = Declared {
    name: "etw",
    title: "Windows ETW as `xperf -a dumper` prints it; SNIA's Microsoft production servers",
    columns: &[
        ["DiskRead or DiskWrite", "", "what the line is; other events are left out and counted"],
        ["TimeStamp", "µs", "when the request was done"],
        ["ByteOffset", "bytes, hexadecimal", "where it starts"],
        ["IOSize", "bytes, hexadecimal", "how long it is"],
        ["ElapsedTime", "µs", "from its start to its end"],
        ["DiskNum", "", "the device"],
        ["DiskSvcTime", "µs", "the device's part of it; the rest is kept as queued"],
    ],
    silent: "Who waits. The lines `...Init` of the same request have no address and are left out.",
    sniff: |head| whole_lines(head).any(is_heading),
    open: |source, _| {
        let mapping = "op=DiskRead, end=TimeStamp:us, lba=ByteOffset:bytes, size=IOSize:bytes, \
                       response=ElapsedTime:us, device=DiskNum, service=DiskSvcTime:us";
        let lines = Lines {
            separator: Some(Separator::Byte(b',')),
            heading: Some(is_heading),
            skip: other_event,
            ..LINES
        };
        open_as(source, Format::Etw, mapping, &lines)
    },
};

fn first_two(line: &[u8]) -> [&[u8]; 2] {
    let mut fields = line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    [fields.next().unwrap_or_default(), fields.next().unwrap_or_default()]
}

/// The line that names the columns of reads; those of writes are the same.
fn is_heading(line: &[u8]) -> bool {
    first_two(line) == [&b"DiskRead"[..], b"TimeStamp"]
}

fn other_event(line: &[u8]) -> Option<Note> {
    match first_two(line) {
        [_, b"TimeStamp"] => Some(Note::HeaderLines),
        [b"DiskRead" | b"DiskWrite", _] => None,
        [b"DiskFlush", _] => Some(Note::Flushes),
        _ => Some(Note::OtherEvents),
    }
}
