//! The drive as a file: a folder of FUSE with one file in it, which a loop device makes a block device
//! of. Every read and write of the file is a request to the drive, and never one to a page in memory.

use crate::desk::{Desk, Due};
use crate::nbd::{Command, Export, numbers::EINVAL};
use crate::partial_write::PartialWrite;
use crate::shared::Shared;
use crate::waiting::{Reply, Waiting};
use fuser::{
    BackgroundSession, BsdFileFlags, Config, Errno, FileAttr, FileHandle, FileType, Filesystem,
    FopenFlags, Generation, INodeNo, InitFlags, KernelConfig, LockOwner, MountOption, OpenFlags,
    ReplyAttr, ReplyData, ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyWrite, Request,
    Session, TimeOrNow, WriteFlags,
};
use rustix::fs::OFlags;
use rustix::mount::{UnmountFlags, unmount};
use rustix::process::{getgid, getuid};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

/// The name of the drive's file in its folder.
pub const NAME: &str = "disk";
const FILE_NODE: INodeNo = INodeNo(2);
/// The kernel asks so much at once; it splits what is longer.
const MOST_BYTES: u32 = 1 << 20;
/// And the requests at a time.
const MOST_REQUESTS: u16 = 256;
/// What it knows of the file does not change.
const FOREVER: Duration = Duration::from_secs(1 << 30);
/// A file that nobody uses any more is over within so long.
const PATIENCE_MS: u32 = 1000;
const KEEP_SIZE: i32 = 1;
const PUNCH_HOLE: i32 = 2;
const ZERO_RANGE: i32 = 16;

/// The file of a drive, in a folder where it is mounted.
pub(crate) struct Mounted {
    state: State,
    folder: PathBuf,
    waiting: Arc<Waiting>,
}

enum State {
    /// Nobody listens yet to what is asked of the file.
    Made(Session<DiskFile>),
    Serves(BackgroundSession),
    Over,
}

impl Mounted {
    /// Mounts the file of a drive in a folder; nobody is answered before it serves.
    ///
    /// # Errors
    /// The folder is not there, or the system does not let it be mounted.
    pub(crate) fn new(folder: &Path, export: &Export, shared: &Arc<Shared>) -> io::Result<Self> {
        if folder.metadata().is_err_and(|error| is_left_behind(&error)) {
            // What a server that died left there; where it may not be taken away mounting says so.
            let _ = unmount(folder, UnmountFlags::DETACH);
        }
        let waiting = Arc::new(Waiting::default());
        *waiting.replies() = Some(BTreeMap::new());
        let file = DiskFile {
            shared: Arc::clone(shared),
            waiting: Arc::clone(&waiting),
            export: export.clone(),
        };
        let mut config = Config::default();
        let name = MountOption::FSName("platterlab".to_owned());
        config.mount_options = vec![name, MountOption::NoSuid, MountOption::NoDev];
        let session = Session::new(file, folder, &config)?;
        Ok(Self { state: State::Made(session), folder: folder.to_owned(), waiting })
    }

    /// Answers from now on, by threads that have what the calling one has of the host.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(crate) fn serve(&mut self) -> io::Result<()> {
        if let State::Made(session) = std::mem::replace(&mut self.state, State::Over) {
            self.state = State::Serves(session.spawn()?);
        }
        Ok(())
    }

    /// Answers whom an answer is for, or has the drive continue with what was a part of it: whether
    /// it does.
    pub(crate) fn answer(&self, due: &Due, desk: &mut Desk) -> bool {
        self.waiting.last_late_ns.store(due.late_ns, Ordering::Relaxed);
        let reply = self.waiting.replies().as_mut().and_then(|all| all.remove(&due.cookie));
        let write = reply.and_then(|reply| reply.send(&due.answer));
        let goes_on = write.is_some();
        write.into_iter().for_each(|write| self.waiting.go_on(desk, write));
        goes_on
    }

    /// Whether nobody waits for an answer.
    pub(crate) fn is_idle(&self) -> bool {
        self.waiting.replies().as_ref().is_none_or(BTreeMap::is_empty)
    }
}

impl Drop for Mounted {
    /// Those who wait still get an error. A file that is in use, by a loop device say, goes from sight
    /// now and for good when that lets it go.
    fn drop(&mut self) {
        let left = self.waiting.replies().take().unwrap_or_default();
        left.into_values().for_each(|reply| reply.refuse(Errno::EIO));
        let State::Serves(session) = std::mem::replace(&mut self.state, State::Over) else {
            return;
        };
        if unmount(&self.folder, UnmountFlags::DETACH).is_err() {
            // Other users than root have it done by a program, which the session calls at its end.
            return;
        }
        for _ in 0..PATIENCE_MS {
            if session.guard.is_finished() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // Its end would unmount once more, and what lay beneath.
        std::mem::forget(session);
    }
}

fn is_left_behind(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::NOTCONN.raw_os_error())
}

/// What the kernel asks.
#[derive(Debug)]
struct DiskFile {
    shared: Arc<Shared>,
    waiting: Arc<Waiting>,
    export: Export,
}

impl DiskFile {
    /// Asks the drive; `reply` is answered when it is done.
    fn ask(&self, command: Command, place: (u64, u32), data: &[u8], reply: Reply) {
        let asked = match &mut *self.shared.desk() {
            Some(desk) => self.waiting.hand_in(desk, (command, place), data, reply),
            None => Err((reply, Errno::EIO)),
        };
        match asked {
            Ok(()) => self.shared.wake(),
            Err((reply, error)) => reply.refuse(error),
        }
    }

