//! A block device or regular file of Linux: requests past the page cache, one at a time.

use super::buffer::AlignedBuffer;
use super::clock::Clock;
use super::facts;
use super::locked::Locked;
use super::overhead::Overhead;
use super::safety::{Finished, Region, SavedRegion};
use super::target::Target;
use crate::{Answer, BlockDevice, Completion, DeviceError, DeviceInfo, WriteConsent};
use platterlab_units::{Operation, Span, Time};
use rustix::io::{Errno, pread, pwrite};
use std::io::{Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// No request moves more: 64 MiB.
const LARGEST_REQUEST_BYTES: u64 = 64 << 20;

/// The last number given to a device that may be written.
static LAST_HOLDER: AtomicU64 = AtomicU64::new(0);

/// A block device or regular file, one request at a time, past the page cache.
#[derive(Debug)]
pub struct LinuxDevice {
    target: Target,
    file: Locked,
    info: DeviceInfo,
    clock: Clock,
    overhead: Span,
    buffer: AlignedBuffer,
    writing: Option<Writing>,
}

/// What a device that may be written has beyond others.
#[derive(Debug)]
struct Writing {
    holder: u64,
    saved: SavedRegion,
}

impl LinuxDevice {
    /// Opens `path`, a block device or regular file, read-only.
    ///
    /// # Errors
    /// Anything else at `path`, no permission, or nothing to read; the message says the way out.
    pub fn open(path: &Path) -> Result<Self, DeviceError> {
        let (target, file) = Target::open(path)?;
        Ok(Self::new(target, Locked::without(file)))
    }

    fn new(target: Target, file: Locked) -> Self {
        let mut info = facts::info(&target);
        let overhead = Overhead::measure(&file, target.logical_bytes as usize);
        info.facts.extend(overhead.facts());
        Self {
            target,
            file,
            info,
            clock: Clock::start(),
            overhead: overhead.call,
            buffer: AlignedBuffer::default(),
            writing: None,
        }
    }

    /// A device that may be written within `saved`, and the consent for it. Only after every check
    /// has passed.
    pub(super) fn for_writing(
        target: Target,
        file: Locked,
        saved: SavedRegion,
    ) -> (Self, WriteConsent) {
        let holder = LAST_HOLDER.fetch_add(1, Ordering::Relaxed) + 1;
        let mut device = Self::new(target, file);
        device.writing = Some(Writing { holder, saved });
        (device, WriteConsent::for_holder(holder))
    }

    /// Ends the use of a device that may be written: compares the region with what was read of it,
    /// says what differs, and removes the journal unless a write failed. Writes nothing. Dropping
    /// the device does the same, but cannot say so.
    ///
    /// # Errors
    /// A region that could not be read. The journal is kept for [`repair`](super::repair).
    pub fn finish(mut self) -> Result<Finished, DeviceError> {
        self.settle()
    }

    fn settle(&mut self) -> Result<Finished, DeviceError> {
        match self.writing.take() {
            Some(writing) => writing.saved.settle(&self.target, &self.file),
            None => Ok(Finished::default()),
        }
    }

    fn other(&self, what: String) -> DeviceError {
        DeviceError::Other { name: self.info.name.clone(), what }
    }

    fn transfer(&mut self, operation: Operation, lba: u64, sectors: u32) -> Answer {
        let logical = u64::from(self.info.logical_sector_bytes);
        let length = u64::from(sectors) * logical;
        if length > LARGEST_REQUEST_BYTES {
            return Err(self.other(format!(
                "a request of {sectors} sectors is too large; ask for at most {}",
                LARGEST_REQUEST_BYTES / logical
            )));
        }
        let bytes = self.buffer.bytes(length as usize);
        let mut writing = self.writing.as_mut().map(|writing| &mut writing.saved);
        if let Some(saved) = &mut writing {
            saved.may_go_on(&self.target, &self.file)?;
        }
        let request = Region { first: lba, sectors: u64::from(sectors) };
        let mut in_flight = writing.filter(|_| operation == Operation::Write);
        if let Some(saved) = &mut in_flight {
            saved.begin(request, bytes)?;
        }
        let (submitted, answer) = loop {
            let submitted = self.clock.now();
            let answer = match operation {
                Operation::Read => pread(&*self.file, &mut *bytes, lba * logical),
                Operation::Write => pwrite(&*self.file, bytes, lba * logical),
            };
            if answer != Err(Errno::INTR) {
                break (submitted, answer);
            }
        };
        let completed = self.clock.now();
        if let Some(saved) = in_flight {
            saved.end(request, answer == Ok(length as usize))?;
        }
        match answer {
            Ok(done) if done as u64 == length => Ok(Completion { submitted, completed }),
            Ok(done) => Err(self.short(lba, sectors, done as u64)),
            Err(errno) => Err(self.target.failed(lba, sectors, errno)),
        }
    }

    /// Why fewer bytes moved than asked for: the device shrank, or just so.
    fn short(&mut self, lba: u64, sectors: u32, done_bytes: u64) -> DeviceError {
        let name = self.info.name.clone();
        let was_sectors = self.info.capacity_sectors;
        let bytes = (&*self.file).seek(SeekFrom::End(0)).unwrap_or(self.target.bytes);
        let capacity_sectors = bytes / u64::from(self.info.logical_sector_bytes);
        let is_block = self.target.node().is_some();
        if is_block && (capacity_sectors == 0 || self.target.has_vanished()) {
            DeviceError::Gone { name }
        } else if capacity_sectors < was_sectors {
            DeviceError::Shrank { name, was_sectors, capacity_sectors }
        } else {
            DeviceError::Short { name, lba, sectors, done_bytes }
        }
    }

    fn may_write(&self, consent: &WriteConsent, lba: u64, sectors: u32) -> Result<(), DeviceError> {
        let Some(Writing { holder, saved }) = &self.writing else {
            return Err(self.other("it was opened read-only; open it for writing".to_owned()));
        };
        if !consent.is_for(*holder) {
            return Err(self.other("the consent to write is for another device".to_owned()));
        }
        let region = saved.region();
        if !region.contains(lba, sectors) {
            return Err(self.other(format!(
                "sector {lba} (+{sectors}) lies outside the region that may be written, {region}"
            )));
        }
        Ok(())
    }
}

impl BlockDevice for LinuxDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn now(&mut self) -> Time {
        self.clock.now()
    }

    fn read(&mut self, lba: u64, sectors: u32) -> Answer {
        self.info.check(lba, sectors)?;
        self.transfer(Operation::Read, lba, sectors)
    }

    fn write(&mut self, consent: &WriteConsent, lba: u64, sectors: u32) -> Answer {
        self.info.check(lba, sectors)?;
        self.may_write(consent, lba, sectors)?;
        self.transfer(Operation::Write, lba, sectors)
    }

    fn idle(&mut self, time: Span) {
        std::thread::sleep(Duration::from_nanos(time.as_ps() / 1_000));
    }

    fn overhead(&self) -> Span {
        self.overhead
    }
}

impl Drop for LinuxDevice {
    fn drop(&mut self) {
        // What fails here leaves the journal, and the next start says so.
        let _ = self.settle();
    }
}
