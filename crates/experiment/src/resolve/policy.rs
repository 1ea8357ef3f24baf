use super::ms;
use crate::options::{By, Scheduler, Timeout};
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_sim::scheduler::{Key, PolicyKind, QueueOptions, TimeoutRule};

/// A queue of a policy, one for critical requests, and one for late ones; with their places.
pub(crate) fn queue(
    (scheduler, critical, timeout): (Scheduler, Option<Scheduler>, Option<Timeout>),
    [_, _, timeout_at]: [KeyPath; 3],
) -> Result<QueueOptions, Fault> {
    if timeout.is_some_and(|rule| rule.after_ms <= 0.0) {
        let what = "is 0: every request would be late at once; write more, or leave `timeout` out";
        return Err(Fault::new(timeout_at.key("after_ms"), what));
    }
    Ok(QueueOptions {
        policy: policy(scheduler),
        critical: critical.map(policy),
        timeout: timeout
            .map(|rule| TimeoutRule { after: ms(rule.after_ms), policy: policy(rule.scheduler) }),
    })
}

fn policy(scheduler: Scheduler) -> PolicyKind {
    let key = |by| match by {
        By::Lba => Key::Lba,
        By::Cylinder => Key::Cylinder,
    };
    match scheduler {
        Scheduler::Fcfs {} => PolicyKind::Fcfs,
        Scheduler::Look { by } => PolicyKind::Look(key(by)),
        Scheduler::CLook { by } => PolicyKind::CLook(key(by)),
        Scheduler::Sstf { by } => PolicyKind::Sstf(key(by)),
        Scheduler::VScan { by, turn_share } => PolicyKind::Vscan(key(by), turn_share),
        Scheduler::Batch { by } => PolicyKind::Batch(key(by)),
        Scheduler::Sptf {} => PolicyKind::Sptf,
        Scheduler::Spctf {} => PolicyKind::Spctf,
        Scheduler::Satf {} => PolicyKind::Satf,
        Scheduler::AgedSptf { weight, cache_aware, with_transfer } => {
            PolicyKind::AgedSptf { weight, cache_aware, with_transfer }
        }
        Scheduler::WeightedSptf { limit_ms, cache_aware, with_transfer } => {
            PolicyKind::WeightedSptf { limit: ms(limit_ms), cache_aware, with_transfer }
        }
    }
}
