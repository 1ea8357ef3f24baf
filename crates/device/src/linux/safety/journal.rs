//! The journal: what was in a region before it was written, in a locked file.

use super::checksum::Checksum;
use super::fingerprint;
use super::flight::{self, FLIGHT_BYTES, Flight, FlightLog};
use super::folder::Folder;
use super::header::{HEADER_BYTES, Header};
use super::region::Region;
use crate::DeviceError;
use crate::linux::buffer::AlignedBuffer;
use crate::linux::locked::Locked;
use crate::linux::target::Target;
use rustix::io::{Errno, pread};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Ends the name of a journal that holds a whole region.
const SUFFIX: &str = "journal";

/// Ends the name of one that is still being written: the device is as it was.
const PARTIAL_SUFFIX: &str = "partial";

/// Ends the name of a file with what was there when a repair wrote over it.
const REPLACED_SUFFIX: &str = "replaced";

/// Bytes copied at a time; no sector is larger.
pub(super) const CHUNK_BYTES: u64 = 1 << 20;

/// Bytes of a journal before the saved data.
pub(super) const DATA_AT: u64 = (HEADER_BYTES + FLIGHT_BYTES) as u64;

/// The saved content of a region, in a file that is locked as long as its process lives.
///
/// The file is a [`Header`], what is in flight ([`flight`]), and then the data, sector after
/// sector. It gets its name when all of it is on its disk.
#[derive(Debug)]
pub(in crate::linux) struct Journal {
    folder: Folder,
    name: OsString,
    path: PathBuf,
    file: Locked,
    header: Header,
    log: FlightLog,
}

/// Why a region cannot be saved.
pub(super) enum SaveError {
    /// It cannot be read.
    Device(DeviceError),
    /// The folder is none to keep it in.
    Folder(String),
    /// It cannot be written there.
    Disk(io::Error),
}

impl From<io::Error> for SaveError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}

/// What a journal turned out to be.
pub(super) enum Opened {
    /// Its process lives.
    InUse,
    /// Its process is gone.
    Stale(Box<Journal>),
}

impl Journal {
    /// Saves `region` of `device`, which lies on it, in a new file in `folder`.
    ///
    /// # Errors
    /// What is wrong with the folder or the device. Then nothing is left in the folder.
    pub(super) fn save(
        folder: &Path,
        target: &Target,
        device: &File,
        region: Region,
    ) -> Result<Self, SaveError> {
        let folder = Folder::make(folder).map_err(SaveError::Folder)?;
        remove_partial(&folder);
        let device_name = target.canonical.file_name().unwrap_or_default().to_string_lossy();
        let stem = format!("{device_name}-{}-{}", region.first, std::process::id());
        let partial = OsString::from(format!("{stem}.{PARTIAL_SUFFIX}"));
        let name = OsString::from(format!("{stem}.{SUFFIX}"));
        let path = folder.path().join(&name);
        let file = folder.create(&partial)?;
        let fill = || {
            let file = Locked::new(file).map_err(io::Error::from)?;
            let header = Self::fill(&file, target, device, region)?;
            folder.rename(&partial, &name)?;
            folder.sync()?;
            Ok((file, header))
        };
        match fill() {
            Ok((file, header)) => {
                Ok(Self { folder, name, path, file, header, log: FlightLog::default() })
            }
            Err(error) => {
                // Nothing has been written to the device yet, so neither file is of use.
                let _ = folder.remove(&partial).or_else(|_| folder.remove(&name));
                Err(error)
            }
        }
    }

    fn fill(
        mut file: &File,
        target: &Target,
        device: &File,
        region: Region,
    ) -> Result<Header, SaveError> {
        let logical = u64::from(target.logical_bytes);
        let mut checksum = Checksum::new();
        let mut buffer = AlignedBuffer::default();
        file.write_all(&[0; DATA_AT as usize])?;
        for (lba, bytes) in chunks(region, logical) {
            let chunk = buffer.bytes(bytes as usize);
            let unread =
                |error| SaveError::Device(target.failed(lba, (bytes / logical) as u32, error));
            let done = pread(device, &mut *chunk, lba * logical).map_err(unread)?;
            if done as u64 != bytes {
                return Err(unread(Errno::IO));
            }
            checksum.add(chunk);
            file.write_all(chunk)?;
        }
        let around = fingerprint::of(target, device, region);
        let header = Header::new(target, region, checksum.value(), around);
        let encoded = header.encode().ok_or_else(|| io::Error::other("its path is too long"))?;
        file.write_all_at(&encoded, 0)?;
        file.sync_all()?;
        Ok(header)
    }

