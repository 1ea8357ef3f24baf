use super::{DeviceView, Policy, PolicyKind, Waiting};
use platterlab_units::{Span, Time};
use platterlab_workload::Criticality;
use std::collections::VecDeque;

/// Requests that have waited too long are served before others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeoutRule {
    /// How long is too long.
    pub after: Span,
    /// The order among them.
    pub policy: PolicyKind,
}

/// How a queue chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueOptions {
    /// The order among the rest.
    pub policy: PolicyKind,
    /// Requests that a process waits for, or may come to wait for, go before all others in this
    /// order (Ganger–Patt 1998, §5.3: two lists).
    pub critical: Option<PolicyKind>,
    /// Requests that have waited too long go next.
    pub timeout: Option<TimeoutRule>,
}

impl QueueOptions {
    /// One list in the order of `policy`.
    #[must_use]
    pub fn of(policy: PolicyKind) -> Self {
        Self { policy, critical: None, timeout: None }
    }

    /// Whether requests must know where they lie on the media.
    #[must_use]
    pub fn needs_place(&self) -> bool {
        let timeout = self.timeout.map(|rule| rule.policy);
        [Some(self.policy), self.critical, timeout]
            .into_iter()
            .flatten()
            .any(PolicyKind::needs_place)
    }
}

/// A queue of up to three lists: what processes wait for, what has waited too long, and the rest.
///
/// The same contract as [`Policy`].
#[derive(Clone, Debug)]
pub struct Queue {
    rest: Policy,
    critical: Option<Policy>,
    timeout: Option<Timeouts>,
}

#[derive(Clone, Debug)]
struct Timeouts {
    after: Span,
    late: Policy,
    /// The rest in the order of arrival, with some that have left already.
    by_arrival: VecDeque<Waiting>,
}

impl Queue {
    /// An empty queue for a device of `sectors` on `cylinders`.
    #[must_use]
    pub fn new(options: &QueueOptions, sectors: u64, cylinders: u32) -> Self {
        let policy = |kind| Policy::new(kind, sectors, cylinders);
        Self {
            rest: policy(options.policy),
            critical: options.critical.map(policy),
            timeout: options.timeout.map(|rule| Timeouts {
                after: rule.after,
                late: policy(rule.policy),
                by_arrival: VecDeque::new(),
            }),
        }
    }

    /// Takes a request in.
    #[inline]
    pub fn push(&mut self, waiting: Waiting) {
        if let Some(critical) = &mut self.critical
            && matches!(waiting.criticality, Criticality::Critical | Criticality::Limited)
        {
            critical.push(waiting);
            return;
        }
        self.rest.push(waiting);
        if let Some(timeout) = &mut self.timeout {
            timeout.by_arrival.push_back(waiting);
        }
    }

    /// The request that comes next, for a device that is free at `now`.
    #[inline]
    pub fn pop(&mut self, now: Time, device: &impl DeviceView) -> Option<Waiting> {
        if let Some(critical) = &mut self.critical
            && let Some(next) = critical.pop(now, device)
        {
            return Some(next);
        }
        if let Some(timeout) = &mut self.timeout {
            timeout.collect(&mut self.rest, now);
            if let Some(next) = timeout.late.pop(now, device) {
                return Some(next);
            }
        }
        self.rest.pop(now, device)
    }

    /// How many wait.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        let critical = self.critical.as_ref().map_or(0, Policy::len);
        let late = self.timeout.as_ref().map_or(0, |timeout| timeout.late.len());
        self.rest.len() + critical + late
    }

    /// Whether none waits.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Timeouts {
    /// Moves what has waited too long.
    fn collect(&mut self, rest: &mut Policy, now: Time) {
        while let Some(oldest) = self.by_arrival.front() {
            if now < oldest.arrival + self.after {
                break;
            }
            if let Some(late) = rest.remove(oldest) {
                self.late.push(late);
            }
            self.by_arrival.pop_front();
        }
    }
}
