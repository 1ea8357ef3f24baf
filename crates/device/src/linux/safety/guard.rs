//! Notices another process that opens a target while it may be written.
//!
//! A write writes what was read before, so it would undo what somebody else has written since. Of a
//! regular file a lease keeps others waiting until the run has stopped. The kernel has none for
//! block devices: there a watch reports others that opened one to write, before each request.

use super::others;
use crate::linux::lease;
use crate::linux::target::{Kind, Target};
use rustix::fd::OwnedFd;
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;
use std::fs::File;
use std::mem::MaybeUninit;

/// Bytes of events taken at a time.
const EVENTS_BYTES: usize = 4096;

/// Keeps watch over a target.
#[derive(Debug)]
pub(in crate::linux) enum Guard {
    /// Its user was content that others may have it open.
    Off,
    Lease,
    Watch(Watch),
}

impl Guard {
    /// Begins to watch a target that only `file` has open.
    ///
    /// # Errors
    /// What speaks against it: somebody has it open, or it cannot be watched.
    pub(super) fn set(target: &Target, file: &File) -> Result<Self, String> {
        if matches!(target.kind, Kind::File { .. }) {
            match lease::take(file) {
                Ok(()) => return Ok(Self::Lease),
                Err(Errno::AGAIN) => return Err("another process".to_owned()),
                Err(_) => {} // no leases there
            }
        }
        Watch::set(target).map(Self::Watch).map_err(|errno| format!("whoever ({errno})"))
    }

    /// Who has come in between, if anyone has. He is let in.
    pub(in crate::linux) fn intruder(&mut self, target: &Target, file: &File) -> Option<String> {
        match self {
            Self::Off => None,
            Self::Lease if lease::holds(file) => None,
            Self::Lease => {
                lease::give_back(file);
                *self = Self::Off;
                Some("another process".to_owned())
            }
            Self::Watch(watch) => watch.intruder(target),
        }
    }
}

/// Tells of every open and close of a target.
#[derive(Debug)]
pub(in crate::linux) struct Watch {
    events: OwnedFd,
    /// Open descriptions that others have, all of them to read.
    readers: usize,
}

/// What happened since the last look.
#[derive(Default)]
struct Happened {
    opened: usize,
    closed_readers: usize,
    wrote: bool,
}

impl Watch {
    fn set(target: &Target) -> Result<Self, Errno> {
        let events = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
        let what = WatchFlags::OPEN | WatchFlags::CLOSE_WRITE | WatchFlags::CLOSE_NOWRITE;
        for path in others::paths(target) {
            inotify::add_watch(&events, &path, what)?;
        }
        Ok(Self { events, readers: 0 })
    }

    fn intruder(&mut self, target: &Target) -> Option<String> {
        let happened = self.look();
        let anonymous = || Some("another process".to_owned());
        if happened.wrote {
            return anonymous();
        }
        self.readers = (self.readers + happened.opened).saturating_sub(happened.closed_readers);
        if happened.opened == 0 || self.readers == 0 {
            return None;
        }
        let others = others::now(target);
        if let Some(writer) = others.iter().find(|other| other.writes) {
            return Some(writer.to_string());
        }
        // Whoever has closed it meanwhile says by that whether he could write.
        let later = self.look();
        self.readers = (self.readers + later.opened).saturating_sub(later.closed_readers);
        if later.wrote || self.readers > others.len() { anonymous() } else { None }
    }

    fn look(&self) -> Happened {
        let mut happened = Happened::default();
        let mut memory = [MaybeUninit::uninit(); EVENTS_BYTES];
        let mut reader = inotify::Reader::new(&self.events, &mut memory);
        while let Ok(event) = reader.next() {
            let what = event.events();
            happened.opened += usize::from(what.contains(ReadFlags::OPEN));
            happened.closed_readers += usize::from(what.contains(ReadFlags::CLOSE_NOWRITE));
            // Events that were lost may have been anything.
            let gone = ReadFlags::CLOSE_WRITE | ReadFlags::QUEUE_OVERFLOW;
            happened.wrote |= what.intersects(gone);
        }
        happened
    }
}
