//! A drive that is being served: its thread, and what can be asked of it meanwhile.

use crate::block_device;
use crate::desk::Desk;
use crate::disk_file::Mounted;
use crate::options::{Doors, Options};
use crate::pace::{Favours, Speed};
use crate::report::Report;
use crate::service_loop::{OpenDoors, ServiceLoop};
use crate::shared::Shared;
use crate::store::Store;
use crate::tasks::Syncer;
use platterlab_results::Columns;
use platterlab_sim::live::{Faults, Live};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::{io, thread};

/// A drive that is being served, until it is stopped or dropped.
#[derive(Debug)]
pub struct Running {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<io::Result<()>>>,
    device: Option<PathBuf>,
}

/// Why a drive is not served.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Its file cannot be where it should.
    #[error(
        "{}: the drive's file cannot be mounted there: {error}; it takes an empty folder, /dev/fuse \
         and, for other users than root, fusermount3", folder.display()
    )]
    Folder {
        /// Where.
        folder: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It cannot be a block device of this kernel.
    #[error("{0}")]
    Device(io::Error),
    /// The system has no thread or descriptor to give.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves `device` over `store` to those who come in by `doors`.
///
/// # Errors
/// The drive's file cannot be mounted, or the system has no thread or descriptor to give.
pub fn start(
    device: Live,
    store: Store,
    doors: Doors,
    options: Options,
) -> Result<Running, StartError> {
    let shared = Arc::new(Shared::new()?);
    let Doors { listener, folder, device: is_device } = doors;
    if is_device {
        block_device::may_be().map_err(StartError::Device)?;
    }
    let file = folder
        .map(|folder| {
            Mounted::new(&folder, &options.export, &shared)
                .map_err(|error| StartError::Folder { folder, error })
        })
        .transpose()?;
    let tells = Arc::clone(&shared);
    let to_sync = store.to_sync()?;
    let syncer = to_sync.map(|file| Syncer::new(file, move || tells.wake())).transpose()?;
    let (ready, is_ready) = sync_channel(1);
    let (told, is_told) = sync_channel(1);
    let told = is_device.then_some(told);
    let own = Arc::clone(&shared);
    let thread = thread::Builder::new().name("drive".to_owned()).spawn(move || {
        let doors = OpenDoors { listener, file, told };
        let opened = ServiceLoop::open(&own, device, store, syncer, &options, doors);
        serve(&own, opened, &ready)
    })?;
    let mut running = Running { shared, thread: Some(thread), device: None };
    match is_ready.recv() {
        Ok(()) if is_device => {
            let gone = || io::Error::other("it ended at once");
            let there = is_told.recv().unwrap_or_else(|_| Err(gone()));
            running.device = Some(there.map_err(StartError::Device)?);
            Ok(running)
        }
        Ok(()) => Ok(running),
        Err(_) => {
            let ended = || io::Error::other("it ended at once");
            Err(running.join().err().unwrap_or_else(ended).into())
        }
    }
}

fn serve(
    shared: &Shared,
    opened: io::Result<(ServiceLoop, Favours)>,
    ready: &SyncSender<()>,
) -> io::Result<()> {
    let (mut service, _favours) = opened?;
    let _ = ready.send(());
    service.run(shared)
}

impl Running {
    /// The block device that the drive is, where it is one.
    #[must_use]
    pub fn device(&self) -> Option<&Path> {
        self.device.as_deref()
    }

    /// How it goes.
    #[must_use]
    pub fn report(&self) -> Option<Report> {
        self.shared.desk().as_ref().map(Desk::report)
    }

    /// The rows since this was asked last, if they are kept.
    #[must_use]
    pub fn take_rows(&self) -> Option<Columns> {
        self.shared.desk().as_mut().and_then(Desk::take_rows)
    }

    /// From now on these are the drive's faults, instead of those it had.
    pub fn set_faults(&self, faults: Option<Faults>) {
        self.tell(|desk| desk.set_faults(faults));
    }

    /// From now on the drive's time passes at another speed.
    pub fn set_speed(&self, speed: Speed) {
        self.tell(|desk| desk.clock().set_speed(speed));
    }

    /// The drive's time stands still.
    pub fn pause(&self) {
        self.tell(|desk| desk.clock().pause());
    }

    /// The drive's time continues.
    pub fn resume(&self) {
        self.tell(|desk| desk.clock().resume());
    }

    /// The power goes, if it may: what is not on the media is lost, and the server ends.
    pub fn cut_power(&self) {
        self.tell(Desk::cut_now);
    }

    /// Copies the data, as clients see it, to a new file; the drive's time stands still meanwhile.
    ///
    /// # Errors
    /// The file is there or cannot be written; the store cannot be read.
    pub fn snapshot(&self, path: &Path) -> io::Result<()> {
        self.tell(|desk| desk.snapshot(path)).unwrap_or(Ok(()))
    }

    fn tell<T>(&self, what: impl FnOnce(&mut Desk) -> T) -> Option<T> {
        let told = self.shared.desk().as_mut().map(what);
        self.shared.wake();
        told
    }

    /// Whether it serves still.
    #[must_use]
    pub fn serves(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Lets no new request in, answers those in flight, and ends.
    ///
    /// # Errors
    /// What ended it before.
    pub fn stop(&mut self) -> io::Result<()> {
        self.shared.stop.store(true, Ordering::Release);
        self.shared.wake();
        self.join()
    }

    fn join(&mut self) -> io::Result<()> {
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(result)) => result,
            Some(Err(_)) => Err(io::Error::other("the server broke off by a defect of its own")),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nobody is left to hear why it ended.
        let _ = self.stop();
    }
}
