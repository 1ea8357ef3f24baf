//! The rules that keep the order of requests: for the same sectors, and of one that continues another.

use super::neighbours::Neighbours;
use super::{Overlap, Rules, Waiting};
use platterlab_units::Operation;
use std::collections::VecDeque;

/// Requests that must not pass an earlier one, for some of the same sectors or because they continue
/// it: held back until it is chosen, so that no policy can choose them before.
#[derive(Clone, Debug, Default)]
pub(super) struct Held(VecDeque<Waiting>);

impl Held {
    /// Takes `waiting` if it must be held back.
    pub(super) fn hold(&mut self, waiting: Waiting, rules: &Rules, beside: &Neighbours) -> bool {
        let must = blocked(&waiting, rules, beside)
            || self.0.iter().any(|earlier| conflict(rules, earlier, &waiting));
        if must {
            self.0.push_back(waiting);
        }
        must
    }

    /// The first that need not be held back any more.
    pub(super) fn release(&mut self, rules: &Rules, beside: &Neighbours) -> Option<Waiting> {
        let free = (0..self.0.len()).find(|&index| {
            let waiting = &self.0[index];
            !blocked(waiting, rules, beside)
                && !self.0.iter().take(index).any(|earlier| conflict(rules, earlier, waiting))
        })?;
        self.0.remove(free)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Whether a waiting request stands in the way.
fn blocked(waiting: &Waiting, rules: &Rules, beside: &Neighbours) -> bool {
    let shared = || beside.overlapping(waiting.lba, waiting.end());
    let before = || {
        let gap = rules.together.filter(|rule| rule.in_turn).map(|rule| rule.max_gap_sectors);
        gap.into_iter().flat_map(|gap| beside.ending(waiting.lba, gap))
    };
    (rules.overlap != Overlap::Free && shared().any(|other| conflict(rules, other, waiting)))
        || before().any(|other| conflict(rules, other, waiting))
}

fn conflict(rules: &Rules, earlier: &Waiting, later: &Waiting) -> bool {
    let reads = earlier.operation.is_read() && later.operation.is_read();
    let shared = earlier.lba < later.end() && later.lba < earlier.end();
    (rules.overlap != Overlap::Free && shared && !reads) || rules.in_turn(earlier, later)
}

impl Rules {
    /// Whether `later` continues `earlier`, and comes in its turn rather than by one command with it.
    fn in_turn(&self, earlier: &Waiting, later: &Waiting) -> bool {
        let Some(together) = self.together.filter(|rule| rule.in_turn) else { return false };
        let combined = self.combine.is_some_and(|rule| match later.operation {
            Operation::Read => rule.reads,
            Operation::Write => rule.writes,
        });
        let gap = later.lba.checked_sub(earlier.end());
        gap.is_some_and(|gap| gap <= together.max_gap_sectors)
            && together.is_of(earlier.operation, later.operation)
            && !(combined && earlier.operation == later.operation)
    }
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
