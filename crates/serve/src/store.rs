//! Stores of the data: a sparse file, memory, or a pattern that is made up as it is read.

use crate::refusal;
use rustix::buffer::spare_capacity;
use rustix::fs::{
    FallocateFlags, FlockOperation, MemfdFlags, SeekFrom, fallocate, flock, memfd_create, seek,
};
use rustix::io::{Errno, pread};
use std::cell::OnceCell;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Why there is no store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The system does not give it.
    #[error("{}: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What it says.
        error: io::Error,
    },
    /// It cannot be one.
    #[error("{}: {what}", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// Why, and what would be right.
        what: String,
    },
}

impl StoreError {
    /// Whether the file would have been one on a larger disk.
    #[must_use]
    pub fn is_for_want_of_room(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self, Self::System { error, .. }
            if matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull))
    }
}

/// Any sector's size divides it.
const WHOLE_SECTORS: u64 = 4096;

/// What is said of a file that has fewer bytes than the drive.
fn too_small(path: &Path, has: u64, bytes: u64) -> String {
    let path = path.display();
    let mut said = format!(
        "has {has} bytes and the drive {bytes}: a store is as large as its drive; give another \
         file, or make it longer, which takes no room: truncate -s {bytes} '{path}'"
    );
    let whole = has / WHOLE_SECTORS * WHOLE_SECTORS;
    if whole > 0 {
        said += &format!("; or serve less of the drive: --size {whole}");
    }
    said
}

/// The data of a drive, of the drive's size.
#[derive(Debug)]
pub struct Store {
    kind: Medium,
    bytes: u64,
    /// What was said to the first write that failed.
    failed: OnceCell<String>,
}

#[derive(Debug)]
enum Medium {
    /// A file, or memory that looks like one.
    File { file: File, lasts: bool },
    /// Every 8 bytes hold where they are.
    Pattern,
}

impl Store {
    /// Data in memory, gone with the process; what was never written takes none.
    ///
    /// # Errors
    /// The system has no memory to give.
    pub fn memory(bytes: u64) -> io::Result<Self> {
        let file = File::from(memfd_create("platterlab-store", MemfdFlags::CLOEXEC)?);
        file.set_len(bytes)?;
        Ok(Self::new(Medium::File { file, lasts: false }, bytes))
    }

    /// No data: every 8 bytes read as the number of the byte they begin at, little-endian. It cannot
    /// be written.
    #[must_use]
    pub fn pattern(bytes: u64) -> Self {
        Self::new(Medium::Pattern, bytes)
    }

    fn new(kind: Medium, bytes: u64) -> Self {
        Self { kind, bytes, failed: OnceCell::new() }
    }

    /// Data in a file, which is made if it is not there and takes no more room than what is written.
    ///
    /// # Errors
    /// It cannot be opened or made, is not a regular file, is smaller than the drive, or serves
    /// already.
    pub fn file(path: &Path, bytes: u64) -> Result<Self, StoreError> {
        let unfit = |what: String| StoreError::Unfit { path: path.to_owned(), what };
        let system = |error| StoreError::System { path: path.to_owned(), error };
        let there = path.metadata().ok();
        if there.is_none() && path.is_symlink() {
            return Err(unfit("is a link that leads nowhere; name a file".to_owned()));
        }
        if let Some(there) = &there
            && !there.is_file()
        {
            let kind = there.file_type();
            let is = if kind.is_block_device() || kind.is_char_device() {
                "is a device, and its data would be written over; name a file"
            } else {
                "is not a regular file; name another"
            };
            return Err(unfit(is.to_owned()));
        }
        let mut how = OpenOptions::new();
        how.read(true).write(true).mode(0o600);
        let file = match how.create_new(there.is_none()).open(path) {
            Ok(file) => file,
            Err(error) => return Err(system(refusal::of_store(path, error))),
        };
        if flock(&file, FlockOperation::NonBlockingLockExclusive).is_err() {
            return Err(unfit("is the store of another drive that is being served".to_owned()));
        }
        let has = file.metadata().map_err(system)?.len();
        if there.is_none() {
            if let Err(error) = file.set_len(bytes) {
                // Nothing is left of a store that was never one.
                let _ = std::fs::remove_file(path);
                return Err(system(error));
            }
        } else if has < bytes {
            return Err(unfit(too_small(path, has, bytes)));
        }
        Ok(Self::new(Medium::File { file, lasts: true }, bytes))
    }

