//! Tagged commands in a drive's queue: simple, ordered, head of queue.

use super::{Tag, TagRule, Waiting};
use std::collections::VecDeque;

/// Commands that the drive may not reorder freely: those for the head of the queue, and from the
/// first ordered one on all that came later.
#[derive(Clone, Debug)]
pub(super) struct Tags {
    rule: TagRule,
    /// The last to come is the first to go (SCSI-2, clause 7.8.2).
    head: Vec<Waiting>,
    later: VecDeque<Waiting>,
}

impl Tags {
    pub(super) fn new(rule: TagRule) -> Self {
        Self { rule, head: Vec::new(), later: VecDeque::new() }
    }

    fn tag(&self, waiting: &Waiting) -> Tag {
        waiting.order.unwrap_or_else(|| self.rule.of(waiting.criticality, waiting.operation))
    }

    /// Takes a command unless the drive may choose it now.
    pub(super) fn keep(&mut self, waiting: Waiting) -> bool {
        match self.tag(&waiting) {
            Tag::HeadOfQueue => self.head.push(waiting),
            Tag::Simple if self.later.is_empty() => return false,
            Tag::Simple | Tag::Ordered => self.later.push_back(waiting),
        }
        true
    }

    pub(super) fn head(&mut self) -> Option<Waiting> {
        self.head.pop()
    }

    /// The ordered command whose turn it is once all before it have gone.
    pub(super) fn ordered(&mut self) -> Option<Waiting> {
        self.later.pop_front()
    }

    /// The next command that the drive may choose after the last ordered one.
    pub(super) fn simple(&mut self) -> Option<Waiting> {
        let next = self.later.front()?;
        if self.tag(next) == Tag::Simple { self.later.pop_front() } else { None }
    }

    pub(super) fn len(&self) -> usize {
        self.head.len() + self.later.len()
    }
}
