//! What a scheduler may ask about a command before it is handed over; nothing changes by it.

use super::Drive;
use crate::Chance;
use crate::cache::Stream;
use platterlab_units::{Angle, Operation, Span, Time};

/// The middle of what chance can draw.
struct HalfTurn;

impl Chance for HalfTurn {
    fn angle(&mut self) -> Angle {
        Angle::of_slots(1, 2)
    }
}

impl Drive {
    /// From `now`, when a command for `lba` would be handed over, until its first sector comes under
    /// the head if nothing of it is cached: controller, arm and platter.
    ///
    /// Exact where the platter is tracked, except for a write whose data comes later than that; half
    /// a turn stands for a latency that is drawn. Written data that waits for the media is taken to
    /// go on waiting.
    #[must_use]
    pub fn positioning(&self, now: Time, lba: u64, operation: Operation) -> Span {
        let situation = self.controller.situation(now, lba, operation, &self.layout);
        let begin = now + self.controller.overhead(operation, false, &situation);
        let (free, arm) = match &self.stream {
            None => (begin, self.arm),
            Some(stream) => {
                let mut stream = stream.clone();
                if operation.is_read() {
                    // What the look-up has seen pass cannot be left in its middle any more.
                    let looked_up = now + self.controller.overhead(operation, true, &situation);
                    stream.growth(looked_up, &self.layout, &self.mechanism);
                }
                stream.growth(begin, &self.layout, &self.mechanism);
                stream.stop(begin, self.cache.read_ahead_stops_in_sector, &self.mechanism)
            }
        };
        let start = free.max(self.media_free);
        let run = self.layout.run(lba, 1);
        let positioned = start + self.mechanism.position(arm, run.cylinder, run.surface, operation);
        let first = positioned + self.mechanism.first_latency(positioned, &run, &mut HalfTurn);
        first - now
    }

    /// Whether a read of `sectors` at `lba` that is handed over at `now` would find all of them in the
    /// buffer.
    #[must_use]
    pub fn would_hit(&self, now: Time, lba: u64, sectors: u32) -> bool {
        let situation = self.controller.situation(now, lba, Operation::Read, &self.layout);
        let looked_up = now + self.controller.overhead(Operation::Read, true, &situation);
        let grows = |stream: &Stream| {
            (stream.segment, stream.clone().growth(looked_up, &self.layout, &self.mechanism))
        };
        let growing = self.stream.as_ref().map(grows);
        if self.waits(lba, sectors) {
            return true;
        }
        self.segments.held(lba, growing.as_ref()) >= u64::from(sectors)
    }
}
