use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Distinguishes files that one process writes at the same time.
static SERIAL: AtomicU64 = AtomicU64::new(0);

/// A file that exists under its name only once it is whole.
pub(super) struct Target {
    partial: PathBuf,
    path: PathBuf,
    /// `None` once kept.
    file: Option<BufWriter<File>>,
}

impl Target {
    /// Starts a file beside `path`.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
        };
        // A rename would put a file in the place of a device, a pipe or a directory.
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let what = "it exists and is not a regular file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{serial}.partial", std::process::id()));
        let partial = path.with_file_name(hidden);
        let file = Some(BufWriter::new(File::create(&partial)?));
        Ok(Self { partial, path: path.to_owned(), file })
    }

    /// Gives the file its name.
    pub(super) fn keep(mut self) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.flush()?;
            fs::rename(&self.partial, &self.path)?;
        }
        self.file = None;
        Ok(())
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // Nothing can be done about a failure here, and the first error is on its way.
            let _ = fs::remove_file(&self.partial);
        }
    }
}
