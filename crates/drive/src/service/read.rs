use super::{CacheOutcome, Command, Drive, OnBus, Service, media_service};
use crate::cache::{Behind, Stream, extent};
use crate::layout::Tracks;
use crate::transfer::{self, Buffer, MediaTimes, ReadBuffer, Start};
use crate::{Chance, OnHit, ReadAhead, ReadAheadAfter};
use platterlab_units::{Operation, Span, Time};

impl Drive {
    pub(super) fn read(
        &mut self,
        issue: Time,
        command: Command,
        chance: &mut impl Chance,
    ) -> Service {
        self.write_end = None;
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
        let mut cached = self.segments.find(lba, u64::from(sectors));
        let held = cached.map_or(0, |(_, held)| held);
        let comes = held < u64::from(command.sectors)
            && self.cache.hits_in_flight
            && self.in_flight(command.lba, cached)
            && self.goes_on_coming(&command, looked_up);
        if comes {
            // What is being read goes on coming until the bus can have it.
            self.fill_until(looked_up);
            cached = self.segments.find(lba, u64::from(sectors));
        }
        match cached {
            Some((segment, held)) if held >= u64::from(command.sectors) => {
                let service = self.hit(issue, looked_up, command, segment);
                let cache = if comes { CacheOutcome::InFlight } else { service.cache };
                Service { cache, ..service }
            }
            _ if comes && self.in_flight(command.lba, cached) => self.catch_up(
                issue,
                looked_up,
                command,
                cached.map_or(0, |(_, held)| held as u32),
                chance,
            ),
            Some((segment, held)) if self.cache.partial_hits => {
                let late = self.stop_stream_at_arrival(issue);
                let set_off = issue + self.overhead(Operation::Read, false);
                let at = self.take_mechanism(set_off, late);
                self.complete(issue, (looked_up, at), command, (segment, held as u32), chance)
            }
            _ => {
                let begin = issue + self.overhead(Operation::Read, false);
                self.fetch(issue, begin, command, chance)
            }
        }
    }

    /// Whether the part of a request that is not cached is what read-ahead reads now.
    fn in_flight(&self, lba: u64, cached: Option<(usize, u64)>) -> bool {
        let Some(stream) = &self.stream else { return false };
        match cached {
            Some((segment, held)) => segment == stream.segment && stream.is_reading(lba + held),
            None => self.cache.almost_hits && stream.is_reading(lba),
        }
    }

    /// Whether all of what is in flight can be served as it comes from `looked_up` on: read-ahead may
    /// end in the midst of it by then, which without partial hits makes it a miss.
    fn goes_on_coming(&self, command: &Command, looked_up: Time) -> bool {
        if self.cache.partial_hits {
            return true;
        }
        let Some((stream, growth)) = self.stream_by(looked_up) else { return false };
        let held = self.segments.held(command.lba, Some(&(stream.segment, growth)));
        held >= u64::from(command.sectors) || stream.is_reading(command.lba + held)
    }

    fn hit(&mut self, issue: Time, begin: Time, command: Command, segment: usize) -> Service {
        self.after_hit(segment, command.lba + u64::from(command.sectors));
        if self.stream.as_ref().is_some_and(|stream| stream.segment != segment) {
            self.stop_stream_at_arrival(issue);
        }
        self.read_on_after_hit(segment, (issue, begin), command);
        self.buffered(issue, begin, command)
    }

    /// A read that needs nothing but the bus.
    fn buffered(&self, issue: Time, begin: Time, command: Command) -> Service {
        let bus = self.bus.read_sector * u64::from(command.sectors);
        let completion_overhead = self.completion(Operation::Read, true);
        let from = self.in_turn_from(begin);
        Service {
            completion: from + bus + completion_overhead,
            overhead: (begin - issue) + completion_overhead,
            wait: from - begin,
            seek: Span::ZERO,
            rotation: Span::ZERO,
            transfer: Span::ZERO,
            bus,
            bus_from: from,
            bus_span: bus,
            bus_held: bus,
            bus_rest: completion_overhead,
            media_end: from,
            cache: CacheOutcome::Hit,
            cylinder: self.arm.cylinder,
            seek_distance: 0,
        }
    }

