//! A write to the media, reported when it is there or before.

use super::parts::{Begun, Instants, OnBus};
use super::{CacheOutcome, Command, Drive, Service};
use crate::layout::Tracks;
use crate::transfer::{self, MediaTimes, Start, Wanted, WriteBuffer};
use crate::{Chance, WriteReport};
use platterlab_units::{Operation, Span, Time};

impl Drive {
    pub(super) fn write(
        &mut self,
        issue: Time,
        command: Command,
        chance: &mut dyn Chance,
    ) -> Service {
        let Command { lba, sectors, .. } = command;
        let sequential = self.buffer.write_behind.is_continued_by(lba);
        let report = self.reports_early(command, sequential);
        let in_turn = self.cache.write_report == WriteReport::BufferInTurn;
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let spared = self.buffer.spared(issue, &mut tracks, &self.mechanism);
        let late = self.break_off_at_arrival(issue);
        let begin = issue + self.overhead(Operation::Write, report);
        let behind = self.head.free_at() > begin;
        let joins = sequential && behind && self.buffer.write_behind.takes_another_at(issue);
        let bus_start = self.room_at(begin, command, joins) + self.bus.write_delay;
        let bus_span = self.bus.write_sector * u64::from(sectors);
        let bus_end = bus_start + bus_span;

        let start = if joins && in_turn {
            self.follow(bus_start, command, chance)
        } else if behind && sequential && !in_turn {
            // Data that continues what is being written goes to the media without a new seek.
            Start { at: self.head.free_at(), arm: self.head.arm(), continues: true }
        } else {
            let ready = if self.bus.overlap { begin } else { bus_end };
            let at = self.take_mechanism(ready, late);
            Start { at, arm: self.head.arm(), continues: false }
        };
        let (start, edges) = self.read_edges(start, command, chance);
        self.buffer.overwrite(lba..command.end(), spared);
        let (times, sent) = self.media_write(start, bus_start, command, chance);
        self.head.transfers(sectors, &times);
        self.buffer.keep_written(lba..command.end(), sequential);
        let before = if behind { self.buffer.write_behind.pending_sectors() } else { 0 };
        let pending = if report { before.saturating_add(sectors) } else { 0 };
        self.buffer.write_behind.wrote(command.end(), pending);

        let completion = self.completion(Operation::Write, report);
        let begun = Begun { issue, begin };
        if report {
            self.head.hold_until(times.end);
            // What has no room comes as the media makes it.
            let span = sent - bus_start;
            let reported = Instants::without_mechanism(begun, bus_start, span, completion, times);
            return Service {
                media_end: times.end,
                seek_distance: edges.seek_distance + times.seek_distance,
                ..reported.service(CacheOutcome::Reported)
            };
        }
        self.head.hold_until(Time::ZERO);
        let done = self.reported_around_track_end(command.end() - 1, &times);
        let on_bus = OnBus { from: bus_start, span: bus_span, done };
        let instants = Instants { begun, set_off: start.at, media: times, on_bus, completion };
        let mut service = instants.service(CacheOutcome::Miss);
        edges.charge(&mut service);
        if !self.bus.overlap {
            // The bus was first: the time before the mechanism set off is the bus's, not a wait.
            let bus = (bus_end - begin).min(service.wait);
            service.bus += bus;
            service.wait -= bus;
        }
        service
    }

    /// Where a command that continues the one being written starts: the head continues into its
    /// data as far as that has come, and only then the command is written itself, from its first
    /// sector on.
    fn follow(&mut self, bus_start: Time, command: Command, chance: &mut dyn Chance) -> Start {
        let on = Start { at: self.head.free_at(), arm: self.head.arm(), continues: true };
        let (followed, _) = self.media_write(on, bus_start, command, chance);
        let next_turn = on.at + self.mechanism.rotation().period();
        // With all of the data come in time, the first command keeps the head until it ends.
        let taken = if followed.end < next_turn { followed.end } else { on.at };
        self.buffer.write_behind.is_taken_until(taken);
        let at = if followed.first < next_turn { followed.first + Span::from_ps(1) } else { on.at };
        Start { at, arm: on.arm, continues: false }
    }

    /// Whether a write is reported once it is in the buffer.
    pub(super) fn reports_early(&self, command: Command, sequential: bool) -> bool {
        // What may be early in a write-back cache has gone there.
        let allowed = command.may_report_early
            && command.sectors <= self.cache.room_sectors()
            && self.cache.write_back.is_none();
        let first_since_read = self.buffer.write_behind.is_over();
        allowed
            && match self.cache.write_report {
                WriteReport::Media => false,
                WriteReport::Immediate => first_since_read || sequential,
                WriteReport::Buffer | WriteReport::BufferInTurn => true,
            }
    }

    /// When another write's data can start to come without a pause: at once, or when write-behind
    /// makes room for each sector in time, at the pace of the media.
    fn room_at(&mut self, begin: Time, command: Command, sequential: bool) -> Time {
        if self.cache.write_report == WriteReport::BufferInTurn && !sequential {
            return self.in_turn_from(begin);
        }
        let Some(allowed) = self.cache.room_sectors().checked_sub(command.sectors) else {
            return begin;
        };
        let pending = self.buffer.write_behind.pending_sectors();
        if self.head.free_at() <= begin || pending <= allowed {
            return begin;
        }
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let per_track = tracks.run(command.lba, 1).sectors_per_track;
        let sector = self.mechanism.rotation().period() / u64::from(per_track);
        // Room comes at an even pace, and so do sectors: the first or the last decides.
        let others = u64::from(command.sectors - 1);
        let room_for_last = self.head.free_at().rebased(sector * u64::from(allowed));
        let room_for_first = room_for_last.rebased(sector * others);
        let last = room_for_last.rebased(self.bus.write_sector * others);
        begin.max(room_for_first).max(last)
    }

    /// The media's part, and when all data has come.
    fn media_write(
        &mut self,
        start: Start,
        bus_start: Time,
        command: Command,
        chance: &mut dyn Chance,
    ) -> (MediaTimes, Time) {
        let Command { lba, sectors, operation, .. } = command;
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let (mut on_track, mut share) = (sectors, 1_000_000);
        // Where it lies matters to few drives, and asking takes time.
        if self.cache.write_fence_by_track || self.cache.write_fence_slow.is_some() {
            let run = tracks.run(lba, sectors);
            let passes = self.mechanism.rotation().period() / u64::from(run.sectors_per_track);
            let slow = self.cache.write_fence_slow.filter(|slow| passes >= slow.from_sector);
            share = slow.map_or(share, |slow| slow.share);
            on_track = run.sectors;
        }
        let (bus, cache) = (&self.bus, &self.cache);
        let mut buffer = WriteBuffer::new(bus, cache, sectors, on_track, share, bus_start);
        let times = transfer::walk(
            &mut tracks,
            &self.mechanism,
            start,
            operation,
            Wanted { lba, sectors, done: 0 },
            &mut buffer,
            chance,
        );
        (times, buffer.bus_end())
    }
}
