//! Those who asked something of the drive's file and are not answered yet.

use crate::desk::{Caller, Desk, FILE, Taken};
use crate::nbd::{Command, Replies, Request as Asked, check};
use crate::partial_write::PartialWrite;
use fuser::{Errno, ReplyData, ReplyEmpty, ReplyWrite};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those who asked something of the file and are not answered.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// By the mark on each; `None` when nobody is let in any more.
    all: Mutex<Option<BTreeMap<u64, Reply>>>,
    next: AtomicU64,
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
    /// Not yet: a part of a write was done.
    Part(Box<PartialWrite>),
}

impl Reply {
    /// With an error's number and the data, as [`Replies::Bare`] has them; what is to continue
    /// instead.
    pub(crate) fn send(self, answer: &[u8]) -> Option<Box<PartialWrite>> {
        let Some((error, data)) = answer.split_first_chunk::<4>() else {
            self.refuse(Errno::EIO);
            return None;
        };
        match (u32::from_be_bytes(*error), self) {
            (0, Self::Part(write)) => return Some(write),
            (0, Self::Data(reply, skip, length)) => reply.data(&data[skip..skip + length]),
            (0, Self::Written(reply, length)) => reply.written(length),
            (0, Self::Done(reply)) => reply.ok(),
            (error, reply) => reply.refuse(Errno::from_i32(error as i32)),
        }
        None
    }

    pub(crate) fn refuse(self, error: Errno) {
        match self {
            Self::Data(reply, ..) => reply.error(error),
            Self::Written(reply, _) => reply.error(error),
            Self::Done(reply) => reply.error(error),
            Self::Part(write) => write.reply.error(error),
        }
    }
}

impl Waiting {
    /// All of them; a thread that died in the middle left them as good as they were.
    pub(crate) fn replies(&self) -> MutexGuard<'_, Option<BTreeMap<u64, Reply>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the drive for what is next of a write of parts of sectors.
    pub(crate) fn go_on(&self, desk: &mut Desk, mut write: Box<PartialWrite>) {
        let asked = match write.next_read() {
            Some(place) => self.hand_in(desk, (Command::Read, place), &[], Reply::Part(write)),
            // With the rest of its sectors now: others may have written there since it was read.
            None => match desk.in_whole_sectors(write.offset, &write.data) {
                Ok((offset, whole)) => {
                    let place = (offset, whole.len() as u32);
                    let command = Command::Write { forced: write.forced };
                    let reply = Reply::Written(write.reply, write.data.len() as u32);
                    self.hand_in(desk, (command, place), &whole, reply)
                }
                Err(_) => Err((Reply::Part(write), Errno::EIO)),
            },
        };
        if let Err((reply, error)) = asked {
            reply.refuse(error);
        }
    }

    /// Asks the drive for a number of bytes at an offset; `reply` waits until it is
    /// done.
    ///
    /// # Errors
    /// It cannot be asked: who is to be notified, and why.
    pub(crate) fn hand_in(
        &self,
        desk: &mut Desk,
        (command, (offset, length)): (Command, (u64, u32)),
        data: &[u8],
        reply: Reply,
    ) -> Result<(), (Reply, Errno)> {
        let cookie = self.next.fetch_add(1, Ordering::Relaxed);
        let request = Asked { cookie, command, offset, length };
        if let Err(error) = check(&request, desk.export()) {
            return Err((reply, Errno::from_i32(error as i32)));
        }
        match &mut *self.replies() {
            Some(all) => all.insert(cookie, reply),
            None => return Err((reply, Errno::EIO)),
        };
        let after_late_ns = self.last_late_ns.load(Ordering::Relaxed);
        let caller = Caller { connection: FILE, replies: Replies::Bare, after_late_ns };
        if let Taken::Answered(answer) = desk.take(&request, data, &caller) {
            let reply = self.replies().as_mut().and_then(|all| all.remove(&cookie));
            // Only an error comes at once, after which nothing continues.
            reply.into_iter().for_each(|reply| drop(reply.send(&answer)));
        }
        Ok(())
    }
}