    /// Takes the first `held` sectors from the buffer and the rest as read-ahead delivers it.
    fn catch_up(
        &mut self,
        issue: Time,
        begin: Time,
        command: Command,
        held: u32,
        chance: &mut impl Chance,
    ) -> Service {
        let Some(mut stream) = self.stream.take() else {
            return self.fetch(issue, begin, command, chance);
        };
        let from = command.lba + u64::from(held);
        let (at, arm) = stream.reach(from, begin, &self.mechanism);
        let segment = stream.segment;
        let start = Start { at, arm, continues: true };
        let (times, on_bus) = self.media_read(start, begin, command, held, chance);
        self.last_seen.done(times.end, times.arm);
        let end = command.lba + u64::from(command.sectors);
        self.segments.extend(segment, end);
        self.after_hit(segment, end);
        self.read_on(segment, command, end, &times);
        let completion_overhead = self.completion(Operation::Read, true);
        let media_end = times.end.max(begin);
        Service {
            completion: on_bus.done + completion_overhead,
            overhead: (begin - issue) + completion_overhead,
            wait: Span::ZERO,
            seek: Span::ZERO,
            rotation: Span::ZERO,
            transfer: media_end - begin,
            bus: on_bus.done - media_end,
            bus_from: on_bus.from,
            bus_span: on_bus.span,
            bus_held: on_bus.span,
            bus_rest: completion_overhead,
            media_end,
            cache: CacheOutcome::InFlight,
            cylinder: times.cylinder,
            seek_distance: times.seek_distance,
        }
    }

    /// Reads from the media what is not in the buffer.
    fn fetch(
        &mut self,
        issue: Time,
        begin: Time,
        command: Command,
        chance: &mut impl Chance,
    ) -> Service {
        let late = self.stop_stream_at_arrival(issue);
        let at = self.take_mechanism(begin, late);
        let start = Start { at, arm: self.arm, continues: false };
        let (times, on_bus) = self.media_read(start, begin, command, 0, chance);
        self.last_seen.done(times.end, times.arm);
        self.arm = times.arm;
        let end = command.lba + u64::from(command.sectors);
        let (first, last) = self.gathered(command, end, &times);
        if let Some(segment) = self.segments.take(first, last) {
            self.after_media(segment, command, last, &times, chance);
        }
        let completion_overhead = self.completion(Operation::Read, false);
        media_service(issue, begin, at, &times, on_bus, completion_overhead)
    }

    /// Sends the first `held` sectors from a segment, and reads on from the media, from `at` on,
    /// what comes after them.
    fn complete(
        &mut self,
        issue: Time,
        (begin, at): (Time, Time),
        command: Command,
        (segment, held): (usize, u32),
        chance: &mut impl Chance,
    ) -> Service {
        let start = Start { at, arm: self.arm, continues: false };
        let (times, on_bus) = self.media_read(start, begin, command, held, chance);
        self.last_seen.done(times.end, times.arm);
        self.arm = times.arm;
        let end = command.lba + u64::from(command.sectors);
        let (_, last) = self.gathered(command, end, &times);
        self.segments.extend(segment, last);
        self.segments.touch(segment);
        self.after_media(segment, command, last, &times, chance);
        let completion_overhead = self.completion(Operation::Read, false);
        // The arm may set off while the controller still looks after the bus.
        let counted = MediaTimes {
            positioned: times.positioned.max(begin),
            first: times.first.max(begin),
            end: times.end.max(begin),
            ..times
        };
        let set_off = at.max(begin);
        let service = media_service(issue, begin, set_off, &counted, on_bus, completion_overhead);
        Service { cache: CacheOutcome::Partial, media_end: times.end, ..service }
    }

