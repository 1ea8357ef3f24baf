//! The way of dirty pages to the disk, and what the end of a request means for its pages.

use super::Host;
use super::pages::{DEVICE, PageKey, State};
use super::transfers::Transfer;
use crate::source::Request;
use platterlab_units::{Operation, Stamp};
use platterlab_workload::flow::{Cause, FileId, FlowRecord, ProcessId};

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    /// A process waits until what is dirty, of a file or of all, is on the disk; whether it
    /// continues at once.
    pub(super) fn sync(
        &mut self,
        now: Stamp,
        process: ProcessId,
        file: Option<FileId>,
        out: &mut Vec<Request>,
    ) -> bool {
        if self.transfers.in_turn(process) {
            return self.next_in_turn(now, process);
        }
        let slots: Vec<u32> = match file {
            Some(file) => self.pages.of_file(file, 0).collect(),
            None => self.pages.all().collect(),
        };
        let mut awaited: Vec<u32> = Vec::new();
        for slot in slots {
            let transfer = match self.pages.page(slot).state {
                State::Dirty => self.clean(now, slot, Cause::SyncWrite, out),
                State::Writing(transfer, _) => transfer,
                State::Clean | State::Reading(_) => continue,
            };
            // Pages of one request come one after the other.
            if awaited.last() != Some(&transfer) {
                awaited.push(transfer);
            }
        }
        if self.options.sync_in_turn {
            self.transfers.await_in_turn(process, awaited);
            return self.next_in_turn(now, process);
        }
        for &transfer in &awaited {
            self.transfers.wait(transfer, process, now);
        }
        self.wait_for(now, process, awaited.len() as u32)
    }

    /// A process that syncs waits for the next request that is not done; whether there is none.
    fn next_in_turn(&mut self, now: Stamp, process: ProcessId) -> bool {
        let Some(transfer) = self.transfers.take_in_turn(process) else { return true };
        self.transfers.wait(transfer, process, now);
        self.wait_to_retry(now, process, 1)
    }

    /// Writes a dirty page and those after it that fit into the same request; its number.
    pub(super) fn clean(
        &mut self,
        now: Stamp,
        slot: u32,
        cause: Cause,
        out: &mut Vec<Request>,
    ) -> u32 {
        let first = *self.pages.page(slot);
        let id = self.transfers.begin(now, cause, first.key, 1);
        self.pages.set(slot, State::Writing(id, false));
        let mut sectors = first.sectors;
        let mut pages = 1;
        while first.key.0 != DEVICE && pages < self.options.request_pages {
            let Some(next) = self.pages.find((first.key.0, first.key.1 + u64::from(pages))) else {
                break;
            };
            let page = self.pages.page(next);
            if page.state != State::Dirty || page.lba != first.lba + u64::from(sectors) {
                break;
            }
            sectors += page.sectors;
            pages += 1;
            self.pages.set(next, State::Writing(id, false));
        }
        self.transfers.set_pages(id, pages);
        out.push(self.request(first.lba, sectors, Operation::Write, cause, id));
        id
    }

    /// A request has been dealt with by its handler: its pages, and those who waited, continue.
    pub(super) fn transfer_done(&mut self, now: Stamp, id: u32, out: &mut Vec<Request>) {
        let mut freed = std::mem::take(&mut self.freed);
        let Transfer { key: (file, page), pages, .. } = self.transfers.end(id, &mut freed);
        let mut room = false;
        for page in page..page + u64::from(pages) {
            room |= self.settle((file, page), id);
        }
        for process in freed.drain(..) {
            self.one_less(now, process);
        }
        self.freed = freed;
        if room {
            self.wake_memory_waiters(now);
        }
        self.log_done(now, id, out);
    }

    /// What a page is after its request; whether there is room where there was none.
    fn settle(&mut self, key: PageKey, id: u32) -> bool {
        let Some(slot) = self.pages.find(key) else { return false };
        match self.pages.page(slot).state {
            State::Reading(transfer) if transfer == id => self.pages.set(slot, State::Clean),
            State::Writing(transfer, again) if transfer == id => {
                self.pages.set(slot, if again { State::Dirty } else { State::Clean });
                return !again;
            }
            _ => return false,
        }
        true
    }

    /// Memory has room: all who waited for it try again.
    pub(super) fn wake_memory_waiters(&mut self, now: Stamp) {
        while let Some(process) = self.processes.take_memory_waiter() {
            self.unblock(now, process);
        }
    }
}
