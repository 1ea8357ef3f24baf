//! Reasons why a task could continue: the end of a request, another process, a daemon, or time.

use platterlab_workload::flow::{Event as Cause, PauseKind};

use crate::block::{Block, RequestId};
use crate::cpus::Cpus;
use crate::event::Event;
use crate::tasks::{Asleep, Role, Tasks, Wait};

/// A task is woken: finds out by what, and gives the traced ones the step that follows from it.
pub(crate) fn waking(
    event: &Event,
    pid: i32,
    tasks: &mut Tasks,
    cpus: &mut Cpus,
    block: &mut Block,
) {
    let ns = event.ns;
    let Some(wait) = tasks.get(pid).wait.take() else { return };
    tasks.ready(pid, ns);
    let waker = (!event.interrupt).then_some(event.pid);
    let requests = requests_behind(event, &wait, waker, tasks, cpus, block);
    let throttled = std::mem::take(&mut tasks.get(pid).throttled);
    let Role::Traced(process) = tasks.role(pid) else {
        tasks.get(pid).slept(Asleep { end: ns, requests });
        return;
    };
    let kind = if throttled {
        PauseKind::Throttled
    } else if !requests.is_empty() {
        for request in &requests {
            block.waited(*request, wait.start, ns);
        }
        if let Some(log) = waker.filter(|waker| tasks.role(*waker) == Role::Journal) {
            let sectors = block.take_commit(log, wait.start);
            tasks.step_at(pid, wait.start, Cause::Commit { sectors });
        }
        PauseKind::Storage
    } else if let Some(waker) = waker.filter(|waker| tasks.process(*waker).is_some()) {
        let name = tasks.name_event();
        tasks.step_at(pid, wait.start, Cause::Wait { event: name });
        tasks.step(waker, ns, Cause::WakeUp { event: name });
        PauseKind::Sleep
    } else if (wait.deep || tasks.get(pid).syncing) && !block.idle_since(wait.start) {
        PauseKind::Other
    } else {
        let span = platterlab_units::Span::from_ns(ns - wait.start);
        tasks.step_at(pid, wait.start, Cause::Sleep { span });
        PauseKind::Sleep
    };
    tasks.pause(process, wait.start, ns, kind);
}

/// The requests whose end let the task continue: one that this CPU is just ending, the one that the
/// waker's work follows from, or those a daemon waited for on the task's behalf.
fn requests_behind(
    event: &Event,
    wait: &Wait,
    waker: Option<i32>,
    tasks: &mut Tasks,
    cpus: &mut Cpus,
    block: &mut Block,
) -> Vec<RequestId> {
    if let Some(request) = cpus.get(event.cpu).completion {
        return vec![request];
    }
    let Some(waker) =
        waker.filter(|waker| matches!(tasks.role(*waker), Role::Journal | Role::Daemon))
    else {
        return Vec::new();
    };
    let journal = tasks.role(waker) == Role::Journal;
    let task = tasks.get(waker);
    let mut requests: Vec<RequestId> = task.work.into_iter().collect();
    for asleep in task.asleep.iter().filter(|asleep| asleep.end >= wait.start) {
        requests.extend(&asleep.requests);
    }
    requests
        .retain(|request| block.requests[*request].completion.is_none_or(|end| end >= wait.start));
    requests.sort_unstable();
    requests.dedup();
    if journal {
        block.inherit(waker, wait.start);
    }
    requests
}
