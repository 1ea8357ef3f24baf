//! Read-ahead between requests: the mechanism continues reading where the last request ended.
//!
//! Nothing happens until someone asks: [`Stream::advance`] then works out how far the head has
//! come. A run of sectors costs one step, however long it took to read.

use crate::layout::{Run, Tracks};
use crate::mechanism::{Arm, Mechanism, Rotation};
use crate::passed_sectors::Passed;
use platterlab_units::{Operation, Span, Time};
use std::ops::Range;

/// Read-ahead under way, or at rest at its limit.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    /// The cache segment it fills.
    pub(crate) segment: usize,
    /// The next address to be read.
    pub(crate) next: u64,
    /// The first address not to be read.
    limit: u64,
    /// The sectors being read; `None` at the limit.
    run: Option<Reading>,
    arm: Arm,
    /// The last change of tracks: once begun, it cannot be broken off.
    switch: Switch,
    /// When the last sector read had passed.
    idle_since: Time,
    /// Where the run ends early, at what has not been sent: when there is room and the next sector is
    /// about to come around again.
    goes_on_at: Option<Time>,
    /// The part of the track before the request, which passes last.
    behind: Option<Behind>,
}

/// What read-ahead has added to its segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    /// All addresses up to here are in the buffer.
    pub(crate) end: u64,
    /// And these.
    pub(crate) behind: Option<Behind>,
}

/// The beginning of a track, read after its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Behind {
    /// Its first address.
    pub(crate) first: u64,
    /// The address after its last, where the request began.
    pub(crate) end: u64,
    /// When all of it has passed.
    pub(crate) at: Time,
}

/// Data on its way to the host: what of the buffer is not free yet, and when it will be.
#[derive(Clone, Debug)]
pub(crate) struct Unsent {
    /// Its addresses.
    pub(crate) sectors: Range<u64>,
    /// When the first of them begins to go over the bus.
    pub(crate) from: Time,
    /// What each takes.
    pub(crate) sector: Span,
}

/// A change of tracks.
#[derive(Clone, Copy, Debug)]
struct Switch {
    from: Arm,
    begun: Time,
    settled: Time,
}

/// A run that is being read.
#[derive(Clone, Copy, Debug)]
struct Reading {
    run: Run,
    /// Sectors of it that have passed.
    passed: u32,
    /// When the next one begins to pass.
    next_at: Time,
    /// Whether there was no room for that when it came last, so that nobody waits for it.
    put_off: bool,
}

impl Stream {
    /// Read-ahead of `next..limit` that follows a transfer which ended at `at`.
    pub(crate) fn new(segment: usize, next: u64, at: Time, arm: Arm) -> Self {
        let switch = Switch { from: arm, begun: Time::ZERO, settled: Time::ZERO };
        let (limit, run, idle_since, behind) = (next, None, at, None);
        let goes_on_at = None;
        Self { segment, next, limit, run, arm, switch, idle_since, goes_on_at, behind }
    }

    /// Has the beginning of the track read too.
    pub(crate) fn wrap(&mut self, behind: Behind) {
        self.behind = Some(behind);
    }

    /// Moves the limit, and continues from `now` if the stream rested at the old one.
    pub(crate) fn extend(
        &mut self,
        limit: u64,
        now: Time,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) {
        self.limit = self.limit.max(limit.min(tracks.capacity()));
        if self.run.is_none() && self.next < self.limit {
            self.start_run(now.max(self.idle_since), tracks, mechanism);
        }
    }

    /// Reads on until `now`, and says how far it came: all addresses below are in the buffer.
    fn advance(&mut self, now: Time, tracks: &mut Tracks<'_>, mechanism: &Mechanism) -> u64 {
        while let Some(reading) = &mut self.run {
            if reading.next_at > now {
                break;
            }
            let Reading { run, passed, next_at, .. } = *reading;
            let count = mechanism.passed_within(&run, passed, now - next_at);
            let end = next_at + mechanism.pass(&run, passed, passed + count);
            self.next += u64::from(count);
            self.idle_since = end;
            reading.passed += count;
            reading.next_at = end;
            reading.put_off = false;
            if reading.passed < run.sectors {
                break;
            }
            self.run = None;
            if self.next < self.limit {
                let again = self.goes_on_at.take();
                self.start_run(again.unwrap_or(end), tracks, mechanism);
                if let Some(reading) = self.run.as_mut().filter(|_| again.is_some()) {
                    reading.put_off = true;
                }
            }
        }
        self.next
    }

    /// Waits on this track, for as many revolutions as it takes, before the sector that would take
    /// the place of one that is `unsent`, in a segment that holds `room` sectors.
    pub(crate) fn wait_for(&mut self, unsent: &Unsent, room: u64, mechanism: &Mechanism) {
        let Some(Reading { run, passed, next_at, put_off }) = &mut self.run else { return };
        let on_track = self.next + u64::from(run.sectors - *passed);
        let first = self.next.max(unsent.sectors.start + room);
        let begins =
            |at: u64| *next_at + mechanism.pass(run, *passed, *passed + (at - self.next) as u32);
        let has_room =
            |at: u64| unsent.from + unsent.sector * (at - room - unsent.sectors.start + 1);
        let mut taking_places = first..on_track.min(unsent.sectors.end + room);
        let Some(at) = taking_places.find(|&at| begins(at) < has_room(at)) else { return };
        let (turn, missed) = (mechanism.rotation().period(), begins(at));
        let again = missed + turn * (has_room(at) - missed).as_ps().div_ceil(turn.as_ps());
        if at == self.next {
            (*next_at, *put_off) = (again, true);
        } else {
            // A little before it, as angles are rounded.
            self.goes_on_at = Some(again - mechanism.pass(run, 0, 1) / 2);
            run.sectors = *passed + (at - self.next) as u32;
        }
    }

