use super::late::Late;
use super::{DeviceView, Policy, PolicyKind, QueueOptions, Waiting};
use platterlab_units::Time;
use platterlab_workload::Criticality;

/// Up to three lists: what goes first, what has waited too long, and the rest.
///
/// The same contract as [`Policy`].
#[derive(Clone, Debug)]
pub(super) struct Lists {
    rest: Policy,
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
        Self {
            rest: policy(options.policy),
            first: first.map(policy),
            by_criticality: options.critical.is_some(),
            timeout: options.timeout.map(|rule| Timeout {
                list: policy(rule.policy),
                waiting: Late::new(if rule.halves { rule.after / 2 } else { rule.after }),
                still: rule.halves.then(|| Late::new(rule.after)),
            }),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, waiting: Waiting) {
        if self.by_criticality
            && let Some(first) = &mut self.first
            && waiting.is_critical()
        {
            return first.push(waiting);
        }
        self.rest.push(waiting);
        if let Some(timeout) = &mut self.timeout {
            timeout.waiting.push(waiting);
        }
    }

    #[inline]
    pub(super) fn pop(&mut self, now: Time, device: &impl DeviceView) -> Option<Waiting> {
        if self.timeout.is_some() {
            self.age(now);
        }
        if let Some(next) = self.first.as_mut().and_then(|first| first.pop(now, device)) {
            return Some(next);
        }
        let late = self.timeout.as_mut().and_then(|timeout| timeout.list.pop(now, device));
        late.or_else(|| self.rest.pop(now, device))
    }

    pub(super) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let first = self.first.as_mut().and_then(|first| first.remove(waiting));
        let late = || self.timeout.as_mut().and_then(|timeout| timeout.list.remove(waiting));
        first.or_else(late).or_else(|| self.rest.remove(waiting))
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        let first = self.first.as_ref().map_or(0, Policy::len);
        let late = self.timeout.as_ref().map_or(0, |timeout| timeout.list.len());
        self.rest.len() + first + late
    }

    /// Moves what has waited too long.
    fn age(&mut self, now: Time) {
        let Some(Timeout { list, waiting, still }) = &mut self.timeout else { return };
        while let Some(late) = waiting.next(&mut self.rest, now) {
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
