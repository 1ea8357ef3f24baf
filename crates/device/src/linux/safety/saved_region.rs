//! A region that may be written, together with the journal of what was in it.

use super::compare::compare;
use super::flight::Flight;
use super::guard::Guard;
use super::journal::Journal;
use super::region::Region;
use super::sectors::Sectors;
use crate::DeviceError;
use crate::linux::target::Target;
use std::fs::File;
use std::io;
use std::path::PathBuf;

/// The region of a device that may be written, and what was in it before.
#[derive(Debug)]
pub(in crate::linux) struct SavedRegion {
    name: String,
    journal: Journal,
    guard: Guard,
    /// The request that failed; there is none after it.
    failed: Option<Region>,
    /// Who came in between; there is no request after that either.
    intruder: Option<String>,
}

/// How a device was left that was written. Nothing is written back at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// Sectors of the region that are not what was read at the start, though no request that
    /// failed was to write them: somebody else wrote them.
    pub changed: Sectors,
    /// Sectors that a request which failed may have left damaged, or that cannot be read. Their
    /// content is in the journal.
    pub damaged: Sectors,
    /// The journal, where it is kept: where there are damaged ones.
    pub journal: Option<PathBuf>,
}

impl SavedRegion {
    pub(super) fn new(target: &Target, journal: Journal, guard: Guard) -> Self {
        Self { name: target.name(), journal, guard, failed: None, intruder: None }
    }

    pub(in crate::linux) fn region(&self) -> Region {
        self.journal.header().region
    }

    /// Refuses to continue once a write has failed, or another process has come in between.
    pub(in crate::linux) fn may_go_on(
        &mut self,
        target: &Target,
        file: &File,
    ) -> Result<(), DeviceError> {
        let refuse = |what: String| Err(DeviceError::Other { name: target.name(), what });
        if let Some(failed) = self.failed {
            return refuse(format!("nothing more is written since {failed} could not be"));
        }
        if self.intruder.is_none() {
            self.intruder = self.guard.intruder(target, file);
        }
        match &self.intruder {
            None => Ok(()),
            Some(who) => refuse(format!(
                "{who} has opened it to write while it was measured, so nothing more is written; \
                 end that, or say --even-if-open"
            )),
        }
    }

    /// Says that a request is about to be sent, and gives what is to be written.
    pub(in crate::linux) fn begin(
        &mut self,
        request: Region,
        bytes: &mut [u8],
    ) -> Result<(), DeviceError> {
        let loaded = self.journal.load(request.first, bytes);
        let noted = loaded.and_then(|()| self.journal.note(Some(request)));
        noted.map_err(|error| self.unkept(&error))
    }

    /// Says that it is done, or that it failed and may have left anything.
    pub(in crate::linux) fn end(&mut self, request: Region, done: bool) -> Result<(), DeviceError> {
        if !done {
            self.failed = Some(request);
            return Ok(());
        }
        let noted = self.journal.note(None);
        noted.map_err(|error| self.unkept(&error))
    }

    fn unkept(&self, error: &io::Error) -> DeviceError {
        DeviceError::Other {
            name: self.name.clone(),
            what: format!("nothing more is written; {}: {error}", self.journal.path().display()),
        }
    }

    /// Compares the region with what was saved, and removes the journal unless there is something
    /// to repair.
    pub(in crate::linux) fn settle(
        self,
        target: &Target,
        device: &File,
    ) -> Result<Finished, DeviceError> {
        let path = self.journal.path().to_owned();
        let other = |what: String| DeviceError::Other { name: target.name(), what };
        let found = compare(&self.journal, Flight::Known(self.failed), target, device);
        let found = found.map_err(|error| {
            let way_out = way_out(target);
            other(format!("{error}; what was read of it is kept in {}; {way_out}", path.display()))
        })?;
        let damaged = found.in_flight.and(&found.unreadable);
        if !damaged.is_empty() {
            return Ok(Finished { changed: found.elsewhere, damaged, journal: Some(path) });
        }
        self.journal.remove().map_err(|error| {
            other(format!("is as it was, but {} cannot be removed: {error}", path.display()))
        })?;
        Ok(Finished { changed: found.elsewhere, damaged, journal: None })
    }
}

/// What to do about a region that may be damaged.
pub(super) fn way_out(target: &Target) -> String {
    format!("run `platterlab characterize {} --repair`", target.name())
}
