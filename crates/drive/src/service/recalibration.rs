//! Recalibrations of the arm against heat: while one lasts, the mechanism serves nobody.

use super::Drive;
use crate::{Chance, Recalibration};
use platterlab_units::{Span, Time};

/// When the next one is due.
#[derive(Clone, Debug)]
pub(super) struct Recalibrations {
    params: Recalibration,
    /// How long before time zero the last one was due that was before it.
    at_zero: Span,
    /// All that were due by then have been taken care of.
    seen: Time,
}

impl Recalibrations {
    pub(super) fn new(params: Recalibration) -> Self {
        Self { params, at_zero: Span::ZERO, seen: Time::ZERO }
    }

    /// When the first and the last fell due that nobody has taken care of by `now`.
    fn due(&mut self, now: Time) -> Option<(Time, Time)> {
        let first = self.seen + (self.params.every - self.since_due(self.seen));
        if first > now {
            return None;
        }
        self.seen = now;
        Some((first, now - self.since_due(now)))
    }

    /// How long before `now` the last one fell due.
    fn since_due(&self, now: Time) -> Span {
        let every = self.params.every.as_ps();
        Span::from_ps((now.as_ps() % every + self.at_zero.as_ps()) % every)
    }

    pub(super) fn rebase(&mut self, by: Span) {
        self.at_zero = self.since_due(Time::ZERO + by);
        self.seen = self.seen.rebased(by);
    }
}

impl Drive {
    /// Recalibrates as often as it has fallen due by `now`: each time once the command in hand and
    /// what is written behind it are done. What of reading on is under way is broken off.
    pub(super) fn recalibrate_until(&mut self, now: Time, chance: &mut dyn Chance) {
        let Some(recalibrations) = &mut self.recalibrations else { return };
        let takes = recalibrations.params.takes;
        let Some((first, last)) = recalibrations.due(now) else { return };
        self.destage_until(first, chance);
        let first = first.max(self.idle_from).max(self.head.free_at());
        let free = self.break_off_read_ahead(first);
        self.buffer.write_behind.forget_pending();
        self.buffer.write_behind.end_sequence();
        self.head.hold_until(last.max(free) + takes);
    }
}
