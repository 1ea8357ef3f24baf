//! Batches: what waits when one begins is served in ascending order before all that comes later.

use super::look::Look;
use crate::scheduler::{Key, Waiting};

/// Batches: what waits when a batch begins is served, upwards, before anything that comes later.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    current: Look,
    later: Look,
}

impl Batch {
    pub(crate) fn new(key: Key) -> Self {
        Self { current: Look::new(key, true), later: Look::new(key, true) }
    }

    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.later.push(waiting);
    }

    pub(crate) fn pop(&mut self) -> Option<Waiting> {
        if self.current.sorted().len() == 0 {
            std::mem::swap(&mut self.current, &mut self.later);
        }
        self.current.pop()
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        self.current.remove(waiting).or_else(|| self.later.remove(waiting))
    }

    pub(crate) fn len(&self) -> usize {
        self.current.sorted().len() + self.later.sorted().len()
    }
}
