//! Differences between a region on its device and the journal's copy, sector by sector.

use super::flight::Flight;
use super::journal::Journal;
use super::sectors::Sectors;
use crate::DeviceError;
use crate::linux::buffer::AlignedBuffer;
use crate::linux::target::{Target, errno_of};
use rustix::io::pread;
use std::fs::File;

/// How a region differs from what was saved of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Differences {
    /// Sectors of the request in flight that are not as saved.
    pub(super) in_flight: Sectors,
    /// Sectors that cannot be read, wherever they are: one cut off in mid-write reads as an error
    /// until it is written again.
    pub(super) unreadable: Sectors,
    /// Others that are not as saved. A run writes what it has read, so somebody else wrote these.
    pub(super) elsewhere: Sectors,
    /// Sectors outside the request in flight that are as saved.
    pub(super) same: u64,
}

impl Differences {
    pub(super) fn is_none(&self) -> bool {
        self.in_flight.is_empty() && self.unreadable.is_empty() && self.elsewhere.is_empty()
    }
}

/// Compares a region with what was saved of it. Writes nothing.
///
/// # Errors
/// A device that is gone, or ends before the region; a journal that cannot be read.
pub(super) fn compare(
    journal: &Journal,
    flight: Flight,
    target: &Target,
    device: &File,
) -> Result<Differences, DeviceError> {
    let mut work = Comparison {
        journal,
        flight,
        target,
        device,
        saved: Vec::new(),
        there: AlignedBuffer::default(),
        found: Differences::default(),
    };
    for (lba, bytes) in journal.chunks() {
        work.part(lba, bytes)?;
    }
    Ok(work.found)
}

struct Comparison<'a> {
    journal: &'a Journal,
    flight: Flight,
    target: &'a Target,
    device: &'a File,
    saved: Vec<u8>,
    there: AlignedBuffer,
    found: Differences,
}

impl Comparison<'_> {
    /// Compares a part; one that cannot be read as a whole is read in halves.
    fn part(&mut self, lba: u64, bytes: u64) -> Result<(), DeviceError> {
        let unit = u64::from(self.target.logical_bytes);
        let there = self.there.bytes(bytes as usize);
        let failure = match pread(self.device, &mut *there, lba * unit) {
            Ok(done) if done as u64 == bytes => return self.differing(lba, bytes),
            Ok(_) => return Err(self.other(format!("it ends before sector {lba} by now"))),
            Err(errno) => self.target.failed(lba, (bytes / unit) as u32, errno),
        };
        if !matches!(failure, DeviceError::Io { .. }) {
            return Err(failure);
        }
        if bytes <= unit {
            self.found.unreadable.push(lba, 1);
            return Ok(());
        }
        let half = bytes / unit / 2;
        self.part(lba, half * unit)?;
        self.part(lba + half, bytes - half * unit)
    }

    fn differing(&mut self, lba: u64, bytes: u64) -> Result<(), DeviceError> {
        let unit = self.target.logical_bytes as usize;
        self.saved.resize(bytes as usize, 0);
        let loaded = self.journal.load(lba, &mut self.saved);
        loaded.map_err(|error| {
            let sectors = (bytes / unit as u64) as u32;
            self.target.failed(lba, sectors, errno_of(&error))
        })?;
        let there = self.there.bytes(bytes as usize);
        for (lba, (saved, there)) in (lba..).zip(self.saved.chunks(unit).zip(there.chunks(unit))) {
            match (self.flight.contains(lba), saved == there) {
                (true, true) => {}
                (true, false) => self.found.in_flight.push(lba, 1),
                (false, true) => self.found.same += 1,
                (false, false) => self.found.elsewhere.push(lba, 1),
            }
        }
        Ok(())
    }

    fn other(&self, what: String) -> DeviceError {
        DeviceError::Other { name: self.target.name(), what }
    }
}
