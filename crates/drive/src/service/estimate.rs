//! What a scheduler may ask about a command before it is handed over; nothing changes by it.

use super::Drive;
use crate::Chance;
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
    /// a turn stands for a latency that is drawn.
    #[must_use]
    pub fn positioning(&self, now: Time, lba: u64, operation: Operation) -> Span {
        let begin = now + self.controller.overhead(operation, false);
        let (free, arm) = match &self.stream {
            None => (begin, self.arm),
            Some(stream) => {
                let mut stream = stream.clone();
                stream.advance(begin, &self.layout, &self.mechanism);
                stream.stop(begin)
            }
        };
        let start = free.max(self.media_free);
        let run = self.layout.run(lba, 1);
        let positioned = start + self.mechanism.position(arm, run.cylinder, run.surface, operation);
        let first = positioned + self.mechanism.first_latency(positioned, &run, &mut HalfTurn);
        first - now
    }

    /// Whether a read of `sectors` at `lba` would find all of them in the buffer at `now`.
    #[must_use]
    pub fn would_hit(&self, now: Time, lba: u64, sectors: u32) -> bool {
        let growing = self.stream.as_ref().map(|stream| {
            let mut stream = stream.clone();
            (stream.segment, stream.advance(now, &self.layout, &self.mechanism))
        });
        self.segments.held(lba, growing) >= u64::from(sectors)
    }
}
