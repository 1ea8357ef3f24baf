//! How read-ahead goes on between commands, and how another command breaks it off.

use super::Drive;
use crate::ReadAheadEnds;
use crate::layout::Tracks;
use platterlab_units::{Span, Time};

impl Drive {
    /// Credits read-ahead with what it has read until `now`.
    #[inline]
    pub(super) fn fill_until(&mut self, now: Time) {
        let Some(stream) = &mut self.stream else { return };
        if stream.is_at_rest() {
            return;
        }
        let mut tracks = Tracks::new(&self.layout, &mut self.found);
        let growth = stream.growth(now, &mut tracks, &self.mechanism);
        self.segments.grow(stream.segment, &growth);
    }

    /// The segment that read-ahead is filling at `now`.
    #[inline]
    pub(super) fn filled(&mut self, now: Time) -> Option<usize> {
        self.fill_until(now);
        self.stream.as_ref().filter(|stream| !stream.is_at_rest()).map(|stream| stream.segment)
    }

    /// Breaks off read-ahead for a command that arrives at `now` and is not for what it reads, where
    /// that is enough to end it. How much later the controller turns to the command.
    pub(super) fn stop_stream_at_arrival(&mut self, now: Time) -> Span {
        if self.cache.read_ahead_ends != ReadAheadEnds::OtherCommand || self.stream.is_none() {
            return Span::ZERO;
        }
        let left_off = self.stop_stream(now);
        self.media_free = left_off.max(self.media_free);
        self.pending_sectors = 0;
        left_off - now
    }

    /// When the mechanism sets off for a command that is `ready` for it, `late` later where the
    /// controller turned to it so much later.
    pub(super) fn take_mechanism(&mut self, ready: Time, late: Span) -> Time {
        self.stop_stream(ready).max(ready + late).max(self.media_free)
    }

    /// Breaks off read-ahead at `now`: when the mechanism is free, and the arm's place from then.
    pub(super) fn stop_stream(&mut self, now: Time) -> Time {
        self.fill_until(now);
        let Some(stream) = self.stream.take() else { return now };
        let (passed, arm) = stream.last_passed();
        self.last_seen.done(passed, arm);
        let (free, arm) = stream.stop(now, self.cache.read_ahead_stops_in_sector, &self.mechanism);
        self.arm = arm;
        free
    }
}