    /// What becomes of a segment into which the media has been read, before `last`.
    fn after_media(
        &mut self,
        segment: usize,
        command: Command,
        last: u64,
        times: &MediaTimes,
        chance: &mut impl Chance,
    ) {
        if !self.cache.keep_after_miss {
            let end = command.lba + u64::from(command.sectors);
            self.segments.discard_before(segment, end);
        }
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
        chance: &mut impl Chance,
    ) -> (MediaTimes, OnBus) {
        let Command { lba, sectors, .. } = command;
        let mut buffer = ReadBuffer::new(&self.bus, &self.cache, (sectors, held), begin);
        if held > 0 {
            buffer.passed(0, held, begin, begin);
        }
        let times = transfer::walk(
            &mut Tracks::new(&self.layout, &mut self.found),
            &self.mechanism,
            start,
            Operation::Read,
            (lba, sectors, held),
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
        // A whole turn on the request's only track has everything on it.
        let whole = run.sectors == sectors && times.end - times.positioned >= turn;
        if !whole {
            return (first, end);
        }
        let track = extent::end_of_track(tracks, end - 1);
        (first, self.read_ahead_limit(command, end).min(track))
    }

    fn after_hit(&mut self, segment: usize, end: u64) {
        self.segments.touch(segment);
        if !self.cache.keep_after_hit {
            self.segments.discard_before(segment, end);
        }
    }

    /// Whether no read-ahead follows, as chance has it.
    fn abandons(&self, chance: &mut impl Chance) -> bool {
        let share = self.cache.read_ahead_abandoned_millionths;
        // An even draw from 0 to 999 999.
        let mut draw = || (u128::from(chance.angle().raw()) * 1_000_000) >> 64;
        share > 0 && draw() < u128::from(share)
    }

    /// Lets read-ahead go on from `next`, where a command's media transfer left the head.
    fn read_on(&mut self, segment: usize, command: Command, next: u64, times: &MediaTimes) {
        self.arm = times.arm;
        let limit = self.read_ahead_limit(command, next);
        let mut stream = Stream::new(segment, next, times.end, times.arm);
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        stream.extend(limit, times.end, &mut tracks, &self.mechanism);
        if self.cache.read_ahead == ReadAhead::WholeTrack && limit > next {
            self.read_behind(&mut stream, command, next, times);
        }
        self.stream = Some(stream);
    }

    /// Has the beginning of the track read too, where the request lay on one track.
    fn read_behind(
        &mut self,
        stream: &mut Stream,
        command: Command,
        next: u64,
        times: &MediaTimes,
    ) {
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let first = extent::start_of_track(&mut tracks, command.lba);
        let sectors = (next - first) as u32;
        if tracks.run(first, sectors).sectors == sectors {
            let at = times.first + self.mechanism.rotation().period();
            stream.wrap(Behind { first, end: command.lba, at });
        }
    }

    /// What a full hit does to read-ahead.
    fn read_on_after_hit(
        &mut self,
        segment: usize,
        (issue, begin): (Time, Time),
        command: Command,
    ) {
        let goes_on = match self.cache.read_ahead_on_hit {
            OnHit::Ignore => false,
            OnHit::Continue => {
                self.stream.as_ref().is_some_and(|stream| self.is_under_way(stream, issue))
            }
            OnHit::Extend | OnHit::Start => true,
        };
        if !goes_on {
            return;
        }
        let limit = self.read_ahead_limit(command, command.lba + u64::from(command.sectors));
        if let Some(stream) = self.stream.as_mut().filter(|stream| stream.segment == segment) {
            let mut tracks = Tracks::new(&self.layout, &mut self.found);
            stream.extend(limit, begin, &mut tracks, &self.mechanism);
            return;
        }
        let (held, written) = self.segments.holds(segment);
        if self.cache.read_ahead_on_hit == OnHit::Start && !written && limit > held.end {
            let at = self.stop_stream(begin).max(self.media_free);
            let mut stream = Stream::new(segment, held.end, at, self.arm);
            let mut tracks = Tracks::new(&self.layout, &mut self.found);
            stream.extend(limit, at, &mut tracks, &self.mechanism);
            self.stream = Some(stream);
        }
    }

    /// The first address read-ahead leaves alone, after a command of which the addresses before
    /// `end` have been read.
    fn read_ahead_limit(&mut self, command: Command, end: u64) -> u64 {
        let after_any = self.cache.read_ahead_after == ReadAheadAfter::Sequential;
        let counts = after_any || self.controller.previous().is_read();
        let sequential = counts && self.last_end == Some(command.lba);
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        extent::limit(&self.cache, &mut tracks, (command.lba, end), sequential)
    }
}
