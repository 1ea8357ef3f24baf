//! Those who asked something of the drive's file and are not answered yet.

use fuser::{Errno, ReplyData, ReplyEmpty, ReplyWrite};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those who asked something of the file and are not answered.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// By the mark on each; `None` when nobody is let in any more.
    all: Mutex<Option<BTreeMap<u64, Reply>>>,
    pub(crate) next: AtomicU64,
    /// How late, by the host's fault, the last answer went out.
    pub(crate) last_late_ns: AtomicU64,
}

/// How one of them is answered.
#[derive(Debug)]
pub(crate) enum Reply {
    /// With these of the bytes that were read.
    Data(ReplyData, usize, usize),
    Written(ReplyWrite, u32),
    Done(ReplyEmpty),
}

impl Reply {
    /// With an error's number and the data, as [`crate::nbd::Replies::Bare`] has them.
    pub(crate) fn send(self, answer: &[u8]) {
        let Some((error, data)) = answer.split_first_chunk::<4>() else {
            return self.refuse(Errno::EIO);
        };
        match (u32::from_be_bytes(*error), self) {
            (0, Self::Data(reply, skip, length)) => reply.data(&data[skip..skip + length]),
            (0, Self::Written(reply, length)) => reply.written(length),
            (0, Self::Done(reply)) => reply.ok(),
            (error, reply) => reply.refuse(Errno::from_i32(error as i32)),
        }
    }

    pub(crate) fn refuse(self, error: Errno) {
        match self {
            Self::Data(reply, ..) => reply.error(error),
            Self::Written(reply, _) => reply.error(error),
            Self::Done(reply) => reply.error(error),
        }
    }
}

impl Waiting {
    /// All of them; a thread that died in the middle left them as good as they were.
    pub(crate) fn replies(&self) -> MutexGuard<'_, Option<BTreeMap<u64, Reply>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
