//! Messages for a trace whose bytes cannot be had.

use std::fs::FileType;
use std::io;
use std::os::unix::fs::FileTypeExt;

/// What is added to what is wrong with the last line of a text, where it has no end.
pub(super) const UNENDED: &str = "; the file ends within this line: if it is cut off, copy or fetch \
                                  it again, or leave the line out";

/// What is said of what is neither a file nor a folder.
pub(super) fn no_file(kind: FileType) -> &'static str {
    if kind.is_fifo() || kind.is_socket() {
        "is not a regular file but a pipe, and a trace is read more than once; write it to a file \
         first (`COMMAND > FILE`) and name that"
    } else {
        "is a device and no regular file; name a trace file"
    }
}

/// What is said of a file that cannot be read.
pub(super) fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "no permission to read it".into(),
        _ => format!("cannot be read: {error}"),
    }
}

/// What is said where no more bytes come of a file, packed with `packed` if it is.
pub(super) fn stopped(packed: Option<&str>, error: &io::Error) -> String {
    let Some(kind) = packed else { return unreadable(error) };
    if error.kind() == io::ErrorKind::OutOfMemory || error.to_string().contains("memory") {
        return format!(
            "cannot be unpacked: its {kind} data asks for more memory than is given ({error}); \
             unpack it and read that"
        );
    }
    let mut said = format!("cannot be unpacked: its {kind} data is cut off or damaged here");
    let reason = error.to_string();
    // An end that is too early says nothing beyond this, in the words of whoever unpacks.
    if error.kind() != io::ErrorKind::UnexpectedEof && !reason.contains("UnexpectedEof") {
        said += &format!(" ({reason})");
    }
    said + "; copy or fetch the file again, or unpack what can be had and read that"
}
