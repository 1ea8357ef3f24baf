//! The folder of journals, and its files: only what nobody but its user can have written.

use rustix::fs::{AtFlags, Dir, Mode, OFlags, fchmod, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;
use rustix::process::geteuid;
use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Who else may write: its group, and everybody.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// A folder of journals that belongs to the user who runs this, and to which nobody else can write.
///
/// A journal says what to write to a disk, so whoever can put one here could write to any disk.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    handle: File,
}

impl Folder {
    /// Opens the folder at `path`; `None` if there is none.
    ///
    /// # Errors
    /// What speaks against it.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, String> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = match rustix::fs::open(path, flags, Mode::empty()) {
            Ok(handle) => File::from(handle),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::NOTDIR | Errno::LOOP) => return Err("it is not a folder".to_owned()),
            Err(errno) => return Err(errno.to_string()),
        };
        trusted(&handle)?;
        Ok(Some(Self { path: path.to_owned(), handle }))
    }

    /// Opens it, made where there is none, for its user alone.
    pub(super) fn make(path: &Path) -> Result<Self, String> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
        made.map_err(|error| error.to_string())?;
        let folder = Self::open(path)?.ok_or("it is gone again")?;
        // What is on a disk is not for everybody, not even which disks there are.
        fchmod(&folder.handle, Mode::from(0o700)).map_err(|errno| errno.to_string())?;
        Ok(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The names that end in a dot and `suffix`, in order.
    pub(super) fn names(&self, suffix: &str) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.handle)? {
            let name = OsString::from_vec(entry?.file_name().to_bytes().to_vec());
            if Path::new(&name).extension() == Some(OsStr::new(suffix)) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Opens a file to read and write, if it is a regular one of this user's and nobody else can
    /// write to it. Never waits: a pipe has no writer.
    ///
    /// # Errors
    /// What speaks against it.
    pub(super) fn file(&self, name: &OsStr) -> Result<File, String> {
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match openat(&self.handle, name.as_bytes(), flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::LOOP) => return Err("it is a symbolic link".to_owned()),
            Err(errno) => return Err(errno.to_string()),
        };
        let kind = file.metadata().map_err(|error| error.to_string())?;
        if !kind.is_file() {
            return Err("it is not a regular file".to_owned());
        }
        trusted(&file)?;
        Ok(file)
    }

    /// A new file, for its user alone.
    pub(super) fn create(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = openat(&self.handle, name.as_bytes(), flags, Mode::from(0o600))?;
        Ok(File::from(file))
    }

    pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.handle, from.as_bytes(), &self.handle, to.as_bytes())?)
    }

    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.handle, name.as_bytes(), AtFlags::empty())?)
    }

    /// Makes sure that the names in it are on its disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.handle.sync_all()
    }
}

/// Nothing that another user made, or could have changed.
fn trusted(file: &File) -> Result<(), String> {
    let found = fstat(file).map_err(|errno| errno.to_string())?;
    let us = geteuid().as_raw();
    if found.st_uid != us {
        return Err(format!("it belongs to user {}, and this is user {us}", found.st_uid));
    }
    if found.st_mode & WRITABLE_BY_OTHERS != 0 {
        return Err(format!("other users may write to it (mode {:04o})", found.st_mode & 0o7777));
    }
    Ok(())
}