    fn attributes(&self, node: INodeNo) -> Option<FileAttr> {
        let (kind, size, perm) = match node {
            INodeNo::ROOT => (FileType::Directory, 0, 0o500),
            FILE_NODE if self.export.read_only => (FileType::RegularFile, self.export.bytes, 0o400),
            FILE_NODE => (FileType::RegularFile, self.export.bytes, 0o600),
            _ => return None,
        };
        Some(FileAttr {
            ino: node,
            size,
            blocks: size / 512,
            // A disk has no date: what is in it has.
            atime: SystemTime::UNIX_EPOCH,
            mtime: SystemTime::UNIX_EPOCH,
            ctime: SystemTime::UNIX_EPOCH,
            crtime: SystemTime::UNIX_EPOCH,
            kind,
            perm,
            nlink: 1,
            uid: getuid().as_raw(),
            gid: getgid().as_raw(),
            rdev: 0,
            blksize: self.export.preferred_bytes,
            flags: 0,
        })
    }

    fn tell_attributes(&self, node: INodeNo, reply: ReplyAttr) {
        match self.attributes(node) {
            Some(attributes) => reply.attr(&FOREVER, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }
}

impl Filesystem for DiskFile {
    fn init(&mut self, _: &Request, config: &mut KernelConfig) -> io::Result<()> {
        // What this kernel does not know it does without.
        let _ = config.add_capabilities(InitFlags::FUSE_ASYNC_DIO);
        let _ = config.set_max_write(MOST_BYTES);
        let _ = config.set_max_background(MOST_REQUESTS);
        Ok(())
    }

    fn lookup(&self, _: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        match self.attributes(FILE_NODE) {
            Some(file) if parent == INodeNo::ROOT && name == NAME => {
                reply.entry(&FOREVER, &file, Generation(0));
            }
            _ => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _: &Request, node: INodeNo, _: Option<FileHandle>, reply: ReplyAttr) {
        self.tell_attributes(node, reply);
    }

    fn setattr(
        &self,
        _: &Request,
        node: INodeNo,
        mode: Option<u32>,
        uid: Option<u32>,
        gid: Option<u32>,
        size: Option<u64>,
        _: Option<TimeOrNow>,
        _: Option<TimeOrNow>,
        _: Option<SystemTime>,
        _: Option<FileHandle>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<SystemTime>,
        _: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        // As of a block device: to open it "anew" empties nothing, and it is no longer or shorter.
        let is_as_it_was = size.is_none_or(|size| size == 0 || size == self.export.bytes);
        if !is_as_it_was || mode.is_some() || uid.is_some() || gid.is_some() {
            return reply.error(Errno::EPERM);
        }
        self.tell_attributes(node, reply);
    }

    fn readdir(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let (folder, file) = (FileType::Directory, FileType::RegularFile);
        let all =
            [(INodeNo::ROOT, folder, "."), (INodeNo::ROOT, folder, ".."), (FILE_NODE, file, NAME)];
        for (next, (node, kind, name)) in (1..).zip(all).skip(offset as usize) {
            if reply.add(node, next, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    fn open(&self, _: &Request, _: INodeNo, _: OpenFlags, reply: ReplyOpen) {
        let direct = FopenFlags::FOPEN_DIRECT_IO | FopenFlags::FOPEN_PARALLEL_DIRECT_WRITES;
        reply.opened(FileHandle(0), direct);
    }

    fn read(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        size: u32,
        _: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let (end, block) = (self.export.bytes, u64::from(self.export.block_bytes));
        let wanted = u64::from(size).min(end.saturating_sub(offset));
        if wanted == 0 {
            return reply.data(&[]);
        }
        // Whole sectors are read, and what is asked of them is given.
        let first = offset / block * block;
        let length = (offset + wanted).next_multiple_of(block) - first;
        let reply = Reply::Data(reply, (offset - first) as usize, wanted as usize);
        self.ask(Command::Read, (first, length as u32), &[], reply);
    }

    fn write(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        data: &[u8],
        _: WriteFlags,
        flags: OpenFlags,
        _: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        // The kernel sends no fsync after it, as the file has no pages in memory.
        let forced = flags.0 & OFlags::DSYNC.bits() as i32 != 0;
        let block = self.export.block_bytes;
        let mut unread = PartialWrite::beside(offset, data.len(), block);
        match unread.pop() {
            Some(first) if offset + data.len() as u64 <= self.export.bytes => {
                let write = PartialWrite::new(reply, offset, data, forced, block, unread);
                self.ask(Command::Read, (first, block), &[], Reply::Part(Box::new(write)));
            }
            _ => {
                let reply = Reply::Written(reply, data.len() as u32);
                self.ask(Command::Write { forced }, (offset, data.len() as u32), data, reply);
            }
        }
    }

    fn flush(&self, _: &Request, _: INodeNo, _: FileHandle, _: LockOwner, reply: ReplyEmpty) {
        // A program closed it: nothing that a drive hears of.
        reply.ok();
    }

    fn fsync(&self, _: &Request, _: INodeNo, _: FileHandle, _: bool, reply: ReplyEmpty) {
        self.ask(Command::Flush, (0, 0), &[], Reply::Done(reply));
    }

    fn fallocate(
        &self,
        _: &Request,
        _: INodeNo,
        _: FileHandle,
        offset: u64,
        length: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        let command = match mode & !KEEP_SIZE {
            PUNCH_HOLE => Command::Trim { forced: false },
            ZERO_RANGE => Command::Zero { forced: false, may_punch: false },
            _ => return reply.error(Errno::EOPNOTSUPP),
        };
        match u32::try_from(length) {
            Ok(length) => self.ask(command, (offset, length), &[], Reply::Done(reply)),
            Err(_) => reply.error(Errno::from_i32(EINVAL as i32)),
        }
    }
}
