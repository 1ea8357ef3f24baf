//! The lists of a queue: critical requests, late ones, and the rest.

use super::late::Late;
use super::{DeviceView, Policy, PolicyKind, QueueOptions, Waiting};
use platterlab_units::Stamp;
use platterlab_workload::Criticality;

/// Up to three lists: what goes first, what has waited too long, and the rest.
///
/// The same contract as [`Policy`].
#[derive(Clone, Debug)]
pub(super) struct Lists {
    rest: Policy,
    /// Apart, so that the many queues without are small.
    before: Option<Box<Before>>,
}

/// What goes before the rest.
#[derive(Clone, Debug)]
struct Before {
    first: Option<Policy>,
    /// Whether what processes wait for goes first.
    by_criticality: bool,
    timeout: Option<Timeout>,
}

#[derive(Clone, Debug)]
struct Timeout {
    list: Policy,
    waiting: Late,
    /// From the list of the late to the first.
    still: Option<Late>,
}

impl Lists {
    pub(super) fn new(options: &QueueOptions, sectors: u64, cylinders: u32) -> Self {
        let policy = |kind| Policy::new(kind, sectors, cylinders);
        let halves = options.timeout.is_some_and(|rule| rule.halves);
        let first = options.critical.or(halves.then_some(PolicyKind::Fcfs));
        let before = Before {
            first: first.map(policy),
            by_criticality: options.critical.is_some(),
            timeout: options.timeout.map(|rule| Timeout {
                list: policy(rule.policy),
                waiting: Late::new(if rule.halves { rule.after / 2 } else { rule.after }),
                still: rule.halves.then(|| Late::new(rule.after)),
            }),
        };
        let any = before.first.is_some() || before.timeout.is_some();
        Self { rest: policy(options.policy), before: any.then(|| Box::new(before)) }
    }

    #[inline]
    pub(super) fn push(&mut self, waiting: Waiting) {
        let elsewhere = self.before.as_mut().is_some_and(|before| before.take(waiting));
        if !elsewhere {
            self.rest.push(waiting);
        }
    }

    /// See [`super::Queue::pass`].
    #[inline]
    pub(super) fn pass(&mut self, waiting: &Waiting) -> bool {
        self.before.is_none() && self.rest.len() == 0 && self.rest.pass(waiting)
    }

    #[inline]
    pub(super) fn pop(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        let before =
            self.before.as_mut().and_then(|before| before.pop(&mut self.rest, now, device));
        before.or_else(|| self.rest.pop(now, device))
    }

    pub(super) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let before = self.before.as_mut().and_then(|before| before.remove(waiting));
        before.or_else(|| self.rest.remove(waiting))
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.rest.len() + self.before.as_ref().map_or(0, |before| before.len())
    }
}

impl Before {
    /// Takes a request that goes first, and notes when the others came; whether it took it.
    fn take(&mut self, waiting: Waiting) -> bool {
        if self.by_criticality
            && let Some(first) = &mut self.first
            && waiting.is_critical()
        {
            first.push(waiting);
            return true;
        }
        if let Some(timeout) = &mut self.timeout {
            timeout.waiting.push(waiting);
        }
        false
    }

    fn pop(&mut self, rest: &mut Policy, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        self.age(rest, now);
        let first = self.first.as_mut().and_then(|first| first.pop(now, device));
        first.or_else(|| self.timeout.as_mut()?.list.pop(now, device))
    }

    fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let first = self.first.as_mut().and_then(|first| first.remove(waiting));
        first.or_else(|| self.timeout.as_mut()?.list.remove(waiting))
    }

    fn len(&self) -> usize {
        let late = self.timeout.as_ref().map_or(0, |timeout| timeout.list.len());
        self.first.as_ref().map_or(0, Policy::len) + late
    }

    /// Moves what has waited too long.
    fn age(&mut self, rest: &mut Policy, now: Stamp) {
        let Some(Timeout { list, waiting, still }) = &mut self.timeout else { return };
        while let Some(late) = waiting.next(rest, now) {
            list.push(late);
            if let Some(still) = still {
                still.push(late);
            }
        }
        if let (Some(still), Some(first)) = (still, &mut self.first) {
            while let Some(very_late) = still.next(list, now) {
                first.push(very_late);
            }
        }
    }
}

impl Waiting {
    /// Whether a process waits for it, or may come to.
    #[must_use]
    pub fn is_critical(&self) -> bool {
        matches!(self.criticality, Criticality::Critical | Criticality::Limited)
    }
}
