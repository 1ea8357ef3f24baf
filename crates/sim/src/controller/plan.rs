//! The commands of a cache's job: fetches, flushes, stores and bypasses.

use super::Store;
use super::cache::{Cache, FETCH, FLUSH, Kind, LIFT, Part, STORE};
use crate::array::Piece;
use platterlab_units::Operation;

impl Cache {
    pub(super) fn begin_cached(&mut self, want: Piece, out: &mut Vec<Piece>) -> Option<u32> {
        let (from, to) = (want.lba, want.lba + u64::from(want.sectors));
        let numbers = from / self.lines.line_sectors..(to - 1) / self.lines.line_sectors + 1;
        if !self.may_begin(&want, numbers.clone()) {
            return None;
        }
        let id = self.open(Kind::Cached, want);
        self.count(&want, numbers.clone());
        // Lines that are there are held first, so that none of them makes room for another.
        let mut missing = 0;
        for number in numbers.clone() {
            if let Some(slot) = self.lines.find((want.device, number)) {
                self.lines.used(slot);
                self.lines.pin(slot);
            } else {
                missing += 1;
            }
        }
        for number in numbers {
            let key = (want.device, number);
            let fetched = self.fetched(&want, number);
            let written = match want.operation {
                Operation::Read => 0,
                Operation::Write => self.lines.touched(number, from, to),
            };
            let slot = match self.lines.find(key) {
                Some(slot) => slot,
                None => {
                    missing -= 1;
                    self.take_slot(id, key, missing, out)
                }
            };
            self.fetch(id, &want, number, fetched, out);
            if let Store::Device(store) = self.options.store {
                let held = match want.operation {
                    Operation::Read => self.lines.touched(number, from, to) & !fetched,
                    Operation::Write => fetched | written,
                };
                self.stored(store, slot, held, want.operation, STORE, out);
            }
            self.jobs[id].parts.push(Part { slot, fetched, written });
        }
        if want.operation == Operation::Write && self.writes_through() {
            self.fly(id, want.device, from, to, Operation::Write);
        }
        Some(id)
    }

    fn writes_through(&self) -> bool {
        !self.options.write.is_back()
    }

    /// Whether nothing under way stands against a command, and there are lines for it.
    ///
    /// A line that is dirty and not held is on its way nowhere, so it can always be written: where
    /// the last of an earlier line is still under way, its successor is not written to.
    fn may_begin(&self, want: &Piece, numbers: std::ops::Range<u64>) -> bool {
        let whole = want.lba..want.lba + u64::from(want.sectors);
        let (mut missing, mut own) = (0, 0);
        for number in numbers {
            match self.lines.find((want.device, number)) {
                Some(slot) => own += usize::from(self.lines.at(slot).pins == 0),
                None => missing += 1,
            }
            let fetched = self.fetched(want, number);
            let mut runs = self.lines.runs(number, fetched, self.end(want.device));
            if runs.any(|run| self.conflict(want.device, &run, |_| true)) {
                return false;
            }
        }
        let any = self.writes_through() || missing > 0;
        let against = |operation| operation == Operation::Read || any;
        let stands =
            want.operation == Operation::Write && self.conflict(want.device, &whole, against);
        !stands && self.lines.room(missing, own)
    }

    /// The granules of a line that have to be read for a command and are not there.
    fn fetched(&self, want: &Piece, number: u64) -> u64 {
        let (from, to) = (want.lba, want.lba + u64::from(want.sectors));
        let slot = self.lines.find((want.device, number));
        let present = slot.map_or(0, |slot| self.lines.at(slot).present);
        let touched = self.lines.touched(number, from, to) & !present;
        let (missing, prefetch) = match want.operation {
            Operation::Read => (touched, self.options.read_prefetch),
            Operation::Write => {
                let covered = self.lines.covered(number, from, to, self.end(want.device));
                (touched & !covered, self.options.write_prefetch)
            }
        };
        self.lines.with_prefetch(missing, prefetch) & !present
    }

    fn count(&mut self, want: &Piece, mut numbers: std::ops::Range<u64>) {
        let whole = numbers.all(|number| self.fetched(want, number) == 0);
        let tally = &mut self.tally;
        match want.operation {
            Operation::Read => {
                tally.reads += 1;
                tally.read_hits += u64::from(whole);
            }
            Operation::Write => {
                tally.writes += 1;
                tally.write_fetches += u64::from(!whole);
            }
        }
    }

    /// A slot for a line that is not there; what is dirty in it goes to its device first, with as
    /// many neighbours as leave room for the lines that are `still` missing.
    fn take_slot(&mut self, id: u32, key: (u32, u64), still: usize, out: &mut Vec<Piece>) -> u32 {
        let (slot, dirty) = self.lines.make_room(key).expect("room was found before");
        if dirty {
            self.flush_around(id, slot, Some(still), out);
        }
        self.lines.enter(slot, key);
        self.lines.pin(slot);
        slot
    }

    fn fetch(&mut self, id: u32, want: &Piece, number: u64, granules: u64, out: &mut Vec<Piece>) {
        let device = want.device;
        for run in self.lines.runs(number, granules, self.end(device)) {
            self.fly(id, device, run.start, run.end, Operation::Read);
            let piece = Piece::new(device, run, Operation::Read, FETCH);
            let alone = self.options.line_by_line;
            self.gather(piece, if alone { Some(1) } else { self.options.max_gather_lines }, out);
        }
    }

