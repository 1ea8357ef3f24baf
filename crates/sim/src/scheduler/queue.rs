//! A queue of requests: its policies, and the rules that go before them.

use super::lists::Lists;
use super::neighbours::Neighbours;
use super::overlap::{Held, answered};
use super::tags::Tags;
use super::together::Stream;
use super::{DeviceView, Overlap, QueueOptions, Rules, Waiting};
use crate::outside::Chooser;
use platterlab_units::Stamp;
use platterlab_workload::Criticality;

/// A queue: lists in the order of their policies, and the rules that go before policies.
///
/// The contract of a policy, but for one thing: what [`Queue::pop`] gives may stand for
/// several requests, the others in [`Queue::riders`].
#[derive(Clone, Debug)]
pub struct Queue {
    lists: Lists,
    tags: Option<Box<Tags>>,
    beside: Option<Box<Beside>>,
    riders: Vec<Waiting>,
}

/// The rules about addresses, and what they need to know.
#[derive(Clone, Debug)]
struct Beside {
    rules: Rules,
    neighbours: Neighbours,
    held: Held,
    stream: Option<Stream>,
}

impl Queue {
    /// An empty queue for a device of `sectors` on `cylinders`.
    #[must_use]
    pub fn new(options: &QueueOptions, sectors: u64, cylinders: u32) -> Self {
        let rules = options.rules;
        let beside =
            || Beside { rules, neighbours: Neighbours::new(), held: Held::default(), stream: None };
        Self {
            lists: Lists::new(options, sectors, cylinders),
            tags: options.tags.map(|rule| Box::new(Tags::new(rule))),
            beside: (rules != Rules::default()).then(|| Box::new(beside())),
            riders: Vec::new(),
        }
    }

    /// From now on `chooser` decides in place of the policy for what is neither critical nor late;
    /// nothing waits.
    pub(crate) fn decided_by(&mut self, chooser: Box<dyn Chooser>) {
        self.lists.decided_by(chooser);
    }

    /// Takes a request in.
    #[inline]
    pub fn push(&mut self, waiting: Waiting) {
        let kept = self.tags.as_mut().is_some_and(|tags| tags.keep(waiting));
        if !kept {
            self.enter(waiting);
        }
    }

    /// What pushing and popping `waiting` would do while nothing waits, at less cost; `false` if it
    /// must be pushed.
    #[inline]
    pub fn pass(&mut self, waiting: &Waiting) -> bool {
        let plain = self.beside.is_none() && self.tags.is_none();
        plain && self.lists.pass(waiting)
    }

    #[inline]
    fn enter(&mut self, waiting: Waiting) {
        if let Some(beside) = &mut self.beside {
            let in_turn = beside.rules.together.is_some_and(|rule| rule.in_turn);
            let ordered = in_turn || beside.rules.overlap != Overlap::Free;
            if ordered && beside.held.hold(waiting, &beside.rules, &beside.neighbours) {
                return;
            }
            beside.neighbours.push(waiting);
        }
        self.lists.push(waiting);
    }

    /// What popping would do while nothing waits, at less cost; `false` if it must be popped.
    #[inline]
    pub fn has_none(&mut self) -> bool {
        let plain = self.beside.is_none() && self.tags.is_none();
        plain && self.lists.has_none()
    }

    /// The request that comes next, for a device that is free at `now`.
    #[inline]
    pub fn pop(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        if self.tags.is_none() && self.beside.is_none() {
            return self.lists.pop(now, device);
        }
        if let Some(head) = self.tags.as_mut().and_then(|tags| tags.head()) {
            return Some(head);
        }
        self.choose(now, device).or_else(|| {
            let tags = self.tags.as_mut()?;
            let next = tags.ordered();
            while let Some(simple) = self.tags.as_mut().and_then(|tags| tags.simple()) {
                self.enter(simple);
            }
            next
        })
    }

    /// Somebody has come to wait for the requests of these numbers: where the options say so, they
    /// join the critical ones; whether any did.
    pub fn promote(&mut self, is_awaited: impl Fn(u32) -> bool) -> bool {
        self.lists.promote(is_awaited)
    }

    /// Hears that the device is done with a request; until when nothing but critical ones is to be
    /// begun, if that is anticipated.
    pub fn served(&mut self, criticality: Criticality, now: Stamp) -> Option<Stamp> {
        self.lists.served(criticality, now)
    }

    /// Whether nothing is to be begun now, though requests wait.
    #[must_use]
    pub fn holds_back(&self, now: Stamp) -> bool {
        self.lists.holds_back(now)
    }

    /// The requests that are served together with the one popped last, in its sectors.
    #[inline]
    pub fn riders(&mut self) -> &mut Vec<Waiting> {
        &mut self.riders
    }

    fn choose(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        let Some(beside) = &mut self.beside else { return self.lists.pop(now, device) };
        let continues = beside
            .rules
            .together
            .filter(|together| !together.in_turn)
            .zip(beside.stream)
            .and_then(|(together, stream)| together.next(stream, &beside.neighbours));
        let mut chosen = match continues {
            Some(next) => self.lists.remove(&next),
            None => self.lists.pop(now, device),
        }?;
        beside.neighbours.remove(&chosen);
        while let Some(rider) = beside.rider(&chosen) {
            beside.neighbours.remove(&rider);
            self.lists.remove(&rider);
            let end = chosen.end().max(rider.end());
            chosen.lba = chosen.lba.min(rider.lba);
            chosen.sectors = (end - chosen.lba) as u32;
            self.riders.push(rider);
        }
        beside.stream = Some(Stream { end: chosen.end(), operation: chosen.operation });
        while let Some(free) = beside.held.release(&beside.rules, &beside.neighbours) {
            beside.neighbours.push(free);
            self.lists.push(free);
        }
        Some(chosen)
    }

    /// How many wait.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        let tagged = self.tags.as_ref().map_or(0, |tags| tags.len());
        let held = self.beside.as_ref().map_or(0, |beside| beside.held.len());
        self.lists.len() + tagged + held
    }

    /// Whether none waits.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Beside {
    /// A request to be served together with `chosen`.
    fn rider(&self, chosen: &Waiting) -> Option<Waiting> {
        let combined = self.rules.combine.and_then(|rule| rule.next(chosen, &self.neighbours));
        combined.or_else(|| {
            (self.rules.overlap == Overlap::Answered).then(|| answered(chosen, &self.neighbours))?
        })
    }
}