    /// Whether nothing more is read.
    #[inline]
    pub(crate) fn is_at_rest(&self) -> bool {
        self.run.is_none() && self.behind.is_none()
    }

    /// Since when it has been at its limit; `None` while it continues, or waits for room.
    pub(crate) fn over_since(&self) -> Option<Time> {
        self.is_at_rest().then_some(self.idle_since)
    }

    /// Reads on until `now`, and says what the segment has got by then.
    #[inline]
    pub(crate) fn growth(
        &mut self,
        now: Time,
        tracks: &mut Tracks<'_>,
        mechanism: &Mechanism,
    ) -> Growth {
        let end = self.advance(now, tracks, mechanism);
        Growth { end, behind: self.behind.take_if(|behind| behind.at <= now) }
    }

    /// When the last sector it has read had passed, and where the arm is.
    pub(crate) fn last_passed(&self) -> Passed {
        Passed { at: self.idle_since, arm: self.arm }
    }

    /// Whether `lba` is what the head is reading now or will pass next on this track.
    pub(crate) fn is_reading(&self, lba: u64) -> bool {
        let on_track = |reading: &Reading| u64::from(reading.run.sectors - reading.passed);
        lba >= self.next && lba < self.next + self.run.as_ref().map_or(0, on_track)
    }

    /// Whether the head will pass `lba`, be it on a later track, if nothing breaks it off.
    pub(crate) fn will_read(&self, lba: u64) -> bool {
        self.run.is_some() && (self.next..self.limit).contains(&lba)
    }

    /// Reads on to where `lba` is on the track that is being read, if it will be.
    pub(crate) fn read_on_to(&mut self, lba: u64, tracks: &mut Tracks<'_>, mechanism: &Mechanism) {
        while self.will_read(lba) && !self.is_reading(lba) {
            let Some(Reading { run, passed, next_at, .. }) = &self.run else { return };
            let end = *next_at + mechanism.pass(run, *passed, run.sectors);
            self.advance(end, tracks, mechanism);
        }
    }

    /// Where a transfer of `lba` (see [`Stream::is_reading`]) continues: the time its first sector
    /// begins to pass, and the arm.
    pub(crate) fn reach(&mut self, lba: u64, now: Time, mechanism: &Mechanism) -> (Time, Arm) {
        let at = match &mut self.run {
            None => now.max(self.idle_since),
            Some(reading) => {
                let skipped = (lba - self.next) as u32;
                let passed = reading.passed + skipped;
                reading.next_at + mechanism.pass(&reading.run, reading.passed, passed)
            }
        };
        (at, self.arm)
    }

    /// Breaks off: when the mechanism is free for something else, and where the arm is then. It has
    /// read on until `now`; `in_sector` says whether the sector it reads or waits for can be left.
    ///
    /// Where the model is taken to be done with the last command before it is, a switch may lie
    /// ahead.
    pub(crate) fn stop(&self, now: Time, in_sector: bool, mechanism: &Mechanism) -> (Time, Arm) {
        let Switch { from, begun, settled } = self.switch;
        match &self.run {
            _ if now < begun => (now, from),
            Some(Reading { run, passed, next_at, put_off: false })
                if !in_sector && *next_at != now =>
            {
                (*next_at + mechanism.pass(run, *passed, *passed + 1), self.arm)
            }
            _ => (now.max(settled), self.arm),
        }
    }

    fn start_run(&mut self, at: Time, tracks: &mut Tracks<'_>, mechanism: &Mechanism) {
        let sectors = u32::try_from(self.limit - self.next).unwrap_or(u32::MAX);
        let run = tracks.run(self.next, sectors);
        let switch = mechanism.switch(self.arm, run.cylinder, run.surface, Operation::Read);
        if switch > Span::ZERO {
            self.switch = Switch { from: self.arm, begun: at, settled: at + switch };
        }
        self.arm = Arm { cylinder: run.cylinder, surface: run.surface };
        let settled = at + switch;
        let next_at = settled + mechanism.next_latency(settled, &run, 0);
        self.run = Some(Reading { run, passed: 0, next_at, put_off: false });
    }

    /// The platter was turned under the head.
    pub(crate) fn turn(&mut self, rotation: &Rotation, by: Span, backwards: bool) {
        if let Some(reading) = &mut self.run {
            reading.next_at = rotation.turned(reading.next_at, by, backwards);
        }
        self.goes_on_at = self.goes_on_at.map(|at| rotation.turned(at, by, backwards));
        if let Some(behind) = &mut self.behind {
            behind.at = rotation.turned(behind.at, by, backwards);
        }
    }

    pub(crate) fn rebase(&mut self, by: Span) {
        self.switch.begun = self.switch.begun.rebased(by);
        self.switch.settled = self.switch.settled.rebased(by);
        self.idle_since = self.idle_since.rebased(by);
        if let Some(behind) = &mut self.behind {
            behind.at = behind.at.rebased(by);
        }
        if let Some(reading) = &mut self.run {
            reading.next_at = reading.next_at.rebased(by);
        }
        self.goes_on_at = self.goes_on_at.map(|at| at.rebased(by));
    }
}
