//! The file cache at work: what reads and writes find there, and what they ask of the disk.

use super::Host;
use super::pages::{DEVICE, State};
use crate::source::Request;
use platterlab_units::{Operation, Partial, Stamp};
use platterlab_workload::flow::{Cause, Event, FileId, FlowRecord, ProcessId, WriteMode};
use std::ops::Range;

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    /// What was in memory before the flow began. Where that is more than memory holds, the first of
    /// it would be given up for the last, and is not taken in.
    pub(super) fn fill_memory(&mut self) {
        let resident = self.script.take_resident();
        let named: u64 = resident.iter().map(|(.., pages)| u64::from(*pages)).sum();
        let mut left_out = named.saturating_sub(self.options.memory_pages);
        for (file, page, pages) in resident {
            let given_up = left_out.min(pages.into());
            left_out -= given_up;
            for page in page + given_up..page + u64::from(pages) {
                if self.pages.find((file, page)).is_none() {
                    let lba = self.script.find_place(file, page).map_or(0, |(lba, _)| lba);
                    self.pages.insert((file, page), lba, self.options.page_sectors, State::Clean);
                }
            }
        }
    }

    /// A process needs pages of a file, one after the other: where one is not there, it waits, and
    /// comes back for that one and the rest.
    pub(super) fn read(
        &mut self,
        now: Stamp,
        process: ProcessId,
        file: FileId,
        page: u64,
        pages: u32,
        out: &mut Vec<Request>,
    ) -> bool {
        let end = page + u64::from(pages);
        let mut missing = false;
        for at in page..end {
            let slot = match self.pages.find((file, at)) {
                Some(slot) => {
                    if let Some(window) = self.windows.hit(file, at) {
                        self.read_ahead(now, file, window, Cause::ReadAhead, out);
                    }
                    slot
                }
                None => match self.demand(now, file, at..end, out) {
                    Some(slot) => {
                        missing = true;
                        self.processes.issued(process);
                        slot
                    }
                    None => {
                        self.come_back(process, file, at..end);
                        return self.wait_for_memory(now, process);
                    }
                },
            };
            if self.need(slot, process, now) > 0 {
                self.read_after(now, file, at + 1, missing, out);
                self.come_back(process, file, at..end);
                return self.wait_to_retry(now, process, 1);
            }
        }
        self.read_after(now, file, end, missing, out);
        true
    }

    /// Reads a page that is missing, and with it what the read-ahead policy adds; its slot, or `None`
    /// if memory is full.
    fn demand(
        &mut self,
        now: Stamp,
        file: FileId,
        pages: Range<u64>,
        out: &mut Vec<Request>,
    ) -> Option<u32> {
        let page = pages.start;
        let window = self.windows.miss(file, page, (pages.end - page) as u32);
        let (_, fetched) = self.fetch(now, file, page..window, Cause::DemandRead, out)?;
        let tail = page + u64::from(fetched)..window;
        self.read_ahead(now, file, tail, Cause::ReadAheadTail, out);
        self.pages.find((file, page))
    }

    /// Reads ahead what follows on having read up to `end`.
    fn read_after(
        &mut self,
        now: Stamp,
        file: FileId,
        end: u64,
        missing: bool,
        out: &mut Vec<Request>,
    ) {
        let window = self.windows.after(file, end);
        let cause = if missing { Cause::ReadAheadTail } else { Cause::ReadAhead };
        self.read_ahead(now, file, window, cause, out);
    }

    /// What is left of a read is what the process does when it goes on.
    fn come_back(&mut self, process: ProcessId, file: FileId, pages: Range<u64>) {
        let (page, pages) = (pages.start, (pages.end - pages.start) as u32);
        let rest = Event::Read { file, page, pages };
        self.processes.set_event(process, Some(rest));
    }

    /// Reads ahead what has a place and is not in memory, as far as memory has room.
    fn read_ahead(
        &mut self,
        now: Stamp,
        file: FileId,
        window: Range<u64>,
        cause: Cause,
        out: &mut Vec<Request>,
    ) {
        let Range { start: mut at, end } = window;
        while at < end {
            if self.pages.find((file, at)).is_some() {
                at += 1;
            } else if self.script.find_place(file, at).is_none() {
                return;
            } else if let Some((_, fetched)) = self.fetch(now, file, at..end, cause, out) {
                at += u64::from(fetched);
            } else {
                return;
            }
        }
    }

    /// Reads pages of a file that are missing, as many as one request can; its number and theirs.
    /// `None` if memory has no room.
    fn fetch(
        &mut self,
        now: Stamp,
        file: FileId,
        pages: Range<u64>,
        cause: Cause,
        out: &mut Vec<Request>,
    ) -> Option<(u32, u32)> {
        let Range { start: page, end } = pages;
        let (lba, run) = self.script.place(file, page);
        let most = run.min(self.options.request_pages).min((end - page) as u32);
        let sectors = self.options.page_sectors;
        let mut count = 0;
        let key = (file, page);
        let id = self.transfers.begin(now, cause, key, 0);
        while count < most {
            let next = page + u64::from(count);
            if count > 0 && self.pages.find((file, next)).is_some() {
                break;
            }
            let at = lba + u64::from(count) * u64::from(sectors);
            let Some(slot) = self.pages.insert((file, next), at, sectors, State::Reading(id))
            else {
                break;
            };
            if cause != Cause::DemandRead {
                self.pages.page_mut(slot).ahead = Some(now);
            }
            count += 1;
        }
        if count == 0 {
            self.transfers.cancel(id);
            return None;
        }
        self.transfers.set_pages(id, count);
        out.push(self.request(lba, count * sectors, Operation::Read, cause, id));
        Some((id, count))
    }

    /// A process needs a page that is known; how many requests it waits for because of it.
    fn need(&mut self, slot: u32, process: ProcessId, now: Stamp) -> u32 {
        self.pages.touch(slot);
        let page = self.pages.page_mut(slot);
        let ahead = page.ahead.take();
        if let State::Reading(transfer) = page.state {
            self.transfers.wait(transfer, process, now);
            return 1;
        }
        if let Some(issued) = ahead {
            self.transfers.met(issued, now);
        }
        0
    }

    /// A process changes pages of a file.
    pub(super) fn write(
        &mut self,
        now: Stamp,
        process: ProcessId,
        file: FileId,
        page: u64,
        pages: u32,
    ) -> bool {
        let end = page + u64::from(pages);
        for page in page..end {
            let Some(slot) = self.slot_to_write(file, page) else {
                let rest = Event::Write { file, page, pages: (end - page) as u32 };
                self.processes.set_event(process, Some(rest));
                return self.wait_for_memory(now, process);
            };
            self.mark_dirty(slot, now);
        }
        true
    }

    /// The page's place in memory; `None` while too much is dirty or memory has no room.
    fn slot_to_write(&mut self, file: FileId, page: u64) -> Option<u32> {
        let known = self.pages.find((file, page));
        let dirty = known.is_some_and(|slot| self.pages.page(slot).state == State::Dirty);
        let full = self.options.dirty_limit_pages.is_some_and(|most| self.pages.dirty >= most);
        if full && !dirty {
            return None;
        }
        known.or_else(|| {
            let (lba, _) = self.script.place(file, page);
            self.pages.insert((file, page), lba, self.options.page_sectors, State::Clean)
        })
    }

    /// A page becomes dirty.
    fn mark_dirty(&mut self, slot: u32, now: Stamp) {
        let page = self.pages.page_mut(slot);
        page.ahead = None;
        match page.state {
            State::Dirty => {}
            State::Clean => {
                page.dirtied = now;
                self.pages.set(slot, State::Dirty);
            }
            // What is being read is about to be written over, and dirty once it is there.
            State::Reading(transfer) | State::Writing(transfer, _) => {
                page.dirtied = now;
                self.pages.set(slot, State::Writing(transfer, true));
            }
        }
    }

    /// A file's pages from `page` on are gone.
    pub(super) fn forget(&mut self, now: Stamp, file: FileId, page: u64) {
        let slots: Vec<u32> = self.pages.of_file(file, page).collect();
        for slot in slots {
            match self.pages.page(slot).state {
                State::Clean | State::Dirty => self.pages.remove(slot),
                // It goes when the request is done; until then nothing of it is to be written.
                State::Writing(transfer, _) => {
                    self.pages.set(slot, State::Writing(transfer, false));
                }
                State::Reading(_) => {}
            }
        }
        self.wake_memory_waiters(now);
    }

    /// A process needs blocks of the device.
    pub(super) fn read_block(
        &mut self,
        now: Stamp,
        process: ProcessId,
        lba: u64,
        sectors: u32,
        out: &mut Vec<Request>,
    ) -> bool {
        let key = (DEVICE, lba);
        if let Some(slot) = self.pages.find(key) {
            let waits = self.need(slot, process, now);
            return self.wait_for(now, process, waits);
        }
        let cause = Cause::MetadataRead;
        let id = self.transfers.begin(now, cause, key, 1);
        if self.pages.insert(key, lba, sectors, State::Reading(id)).is_none() {
            self.transfers.cancel(id);
            return self.wait_for_memory(now, process);
        }
        out.push(self.request(lba, sectors, Operation::Read, cause, id));
        self.processes.issued(process);
        self.transfers.wait(id, process, now);
        self.wait_for(now, process, 1)
    }

    /// A process changes blocks of the device.
    pub(super) fn write_block(
        &mut self,
        now: Stamp,
        process: ProcessId,
        lba: u64,
        sectors: u32,
        mode: WriteMode,
        out: &mut Vec<Request>,
    ) -> bool {
        let key = (DEVICE, lba);
        let slot = match self.pages.find(key) {
            Some(slot) => slot,
            None => match self.pages.insert(key, lba, sectors, State::Clean) {
                Some(slot) => slot,
                None => return self.wait_for_memory(now, process),
            },
        };
        if let State::Writing(transfer, _) | State::Reading(transfer) = self.pages.page(slot).state
        {
            // A block on its way cannot be changed: that is what limits the time of metadata writes.
            self.transfers.wait(transfer, process, now);
            return self.wait_to_retry(now, process, 1);
        }
        self.mark_dirty(slot, now);
        let cause = match mode {
            WriteMode::Delayed => return true,
            WriteMode::Asynchronous => Cause::Journal,
            WriteMode::Synchronous => Cause::SyncWrite,
        };
        let transfer = self.clean(now, slot, cause, out);
        if mode == WriteMode::Asynchronous {
            return true;
        }
        self.transfers.wait(transfer, process, now);
        self.wait_for(now, process, 1)
    }

    /// The process waits for this many requests and then tries its event again.
    pub(super) fn wait_to_retry(&mut self, now: Stamp, process: ProcessId, waits: u32) -> bool {
        let event = self.processes.event(process);
        self.wait_for(now, process, waits);
        self.tally.events -= 1;
        self.processes.set_event(process, event);
        false
    }

    pub(super) fn request(
        &self,
        lba: u64,
        sectors: u32,
        operation: Operation,
        cause: Cause,
        id: u32,
    ) -> Request {
        Request {
            volume: self.options.volume,
            lba,
            sectors,
            partial: Partial::WHOLE,
            operation,
            criticality: cause.criticality(),
            stream: 0,
            order: None,
            tag: u64::from(id),
        }
    }
}
