use super::{CacheOutcome, Command, Drive, Service, WriteTail, media_service};
use crate::transfer::{self, MediaTimes, Start, WriteBuffer};
use crate::{Chance, WriteReport};
use platterlab_units::{Operation, Span, Time};

impl Drive {
    pub(super) fn write(
        &mut self,
        issue: Time,
        command: Command,
        chance: &mut impl Chance,
    ) -> Service {
        let Command { lba, sectors, .. } = command;
        let end = lba + u64::from(sectors);
        let begin = issue + self.controller.overhead(Operation::Write, false);
        let sequential = self.write_tail.is_some_and(|tail| tail.end_lba == lba);
        let report = self.reports_early(command, sequential);
        let behind = self.media_free > begin;
        let bus_start = self.room_at(begin, command);
        let bus_end = bus_start + self.bus.write_sector * u64::from(sectors);

        // Data that continues what is being written goes to the media without a new seek.
        let start = if behind && sequential {
            Start { at: self.media_free, arm: self.arm, continues: true }
        } else {
            let ready = if self.bus.overlap { begin } else { bus_end };
            let at = self.stop_stream(ready).max(self.media_free);
            Start { at, arm: self.arm, continues: false }
        };
        self.segments.forget(lba, end);
        let times = self.media_write(start, bus_start, command, chance);
        self.arm = times.arm;
        self.remember_written(lba, end, sequential);
        let before = self.write_tail.map_or(0, |tail| if behind { tail.pending_sectors } else { 0 });
        let pending_sectors = if report { before.saturating_add(sectors) } else { 0 };
        self.write_tail = Some(WriteTail { end_lba: end, pending_sectors });

        let completion_overhead = self.controller.completion(Operation::Write);
        if report {
            self.media_free = times.end;
            return Service {
                completion: bus_end + completion_overhead,
                overhead: (begin - issue) + completion_overhead,
                wait: bus_start - begin,
                seek: Span::ZERO,
                rotation: Span::ZERO,
                transfer: Span::ZERO,
                bus: bus_end - bus_start,
                cache: CacheOutcome::Reported,
                cylinder: times.cylinder,
                seek_distance: times.seek_distance,
            };
        }
        self.media_free = Time::ZERO;
        let on_media = times.end + self.bus.reconnect;
        let mut service =
            media_service(issue, begin, start.at, &times, on_media, completion_overhead);
        if !self.bus.overlap {
            // The bus was first: the time before the mechanism set off is the bus's, not a wait.
            let bus = bus_end - begin;
            service.bus += bus;
            service.wait = service.wait.saturating_sub(bus);
        }
        service
    }

    /// Whether a write is reported once it is in the buffer.
    fn reports_early(&self, command: Command, sequential: bool) -> bool {
        let allowed = command.may_report_early && command.sectors <= self.cache.buffer_sectors;
        let first_since_read = self.write_tail.is_none();
        allowed
            && match self.cache.write_report {
                WriteReport::Media => false,
                WriteReport::Immediate => first_since_read || sequential,
                WriteReport::Buffer => true,
            }
    }

    /// When the buffer has room for another write: at once, or when write-behind has drained
    /// enough, at the pace of the media.
    fn room_at(&self, begin: Time, command: Command) -> Time {
        let pending = self.write_tail.map_or(0, |tail| tail.pending_sectors);
        let Some(allowed) = self.cache.buffer_sectors.checked_sub(command.sectors) else {
            return begin;
        };
        if self.media_free <= begin || pending <= allowed {
            return begin;
        }
        let per_track = self.layout.run(command.lba, 1).sectors_per_track;
        let sector = self.mechanism.rotation().period() / u64::from(per_track);
        begin.max(self.media_free.rebased(sector * u64::from(allowed)))
    }

    fn media_write(
        &mut self,
        start: Start,
        bus_start: Time,
        command: Command,
        chance: &mut impl Chance,
    ) -> MediaTimes {
        let Command { lba, sectors, operation, .. } = command;
        let mut buffer = WriteBuffer::new(&self.bus, &self.cache, sectors, bus_start);
        transfer::walk(
            &self.layout,
            &self.mechanism,
            start,
            operation,
            (lba, sectors, 0),
            &mut buffer,
            chance,
        )
    }

    /// Keeps written data where it can be read back.
    fn remember_written(&mut self, lba: u64, end: u64, sequential: bool) {
        if !self.cache.hits_on_written {
            return;
        }
        match self.segments.find(lba.saturating_sub(1)) {
            Some((segment, 1)) if sequential => {
                self.segments.extend(segment, end);
                self.segments.touch(segment);
            }
            _ => {
                self.segments.take(lba, end);
            }
        }
    }
}
