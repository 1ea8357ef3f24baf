//! Leases on regular files: the kernel reports, and holds up, whoever else opens one.

#![allow(unsafe_code)] // rustix has no call for leases.

use rustix::io::Errno;
use std::fs::File;
use std::os::fd::AsRawFd;

/// The command to choose a signal, by Linux's `asm-generic/fcntl.h`; the libc crate lacks it.
const F_SETSIG: libc::c_int = 10;

/// Takes a lease on a file that this process alone has open, through `file` alone: whoever opens it
/// from now on waits until the lease is given back, or for as long as the kernel lets him
/// (`/proc/sys/fs/lease-break-time`). It ends with `file`.
///
/// # Errors
/// `AGAIN` if somebody has it open; others where the file system knows no leases, or the file is
/// another user's.
pub(super) fn take(file: &File) -> Result<(), Errno> {
    // The kernel reports somebody who waits by a signal, and the one it sends where no other is
    // chosen would end the process. Nobody minds this one.
    call(file, F_SETSIG, libc::SIGURG)?;
    call(file, libc::F_SETLEASE, libc::F_WRLCK).map(|_| ())
}

/// Whether nobody waits for a lease that was taken.
pub(super) fn holds(file: &File) -> bool {
    call(file, libc::F_GETLEASE, 0) == Ok(libc::F_WRLCK)
}

/// Gives a lease back.
pub(super) fn give_back(file: &File) {
    // What fails here ends with the file, or by the kernel's patience.
    let _ = call(file, libc::F_SETLEASE, libc::F_UNLCK);
}

fn call(file: &File, command: libc::c_int, argument: libc::c_int) -> Result<libc::c_int, Errno> {
    // SAFETY: `file` is open for as long as the call takes, and each of the three commands that are
    // passed here takes a number, and no pointer.
    match unsafe { libc::fcntl(file.as_raw_fd(), command, argument) } {
        -1 => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)),
        answer => Ok(answer),
    }
}
