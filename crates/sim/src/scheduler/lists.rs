//! The lists of a queue: critical requests, late ones, and the rest.

use super::late::Late;
use super::{DeviceView, Policy, QueueOptions, Scheduler, Waiting};
use crate::outside::Chooser;
use platterlab_units::{Span, Stamp};
use platterlab_workload::Criticality;
use std::collections::BTreeMap;

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
    /// What may still join the first, by its number; nothing is kept where none may.
    others: Option<BTreeMap<u32, Waiting>>,
    anticipate: Span,
    /// Until then only the first are begun.
    held_until: Stamp,
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
        let first = options.critical.or(halves.then_some(Scheduler::Fcfs));
        let before = Before {
            first: first.map(policy),
            by_criticality: options.critical.is_some(),
            timeout: options.timeout.map(|rule| Timeout {
                list: policy(rule.scheduler),
                waiting: Late::new(if rule.halves { rule.after / 2 } else { rule.after }),
                still: rule.halves.then(|| Late::new(rule.after)),
            }),
            others: (options.promote && options.critical.is_some()).then(BTreeMap::new),
            anticipate: options.anticipate,
            held_until: Stamp::ZERO,
        };
        let any = before.first.is_some() || before.timeout.is_some();
        Self { rest: policy(options.scheduler), before: any.then(|| Box::new(before)) }
    }

    /// See [`super::Queue::decided_by`].
    pub(super) fn decided_by(&mut self, chooser: Box<dyn Chooser>) {
        self.rest = Policy::own(chooser);
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

    /// See [`super::Queue::has_none`].
    #[inline]
    pub(super) fn has_none(&mut self) -> bool {
        self.before.is_none() && self.rest.has_none()
    }

    #[inline]
    pub(super) fn pop(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        let before =
            self.before.as_mut().and_then(|before| before.pop(&mut self.rest, now, device));
        let next = before.or_else(|| self.rest.pop(now, device));
        self.forget(next.as_ref());
        next
    }

    pub(super) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let before = self.before.as_mut().and_then(|before| before.remove(waiting));
        let gone = before.or_else(|| self.rest.remove(waiting));
        self.forget(gone.as_ref());
        gone
    }

    /// See [`super::Queue::promote`].
    pub(super) fn promote(&mut self, is_awaited: impl Fn(u32) -> bool) -> bool {
        let Some(before) = &mut self.before else { return false };
        let Some(others) = &mut before.others else { return false };
        let ids: Vec<u32> = others.keys().copied().filter(|id| is_awaited(*id)).collect();
        for id in &ids {
            let Some(waiting) = others.remove(id) else { continue };
            let late = before.timeout.as_mut().and_then(|timeout| timeout.list.remove(&waiting));
            if late.or_else(|| self.rest.remove(&waiting)).is_some()
                && let Some(first) = &mut before.first
            {
                first.push(Waiting { criticality: Criticality::Critical, ..waiting });
            }
        }
        !ids.is_empty()
    }

    /// See [`super::Queue::served`].
    pub(super) fn served(&mut self, criticality: Criticality, now: Stamp) -> Option<Stamp> {
        let before = self.before.as_mut()?;
        if before.anticipate == Span::ZERO || !before.by_criticality || !is_critical(criticality) {
            return None;
        }
        before.held_until = now + before.anticipate;
        Some(before.held_until)
    }

    /// See [`super::Queue::holds_back`].
    pub(super) fn holds_back(&self, now: Stamp) -> bool {
        let nothing_first = |first: &Option<Policy>| first.as_ref().is_none_or(|f| f.len() == 0);
        self.before
            .as_ref()
            .is_some_and(|before| now < before.held_until && nothing_first(&before.first))
    }

    #[inline]
    fn forget(&mut self, gone: Option<&Waiting>) {
        if let Some(gone) = gone
            && let Some(before) = &mut self.before
            && let Some(others) = &mut before.others
        {
            others.remove(&gone.id);
        }
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
        if let Some(others) = &mut self.others {
            others.insert(waiting.id, waiting);
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
        is_critical(self.criticality)
    }
}

fn is_critical(criticality: Criticality) -> bool {
    matches!(criticality, Criticality::Critical | Criticality::Limited)
}
