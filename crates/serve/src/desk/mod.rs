//! A drive and its data, at the desk that requests come to: what is begun, and what is done.

mod finishing;
mod landing;

use crate::contents::{Contents, Written};
use crate::nbd::numbers::{EINVAL, EIO};
use crate::nbd::{Command, Export, Replies, Request};
use crate::options::Options;
use crate::pace::{Margin, ModelClock, now_ns};
use crate::report::{HostReport, Report, Tally};
use crate::snapshot;
use crate::tasks::{Syncer, Task, Tasks};
use platterlab_results::Columns;
use platterlab_sim::live::{Ask, Faults, Live, LiveDone, LiveRequest};
use platterlab_units::{SectorSizes, Stamp};
use std::io;
use std::path::Path;

/// The most runs that an answer to where data is has.
const MOST_RUNS: usize = 1024;

/// Who asks by the drive's file, among the connections.
pub(crate) const FILE: (usize, u64) = (usize::MAX, 0);

/// Who asks by the drive's block device.
pub(crate) const DEVICE: (usize, u64) = (usize::MAX - 1, 0);

/// A request that came: from whom, and how it is answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caller {
    pub(crate) connection: (usize, u64),
    pub(crate) replies: Replies,
    /// How late the answer before went out.
    pub(crate) after_late_ns: u64,
}

/// What became of a request.
#[derive(Debug)]
pub(crate) enum Taken {
    /// It is answered at once.
    Answered(Vec<u8>),
    /// It is in flight, and holds a number of bytes.
    InFlight(usize),
}

/// An answer that is due.
#[derive(Debug)]
pub(crate) struct Due {
    pub(crate) connection: (usize, u64),
    /// The client's mark on the request.
    pub(crate) cookie: u64,
    pub(crate) answer: Vec<u8>,
    /// The bytes that were held for it.
    pub(crate) held: usize,
    /// When it is to go out, on the host's clock; 0 where no clock says.
    deadline_ns: u64,
    /// How late it is.
    pub(crate) late_ns: u64,
}

/// A drive and its data.
#[derive(Debug)]
pub(crate) struct Desk {
    export: Export,
    model: Live,
    contents: Contents,
    syncer: Option<Syncer>,
    tasks: Tasks,
    clock: ModelClock,
    /// How long before its instant an event is worked out: as long as that takes.
    lead: Margin,
    sizes: SectorSizes,
    pub(crate) tally: Tally,
    host: HostReport,
    rows: Option<Columns>,
    done: Vec<LiveDone>,
    /// Done, and not counted yet.
    counted: Vec<LiveDone>,
    since_ns: u64,
    /// When the power goes.
    cut_at: Option<Stamp>,
}

impl Desk {
    /// A desk that opens now.
    pub(crate) fn new(
        options: &Options,
        model: Live,
        contents: Contents,
        syncer: Option<Syncer>,
        host: HostReport,
    ) -> Self {
        let since_ns = now_ns();
        let (logical, physical) = (model.logical_sector_bytes(), model.sector_bytes());
        Self {
            sizes: SectorSizes { workload: logical, logical, physical },
            export: options.export.clone(),
            model,
            contents,
            syncer,
            tasks: Tasks::default(),
            clock: ModelClock::new(options.speed),
            lead: Margin::new(finishing::LEAD_NS),
            tally: Tally::default(),
            host,
            rows: options.keep_rows.then(Columns::default),
            done: Vec::new(),
            counted: Vec::new(),
            since_ns,
            cut_at: options.power_cut,
        }
    }

    /// What is offered.
    pub(crate) fn export(&self) -> &Export {
        &self.export
    }

    /// When to work out the next event, on the host's clock.
    pub(crate) fn work_due_ns(&mut self) -> Option<u64> {
        let next = self.model.next_event().into_iter().chain(self.cut_at).min()?;
        Some(self.clock.deadline_ns(next)?.saturating_sub(self.lead.ns()))
    }

    /// Takes a request that fits, whose write data is `data`.
    ///
    /// The data is moved here and now, in the order in which requests come; the model keeps the order
    /// of those that share sectors, so it is the model's order too.
    pub(crate) fn take(&mut self, request: &Request, data: &[u8], caller: &Caller) -> Taken {
        let Request { cookie, offset, length, command } = *request;
        let replies = caller.replies;
        let mut answer = Vec::new();
        let Some(ask) = ask_of(command) else {
            let runs = self.contents.runs(offset, length, most_runs(command));
            replies.block_status(cookie, &runs, &mut answer);
            self.tally.block_status += 1;
            self.tally.answered += 1;
            return Taken::Answered(answer);
        };
        let block = u64::from(self.sizes.workload);
        let touched = self.sizes.touched(offset / block, u64::from(length) / block);
        let Ok((touched, sectors)) =
            touched.and_then(|it| u32::try_from(it.sectors).map(|n| (it, n)).map_err(|_| ""))
        else {
            return Taken::Answered(self.refuse(cookie, EINVAL, replies));
        };
        let now = self.present();
        self.model.advance(now, &mut self.done);
        let written = self.move_data(request, data, replies, &mut answer);
        let written = written.unwrap_or_else(|error| {
            answer = self.error(cookie, error, replies);
            None
        });
        let held = answer.len();
        let mut task = Task {
            connection: caller.connection,
            held,
            cookie,
            replies,
            answer,
            after_late_ns: caller.after_late_ns,
            syncing: false,
            done: false,
            written,
            ask,
        };
        // Where the media's data has to be in the store first, the drive has to be done first.
        let at_once = task.syncs() && !self.contents.is_media_alone();
        let syncer = self.syncer.as_ref().filter(|_| at_once);
        task.syncing = syncer.is_some();
        let number = self.tasks.keep(task);
        if let Some(syncer) = syncer {
            syncer.ask(number);
        }
        self.tally.in_flight += 1;
        let (lba, partial) = (touched.lba, touched.partial);
        self.model.submit(now, LiveRequest { tag: number, lba, sectors, partial, ask });
        Taken::InFlight(held)
    }

