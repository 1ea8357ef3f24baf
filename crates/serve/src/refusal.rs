//! Messages where the system does not let us listen or keep data: why, and what would be right.

use std::io;
use std::net::SocketAddr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The longest path that a socket of this system can have, in bytes.
const LONGEST_PATH: usize = 107;

/// The refusal of a socket at `path`; its kind stays.
pub(crate) fn of_socket(path: &Path, error: io::Error) -> io::Error {
    let folder = folder_of(path);
    let length = path.as_os_str().as_bytes().len();
    let shown = folder.display();
    let said = match error.kind() {
        _ if length > LONGEST_PATH => format!(
            "the path of a socket has at most {LONGEST_PATH} bytes, and this one {length}; name a \
             shorter one, as in /tmp, or go to its folder and name the socket alone"
        ),
        io::ErrorKind::PermissionDenied => format!(
            "no permission to have a socket there; name one in a folder that you may write to \
             ({shown} is not, or another user's server holds it)"
        ),
        io::ErrorKind::AddrInUse => "another server listens there; name another socket".to_owned(),
        kind => match of_folder(folder, kind, "socket") {
            Some(said) => said,
            None => return error,
        },
    };
    io::Error::new(error.kind(), said)
}

/// The refusal of a file at `path` that is to hold a drive's data; its kind stays.
pub(crate) fn of_store(path: &Path, error: io::Error) -> io::Error {
    let said = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "no permission to write to it; name a file of yours".to_owned()
        }
        kind => match of_folder(folder_of(path), kind, "file") {
            Some(said) => said,
            None => return error,
        },
    };
    io::Error::new(error.kind(), said)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Why there can be no `what` in a folder, if it is for the folder.
fn of_folder(folder: &Path, kind: io::ErrorKind, what: &str) -> Option<String> {
    let shown = folder.display();
    Some(match kind {
        io::ErrorKind::NotFound if folder.is_dir() => {
            format!("there can be no {what} in {shown}; name another folder, as /tmp")
        }
        io::ErrorKind::NotFound => format!("there is no folder {shown}; make it, or name another"),
        io::ErrorKind::NotADirectory => format!("{shown} is not a folder; name another place"),
        io::ErrorKind::ReadOnlyFilesystem => {
            format!("{shown} is read-only; name another folder, as /tmp")
        }
        _ => return None,
    })
}

/// The refusal of a port.
pub(crate) fn of_port(address: SocketAddr, error: io::Error) -> io::Error {
    let said = match error.kind() {
        io::ErrorKind::AddrInUse => {
            "another program listens there; name another port, or 0 for any free one".to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            "this port is for root alone; name one from 1024 on, or 0 for any free one".to_owned()
        }
        io::ErrorKind::AddrNotAvailable => {
            format!("{} is not an address of this machine; `ip addr` lists those", address.ip())
        }
        _ => return error,
    };
    io::Error::new(error.kind(), said)
}
