use super::checksum::Checksum;
use super::header::{HEADER_BYTES, Header};
use super::region::Region;
use crate::linux::buffer::AlignedBuffer;
use crate::linux::target::{Target, lock};
use rustix::io::pread;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Ends the name of a journal that holds a whole region.
const SUFFIX: &str = "journal";

/// Ends the name of one that is still being written: the device is as it was.
const PARTIAL_SUFFIX: &str = "partial";

/// Bytes copied at a time; no sector is larger.
const CHUNK_BYTES: u64 = 1 << 20;

/// The saved content of a region, in a file that is locked as long as its process lives.
///
/// The file is a [`Header`] and then the data, sector after sector. It gets its name when all of
/// it is on its disk.
#[derive(Debug)]
pub(in crate::linux) struct Journal {
    path: PathBuf,
    file: File,
    header: Header,
}

/// What a journal turned out to be.
pub(super) enum Opened {
    /// Its process lives.
    InUse,
    /// Its process is gone.
    Stale(Journal),
}

impl Journal {
    /// Saves `region` of `device`, which lies on it, in a new file in `folder`.
    pub(super) fn save(
        folder: &Path,
        target: &Target,
        device: &File,
        region: Region,
    ) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let (path, file) = create(folder, target, region)?;
        let partial = path.with_extension(PARTIAL_SUFFIX);
        let saved = Self::fill(file, target, device, region).and_then(|(file, header)| {
            fs::rename(&partial, &path)?;
            sync_folder(folder)?;
            Ok(Self { path: path.clone(), file, header })
        });
        if saved.is_err() {
            // Nothing has been written to the device yet, so neither file is of use.
            let _ = fs::remove_file(&partial).or_else(|_| fs::remove_file(&path));
        }
        saved
    }

    fn fill(
        mut file: File,
        target: &Target,
        device: &File,
        region: Region,
    ) -> io::Result<(File, Header)> {
        let logical = u64::from(target.logical_bytes);
        let mut checksum = Checksum::new();
        let mut buffer = AlignedBuffer::default();
        file.write_all(&[0; HEADER_BYTES])?;
        for (lba, bytes) in chunks(region, logical) {
            let chunk = buffer.bytes(bytes as usize);
            if pread(device, &mut *chunk, lba * logical)? as u64 != bytes {
                return Err(io::Error::other("the region could not be read to its end"));
            }
            checksum.add(chunk);
            file.write_all(chunk)?;
        }
        let header = Header::new(target, region, checksum.value());
        let encoded = header.encode().ok_or_else(|| io::Error::other("its path is too long"))?;
        file.write_all_at(&encoded, 0)?;
        file.sync_all()?;
        Ok((file, header))
    }

    /// Opens the journal at `path`.
    pub(super) fn open(path: &Path) -> Result<Opened, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        if lock(&file).is_err() {
            return Ok(Opened::InUse);
        }
        let header = read_header(&file).ok_or("it is damaged; nothing was done with it")?;
        let journal = Self { path: path.to_owned(), file, header };
        match journal.is_whole() {
            Ok(true) => Ok(Opened::Stale(journal)),
            Ok(false) => Err("its data is damaged; nothing was done with it".to_owned()),
            Err(error) => Err(error.to_string()),
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
        self.file.read_exact_at(bytes, HEADER_BYTES as u64 + offset)
    }

    /// The region in pieces: first sector and bytes of each.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        chunks(self.header.region, u64::from(self.header.logical_bytes))
    }

    /// Whether the data is what was saved.
    pub(super) fn is_whole(&self) -> io::Result<bool> {
        let length = self.file.metadata()?.len();
        if self.header.data_bytes().checked_add(HEADER_BYTES as u64) != Some(length) {
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

    /// Removes the file: the device is as it was.
    pub(super) fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)?;
        self.path.parent().map_or(Ok(()), sync_folder)
    }
}

/// The journals in `folder`, by name; none if there is no such folder.
pub(super) fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    named(folder, SUFFIX)
}

/// Removes what runs that died before their first write left in `folder`.
pub(super) fn remove_partial(folder: &Path) -> io::Result<()> {
    for path in named(folder, PARTIAL_SUFFIX)? {
        if File::open(&path).is_ok_and(|file| lock(&file).is_ok()) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// The header of the journal at `path`, whoever uses it.
pub(super) fn header_of(path: &Path) -> Option<Header> {
    read_header(&File::open(path).ok()?)
}

fn read_header(file: &File) -> Option<Header> {
    let mut bytes = vec![0; HEADER_BYTES];
    file.read_exact_at(&mut bytes, 0).ok()?;
    Header::decode(&bytes)
}

fn named(folder: &Path, suffix: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == suffix) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// A new, locked file under its partial name, and the name it gets when it is whole.
fn create(folder: &Path, target: &Target, region: Region) -> io::Result<(PathBuf, File)> {
    let device = target.canonical.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = format!("{device}-{}-{}.{SUFFIX}", region.first, std::process::id());
    let path = folder.join(name);
    let mut options = OpenOptions::new();
    // What is on a disk is not for everybody.
    options.read(true).write(true).create_new(true).mode(0o600);
    let file = options.open(path.with_extension(PARTIAL_SUFFIX))?;
    lock(&file)?;
    if path.exists() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists));
    }
    Ok((path, file))
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn chunks(region: Region, logical: u64) -> impl Iterator<Item = (u64, u64)> {
    let step = (CHUNK_BYTES / logical).max(1);
    let chunk = move |lba: u64| (lba, step.min(region.end() - lba) * logical);
    (region.first..region.end()).step_by(step as usize).map(chunk)
}
