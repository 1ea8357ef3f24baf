//! The lowest address first, wherever the arm is.

use crate::scheduler::sorted::Sorted;
use crate::scheduler::{Key, Waiting};

/// The lowest address first, wherever the arm is: what DiskSim makes of its policies by cylinder, as it
/// takes all cylinders for one.
#[derive(Clone, Debug)]
pub(crate) struct Lowest(Sorted);

impl Default for Lowest {
    fn default() -> Self {
        Self(Sorted::new(Key::Lba))
    }
}

impl Lowest {
    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.0.push(waiting);
    }

    pub(crate) fn pop(&mut self) -> Option<Waiting> {
        let lowest = self.0.lowest()?;
        Some(self.0.take(lowest))
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        self.0.remove(waiting)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
