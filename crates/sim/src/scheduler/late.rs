//! The time-out rule: which requests have waited too long.

use super::{Policy, Waiting};
use platterlab_units::{Span, Stamp};
use std::collections::VecDeque;

/// Who waits, in the order of arrival, so that those that have waited too long are found.
#[derive(Clone, Debug)]
pub(super) struct Late {
    after: Span,
    /// With some that have left already.
    by_arrival: VecDeque<Waiting>,
}

impl Late {
    pub(super) fn new(after: Span) -> Self {
        Self { after, by_arrival: VecDeque::new() }
    }

    pub(super) fn push(&mut self, waiting: Waiting) {
        // What was held back comes with an earlier arrival.
        let after = self
            .by_arrival
            .iter()
            .rev()
            .take_while(|held| held.arrival.stamp() > waiting.arrival.stamp());
        let at = self.by_arrival.len() - after.count();
        self.by_arrival.insert(at, waiting);
    }

    /// The next of those that have waited too long at `now`, taken out of `from`.
    pub(super) fn next(&mut self, from: &mut Policy, now: Stamp) -> Option<Waiting> {
        while self
            .by_arrival
            .front()
            .is_some_and(|oldest| now >= oldest.arrival.stamp() + self.after)
        {
            let late = self.by_arrival.pop_front().and_then(|oldest| from.remove(&oldest));
            if late.is_some() {
                return late;
            }
        }
        None
    }
}
