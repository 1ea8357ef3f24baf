//! The meaning of the system's error numbers for a transfer or an open, and the way out.

use super::denied::{self, Wish};
use crate::DeviceError;
use rustix::io::Errno;
use std::path::Path;

/// What was there is not any more; of a file, the last two: the server of its file system is gone.
const GONE: [Errno; 3] = [Errno::SHUTDOWN, Errno::NOTCONN, Errno::CONNABORTED];

/// What a failed transfer means for the device.
pub(super) fn transfer(name: String, lba: u64, sectors: u32, errno: Errno) -> DeviceError {
    let missing = [Errno::NXIO, Errno::NODEV, Errno::NOMEDIUM];
    if missing.contains(&errno) || GONE.contains(&errno) {
        return DeviceError::Gone { name };
    }
    let media = [Errno::IO, Errno::NODATA, Errno::REMOTEIO, Errno::ILSEQ, Errno::TIMEDOUT];
    if media.contains(&errno) {
        return DeviceError::Io { name, lba, sectors };
    }
    let what = if errno == Errno::NOSPC {
        "no space is left behind it; free some on the file system that holds it".to_owned()
    } else {
        format!("sector {lba} (+{sectors}): {errno}")
    };
    DeviceError::Failed { name, what }
}

/// What a failed open means, and the way out.
pub(super) fn open(path: &Path, wish: Wish, errno: Errno) -> DeviceError {
    let what = match errno {
        Errno::NOENT => "there is no such device or file".to_owned(),
        Errno::LOOP => "its name is a link that leads back to itself".to_owned(),
        Errno::ACCESS | Errno::PERM | Errno::ROFS => denied::why(path, wish, errno),
        Errno::NXIO | Errno::NOMEDIUM => "there is no medium or no device behind it".to_owned(),
        Errno::BUSY | Errno::AGAIN => {
            "it is in use; unmount it and stop whatever holds it".to_owned()
        }
        gone if GONE.contains(&gone) => {
            return DeviceError::Gone { name: path.display().to_string() };
        }
        other => format!("cannot be opened: {other}"),
    };
    DeviceError::Other { name: path.display().to_string(), what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_open_says_the_way_out() {
        let message = |errno| open(Path::new("/dev/sdx"), Wish::Read, errno).to_string();
        assert!(message(Errno::LOOP).contains("a link"));
        assert!(message(Errno::NOTCONN).contains("the device is gone"));
        assert!(message(Errno::BUSY).contains("unmount it"));
        assert!(message(Errno::NOMEDIUM).contains("no medium"));
    }

    #[test]
    fn a_failed_transfer_says_what_became_of_the_device() {
        let error = |errno| transfer("/dev/sdx".to_owned(), 7, 2, errno);
        let name = "/dev/sdx".to_owned();
        assert_eq!(error(Errno::IO), DeviceError::Io { name: name.clone(), lba: 7, sectors: 2 });
        assert_eq!(error(Errno::NODEV), DeviceError::Gone { name: name.clone() });
        assert_eq!(error(Errno::NOTCONN), DeviceError::Gone { name });
        assert!(matches!(error(Errno::NOMEM), DeviceError::Failed { .. }));
        assert!(error(Errno::NOSPC).to_string().contains("free some"));
    }
}
