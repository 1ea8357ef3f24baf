//! The rule that keeps the order of requests for the same sectors.

use super::Waiting;
use super::neighbours::Neighbours;
use std::collections::VecDeque;

/// Requests that must not pass an earlier one for some of the same sectors: held back until it is
/// chosen, so that no policy can choose them before.
#[derive(Clone, Debug, Default)]
pub(super) struct Held(VecDeque<Waiting>);

impl Held {
    /// Takes `waiting` if it must be held back.
    pub(super) fn hold(&mut self, waiting: Waiting, neighbours: &Neighbours) -> bool {
        let must = blocked(&waiting, neighbours)
            || self.0.iter().any(|earlier| conflict(earlier, &waiting));
        if must {
            self.0.push_back(waiting);
        }
        must
    }

    /// The first that need not be held back any more.
    pub(super) fn release(&mut self, neighbours: &Neighbours) -> Option<Waiting> {
        let free = (0..self.0.len()).find(|&index| {
            let waiting = &self.0[index];
            !blocked(waiting, neighbours)
                && !self.0.iter().take(index).any(|earlier| conflict(earlier, waiting))
        })?;
        self.0.remove(free)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Whether a waiting request stands in the way.
fn blocked(waiting: &Waiting, neighbours: &Neighbours) -> bool {
    neighbours.overlapping(waiting.lba, waiting.end()).any(|other| conflict(other, waiting))
}

fn conflict(earlier: &Waiting, later: &Waiting) -> bool {
    let shared = earlier.lba < later.end() && later.lba < earlier.end();
    shared && !(earlier.operation.is_read() && later.operation.is_read())
}

/// A read that is answered with `chosen`.
pub(super) fn answered(chosen: &Waiting, neighbours: &Neighbours) -> Option<Waiting> {
    let inside = |waiting: &&Waiting| {
        waiting.operation.is_read() && waiting.lba >= chosen.lba && waiting.end() <= chosen.end()
    };
    if !chosen.operation.is_read() {
        return None;
    }
    neighbours.overlapping(chosen.lba, chosen.end()).find(inside).copied()
}
