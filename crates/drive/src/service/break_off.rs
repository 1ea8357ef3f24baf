//! How read-ahead goes on between commands, and how another command breaks it off.

use super::Drive;
use crate::cache::Stream;
use crate::layout::Tracks;
use crate::{Overwritten, ReadAheadEnds};
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

    /// Whether read-ahead, which has come as far as it does until `now`, is still under way.
    #[inline]
    pub(super) fn is_under_way(&self, stream: &Stream, now: Time) -> bool {
        let hold = self.cache.read_ahead_hold;
        !stream.is_at_rest() || (hold > Span::ZERO && now <= self.idle_from + hold)
    }

    /// Ends read-ahead that has been held at its limit for long enough.
    pub(super) fn let_go(&mut self, now: Time) {
        self.fill_until(now);
        if self.stream.as_ref().is_some_and(|stream| !self.is_under_way(stream, now)) {
            self.stop_stream(now);
        }
    }

    /// The segment that a write arriving at `now` brings up to date, though the policy is to drop
    /// what is overwritten: the one that read-ahead is filling.
    #[inline]
    pub(super) fn spared(&mut self, now: Time) -> Option<usize> {
        if self.cache.overwritten != Overwritten::Dropped {
            return None;
        }
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
