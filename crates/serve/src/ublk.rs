//! The drive as a block device of this kernel, `/dev/ublkbN`: requests come from ublk over `io_uring`,
//! on a thread of their own, and are answered there when the drive's thread is done with them.

use crate::block_answers::Answers;
use crate::desk::{Caller, DEVICE, Due, Taken};
use crate::nbd::{Command, Export, Replies, Request, check};
use crate::shared::Shared;
use crate::told::Told;
use io_uring::{opcode, types};
use libublk::ctrl::{UblkCtrl, UblkCtrlBuilder};
use libublk::helpers::IoBuf;
use libublk::io::{UblkDev, UblkQueue};
use libublk::uring_async::ublk_submit_sqe_async;
use libublk::{BufDesc, UblkError, UblkFlags, UblkUringData, sys, wait_and_handle_io_events};
use rustix::io::Errno;
use smol::LocalExecutor;
use std::future::poll_fn;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::{io, thread};

/// Requests that the kernel hands over at a time.
const DEPTH: u16 = 64;
/// The longest of them; it splits what is longer.
const MOST_BYTES: u32 = 512 << 10;
/// After so long without a request the thread gives its memory back.
const IDLE_S: u64 = 20;
const CONTROL: &str = "/dev/ublk-control";
const POLLIN: u32 = 1;

/// The block device of a drive.
#[derive(Debug)]
pub(crate) struct BlockDevice {
    answers: Arc<Answers>,
    thread: Option<JoinHandle<()>>,
}

/// Whether a drive can be a block device here.
///
/// # Errors
/// The kernel has no ublk, or does not let this process use it.
pub(crate) fn may_be() -> io::Result<()> {
    match Path::new(CONTROL).metadata() {
        Ok(_) => std::fs::OpenOptions::new().read(true).write(true).open(CONTROL).map(|_| ()),
        Err(error) => Err(io::Error::new(
            error.kind(),
            format!(
                "this kernel has no ublk ({CONTROL}): Linux 6.0 and later have it, as the module \
                 ublk_drv; --fuse and losetup make a block device on others"
            ),
        )),
    }
}

impl BlockDevice {
    /// Has the kernel make one; `told` hears where it is, or why it is not, a moment later.
    ///
    /// # Errors
    /// The system has no thread or descriptor to give.
    pub(crate) fn new(export: &Export, shared: &Arc<Shared>, told: Told) -> io::Result<Self> {
        let answers = Arc::new(Answers::new(DEPTH.into())?);
        let asked = Arc::new(Asked {
            shared: Arc::clone(shared),
            answers: Arc::clone(&answers),
            export: export.clone(),
        });
        let work = move || {
            let tells = told.clone();
            if let Err(error) = serve(&asked, told) {
                // It has been reported before where the device went once it was there.
                let _ = tells.send(Err(refusal(error)));
            }
        };
        let thread = thread::Builder::new().name("ublk".to_owned()).spawn(work)?;
        Ok(Self { answers, thread: Some(thread) })
    }

    /// Answers what the kernel asked.
    pub(crate) fn answer(&self, due: Due) {
        self.answers.answer(due.cookie as usize, due.answer, due.late_ns);
    }

    /// Whether nobody waits for an answer.
    pub(crate) fn is_idle(&self) -> bool {
        self.answers.is_idle()
    }
}

impl Drop for BlockDevice {
    /// What waits still fails, as all that comes does, and the device goes.
    fn drop(&mut self) {
        self.answers.close();
        if let Some(thread) = self.thread.take() {
            // It has nothing to say but what it reported.
            let _ = thread.join();
        }
    }
}

fn refusal(error: UblkError) -> io::Error {
    match error {
        UblkError::IOError(error) => error,
        UblkError::UringIOError(number) | UblkError::OtherError(number) => {
            io::Error::from_raw_os_error(number.abs())
        }
        other => io::Error::other(other.to_string()),
    }
}

/// Makes the device and serves it until the answers are closed.
fn serve(asked: &Arc<Asked>, told: Told) -> Result<(), UblkError> {
    let control = UblkCtrlBuilder::default()
        .name("platterlab")
        .nr_queues(1)
        .depth(DEPTH)
        .io_buf_bytes(MOST_BYTES)
        .dev_flags(UblkFlags::UBLK_DEV_F_ADD_DEV | UblkFlags::UBLK_DEV_F_DEL_DEV_ASYNC)
        .build()?;
    let export = asked.export.clone();
    let describe = move |device: &mut UblkDev| {
        device.tgt.dev_size = export.bytes;
        device.tgt.params = parameters(&export);
        Ok(())
    };
    let asked = Arc::clone(asked);
    let answers = Arc::clone(&asked.answers);
    let attend = move |number: u16, device: &UblkDev| attend(number, device, &asked);
    control.run_target(describe, attend, move |control: &UblkCtrl| {
        // Whoever asked for it may have gone by now, and then it goes too.
        let _ = told.send(Ok(PathBuf::from(control.get_bdev_path())));
        answers.wait_for_end();
        if let Ok(control) = UblkCtrl::new_simple(control.dev_info().dev_id as i32) {
            // It may be gone already, by an administrator's hand.
            let _ = control.kill_dev();
        }
    })?;
    Ok(())
}

