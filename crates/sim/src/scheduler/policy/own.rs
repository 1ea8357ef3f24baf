//! A policy that somebody else decides by, held to the contract of all.

use crate::scheduler::Waiting;
use platterlab_units::Stamp;
use std::collections::VecDeque;
use std::fmt;

/// Decides which request comes next, from outside the simulator.
///
/// Contract: [`Chooser::came`] is told of each request once, when it comes; [`Chooser::choose`] names
/// one of those that came and have not gone, which goes with that; [`Chooser::gone`] is told of each
/// that goes without being chosen. What keeps to none of this harms nobody: a name that is none serves the one that has waited
/// longest, and [`Choosers::failure`] is to say why.
pub trait Chooser: Send + fmt::Debug {
    /// A request has come.
    fn came(&mut self, waiting: &Waiting);

    /// The number ([`Waiting::sequence`]) of the one to come next, for a device that is free at `now`.
    fn choose(&mut self, now: Stamp) -> Option<u64>;

    /// A request has gone that was not chosen.
    fn gone(&mut self, sequence: u64);

    /// Another one in the same state.
    fn twin(&self) -> Box<dyn Chooser>;
}

/// Makes a [`Chooser`] for each queue.
pub trait Choosers: Send + Sync + fmt::Debug {
    /// One for the queue of a device; nothing waits in it.
    fn chooser(&self) -> Box<dyn Chooser>;

    /// What one of those made did wrong, if any has.
    fn failure(&self) -> Option<String>;
}

/// The requests that wait, in the order in which they came, and who decides among them.
#[derive(Debug)]
pub(crate) struct Own {
    waiting: VecDeque<Waiting>,
    chooser: Box<dyn Chooser>,
}

impl Own {
    pub(crate) fn new(chooser: Box<dyn Chooser>) -> Self {
        Self { waiting: VecDeque::new(), chooser }
    }

    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.chooser.came(&waiting);
        self.waiting.push_back(waiting);
    }

    pub(crate) fn pop(&mut self, now: Stamp) -> Option<Waiting> {
        let first = self.waiting.front()?.sequence;
        let chosen = self.chooser.choose(now);
        chosen.and_then(|sequence| self.take(sequence)).or_else(|| self.lose(first))
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        self.lose(waiting.sequence)
    }

    fn lose(&mut self, sequence: u64) -> Option<Waiting> {
        let taken = self.take(sequence)?;
        self.chooser.gone(sequence);
        Some(taken)
    }

    fn take(&mut self, sequence: u64) -> Option<Waiting> {
        let at = self.waiting.iter().position(|one| one.sequence == sequence)?;
        self.waiting.remove(at)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }
}

impl Clone for Own {
    fn clone(&self) -> Self {
        Self { waiting: self.waiting.clone(), chooser: self.chooser.twin() }
    }
}
