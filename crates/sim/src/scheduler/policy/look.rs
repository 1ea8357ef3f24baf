//! LOOK and C-LOOK.

use crate::scheduler::sorted::{Place, Sorted};
use crate::scheduler::{Key, Waiting};

/// LOOK (the elevator): on in the same direction, and back where nothing is left in it.
///
/// C-LOOK serves upwards only, and goes back to the lowest.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    waiting: Sorted,
    circular: bool,
    upwards: bool,
    /// Where the last request chosen was.
    last: u64,
}

impl Look {
    pub(crate) fn new(key: Key, circular: bool) -> Self {
        Self { waiting: Sorted::new(key), circular, upwards: true, last: 0 }
    }

    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    /// The only one comes and goes.
    #[inline]
    pub(crate) fn pass(&mut self, waiting: &Waiting) {
        let key = self.waiting.key_of(waiting);
        let behind = if self.upwards { key < self.last } else { key > self.last };
        if behind && !self.circular {
            self.upwards = !self.upwards;
        }
        self.last = key;
    }

    pub(crate) fn pop(&mut self) -> Option<Waiting> {
        let next = self.next()?;
        self.last = self.waiting.key_at(next);
        Some(self.waiting.take(next))
    }

    /// Asked while nothing waits, the arm turns back as it does where nothing is left ahead.
    #[inline]
    pub(crate) fn has_none(&mut self) -> bool {
        let none = self.waiting.len() == 0;
        self.upwards ^= none && !self.circular;
        none
    }

    fn next(&mut self) -> Option<Place> {
        if self.circular {
            return self.waiting.at_or_above(self.last).or_else(|| self.waiting.lowest());
        }
        let ahead = self.ahead();
        if ahead.is_some() {
            return ahead;
        }
        self.upwards = !self.upwards;
        self.ahead()
    }

    fn ahead(&self) -> Option<Place> {
        if self.upwards {
            self.waiting.at_or_above(self.last)
        } else {
            self.waiting.at_or_below(self.last)
        }
    }

    pub(crate) fn sorted(&self) -> &Sorted {
        &self.waiting
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        self.waiting.remove(waiting)
    }
}
