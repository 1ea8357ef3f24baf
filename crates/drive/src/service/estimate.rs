//! What a scheduler may ask about a command before it is handed over; nothing changes by it.

use super::Drive;
use crate::Chance;
use crate::layout::Run;
use crate::mechanism::Arm;
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
}

impl Drive {
    /// The departure to a command that is handed over at `now` and finds nothing cached.
    #[must_use]
    pub fn depart(&self, now: Time) -> Departure {
        let leave = |operation| {
            let begin = now + self.controller.overhead(operation, false);
            let (free, arm) = match &self.stream {
                None => (begin, self.arm),
                Some(stream) => {
                    let mut stream = stream.clone();
                    stream.advance(begin, &self.layout, &self.mechanism);
                    stream.stop(begin)
                }
            };
            (free.max(self.media_free), arm)
        };
        let (read, write) = (leave(Operation::Read), leave(Operation::Write));
        Departure { now, start: [read.0, write.0], arm: [read.1, write.1] }
    }

    /// From the hand-over until the first sector of `run` comes under the head: controller, arm and
    /// platter.
    ///
    /// Exact where the platter is tracked, except for a write whose data comes later than that; half
    /// a turn stands for a latency that is drawn.
    #[must_use]
    #[inline]
    pub fn positioning_from(&self, departure: &Departure, run: &Run, operation: Operation) -> Span {
        let from = operation.index();
        let arm = departure.arm[from];
        let positioned = departure.start[from]
            + self.mechanism.position(arm, run.cylinder, run.surface, operation);
        let first = positioned + self.mechanism.first_latency(positioned, run, &mut HalfTurn);
        first - departure.now
    }

    /// As [`Drive::positioning_from`], for one command for `lba` alone.
    #[must_use]
    pub fn positioning(&self, now: Time, lba: u64, operation: Operation) -> Span {
        self.positioning_from(&self.depart(now), &self.layout.run(lba, 1), operation)
    }

    /// The ranges of sectors in the buffer at `now`: first and end of each.
    pub fn cached_ranges(&self, now: Time, ranges: &mut Vec<(u64, u64)>) {
        self.segments.ranges(self.growing(now), ranges);
    }

    /// What the controller takes before a command of `operation` that finds nothing cached.
    #[must_use]
    pub fn overhead(&self, operation: Operation) -> Span {
        self.controller.overhead(operation, false)
    }

    /// Whether a read of `sectors` at `lba` would find all of them in the buffer at `now`.
    #[must_use]
    pub fn would_hit(&self, now: Time, lba: u64, sectors: u32) -> bool {
        self.segments.held(lba, self.growing(now)) >= u64::from(sectors)
    }

    /// The segment that read-ahead fills, and how far it has come.
    fn growing(&self, now: Time) -> Option<(usize, u64)> {
        self.stream.as_ref().map(|stream| {
            let mut stream = stream.clone();
            (stream.segment, stream.advance(now, &self.layout, &self.mechanism))
        })
    }
}
