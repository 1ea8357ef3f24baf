//! The operation of a request, from any usual word for it.

use super::Note;
use super::blkreplay::{LineKind, kind};
use super::text::shown;
use crate::Criticality;
use platterlab_units::Operation;

/// What a word in a column of operations says.
pub(super) fn operation(field: &[u8]) -> Result<LineKind, String> {
    let plain = |operation| Ok(LineKind::Data(operation, Criticality::Unknown));
    match field {
        [b'R' | b'r' | b'0'] => return plain(Operation::Read),
        [b'W' | b'w' | b'1'] => return plain(Operation::Write),
        _ => {}
    }
    let word = field.to_ascii_lowercase();
    let has = |part: &[u8]| word.windows(part.len()).any(|window| window == part);
    // The opcodes are those of SCSI: READ and WRITE of 6, 10, 12, 16 bytes.
    match word.as_slice() {
        b"rd" | b"0x8" | b"0x08" | b"0x28" | b"0xa8" | b"0x88" => return plain(Operation::Read),
        b"wr" | b"0xa" | b"0x0a" | b"0x2a" | b"0xaa" | b"0x8a" => return plain(Operation::Write),
        _ if has(b"write") => return plain(Operation::Write),
        _ if has(b"read") => return plain(Operation::Read),
        b"2" | b"trim" | b"discard" | b"unmap" | b"erase" => {
            return Ok(LineKind::Other(Note::Discards));
        }
        b"sync" | b"fsync" | b"datasync" | b"fdatasync" | b"flush" => {
            return Ok(LineKind::Other(Note::Flushes));
        }
        _ => {}
    }
    // The letters of blktrace: RA, WS, FWFS, DS.
    kind(field).map_err(|_| {
        format!(
            "`{}` says neither read nor write; write R or W, read or write, 0 or 1, or say which \
             word means a read: op=COLUMN:WORD",
            shown(field)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(word: &str) -> Option<Operation> {
        match operation(word.as_bytes()) {
            Ok(LineKind::Data(operation, _)) => Some(operation),
            _ => None,
        }
    }

    #[test]
    fn usual_spellings_are_understood() {
        for word in ["R", "r", "0", "Read", "READ", "DiskRead", "RA", "RS", "rd", "pread64", "0x28"]
        {
            assert_eq!(said(word), Some(Operation::Read), "{word}");
        }
        for word in ["W", "w", "1", "write", "DiskWrite", "WS", "FWFS", "wr", "0x2A", "randwrite"] {
            assert_eq!(said(word), Some(Operation::Write), "{word}");
        }
        for (word, note) in
            [("D", Note::Discards), ("trim", Note::Discards), ("fsync", Note::Flushes)]
        {
            assert!(matches!(operation(word.as_bytes()), Ok(LineKind::Other(n)) if n == note));
        }
        for word in ["", "x", "open", "?"] {
            assert!(operation(word.as_bytes()).is_err(), "{word}");
        }
    }
}
