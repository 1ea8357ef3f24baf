//! Estimates for a scheduler of a command before it is handed over; nothing changes by them.

use super::Drive;
use crate::buffer::{Growth, Stream};
use crate::controller::Situation;
use crate::layout::{Spot, Tracks};
use crate::mechanism::Arm;
use crate::{Chance, ReadAheadEnds, WriteReport};
use platterlab_units::{Angle, Operation, Span, Time};

/// The middle of what chance can draw.
struct HalfTurn;

impl Chance for HalfTurn {
    fn angle(&mut self) -> Angle {
        Angle::of_slots(1, 2)
    }
}

/// Where the arm stands and when it can leave, for a command handed over at a given time: what the
/// positioning times of all waiting commands have in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct Departure {
    now: Time,
    /// For a read, for a write.
    start: [Time; 2],
    arm: [Arm; 2],
}

impl Departure {
    /// Where the arm is.
    #[must_use]
    #[inline]
    pub fn cylinder(&self) -> u32 {
        self.arm[0].cylinder
    }

    /// How far from there it may be by the time it can leave for a write.
    #[must_use]
    #[inline]
    pub fn drift(&self) -> u32 {
        self.arm[0].cylinder.abs_diff(self.arm[1].cylinder)
    }

    /// From the hand-over until the arm can leave, at the earliest.
    #[must_use]
    #[inline]
    pub fn leaves_after(&self) -> Span {
        self.start[0].min(self.start[1]).since(self.now)
    }
}

impl Drive {
    /// The departure to a command that is handed over at `now` and finds nothing cached. Overheads
    /// that depend on its address are left out.
    #[must_use]
    pub fn depart(&self, now: Time) -> Departure {
        self.departure(now, false)
    }

    /// The same for a command that has waited in the drive, whose overhead was over meanwhile.
    #[must_use]
    pub fn depart_inside(&self, now: Time) -> Departure {
        self.departure(now, true)
    }

    fn departure(&self, now: Time, inside: bool) -> Departure {
        let leave = |operation| self.leave(now, operation, &Situation::default(), inside);
        let (read, write) = (leave(Operation::Read), leave(Operation::Write));
        Departure { now, start: [read.0, write.0], arm: [read.1, write.1] }
    }

    /// The departure as if the arm, where it is at `now` or ends what has been begun, could leave at once:
    /// without overheads, and without what of reading on cannot be broken off.
    #[must_use]
    pub fn depart_at_once(&self, now: Time) -> Departure {
        let reading_on = self.read_ahead_by(now).map(|(stream, _)| stream.last_passed());
        let arm = reading_on.map_or(self.head.arm(), |passed| passed.arm);
        let start = now.max(self.head.free_at());
        Departure { now, start: [start; 2], arm: [arm; 2] }
    }

    /// Since when the mechanism has had nothing to do, not even to read on; `now` if it has.
    #[must_use]
    pub fn at_rest_since(&self, now: Time) -> Time {
        let read_on = self.read_ahead_by(now).map(|(stream, _)| stream.over_since().unwrap_or(now));
        let last = read_on.unwrap_or_else(|| self.head.passed_by(now).at);
        last.max(self.head.free_at()).min(now)
    }

    /// The departure as someone reckons it who at `now` knows only where and when a sector last passed
    /// under the head: from there and then, whatever has been begun since, and without overheads.
    #[must_use]
    pub fn depart_from_last_sector(&self, now: Time) -> Departure {
        let reading_on = self.read_ahead_by(now).map(|(stream, _)| stream.last_passed());
        // Reading on after a read that is under way has not begun.
        let last = reading_on
            .filter(|passed| passed.at <= now)
            .unwrap_or_else(|| self.head.passed_by(now));
        Departure { now: last.at, start: [last.at; 2], arm: [last.arm; 2] }
    }

    /// Whether the head arrives at `spot` while one of the `sectors` from there on is under it.
    #[must_use]
    pub fn arrives_within(
        &self,
        departure: &Departure,
        spot: &Spot,
        sectors: u32,
        operation: Operation,
    ) -> bool {
        let period = self.mechanism.rotation().period();
        let arm = departure.arm[operation.index()];
        let seek = self.mechanism.position(arm, spot.cylinder, spot.surface, operation);
        let total = self.positioning_from(departure, spot, operation);
        let overhead = departure.start[operation.index()].since(departure.now);
        let latency = total.less(seek + overhead);
        latency + period / u64::from(spot.sectors_per_track.get()) * u64::from(sectors) > period
    }

