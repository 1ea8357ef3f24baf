//! State that the thread of a drive shares with those who ask something of it.

use crate::desk::Desk;
use rustix::event::{EventfdFlags, eventfd};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the thread of a drive and those who ask something of it share.
#[derive(Debug)]
pub(crate) struct Shared {
    desk: Mutex<Option<Desk>>,
    /// Whether it is to end.
    pub(crate) stop: AtomicBool,
    /// Readable when there is something to look at.
    pub(crate) wake: OwnedFd,
}

impl Shared {
    /// With no desk yet.
    ///
    /// # Errors
    /// The system has no descriptor to give.
    pub(crate) fn new() -> io::Result<Self> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self { desk: Mutex::new(None), stop: AtomicBool::new(false), wake })
    }

    /// The desk; a thread that died in the middle left it as good as it was.
    pub(crate) fn desk(&self) -> MutexGuard<'_, Option<Desk>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the thread look.
    pub(crate) fn wake(&self) {
        // It can only be full, and then the thread is awake.
        let _ = rustix::io::write(&self.wake, &1_u64.to_ne_bytes());
    }
}
