use super::journal::Journal;
use crate::DeviceError;
use crate::linux::buffer::AlignedBuffer;
use crate::linux::errno;
use crate::linux::target::{Target, errno_of};
use rustix::fs::fdatasync;
use rustix::io::{pread, pwrite};
use std::fs::File;

/// Writes back every part of the region that is not as it was saved, and makes sure that it now
/// is. How many sectors differed.
///
/// A part that cannot be read counts as different: a sector cut off in mid-write reads as an error
/// until it is written again.
pub(super) fn restore(
    journal: &Journal,
    target: &Target,
    device: &File,
) -> Result<u64, DeviceError> {
    let mut parts =
        Parts { journal, target, device, saved: Vec::new(), there: AlignedBuffer::default() };
    // What is still in the drive's buffer could be cut off later.
    parts.sync()?;
    let mut different = 0;
    let mut rewritten = Vec::new();
    for (lba, bytes) in journal.chunks() {
        let differ = parts.compare(lba, bytes)?;
        if differ > 0 {
            if rewritten.is_empty() {
                parts.trust_the_journal()?;
            }
            parts.write(lba, bytes)?;
            rewritten.push((lba, bytes));
            different += differ;
        }
    }
    if !rewritten.is_empty() {
        parts.sync()?;
    }
    for (lba, bytes) in rewritten {
        if parts.compare(lba, bytes)? > 0 {
            return Err(parts.other(format!("what was at sector {lba} cannot be put back")));
        }
    }
    Ok(different)
}

struct Parts<'a> {
    journal: &'a Journal,
    target: &'a Target,
    device: &'a File,
    saved: Vec<u8>,
    there: AlignedBuffer,
}

impl Parts<'_> {
    /// How many sectors of a part are not as saved; all if it cannot be read.
    fn compare(&mut self, lba: u64, bytes: u64) -> Result<u64, DeviceError> {
        self.load(lba, bytes)?;
        let unit = self.target.logical_bytes as usize;
        let there = self.there.bytes(bytes as usize);
        let done = pread(self.device, &mut *there, lba * unit as u64).unwrap_or(0);
        if done as u64 != bytes {
            return Ok(bytes / unit as u64);
        }
        let pairs = self.saved.chunks(unit).zip(there.chunks(unit));
        Ok(pairs.filter(|(saved, there)| saved != there).count() as u64)
    }

    fn write(&mut self, lba: u64, bytes: u64) -> Result<(), DeviceError> {
        self.load(lba, bytes)?;
        let there = self.there.bytes(bytes as usize);
        there.copy_from_slice(&self.saved);
        let done = pwrite(self.device, there, lba * u64::from(self.target.logical_bytes))
            .map_err(|errno| self.failed(lba, bytes, errno))?;
        if done as u64 == bytes {
            return Ok(());
        }
        Err(self.other(format!("only {done} of {bytes} bytes could be put back at sector {lba}")))
    }

    fn sync(&self) -> Result<(), DeviceError> {
        fdatasync(self.device)
            .map_err(|errno| self.failed(self.journal.header().region.first, 0, errno))
    }

    fn load(&mut self, lba: u64, bytes: u64) -> Result<(), DeviceError> {
        self.saved.resize(bytes as usize, 0);
        let loaded = self.journal.load(lba, &mut self.saved);
        loaded.map_err(|error| self.failed(lba, bytes, errno_of(&error)))
    }

    /// Only data that is what was saved goes to the device.
    fn trust_the_journal(&self) -> Result<(), DeviceError> {
        match self.journal.is_whole() {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.other("the saved data is damaged; nothing put back".to_owned())),
            Err(error) => Err(self.other(error.to_string())),
        }
    }

    fn failed(&self, lba: u64, bytes: u64, errno: rustix::io::Errno) -> DeviceError {
        let sectors = bytes / u64::from(self.target.logical_bytes);
        errno::transfer(self.target, lba, sectors as u32, errno)
    }

    fn other(&self, what: String) -> DeviceError {
        DeviceError::Other { name: self.target.name(), what }
    }
}
