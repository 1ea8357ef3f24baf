//! First come, first served.

use crate::engine::room_for_more;
use crate::scheduler::Waiting;
use std::collections::VecDeque;

/// First come, first served.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fcfs(VecDeque<Waiting>);

impl Fcfs {
    pub(crate) fn push(&mut self, waiting: Waiting) {
        if let Some(more) = room_for_more::<Waiting>(self.0.len(), self.0.capacity()) {
            self.0.reserve_exact(more);
        }
        self.0.push_back(waiting);
    }

    pub(crate) fn pop(&mut self) -> Option<Waiting> {
        self.0.pop_front()
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let at = self.0.iter().position(|held| held.sequence == waiting.sequence)?;
        self.0.remove(at)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