    /// Opens a journal in `folder`. Its data is not looked at.
    ///
    /// # Errors
    /// What speaks against believing it.
    pub(super) fn open(folder: Folder, name: &OsStr) -> Result<Opened, String> {
        let Ok(file) = Locked::new(folder.file(name)?) else { return Ok(Opened::InUse) };
        let header = read_header(&file).ok_or("it is damaged, or another version's")?;
        let path = folder.path().join(name);
        let log = FlightLog::default();
        Ok(Opened::Stale(Box::new(Self { folder, name: name.to_owned(), path, file, header, log })))
    }

    /// Says what is in flight from now on.
    pub(super) fn note(&mut self, request: Option<Region>) -> io::Result<()> {
        self.log.note(&self.file, HEADER_BYTES as u64, request)
    }

    /// What was in flight when the run ended; nobody can say once the machine was started anew.
    pub(super) fn flight(&self) -> io::Result<Flight> {
        if !self.header.is_of_this_boot() {
            return Ok(Flight::Unknown);
        }
        flight::read(&self.file, HEADER_BYTES as u64).map(Flight::Known)
    }

    /// A new, empty file next to it for what a repair writes over.
    pub(super) fn replaced(&self) -> io::Result<(PathBuf, File)> {
        let mut attempt = 1_u32;
        loop {
            let path = self.path.with_extension(format!("{attempt}.{REPLACED_SUFFIX}"));
            match self.folder.create(path.file_name().unwrap_or_default()) {
                // Of a repair that failed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => attempt += 1,
                Err(error) => return Err(error),
                Ok(file) => {
                    self.folder.sync()?;
                    return Ok((path, file));
                }
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// What was saved of the sectors from `lba` on, which lie in the region.
    pub(super) fn load(&self, lba: u64, bytes: &mut [u8]) -> io::Result<()> {
        let logical = u64::from(self.header.logical_bytes);
        let offset = lba.saturating_sub(self.header.region.first) * logical;
        self.file.read_exact_at(bytes, DATA_AT + offset)
    }

    /// The region in pieces: first sector and bytes of each.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        chunks(self.header.region, u64::from(self.header.logical_bytes))
    }

    /// Whether the data is what was saved.
    pub(super) fn is_whole(&self) -> io::Result<bool> {
        let length = self.file.metadata()?.len();
        if self.header.data_bytes().checked_add(DATA_AT) != Some(length) {
            return Ok(false);
        }
        let mut checksum = Checksum::new();
        let mut buffer = vec![0; CHUNK_BYTES as usize];
        for (lba, bytes) in self.chunks() {
            let chunk = &mut buffer[..bytes as usize];
            self.load(lba, chunk)?;
            checksum.add(chunk);
        }
        Ok(checksum.value() == self.header.data_checksum)
    }

    /// Removes the file: there is nothing left to repair.
    pub(super) fn remove(self) -> io::Result<()> {
        self.folder.remove(&self.name)?;
        self.folder.sync()
    }
}

/// The names of the journals in `folder`, in order.
pub(super) fn names(folder: &Folder) -> io::Result<Vec<OsString>> {
    folder.names(SUFFIX)
}

/// Removes what runs that died before their first write left in `folder`.
pub(super) fn remove_partial(folder: &Folder) {
    for name in folder.names(PARTIAL_SUFFIX).unwrap_or_default() {
        if folder.file(&name).is_ok_and(|file| Locked::new(file).is_ok()) {
            // One that stays does no harm.
            let _ = folder.remove(&name);
        }
    }
}

/// The header of a journal in `folder`, whoever uses it; `None` if it is not to be believed.
pub(super) fn header_of(folder: &Folder, name: &OsStr) -> Option<Header> {
    read_header(&folder.file(name).ok()?)
}

fn read_header(file: &File) -> Option<Header> {
    let mut bytes = vec![0; HEADER_BYTES];
    file.read_exact_at(&mut bytes, 0).ok()?;
    Header::decode(&bytes)
}

fn chunks(region: Region, logical: u64) -> impl Iterator<Item = (u64, u64)> {
    let step = (CHUNK_BYTES / logical).max(1);
    let chunk = move |lba: u64| (lba, step.min(region.end() - lba) * logical);
    (region.first..region.end()).step_by(step as usize).map(chunk)
}
