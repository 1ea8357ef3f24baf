//! The write-back cache at work: what is written while the drive is idle, to make room, and for a
//! flush. Nothing happens until the next command asks what has been done by then.

use super::partial::Edges;
use super::parts::{Begun, Instants};
use super::{CacheOutcome, Command, Drive, Service};
use crate::layout::Tracks;
use crate::transfer::{self, HeldBuffer, MediaTimes, Start, Wanted};
use crate::{Chance, WrittenMemory};
use platterlab_units::{Operation, Time};

impl Drive {
    /// Puts all data that waits for the media there, by a command handed over at `issue`: when the
    /// host sees it done.
    pub fn flush(&mut self, issue: Time, chance: &mut dyn Chance) -> Time {
        self.situation = self.situation(issue, 0, Operation::Write);
        let begin = issue + self.overhead(Operation::Write, false);
        self.destage_until(issue, chance);
        let mut done = begin.max(self.head.free_at());
        while let Some(end) = self.destage(done, chance) {
            done = end;
        }
        self.idle_from = done + self.completion(Operation::Write, false);
        self.idle_from
    }

    /// Whether there is a write-back cache.
    #[must_use]
    pub fn writes_back(&self) -> bool {
        self.cache.write_back.is_some()
    }

    /// The memory that holds written data which is not on the media yet.
    #[must_use]
    pub fn written_memory(&self) -> WrittenMemory {
        self.cache.written_memory
    }

    /// Adds the runs that the write-back cache holds at `now`, first address and end of each; `now` is
    /// not before any command so far. What is on its way to the media is held until it is there.
    pub fn unwritten(&mut self, now: Time, chance: &mut dyn Chance, runs: &mut Vec<(u64, u64)>) {
        self.destage_until(now, chance);
        self.buffer.unwritten(now, runs);
    }

    /// Whether a write is reported from a write-back cache.
    pub(super) fn is_written_back(&self, command: Command) -> bool {
        let fits = |params: &crate::WriteBack| command.sectors <= params.sectors;
        command.may_report_early && self.cache.write_back.as_ref().is_some_and(fits)
    }

    /// Takes a write that [`Drive::is_written_back`].
    pub(super) fn write_back(
        &mut self,
        issue: Time,
        command: Command,
        chance: &mut dyn Chance,
    ) -> Service {
        let written = command.lba..command.end();
        let begin = issue + self.overhead(Operation::Write, true);
        let mut ready = begin;
        let unread = self.unread_edges(command);
        while !self.buffer.postpone(written.clone()) {
            ready = self.destage(ready, chance).unwrap_or(ready);
        }
        let each = self.logical_per_sector();
        self.buffer.complete(written.clone(), each, command.edges(each), &unread);
        // Read-ahead must not bring back what has just been replaced.
        if self.buffer.has_read_ahead() {
            let free = self.break_off_read_ahead(ready);
            self.head.hold_until(free.max(self.head.free_at()));
        }
        self.buffer.overwrite(written.clone(), None);
        self.buffer.keep_written(written, self.last_end == Some(command.lba));
        let bus_start = ready + self.bus.write_delay;
        let bus_span = self.bus.write_sector * u64::from(command.sectors);
        let completion = self.completion(Operation::Write, true);
        let media = MediaTimes::none(self.head.arm());
        let begun = Begun { issue, begin };
        let taken = Instants::without_mechanism(begun, bus_start, bus_span, completion, media);
        Service { media_end: begin, ..taken.service(CacheOutcome::Reported) }
    }

    /// The sectors of which a write leaves something alone that nothing in the drive knows.
    fn unread_edges(&self, command: Command) -> [Option<u64>; 2] {
        let mut unread = [None; 2];
        if command.partial.is_whole() {
            return unread;
        }
        let edges = command.edges(self.logical_per_sector()).map(|(lba, _)| lba);
        let unknown = edges.filter(|&lba| !self.buffer.knows(lba));
        for (place, lba) in unread.iter_mut().zip(unknown) {
            *place = Some(lba);
        }
        unread
    }

    /// Does what an idle drive has begun to write by `now`.
    #[inline]
    pub(super) fn destage_until(&mut self, now: Time, chance: &mut dyn Chance) {
        let Some(params) = &self.cache.write_back else { return };
        let mut at = (self.idle_from + params.idle).max(self.head.free_at());
        self.buffer.forget_landed(now);
        while at < now {
            let Some(end) = self.destage(at, chance) else { return };
            at = end;
        }
    }

    /// Whether all sectors of a read wait for the media.
    #[inline]
    pub(super) fn waits(&self, lba: u64, sectors: u32) -> bool {
        self.buffer.waits(lba..lba + u64::from(sectors))
    }

    /// Writes the next extent that waits, from `at` on: when it is on the media; `None` if none
    /// waits.
    fn destage(&mut self, at: Time, chance: &mut dyn Chance) -> Option<Time> {
        let (lba, sectors) = self.buffer.next_to_destage()?;
        let at = self.break_off_read_ahead(at).max(self.head.free_at());
        let mut start = Start { at, arm: self.head.arm(), continues: false };
        while let Some(edge) = self.buffer.next_partial(lba..lba + u64::from(sectors)) {
            start = self.read_edge(start, edge, &mut Edges::default(), chance);
        }
        let mut buffer = HeldBuffer { zero_latency: self.cache.zero_latency_write };
        let times = transfer::walk(
            &mut Tracks::new(&self.layout, &mut self.found),
            &self.mechanism,
            start,
            Operation::Write,
            Wanted { lba, sectors, done: 0 },
            &mut buffer,
            chance,
        );
        self.head.transfers(sectors, &times);
        self.head.hold_until(times.end);
        self.buffer.lands(lba..lba + u64::from(sectors), times.end);
        self.buffer.write_behind.end_sequence();
        Some(times.end)
    }
}