    /// The answer to a request that cannot be begun.
    pub(crate) fn refuse(&mut self, cookie: u64, error: u32, replies: Replies) -> Vec<u8> {
        self.tally.answered += 1;
        self.error(cookie, error, replies)
    }

    fn error(&mut self, cookie: u64, error: u32, replies: Replies) -> Vec<u8> {
        self.tally.errors += 1;
        let mut answer = Vec::new();
        replies.error(cookie, error, &mut answer);
        answer
    }

    /// Moves the data of a request, and writes the answer that it gets in the end.
    fn move_data(
        &mut self,
        request: &Request,
        data: &[u8],
        replies: Replies,
        answer: &mut Vec<u8>,
    ) -> Result<Option<Written>, u32> {
        let Request { offset, length, command, .. } = *request;
        let bytes = u64::from(length);
        if self.contents.holds(offset, offset + bytes) && command != Command::Read {
            // What is on the media by now stays there, whatever becomes of what comes over it.
            self.settle().map_err(|_| EIO)?;
        }
        let moved = match command {
            Command::Read => {
                self.tally.reads += 1;
                self.tally.read_bytes += bytes;
                answer.reserve_exact(length as usize + 28);
                replies.read_header(request, answer);
                self.contents.read(offset, length as usize, answer).map(|()| None)
            }
            Command::Write { .. } => {
                self.tally.writes += 1;
                self.tally.written_bytes += bytes;
                self.contents.write(offset, data)
            }
            Command::Zero { may_punch, .. } => {
                self.tally.writes += 1;
                self.tally.written_bytes += bytes;
                self.contents.zero(offset, bytes, may_punch)
            }
            Command::Trim { .. } => {
                self.tally.trims += 1;
                self.contents.zero(offset, bytes, true)
            }
            Command::Flush => {
                self.tally.flushes += 1;
                Ok(None)
            }
            Command::BlockStatus { .. } | Command::Disconnect => Ok(None),
        };
        if command != Command::Read {
            replies.done(request, answer);
        }
        // A drive whose data cannot be had says that, whatever the reason on the host was.
        moved.map_err(|_| EIO)
    }

    /// From now on these are the drive's faults.
    pub(crate) fn set_faults(&mut self, faults: Option<Faults>) {
        self.model.set_faults(faults);
    }

    /// Copies the data, as clients see it, to a new file; the drive's time stands still meanwhile.
    ///
    /// # Errors
    /// As [`snapshot::copy`].
    pub(crate) fn snapshot(&mut self, path: &Path) -> io::Result<()> {
        let stood = self.clock.is_paused();
        self.clock.pause();
        let copied = snapshot::copy(&self.contents, self.export.bytes, path);
        if !stood {
            self.clock.resume();
        }
        copied
    }

    /// The clock that the model goes by.
    pub(crate) fn clock(&mut self) -> &mut ModelClock {
        &mut self.clock
    }

    /// The model's present; nothing comes after the power went.
    fn present(&self) -> Stamp {
        self.before_cut(self.clock.now())
    }

    fn before_cut(&self, at: Stamp) -> Stamp {
        self.cut_at.map_or(at, |cut_at| at.min(cut_at))
    }

    /// The rows since this was asked last.
    pub(crate) fn take_rows(&mut self) -> Option<Columns> {
        self.rows.as_mut().map(std::mem::take)
    }

    /// How it goes.
    pub(crate) fn report(&self) -> Report {
        let served_ns = now_ns() - self.since_ns;
        Report {
            store_error: self.contents.store_failed().map(str::to_owned),
            ..self.tally.report(self.host.clone(), served_ns, self.clock.speed())
        }
    }
}

/// What the model is asked; `None` for what only the store knows.
fn ask_of(command: Command) -> Option<Ask> {
    match command {
        Command::Read => Some(Ask::Read),
        Command::Write { forced } | Command::Zero { forced, .. } => Some(Ask::Write { forced }),
        Command::Trim { .. } => Some(Ask::Discard),
        Command::Flush => Some(Ask::Flush),
        Command::BlockStatus { .. } | Command::Disconnect => None,
    }
}

fn most_runs(command: Command) -> usize {
    if matches!(command, Command::BlockStatus { one: true }) { 1 } else { MOST_RUNS }
}
