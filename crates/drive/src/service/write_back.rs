//! The write-back cache at work: what is written while the drive is idle, to make room, and for a
//! flush. Nothing happens until the next command asks what has been done by then.

use super::{CacheOutcome, Command, Drive, Service};
use crate::Chance;
use crate::layout::Tracks;
use crate::transfer::{self, HeldBuffer, Start};
use platterlab_units::{Operation, Span, Time};

impl Drive {
    /// Puts all data that waits for the media there, by a command handed over at `issue`: when the
    /// host sees it done.
    pub fn flush(&mut self, issue: Time, chance: &mut impl Chance) -> Time {
        self.situation = self.situation(issue, 0, Operation::Write);
        let begin = issue + self.overhead(Operation::Write, false);
        self.destage_until(issue, chance);
        let mut done = begin.max(self.media_free);
        while let Some(end) = self.destage(done, chance) {
            done = end;
        }
        self.idle_from = done + self.completion(Operation::Write, false);
        self.idle_from
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
        chance: &mut impl Chance,
    ) -> Service {
        let Command { lba, sectors, .. } = command;
        let end = lba + u64::from(sectors);
        let begin = issue + self.overhead(Operation::Write, true);
        let mut ready = begin;
        while !self.dirty.as_mut().is_none_or(|dirty| dirty.add(lba, end)) {
            ready = self.destage(ready, chance).unwrap_or(ready);
        }
        // Read-ahead must not bring back what has just been replaced.
        if self.stream.is_some() {
            self.media_free = self.stop_stream(ready).max(self.media_free);
        }
        self.segments.overwrite(lba, end, None);
        self.remember_written(lba, end, self.last_end == Some(lba));
        let bus_start = ready + self.bus.write_delay;
        let bus_span = self.bus.write_sector * u64::from(sectors);
        let completion_overhead = self.completion(Operation::Write, true);
        Service {
            completion: bus_start + bus_span + completion_overhead,
            overhead: (begin - issue) + completion_overhead,
            wait: bus_start - begin,
            seek: Span::ZERO,
            rotation: Span::ZERO,
            transfer: Span::ZERO,
            bus: bus_span,
            bus_from: bus_start,
            bus_span,
            bus_held: bus_span,
            bus_rest: completion_overhead,
            media_end: begin,
            cache: CacheOutcome::Reported,
            cylinder: self.arm.cylinder,
            seek_distance: 0,
        }
    }

    /// Does what an idle drive has begun to write by `now`.
    #[inline]
    pub(super) fn destage_until(&mut self, now: Time, chance: &mut impl Chance) {
        let Some(params) = &self.cache.write_back else { return };
        let mut at = (self.idle_from + params.idle).max(self.media_free);
        while at < now {
            let Some(end) = self.destage(at, chance) else { return };
            at = end;
        }
    }

    /// Whether all sectors of a read wait for the media.
    #[inline]
    pub(super) fn waits(&self, lba: u64, sectors: u32) -> bool {
        self.dirty.as_ref().is_some_and(|dirty| dirty.holds(lba, lba + u64::from(sectors)))
    }

    /// Writes the next extent that waits, from `at` on: when it is on the media; `None` if none
    /// waits.
    fn destage(&mut self, at: Time, chance: &mut impl Chance) -> Option<Time> {
        let (lba, sectors) = self.dirty.as_mut()?.take(self.destaged)?;
        let at = self.stop_stream(at).max(self.media_free);
        let mut buffer = HeldBuffer { zero_latency: self.cache.zero_latency_write };
        let times = transfer::walk(
            &mut Tracks::new(&self.layout, &mut self.found),
            &self.mechanism,
            Start { at, arm: self.arm, continues: false },
            Operation::Write,
            (lba, sectors, 0),
            &mut buffer,
            chance,
        );
        self.arm = times.arm;
        self.last_seen.begin(times.first, times.end, times.arm);
        self.media_free = times.end;
        self.write_end = None;
        self.destaged = lba + u64::from(sectors);
        Some(times.end)
    }
}
