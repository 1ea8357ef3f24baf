//! V-SCAN(R), between SSTF and LOOK.

use crate::scheduler::sorted::{Place, Sorted};
use crate::scheduler::{Key, Waiting};

/// V-SCAN(R) (Geist–Daniel 1987): the nearest, where turning back costs `R` of the whole range.
///
/// With R = 0 it is SSTF, with R = 1 it is LOOK.
#[derive(Clone, Debug)]
pub(crate) struct Vscan {
    waiting: Sorted,
    /// The range of keys times R.
    penalty: u64,
    upwards: bool,
    last: u64,
}

impl Vscan {
    pub(crate) fn new(key: Key, penalty: u64) -> Self {
        Self { waiting: Sorted::new(key), penalty, upwards: true, last: 0 }
    }

    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    pub(crate) fn pop(&mut self) -> Option<Waiting> {
        let above = self.waiting.at_or_above(self.last);
        let below = self.waiting.at_or_below(self.last);
        let cost = |place: Place, upwards: bool| {
            let distance = self.waiting.key_at(place).abs_diff(self.last);
            if upwards == self.upwards { distance } else { distance.saturating_add(self.penalty) }
        };
        let next = match (above, below) {
            (Some(above), Some(below)) => {
                let (up, down) = (cost(above, true), cost(below, false));
                let ahead_wins = if self.upwards { up <= down } else { up < down };
                if ahead_wins { above } else { below }
            }
            (above, below) => above.or(below)?,
        };
        let next = self.waiting.take(next);
        self.pass(&next);
        Some(next)
    }

    /// The arm goes there.
    #[inline]
    pub(crate) fn pass(&mut self, waiting: &Waiting) {
        let key = self.waiting.key_of(waiting);
        if key != self.last {
            self.upwards = key > self.last;
        }
        self.last = key;
    }

    pub(crate) fn sorted(&self) -> &Sorted {
        &self.waiting
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        self.waiting.remove(waiting)
    }
}
