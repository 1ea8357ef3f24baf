//! The target of a path: a block device or a regular file, opened for direct transfers and locked.

use super::buffer::AlignedBuffer;
use super::denied::Wish;
use super::errno;
use super::locked::Locked;
use super::sysfs::{DeviceNumber, Node};
use crate::DeviceError;
use rustix::fs::{Mode, OFlags, ioctl_blkpbszget, ioctl_blksszget, major, minor};
use rustix::io::{Errno, pread};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// What a path leads to, and how it is addressed.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// As the user gave it.
    pub(super) path: PathBuf,
    /// Without symbolic links.
    pub(super) canonical: PathBuf,
    pub(super) kind: Kind,
    pub(super) bytes: u64,
    pub(super) logical_bytes: u32,
    pub(super) physical_bytes: u32,
    /// Whether transfers pass the page cache by.
    pub(super) direct: bool,
}

/// Block device or regular file, and which one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Block { number: DeviceNumber, node: Node },
    File { device: u64, inode: u64 },
}

impl Target {
    /// Looks at what is behind `path` and opens it read-only.
    pub(super) fn open(path: &Path) -> Result<(Self, File), DeviceError> {
        let failed = |what: &str| DeviceError::Other {
            name: path.display().to_string(),
            what: what.to_owned(),
        };
        // What it is comes first: opening a pipe or a tape has effects.
        let unopened = |error: &std::io::Error| errno::open(path, Wish::Read, errno_of(error));
        let found = fs::metadata(path).map_err(|error| unopened(&error))?;
        let kind = found.file_type();
        if !kind.is_block_device() && !kind.is_file() {
            return Err(failed("is neither a block device nor a regular file"));
        }
        // A file on which somebody has a lease would be waited for; of a device this asks more.
        let wait = if kind.is_file() { OFlags::NONBLOCK } else { OFlags::empty() };
        let (mut file, mut direct) = open_direct(path, OFlags::RDONLY | wait)?;
        let metadata = file.metadata().map_err(|error| unopened(&error))?;
        let bytes = file.seek(SeekFrom::End(0)).map_err(|error| unopened(&error))?;
        let (kind, logical_bytes, physical_bytes) = if metadata.file_type().is_block_device() {
            let number = (major(metadata.rdev()), minor(metadata.rdev()));
            let node = Node::of(number).ok_or_else(|| failed("the kernel does not list it"))?;
            let size = |errno| errno::open(path, Wish::Read, errno);
            let logical = ioctl_blksszget(&file).map_err(size)?;
            let physical = ioctl_blkpbszget(&file).map_err(size)?;
            (Kind::Block { number, node }, logical, physical.max(logical))
        } else {
            let kind = Kind::File { device: metadata.dev(), inode: metadata.ino() };
            let unit = if direct && !is_in_memory(&file) { transfer_unit(&file) } else { None };
            direct = unit.is_some();
            let unit = unit.unwrap_or(platterlab_units::SECTOR_BYTES_DEFAULT);
            (kind, unit, unit)
        };
        if logical_bytes == 0 || bytes < u64::from(logical_bytes) {
            return Err(failed("has no sectors; it is empty, or there is no medium in it"));
        }
        let canonical = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let path = path.to_owned();
        Ok((Self { path, canonical, kind, bytes, logical_bytes, physical_bytes, direct }, file))
    }

    /// Opens it again, to be written, if it is still the same; nobody else may be using it.
    pub(super) fn open_exclusively(&self, write_through: bool) -> Result<Locked, DeviceError> {
        let mut flags = OFlags::RDWR;
        if write_through {
            flags |= OFlags::DSYNC;
        }
        let open_failed = |errno| errno::open(&self.path, Wish::Write, errno);
        let file = match self.kind {
            Kind::Block { .. } => Locked::without(open_direct(&self.path, flags | OFlags::EXCL)?.0),
            Kind::File { .. } => {
                let flags = if self.direct { flags | OFlags::DIRECT } else { flags };
                let flags = flags | OFlags::NONBLOCK;
                let file = File::from(
                    rustix::fs::open(&self.path, flags | OFlags::CLOEXEC, Mode::empty())
                        .map_err(open_failed)?,
                );
                Locked::new(file).map_err(|_| open_failed(Errno::BUSY))?
            }
        };
        let metadata = file.metadata().map_err(|error| open_failed(errno_of(&error)))?;
        let same = match self.kind {
            Kind::Block { number, .. } => {
                (major(metadata.rdev()), minor(metadata.rdev())) == number
                    && metadata.file_type().is_block_device()
            }
            Kind::File { device, inode } => (metadata.dev(), metadata.ino()) == (device, inode),
        };
        if same {
            return Ok(file);
        }
        let what = "it became another device while it was being checked; try again".to_owned();
        Err(DeviceError::Other { name: self.name(), what })
    }

    /// What a failed transfer means for it.
    pub(super) fn failed(&self, lba: u64, sectors: u32, errno: Errno) -> DeviceError {
        if self.has_vanished() {
            return DeviceError::Gone { name: self.name() };
        }
        errno::transfer(self.name(), lba, sectors, errno)
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    pub(super) fn sectors(&self) -> u64 {
        self.bytes / u64::from(self.logical_bytes)
    }

    /// The block device's folder in sysfs.
    pub(super) fn node(&self) -> Option<&Node> {
        match &self.kind {
            Kind::Block { node, .. } => Some(node),
            Kind::File { .. } => None,
        }
    }

    pub(super) fn serial(&self) -> Option<String> {
        self.node()?.serial()
    }

    /// Whether it can be distinguished from others of its size that come to be where it was: a disk
    /// by what it says of itself, a file by its number.
    pub(super) fn is_recognisable(&self) -> bool {
        self.node().is_none_or(|node| !node.identity().is_empty())
    }

    /// Whether the kernel has dropped the device since it was opened, or given it up.
    pub(super) fn has_vanished(&self) -> bool {
        self.node().is_some_and(|node| !node.exists() || node.is_given_up())
    }
}

/// The operating system's number for an error; an input/output error if it has none.
pub(super) fn errno_of(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

/// Opens past the page cache where the file system can do that.
fn open_direct(path: &Path, flags: OFlags) -> Result<(File, bool), DeviceError> {
    let open = |flags| rustix::fs::open(path, flags | OFlags::CLOEXEC, Mode::empty());
    let wish = if flags.contains(OFlags::RDWR) { Wish::Write } else { Wish::Read };
    match open(flags | OFlags::DIRECT) {
        Ok(file) => Ok((File::from(file), true)),
        Err(Errno::INVAL) => {
            let file = open(flags).map_err(|errno| errno::open(path, wish, errno))?;
            Ok((File::from(file), false))
        }
        Err(errno) => Err(errno::open(path, wish, errno)),
    }
}

/// Whether a file has no device behind it, however it was opened: tmpfs, ramfs.
fn is_in_memory(file: &File) -> bool {
    const KINDS: [u64; 2] = [0x0102_1994, 0x8584_58f6];
    rustix::fs::fstatfs(file).is_ok_and(|system| KINDS.contains(&(system.f_type as u64)))
}

/// The smallest unit in which a file can be read directly.
fn transfer_unit(file: &File) -> Option<u32> {
    let mut buffer = AlignedBuffer::default();
    [512, 4096].into_iter().find(|unit| {
        let bytes = buffer.bytes(*unit as usize);
        pread(file, bytes, 0).is_ok()
    })
}
