//! The file system's log: commits that a thread of its own writes, one after the other.

use super::options::Journal;
use super::pages::DEVICE;
use super::{Host, Timer};
use crate::source::Request;
use platterlab_units::{Operation, Stamp};
use platterlab_workload::flow::{Cause, FlowRecord, ProcessId};

/// How far a commit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// There is none.
    #[default]
    Idle,
    /// The thread prepares it.
    Begun,
    /// What has changed is on its way.
    Changes,
    /// The drive's cache is emptied, so that the record comes after what it is about.
    Before,
    /// The record is on its way.
    FlowRecord,
    /// The drive's cache is emptied, so that the record is on the medium.
    After,
}

/// The commit under way and the next one.
#[derive(Debug, Default)]
pub(super) struct Log {
    stage: Stage,
    /// Requests and flushes of this stage that are not done.
    under_way: Vec<u32>,
    waiting: Vec<ProcessId>,
    /// What the next commit has to write, and who waits for it.
    sectors: u32,
    next: Vec<ProcessId>,
    /// When the record was asked for, with the flushes around it.
    asked: Stamp,
    /// Where the log continues, from its first sector.
    head: u32,
}

impl Log {
    /// A request is done; whether the stage is over with it.
    fn done(&mut self, id: u32) -> bool {
        let before = self.under_way.len();
        self.under_way.retain(|other| *other != id);
        before > 0 && self.under_way.is_empty()
    }

    /// The next place in the log for this many sectors.
    fn place(&mut self, journal: Journal, sectors: u32) -> u64 {
        if self.head + sectors > journal.sectors {
            self.head = 0;
        }
        self.head += sectors;
        journal.lba + u64::from(self.head - sectors)
    }
}

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    /// A process waits until its changes are in the log: with the next commit, as the one under way
    /// was closed before they came.
    pub(super) fn commit(&mut self, now: Stamp, process: ProcessId, sectors: u32) -> bool {
        let Some(journal) = self.options.journal else { return true };
        self.log.sectors = self.log.sectors.saturating_add(sectors);
        self.log.next.push(process);
        if self.log.stage == Stage::Idle {
            self.begin_commit(now, journal);
        }
        self.wait_for(now, process, 1)
    }

    fn begin_commit(&mut self, now: Stamp, journal: Journal) {
        self.log.stage = Stage::Begun;
        self.log.waiting = std::mem::take(&mut self.log.next);
        self.timers.enter(now + self.paced(journal.thread), Timer::Log);
    }

    /// The log's thread writes what has changed.
    pub(super) fn write_log(&mut self, now: Stamp, out: &mut Vec<Request>) {
        let Some(journal) = self.options.journal else { return };
        self.log.stage = Stage::Changes;
        let longest = self.options.request_pages * self.options.page_sectors;
        self.log.asked = now;
        let mut left = std::mem::take(&mut self.log.sectors).min(journal.sectors);
        while left > 0 {
            let sectors = left.min(longest);
            self.log_request(journal, sectors, out);
            left -= sectors;
        }
        if self.log.under_way.is_empty() {
            self.go_on_with_log(now, journal, out);
        }
    }

    /// Something of the log may be done: continues with the commit it belongs to.
    pub(super) fn log_done(&mut self, now: Stamp, id: u32, out: &mut Vec<Request>) {
        if let Some(journal) = self.options.journal
            && self.log.done(id)
        {
            self.go_on_with_log(now, journal, out);
        }
    }

    fn go_on_with_log(&mut self, now: Stamp, journal: Journal, out: &mut Vec<Request>) {
        let flushes = journal.flushes;
        self.log.stage = match self.log.stage {
            Stage::Changes if flushes => Stage::Before,
            Stage::Changes | Stage::Before => Stage::FlowRecord,
            Stage::FlowRecord if flushes => Stage::After,
            _ => Stage::Idle,
        };
        if matches!(self.log.stage, Stage::Before) || !flushes {
            self.log.asked = now;
        }
        match self.log.stage {
            Stage::Before | Stage::After => {
                let id = self.begin_flush(now, self.log.asked);
                self.log.under_way.push(id);
            }
            Stage::FlowRecord => self.log_request(journal, journal.record_sectors, out),
            _ => {
                for process in std::mem::take(&mut self.log.waiting) {
                    self.one_less(now, process);
                }
                if !self.log.next.is_empty() {
                    self.begin_commit(now, journal);
                }
            }
        }
    }

    fn log_request(&mut self, journal: Journal, sectors: u32, out: &mut Vec<Request>) {
        let lba = self.log.place(journal, sectors);
        let id = self.transfers.begin_awaited(self.log.asked, Cause::Journal, (DEVICE, lba));
        self.log.under_way.push(id);
        let criticality = self.transfers.class(id);
        let request = self.request(lba, sectors, Operation::Write, Cause::Journal, id);
        out.push(Request { criticality, ..request });
    }

    /// A process waits until the drive's own cache is empty.
    pub(super) fn flush(&mut self, now: Stamp, process: ProcessId) -> bool {
        let id = self.begin_flush(now, now);
        self.transfers.wait(id, process, now);
        self.wait_for(now, process, 1)
    }

    /// The drive begins to empty its own cache.
    fn begin_flush(&mut self, now: Stamp, asked: Stamp) -> u32 {
        let id = self.transfers.begin_awaited(asked, Cause::Flush, (DEVICE, 0));
        self.timers.enter(now + self.options.flush, Timer::Flushed(id));
        id
    }

    pub(super) fn flushed(&mut self, now: Stamp, id: u32, out: &mut Vec<Request>) {
        self.transfers.came_back(id, now);
        self.transfer_done(now, id, out);
    }
}