fn parameters(export: &Export) -> sys::ublk_params {
    let block = export.block_bytes.trailing_zeros() as u8;
    let mut attributes = sys::UBLK_ATTR_VOLATILE_CACHE | sys::UBLK_ATTR_FUA;
    if export.rotational {
        attributes |= sys::UBLK_ATTR_ROTATIONAL;
    }
    if export.read_only {
        attributes |= sys::UBLK_ATTR_READ_ONLY;
    }
    let most = MOST_BYTES >> 9;
    sys::ublk_params {
        types: sys::UBLK_PARAM_TYPE_BASIC | sys::UBLK_PARAM_TYPE_DISCARD,
        basic: sys::ublk_param_basic {
            attrs: attributes,
            logical_bs_shift: block,
            physical_bs_shift: block,
            io_min_shift: block,
            io_opt_shift: block,
            max_sectors: most,
            dev_sectors: export.bytes >> 9,
            ..Default::default()
        },
        discard: sys::ublk_param_discard {
            discard_granularity: export.block_bytes,
            max_discard_sectors: most,
            max_write_zeroes_sectors: most,
            max_discard_segments: 1,
            ..Default::default()
        },
        ..Default::default()
    }
}

/// The thread of the queue: a task for each request that the kernel may hand over at a time.
fn attend(number: u16, device: &UblkDev, asked: &Arc<Asked>) {
    // Without its queue the device does not start, and that is reported.
    let Ok(queue) = UblkQueue::new(number, device).map(Rc::new) else { return };
    let tasks = Rc::new(LocalExecutor::new());
    let mut all = Vec::with_capacity(DEPTH.into());
    for tag in 0..DEPTH {
        let (queue, asked) = (Rc::clone(&queue), Arc::clone(asked));
        all.push(tasks.spawn(async move { one_after_another(&queue, tag, &asked).await }));
    }
    let rings = Arc::clone(&asked.answers);
    tasks.spawn(async move { hear(&rings).await }).detach();
    let ticks = Rc::clone(&tasks);
    smol::block_on(tasks.run(async move {
        let run = || while ticks.try_tick() {};
        let done = || all.iter().all(smol::Task::is_finished);
        // It ends with the device.
        let _ = wait_and_handle_io_events(&queue, Some(IDLE_S), run, done).await;
    }));
}

/// Wakes this thread up from its wait for the kernel when the drive has answers.
async fn hear(answers: &Answers) {
    loop {
        let bell = types::Fd(answers.bell().as_raw_fd());
        let poll = opcode::PollAdd::new(bell, POLLIN).build();
        if ublk_submit_sqe_async(poll, UblkUringData::Target as u64).await.is_err() {
            return;
        }
        let _ = rustix::io::read(answers.bell(), &mut [0_u8; 8]);
    }
}

async fn one_after_another(
    queue: &UblkQueue<'_>,
    tag: u16,
    asked: &Asked,
) -> Result<(), UblkError> {
    let mut buffer = IoBuf::<u8>::new(MOST_BYTES as usize);
    let first = BufDesc::Slice(buffer.as_slice());
    queue.submit_io_prep_cmd(tag, first, 0, Some(&buffer)).await?;
    loop {
        let description = *queue.get_iod(tag);
        let done = asked.serve(tag, &description, buffer.as_mut_slice()).await;
        let result = done.unwrap_or_else(|error| -error.raw_os_error());
        queue.submit_io_commit_cmd(tag, BufDesc::Slice(buffer.as_slice()), result).await?;
    }
}

/// Whom the kernel's requests go to.
#[derive(Debug)]
struct Asked {
    shared: Arc<Shared>,
    answers: Arc<Answers>,
    export: Export,
}

impl Asked {
    /// Asks the drive and waits for its answer: the bytes that were moved.
    async fn serve(
        &self,
        tag: u16,
        description: &sys::ublksrv_io_desc,
        buffer: &mut [u8],
    ) -> Result<i32, Errno> {
        let sys::ublksrv_io_desc { op_flags, nr_sectors, start_sector, .. } = *description;
        let forced = op_flags & sys::UBLK_IO_F_FUA != 0;
        let may_punch = op_flags & sys::UBLK_IO_F_NOUNMAP == 0;
        let command = match op_flags & 0xff {
            sys::UBLK_IO_OP_READ => Command::Read,
            sys::UBLK_IO_OP_WRITE => Command::Write { forced },
            sys::UBLK_IO_OP_FLUSH => Command::Flush,
            sys::UBLK_IO_OP_DISCARD => Command::Trim { forced },
            sys::UBLK_IO_OP_WRITE_ZEROES => Command::Zero { forced, may_punch },
            _ => return Err(Errno::OPNOTSUPP),
        };
        let (offset, length) = match command {
            Command::Flush => (0, 0),
            _ => (start_sector << 9, nr_sectors << 9),
        };
        let request = Request { cookie: tag.into(), command, offset, length };
        let number = |error: u32| Errno::from_raw_os_error(error as i32);
        check(&request, &self.export).map_err(number)?;
        let writes = matches!(command, Command::Write { .. });
        let data = if writes { &buffer[..length as usize] } else { &[] };
        self.hand_in(tag, &request, data)?;
        let answer = poll_fn(|context| self.answers.poll(tag.into(), context)).await;
        let (error, data) = answer.split_first_chunk::<4>().ok_or(Errno::IO)?;
        match u32::from_be_bytes(*error) {
            0 => buffer[..data.len()].copy_from_slice(data),
            error => return Err(number(error)),
        }
        Ok(length as i32)
    }

    fn hand_in(&self, tag: u16, request: &Request, data: &[u8]) -> Result<(), Errno> {
        let mut desk = self.shared.desk();
        let Some(desk) = &mut *desk else { return Err(Errno::IO) };
        let Some(after_late_ns) = self.answers.expect(tag.into()) else { return Err(Errno::IO) };
        let caller = Caller { connection: DEVICE, replies: Replies::Bare, after_late_ns };
        if let Taken::Answered(answer) = desk.take(request, data, &caller) {
            self.answers.answer(tag.into(), answer, 0);
        }
        self.shared.wake();
        Ok(())
    }
}
