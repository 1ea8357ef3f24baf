//! A read, from the buffer, from read-ahead under way, or from the media.

use super::parts::{Begun, Instants, OnBus};
use super::{CacheOutcome, Command, Drive, Service};
use crate::buffer::{Behind, Unsent, extent};
use crate::layout::Tracks;
use crate::passed_sectors::Passed;
use crate::transfer::{self, MediaTimes, ReadBuffer, SpeedMatching, Start, Wanted};
use crate::{Chance, ReadAhead, ReadAheadAfter};
use platterlab_units::{Operation, Time};

/// The beginning of a request that a segment has kept.
#[derive(Clone, Copy, Debug)]
struct Kept {
    segment: usize,
    sectors: u32,
}

impl Drive {
    pub(super) fn read(
        &mut self,
        issue: Time,
        command: Command,
        chance: &mut dyn Chance,
    ) -> Service {
        self.buffer.write_behind.end_sequence();
        if self.waits(command.lba, command.sectors) {
            let begin = issue + self.overhead(Operation::Read, true);
            return self.buffered(issue, begin, command);
        }
        if self.cache.segments == 0 {
            let begin = issue + self.overhead(Operation::Read, false);
            return self.fetch(issue, begin, command, chance);
        }
        let looked_up = issue + self.overhead(Operation::Read, true);
        self.fill_until(self.looks_up_at(issue, &self.situation));
        let Command { lba, sectors, .. } = command;
        let mut cached = self.buffer.find(lba, sectors);
        let held = cached.map_or(0, |(_, held)| held);
        let in_flight = held < u64::from(command.sectors)
            && self.cache.hits_in_flight
            && self.buffer.is_in_flight(command.lba, cached)
            && self.served_by_read_ahead(&command, looked_up);
        if in_flight {
            // What is being read continues to arrive until the bus can have it.
            self.fill_until(looked_up);
            cached = self.buffer.find(lba, sectors);
        }
        match cached {
            Some((segment, held)) if held >= u64::from(command.sectors) => {
                let service = self.hit(issue, looked_up, command, segment);
                let cache = if in_flight { CacheOutcome::InFlight } else { service.cache };
                Service { cache, ..service }
            }
            _ if in_flight && self.buffer.is_in_flight(command.lba, cached) => self.catch_up(
                issue,
                looked_up,
                command,
                cached.map_or(0, |(_, held)| held as u32),
                chance,
            ),
            Some((segment, held)) if self.cache.partial_hits => {
                let late = self.break_off_at_arrival(issue);
                let set_off = issue + self.overhead(Operation::Read, false);
                let at = self.take_mechanism(set_off, late);
                let begun = Begun { issue, begin: looked_up };
                self.complete(begun, at, command, Kept { segment, sectors: held as u32 }, chance)
            }
            _ => {
                let begin = issue + self.overhead(Operation::Read, false);
                self.fetch(issue, begin, command, chance)
            }
        }
    }

    /// Whether all of what is in flight can be served as it comes from `looked_up` on: read-ahead may
    /// end in the midst of it by then, which without partial hits makes it a miss.
    fn served_by_read_ahead(&self, command: &Command, looked_up: Time) -> bool {
        if self.cache.partial_hits {
            return true;
        }
        let Some((stream, growth)) = self.read_ahead_by(looked_up) else { return false };
        let held = self.buffer.held(command.lba, Some(&(stream.segment, growth)));
        held >= u64::from(command.sectors) || self.buffer.comes_to(&stream, command.lba + held)
    }

    fn hit(&mut self, issue: Time, begin: Time, command: Command, segment: usize) -> Service {
        self.buffer.after_hit(segment, command.end());
        if self.buffer.reads_ahead_elsewhere(segment) {
            self.break_off_at_arrival(issue);
        }
        self.read_on_after_hit(segment, Begun { issue, begin }, command);
        let service = self.buffered(issue, begin, command);
        self.spare_unsent(command, service.bus_from);
        service
    }

    /// Keeps read-ahead off the data of `command` that goes over the bus from `from` on.
    fn spare_unsent(&mut self, command: Command, from: Time) {
        let sectors = command.lba..command.end();
        let unsent = Unsent { sectors, from, sector: self.bus.read_sector };
        self.buffer.spare_unsent(&unsent, &self.mechanism);
    }

    /// A read that needs nothing but the bus.
    fn buffered(&self, issue: Time, begin: Time, command: Command) -> Service {
        let bus = self.bus.read_sector * u64::from(command.sectors);
        let completion = self.completion(Operation::Read, true);
        let media = MediaTimes::none(self.head.arm());
        let begun = Begun { issue, begin };
        Instants::without_mechanism(begun, self.in_turn_from(begin), bus, completion, media)
            .service(CacheOutcome::Hit)
    }