    /// Adds a command, as part of the one like it before if it continues where that ends.
    fn gather(&self, piece: Piece, most_lines: Option<u32>, out: &mut Vec<Piece>) {
        let line = self.lines.line_sectors;
        let kind = |piece: &Piece| (piece.device, piece.operation, piece.stage);
        if let Some(last) = out.iter_mut().rev().find(|last| kind(last) == kind(&piece)) {
            let goes_on = last.lba + u64::from(last.sectors) == piece.lba;
            let lines = || (piece.lba + u64::from(piece.sectors)).div_ceil(line) - last.lba / line;
            if goes_on && most_lines.is_none_or(|most| lines() <= u64::from(most)) {
                last.sectors += piece.sectors;
                return;
            }
        }
        out.push(piece);
    }

    /// Adds commands to the device that keeps the data.
    pub(super) fn stored(
        &self,
        store: u32,
        slot: u32,
        granules: u64,
        operation: Operation,
        stage: u8,
        out: &mut Vec<Piece>,
    ) {
        for run in self.lines.runs(u64::from(slot), granules, u64::MAX) {
            self.gather(Piece::new(store, run, operation, stage), None, out);
        }
    }

    /// Writes what is dirty in a line and in its neighbours, which are held. If the line goes to
    /// make room, it is not, and room is left for the lines that are `still` missing.
    fn flush_around(&mut self, id: u32, slot: u32, still: Option<usize>, out: &mut Vec<Piece>) {
        let (device, number) = self.lines.at(slot).key;
        let most = u64::from(self.options.flush.max_cluster_lines);
        let most = still.map_or(most, |still| most.min(self.lines.unpinned() - still as u64));
        let ready = |number| {
            let line = self.lines.find((device, number)).map(|slot| self.lines.at(slot));
            line.is_some_and(|line| line.pins == 0 && line.dirty != 0)
        };
        let (mut first, mut last) = (number, number);
        while last - first + 1 < most && first > 0 && ready(first - 1) {
            first -= 1;
        }
        while last - first + 1 < most && ready(last + 1) {
            last += 1;
        }
        for number in first..=last {
            let Some(each) = self.lines.find((device, number)) else { continue };
            self.flush_line(id, each, out);
            if each != slot || still.is_none() {
                self.lines.pin(each);
                self.jobs[id].parts.push(Part { slot: each, fetched: 0, written: 0 });
            }
        }
    }

    fn flush_line(&mut self, id: u32, slot: u32, out: &mut Vec<Piece>) {
        let (device, number) = self.lines.at(slot).key;
        let dirty = self.lines.clean(slot);
        self.jobs[id].flushed += u64::from(dirty.count_ones());
        if let Store::Device(store) = self.options.store {
            self.stored(store, slot, dirty, Operation::Read, LIFT, out);
        }
        for run in self.lines.runs(number, dirty, self.end(device)) {
            self.fly(id, device, run.start, run.end, Operation::Write);
            let piece = Piece::new(device, run, Operation::Write, FLUSH);
            self.gather(piece, self.options.max_gather_lines, out);
        }
    }

    /// A long command goes to the device; what is dirty there is written before, and after a write
    /// nothing of it is in the cache.
    pub(super) fn begin_bypass(&mut self, want: Piece, out: &mut Vec<Piece>) -> Option<u32> {
        let (from, to) = (want.lba, want.lba + u64::from(want.sectors));
        let line = self.lines.line_sectors;
        let numbers = from / line..(to - 1) / line + 1;
        let whole = numbers.start * line..numbers.end * line;
        if self.conflict(want.device, &whole, |_| true) {
            return None;
        }
        let slots = |cache: &Self, number| cache.lines.find((want.device, number));
        let held = |number| slots(self, number).is_some_and(|slot| self.lines.at(slot).pins > 0);
        if numbers.clone().any(held) {
            return None;
        }
        let id = self.open(Kind::Bypass, want);
        self.tally.bypassed += 1;
        for number in numbers {
            let Some(slot) = slots(self, number) else { continue };
            self.flush_line(id, slot, out);
            self.lines.pin(slot);
            self.jobs[id].parts.push(Part { slot, fetched: 0, written: 0 });
            if want.operation == Operation::Write {
                self.lines.empty(slot);
            }
        }
        self.fly(id, want.device, from, to, want.operation);
        out.push(Piece { stage: FETCH, rewrite: false, ..want });
        Some(id)
    }

    /// Begins to write the oldest dirty lines; nothing comes back if there are none that may be.
    pub(crate) fn begin_flush(&mut self, out: &mut Vec<Piece>) -> Option<u32> {
        let slot = self.lines.dirty().find(|&slot| self.lines.at(slot).pins == 0)?;
        let (device, number) = self.lines.at(slot).key;
        let lba = number * self.lines.line_sectors;
        let id = self.open(Kind::Flush, Piece::new(device, lba..lba, Operation::Write, 0));
        self.flush_around(id, slot, None, out);
        Some(id)
    }

    /// Whether anything waits to be written.
    pub(crate) fn is_dirty(&self) -> bool {
        self.lines.dirty_granules > 0
    }
}
