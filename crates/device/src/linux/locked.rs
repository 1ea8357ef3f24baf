//! A file that only one run uses at a time.

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::fs::File;
use std::ops::Deref;

/// A file with the advisory lock that keeps a second run away from it; the lock ends with this
/// value, and with the process.
#[derive(Debug)]
pub(super) struct Locked(File);

impl Locked {
    /// Locks `file`, which nobody else may have locked.
    pub(super) fn new(file: File) -> Result<Self, Errno> {
        flock(&file, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self(file))
    }

    /// A file that needs no lock: it is only read, or the kernel keeps others away.
    pub(super) fn without(file: File) -> Self {
        Self(file)
    }
}

impl Deref for Locked {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing alone would not end it while a process that another thread just started, and that
        // has not reached its program yet, still holds a copy of the handle.
        let _ = flock(&self.0, FlockOperation::Unlock);
    }
}