    /// Takes the first `held` sectors from the buffer and the rest as read-ahead delivers it.
    fn catch_up(
        &mut self,
        issue: Time,
        begin: Time,
        command: Command,
        held: u32,
        chance: &mut dyn Chance,
    ) -> Service {
        let from = command.lba + u64::from(held);
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let Some(taken) = self.buffer.take_over(from, begin, &mut tracks, &self.mechanism) else {
            return self.fetch(issue, begin, command, chance);
        };
        let start = Start { at: taken.at, arm: taken.arm, continues: true };
        let (times, on_bus) = self.media_read(start, begin, command, held, chance);
        self.head.transfers(command.sectors - held, &times);
        self.buffer.extend(taken.segment, command.end());
        self.buffer.after_hit(taken.segment, command.end());
        self.read_on(taken.segment, command, command.end(), &times);
        self.spare_unsent(command, on_bus.from);
        let end = times.end.max(begin);
        let media = MediaTimes { positioned: begin, first: begin, end, ..times };
        let completion = self.completion(Operation::Read, true);
        let begun = Begun { issue, begin };
        Instants { begun, set_off: begin, media, on_bus, completion }
            .service(CacheOutcome::InFlight)
    }

    /// Reads from the media what is not in the buffer.
    fn fetch(
        &mut self,
        issue: Time,
        begin: Time,
        command: Command,
        chance: &mut dyn Chance,
    ) -> Service {
        let late = self.break_off_at_arrival(issue);
        let at = self.take_mechanism(begin, late);
        let start = Start { at, arm: self.head.arm(), continues: false };
        let (times, on_bus) = self.media_read(start, begin, command, 0, chance);
        self.head.transfers(command.sectors, &times);
        let (first, last) = self.gathered(command, command.end(), &times);
        if let Some(segment) = self.buffer.keep(first..last) {
            self.after_media(segment, command, last, &times, chance);
            self.spare_unsent(command, on_bus.from);
        }
        let completion = self.completion(Operation::Read, false);
        let begun = Begun { issue, begin };
        Instants { begun, set_off: at, media: times, on_bus, completion }
            .service(CacheOutcome::Miss)
    }

    /// Sends the first sectors from a segment, and reads on from the media, from `at` on, what comes
    /// after them.
    fn complete(
        &mut self,
        begun: Begun,
        at: Time,
        command: Command,
        kept: Kept,
        chance: &mut dyn Chance,
    ) -> Service {
        let Begun { begin, .. } = begun;
        let Kept { segment, sectors: held } = kept;
        let start = Start { at, arm: self.head.arm(), continues: false };
        let (times, on_bus) = self.media_read(start, begin, command, held, chance);
        self.head.transfers(command.sectors - held, &times);
        let (_, last) = self.gathered(command, command.end(), &times);
        self.buffer.extend(segment, last);
        self.buffer.touch(segment);
        self.after_media(segment, command, last, &times, chance);
        self.spare_unsent(command, on_bus.from);
        let completion = self.completion(Operation::Read, false);
        // The arm may set off while the controller still looks after the bus.
        let media = MediaTimes {
            positioned: times.positioned.max(begin),
            first: times.first.max(begin),
            end: times.end.max(begin),
            ..times
        };
        let set_off = at.max(begin);
        let service =
            Instants { begun, set_off, media, on_bus, completion }.service(CacheOutcome::Partial);
        Service { media_end: times.end, ..service }
    }

    /// What becomes of a segment into which the media has been read, before `last`.
    fn after_media(
        &mut self,
        segment: usize,
        command: Command,
        last: u64,
        times: &MediaTimes,
        chance: &mut dyn Chance,
    ) {
        self.buffer.after_miss(segment, command.end());
        if !self.abandons(chance) {
            self.read_on(segment, command, last, times);
        }
    }

    /// The media's and the bus's part of a read.
    fn media_read(
        &mut self,
        start: Start,
        begin: Time,
        command: Command,
        held: u32,
        chance: &mut dyn Chance,
    ) -> (MediaTimes, OnBus) {
        let Command { lba, sectors, .. } = command;
        let mut buffer =
            ReadBuffer::new(&self.bus, &self.cache, sectors, held, begin, &mut self.sending);
        if held > 0 {
            buffer.passed(0, held, begin, begin);
        }
        let times = transfer::walk(
            &mut Tracks::new(&self.layout, &mut self.found),
            &self.mechanism,
            start,
            Operation::Read,
            Wanted { lba, sectors, done: held },
            &mut buffer,
            chance,
        );
        let (from, done) = buffer.finish(times.end.max(begin));
        let span = self.bus.read_sector * u64::from(sectors);
        let last = lba + u64::from(sectors - 1);
        (times, self.sent_around_track_end(last, &times, OnBus { from, span, done }))
    }