    /// When the mechanism can leave for a command handed over at `now`, or `inside` the drive by then,
    /// and from where.
    fn leave(
        &self,
        now: Time,
        operation: Operation,
        situation: &Situation,
        inside: bool,
    ) -> (Time, Arm) {
        let overhead = self.controller.overhead(operation, false, situation);
        let begin = if inside { now } else { now + overhead };
        let mut found = self.found;
        let mut tracks = Tracks::new(&self.layout, &mut found);
        // For a read, what the look-up has seen pass cannot be left in its middle any more.
        let look_up = || if inside { now } else { self.looks_up_at(now, situation) };
        let seen = operation.is_read().then(look_up);
        let (ends, afterwards) = match self.cache.read_ahead_ends {
            ReadAheadEnds::MediaNeeded => (begin, Span::ZERO),
            ReadAheadEnds::OtherCommand => (now, begin - now),
        };
        let (free, arm) = match self.buffer.if_broken_off(seen, ends, &mut tracks, &self.mechanism)
        {
            Some(broken) => (broken.free + afterwards, broken.arm),
            None => (begin, self.head.arm()),
        };
        (free.max(begin).max(self.head.free_at()), arm)
    }

    /// From the hand-over until the sector at `spot` comes under the head: controller, arm and
    /// platter.
    ///
    /// Exact where the platter is tracked, except for a write whose data comes later than that; half
    /// a revolution stands for a latency that is drawn. Written data that waits for the media is
    /// taken to continue to wait.
    #[must_use]
    #[inline]
    pub fn positioning_from(
        &self,
        departure: &Departure,
        spot: &Spot,
        operation: Operation,
    ) -> Span {
        let from = operation.index();
        let arm = departure.arm[from];
        let positioned = departure.start[from]
            + self.mechanism.position(arm, spot.cylinder, spot.surface, operation);
        let first =
            positioned + self.mechanism.first_latency(positioned, spot.angle, &mut HalfTurn);
        first - departure.now
    }

    /// As [`Drive::positioning_from`], for one command for `lba` alone, with all its overheads.
    #[must_use]
    pub fn positioning(&self, now: Time, lba: u64, operation: Operation) -> Span {
        let situation = self.situation(now, lba, operation);
        let (start, arm) = self.leave(now, operation, &situation, false);
        let departure = Departure { now, start: [start; 2], arm: [arm; 2] };
        self.positioning_from(&departure, &self.layout.run(lba, 1).spot(), operation)
    }

    /// What the controller takes before a command of `operation` that finds nothing cached, as far as
    /// it does not depend on the address.
    #[must_use]
    pub fn usual_overhead(&self, operation: Operation) -> Span {
        self.controller.overhead(operation, false, &Situation::default())
    }

    /// The ranges of sectors in the buffer at `now`: first and end of each.
    pub fn cached_ranges(&self, now: Time, ranges: &mut Vec<(u64, u64)>) {
        self.buffer.ranges(self.growing(now).as_ref(), ranges);
    }

    /// The address at which a write would continue one that the drive reports before it is on the media.
    #[must_use]
    pub fn write_continues_at(&self) -> Option<u64> {
        self.buffer.write_behind.end().filter(|_| self.cache.write_report != WriteReport::Media)
    }

    /// Whether a read of `sectors` at `lba` that is handed over at `now` would find all of them in the
    /// buffer.
    #[must_use]
    pub fn would_hit(&self, now: Time, lba: u64, sectors: u32) -> bool {
        let situation = self.situation(now, lba, Operation::Read);
        let looked_up = self.looks_up_at(now, &situation);
        self.waits(lba, sectors)
            || self.buffer.held(lba, self.growing(looked_up).as_ref()) >= u64::from(sectors)
    }

    /// What the controller's rules ask of a command that is handed over at `now`.
    pub(super) fn situation(&self, now: Time, lba: u64, operation: Operation) -> Situation {
        let mut found = self.found;
        let mut tracks = Tracks::new(&self.layout, &mut found);
        let reading_ahead = || self.reads_ahead(now);
        self.controller.situation(now, lba, operation, &mut tracks, reading_ahead)
    }

    /// Whether read-ahead is under way at `now`.
    fn reads_ahead(&self, now: Time) -> bool {
        self.read_ahead_by(now)
            .is_some_and(|(stream, _)| self.buffer.is_under_way(&stream, now, self.idle_from))
    }

    /// The segment that read-ahead fills, and what it has added by then.
    fn growing(&self, by: Time) -> Option<(usize, Growth)> {
        self.read_ahead_by(by).map(|(stream, growth)| (stream.segment, growth))
    }

    /// Read-ahead as it will be by then if it continues, and what it will have added.
    pub(super) fn read_ahead_by(&self, by: Time) -> Option<(Stream, Growth)> {
        let mut found = self.found;
        let mut tracks = Tracks::new(&self.layout, &mut found);
        self.buffer.read_ahead_by(by, &mut tracks, &self.mechanism)
    }
}