    /// Its size.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it is a file that is still there when the process is gone.
    #[must_use]
    pub fn lasts(&self) -> bool {
        matches!(self.kind, Medium::File { lasts: true, .. })
    }

    /// Whether it cannot be written.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        matches!(self.kind, Medium::Pattern)
    }

    /// What the file system said to the first write that it did not take: it may be full. The client
    /// hears of a drive that fails, so that this has to be reported elsewhere.
    pub(crate) fn failed(&self) -> Option<&str> {
        self.failed.get().map(String::as_str)
    }

    /// Adds `length` bytes from `offset` on to `out`.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn read(&self, offset: u64, length: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let from = out.len();
        match &self.kind {
            Medium::File { file, .. } => {
                out.reserve_exact(length);
                while out.len() < from + length {
                    let at = offset + (out.len() - from) as u64;
                    match pread(file, spare_capacity(out), at) {
                        Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                        Ok(_) | Err(Errno::INTR) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                // There may be room for more, and then more is read.
                out.truncate(from + length);
                Ok(())
            }
            Medium::Pattern => {
                let words =
                    (0..length as u64 / 8).flat_map(|word| (offset + 8 * word).to_le_bytes());
                out.extend(words);
                Ok(())
            }
        }
    }

    /// Writes.
    ///
    /// # Errors
    /// What the file system says: it may be full.
    pub(crate) fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        match &self.kind {
            Medium::File { file, .. } => self.noted(file.write_all_at(data, offset)),
            Medium::Pattern => Err(Errno::PERM.into()),
        }
    }

    fn noted(&self, written: io::Result<()>) -> io::Result<()> {
        written.inspect_err(|error| {
            self.failed.get_or_init(|| error.to_string());
        })
    }

    /// Makes `length` bytes read as zero; where it may, their room is given back.
    ///
    /// # Errors
    /// As [`Store::write`].
    pub(crate) fn zero(&self, offset: u64, length: u64, may_punch: bool) -> io::Result<()> {
        let Medium::File { file, .. } = &self.kind else { return Err(Errno::PERM.into()) };
        let punch = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        let how = if may_punch { punch } else { FallocateFlags::ZERO_RANGE };
        match fallocate(file, how, offset, length) {
            Ok(()) => Ok(()),
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => self.write_zeros(offset, length),
            Err(error) => self.noted(Err(error.into())),
        }
    }

    fn write_zeros(&self, offset: u64, length: u64) -> io::Result<()> {
        let zeros = [0; 64 << 10];
        let mut done = 0;
        while done < length {
            let piece = (length - done).min(zeros.len() as u64);
            self.write(offset + done, &zeros[..piece as usize])?;
            done += piece;
        }
        Ok(())
    }

    /// The runs of data and holes in `length` bytes from `offset` on: bytes, and whether a hole.
    pub(crate) fn runs(&self, offset: u64, length: u32, most: usize) -> Vec<(u32, bool)> {
        let end = offset + u64::from(length);
        let mut runs = Vec::new();
        let mut at = offset;
        while at < end && runs.len() < most {
            let (until, hole) = self.run(at, end);
            // No further than `end`, which is at most so far away.
            runs.push(((until - at) as u32, hole));
            at = until;
        }
        runs
    }

    /// Where the run that holds `at` ends, in whole sectors, and whether it is a hole.
    fn run(&self, at: u64, end: u64) -> (u64, bool) {
        let Medium::File { file, .. } = &self.kind else { return (end, false) };
        match seek(file, SeekFrom::Data(at)) {
            Ok(data) if data >= end => (end, true),
            // Data in a part of a block is data in all of it.
            Ok(data) if data / 4096 > at / 4096 => (data / 4096 * 4096, true),
            Ok(_) => match seek(file, SeekFrom::Hole(at)) {
                Ok(hole) => (hole.next_multiple_of(4096).clamp(at + 1, end), false),
                Err(_) => (end, false),
            },
            // No data from there on.
            Err(Errno::NXIO) => (end, true),
            Err(_) => (end, false),
        }
    }

    /// The file to sync so that what was written outlives the host; `None` where it does not outlive
    /// the process.
    ///
    /// # Errors
    /// The system has no more descriptors to give.
    pub(crate) fn to_sync(&self) -> io::Result<Option<File>> {
        match &self.kind {
            Medium::File { file, lasts: true } => file.try_clone().map(Some),
            _ => Ok(None),
        }
    }
}