    /// The addresses in the buffer after a read of `lba..end`: on-arrival reading keeps what
    /// passed the head before the request did, on the same run of the same track.
    fn gathered(&mut self, command: Command, end: u64, times: &MediaTimes) -> (u64, u64) {
        let lba = command.lba;
        if self.cache.read_ahead != ReadAhead::OnArrival || !self.mechanism.tracks_rotation() {
            return (lba, end);
        }
        let sectors = (end - lba) as u32;
        let tracks = &mut Tracks::new(&self.layout, &mut self.found);
        let run = tracks.run(lba, sectors);
        let turn = self.mechanism.rotation().period();
        let sector = turn / u64::from(run.sectors_per_track);
        let passed = (times.first - times.positioned).as_ps() / sector.as_ps().max(1);
        let before = run.sector.min(u32::try_from(passed).unwrap_or(u32::MAX));
        let one_run = |first: &u64| tracks.run(*first, before + 1).sectors == before + 1;
        let first = lba.checked_sub(u64::from(before)).filter(one_run).unwrap_or(lba);
        // A whole revolution on the request's only track has everything on it.
        let whole = run.sectors == sectors && times.end - times.positioned >= turn;
        if !whole {
            return (first, end);
        }
        let track = extent::end_of_track(tracks, end - 1);
        (first, self.read_ahead_limit(command, end).min(track))
    }

    /// Whether no read-ahead follows, by chance.
    fn abandons(&self, chance: &mut dyn Chance) -> bool {
        let share = self.cache.read_ahead_abandoned;
        // An even draw from 0 to 999 999.
        let mut draw = || (u128::from(chance.angle().raw()) * 1_000_000) >> 64;
        share > 0 && draw() < u128::from(share)
    }

    /// Lets read-ahead continue from `next`, where a command's media transfer left the head.
    fn read_on(&mut self, segment: usize, command: Command, next: u64, times: &MediaTimes) {
        let limit = self.read_ahead_limit(command, next);
        let wraps = self.cache.read_ahead == ReadAhead::WholeTrack && limit > next;
        let behind = if wraps { self.beginning_of_track(command, next, times) } else { None };
        let from = Passed { at: times.end, arm: times.arm };
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        self.buffer.read_on(segment, next..limit, from, behind, &mut tracks, &self.mechanism);
    }

    /// The beginning of the track, where the request lay on one track.
    fn beginning_of_track(
        &mut self,
        command: Command,
        next: u64,
        times: &MediaTimes,
    ) -> Option<Behind> {
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let first = extent::start_of_track(&mut tracks, command.lba);
        let sectors = (next - first) as u32;
        let at = times.first + self.mechanism.rotation().period();
        let on_one_track = tracks.run(first, sectors).sectors == sectors;
        on_one_track.then_some(Behind { first, end: command.lba, at })
    }

    /// What a full hit does to read-ahead.
    fn read_on_after_hit(&mut self, segment: usize, begun: Begun, command: Command) {
        let Begun { issue, begin } = begun;
        if !self.buffer.goes_on_after_hit(issue, self.idle_from) {
            return;
        }
        let limit = self.read_ahead_limit(command, command.end());
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let mechanism = &self.mechanism;
        if self.buffer.extend_read_ahead(segment, limit, begin, &mut tracks, mechanism) {
            return;
        }
        if let Some(next) = self.buffer.starts_again(segment, limit) {
            let at = self.break_off_read_ahead(begin).max(self.head.free_at());
            let from = Passed { at, arm: self.head.arm() };
            let mut tracks = Tracks::new(&self.layout, &mut self.found);
            let ahead = next..limit;
            self.buffer.read_on(segment, ahead, from, None, &mut tracks, &self.mechanism);
        }
    }

    /// The first address read-ahead leaves alone, after a command of which the addresses before
    /// `end` have been read.
    fn read_ahead_limit(&mut self, command: Command, end: u64) -> u64 {
        let after_any = self.cache.read_ahead_after == ReadAheadAfter::Sequential;
        let counts = after_any || self.controller.previous().is_read();
        let sequential = counts && self.last_end == Some(command.lba);
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let limit = extent::limit(&self.cache, &mut tracks, command.lba..end, sequential);
        let held = command.lba + u64::from(self.cache.segment_sectors);
        limit.max(self.continued_to.min(held))
    }
}
