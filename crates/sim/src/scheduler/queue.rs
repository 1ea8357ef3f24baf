//! A queue of requests: its policies, and the rules that go before them.

use super::lists::Lists;
use super::neighbours::Neighbours;
use super::overlap::{Held, answered};
use super::tags::Tags;
use super::together::Stream;
use super::{Combine, DeviceView, Overlap, QueueOptions, Together, Waiting};
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
    rules: Option<Box<Rules>>,
    riders: Vec<Waiting>,
}

/// The rules about addresses, and what they need to know.
#[derive(Clone, Debug)]
struct Rules {
    combine: Option<Combine>,
    together: Option<Together>,
    overlap: Overlap,
    neighbours: Neighbours,
    held: Held,
    stream: Option<Stream>,
}

impl Queue {
    /// An empty queue for a device of `sectors` on `cylinders`.
    #[must_use]
    pub fn new(options: &QueueOptions, sectors: u64, cylinders: u32) -> Self {
        let &QueueOptions { combine, together, overlap, .. } = options;
        let any = combine.is_some() || together.is_some() || overlap != Overlap::Free;
        let rules = || Rules {
            combine,
            together,
            overlap,
            neighbours: Neighbours::new(),
            held: Held::default(),
            stream: None,
        };
        Self {
            lists: Lists::new(options, sectors, cylinders),
            tags: options.tags.map(|rule| Box::new(Tags::new(rule))),
            rules: any.then(|| Box::new(rules())),
            riders: Vec::new(),
        }
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
        let plain = self.rules.is_none() && self.tags.is_none();
        plain && self.lists.pass(waiting)
    }

    #[inline]
    fn enter(&mut self, waiting: Waiting) {
        if let Some(rules) = &mut self.rules {
            if rules.overlap != Overlap::Free && rules.held.hold(waiting, &rules.neighbours) {
                return;
            }
            rules.neighbours.push(waiting);
        }
        self.lists.push(waiting);
    }

    /// The request that comes next, for a device that is free at `now`.
    #[inline]
    pub fn pop(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        if self.tags.is_none() && self.rules.is_none() {
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
        let Some(rules) = &mut self.rules else { return self.lists.pop(now, device) };
        let continues = rules
            .together
            .zip(rules.stream)
            .and_then(|(together, stream)| together.next(stream, &rules.neighbours));
        let mut chosen = match continues {
            Some(next) => self.lists.remove(&next),
            None => self.lists.pop(now, device),
        }?;
        rules.neighbours.remove(&chosen);
        while let Some(rider) = rules.rider(&chosen) {
            rules.neighbours.remove(&rider);
            self.lists.remove(&rider);
            let end = chosen.end().max(rider.end());
            chosen.lba = chosen.lba.min(rider.lba);
            chosen.sectors = (end - chosen.lba) as u32;
            self.riders.push(rider);
        }
        rules.stream = Some(Stream { end: chosen.end(), operation: chosen.operation });
        while let Some(free) = rules.held.release(&rules.neighbours) {
            rules.neighbours.push(free);
            self.lists.push(free);
        }
        Some(chosen)
    }

    /// How many wait.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        let tagged = self.tags.as_ref().map_or(0, |tags| tags.len());
        let held = self.rules.as_ref().map_or(0, |rules| rules.held.len());
        self.lists.len() + tagged + held
    }

    /// Whether none waits.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Rules {
    /// A request to be served together with `chosen`.
    fn rider(&self, chosen: &Waiting) -> Option<Waiting> {
        let combined = self.combine.and_then(|rule| rule.next(chosen, &self.neighbours));
        combined.or_else(|| {
            (self.overlap == Overlap::Answered).then(|| answered(chosen, &self.neighbours))?
        })
    }
}
