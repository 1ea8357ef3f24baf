//! The state of every task: computing, in a system call, waiting; the steps of the traced ones.

use std::collections::HashMap;

use platterlab_units::{Span, Time};
use platterlab_workload::flow::{
    Event as Cause, FlowRecord, Item, Pause, PauseKind, Process, ProcessId, Step,
};

use crate::block::RequestId;

/// Waits of a daemon that are kept, to find what a process waited for that waits for the daemon.
const KEPT_WAITS: usize = 64;

/// A delay on the way to a CPU that is no longer part of continuing after a wait, in ns.
const LONG_DELAY_NS: u64 = 50_000;

/// What a task is to the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// One of the processes the flow is about.
    Traced(ProcessId),
    /// The thread that writes a file system's log.
    Journal,
    /// Another thread of the kernel.
    Daemon,
    /// A process of somebody else.
    #[default]
    Other,
}

/// What the next read of a task belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReadAhead {
    #[default]
    None,
    /// A window that begins with the page that is missing.
    Window,
    /// The rest of that window.
    Tail,
    /// A window ahead of the process.
    Ahead,
}

/// A time asleep, and the requests that made it one.
#[derive(Clone, Debug)]
pub(crate) struct Asleep {
    pub(crate) end: u64,
    pub(crate) requests: Vec<RequestId>,
}

/// A task that gave up its CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) start: u64,
    /// It cannot be disturbed: it waits for the system and not for another process.
    pub(crate) deep: bool,
}

/// A stay of a task on a CPU.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// What was charged to it, in ns.
    charged: u64,
    /// Interrupts on top of it, in ns.
    interrupts: u64,
    /// What the scheduler says it took so far, in ns.
    ran: u64,
    /// The first step of it, by its place among the records.
    first_step: Option<usize>,
    /// When the task was woken for it, where its switch to the CPU was not seen: it began somewhat
    /// later.
    woken: Option<u64>,
}

/// One task.
#[derive(Debug, Default)]
pub(crate) struct Task {
    pub(crate) role: Role,
    /// Since when it computes, if it does.
    since: Option<u64>,
    run: Run,
    /// Computed since its last step, in ns.
    compute: u64,
    pub(crate) call: Option<u16>,
    pub(crate) trap: bool,
    pub(crate) syncing: bool,
    pub(crate) throttled: bool,
    pub(crate) read_ahead: ReadAhead,
    /// Pages it has put into memory to be read, in order: file and page.
    pub(crate) coming: Vec<(u32, u64)>,
    pub(crate) wait: Option<Wait>,
    /// Since when it could run and did not.
    pub(crate) ready: Option<u64>,
    /// Whether others of the traced had all CPUs then.
    crowded: bool,
    pub(crate) asleep: Vec<Asleep>,
    /// The request that the work it does follows from.
    pub(crate) work: Option<RequestId>,
    /// Processes do not end twice.
    pub(crate) ended: bool,
}

impl Task {
    /// Remembers what a wait was for.
    pub(crate) fn slept(&mut self, asleep: Asleep) {
        if self.asleep.len() == KEPT_WAITS {
            self.asleep.remove(0);
        }
        self.asleep.push(asleep);
    }
}

/// All tasks, and what the traced ones did so far.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    tasks: HashMap<i32, Task>,
    pub(crate) processes: Vec<Process>,
    pids: Vec<i32>,
    pub(crate) records: Vec<(u64, Item)>,
    pub(crate) compute_ns: u64,
    next_event: u32,
    /// How many of the traced have a CPU, and how many there are.
    running: u32,
    cpus: u32,
    /// When the first traced process began to run and the last one ended.
    pub(crate) first: Option<u64>,
    pub(crate) last: u64,
}

impl Tasks {
    /// None yet, of a machine with this many CPUs.
    pub(crate) fn new(cpus: u32) -> Self {
        Self { cpus, ..Self::default() }
    }

    pub(crate) fn get(&mut self, pid: i32) -> &mut Task {
        self.tasks.entry(pid).or_default()
    }

    pub(crate) fn role(&self, pid: i32) -> Role {
        self.tasks.get(&pid).map_or(Role::Other, |task| task.role)
    }

    pub(crate) fn process(&self, pid: i32) -> Option<ProcessId> {
        match self.role(pid) {
            Role::Traced(process) => Some(process),
            _ => None,
        }
    }

    /// A task becomes one of the traced.
    pub(crate) fn trace(&mut self, pid: i32, parent: Option<ProcessId>) -> ProcessId {
        let id = self.processes.len() as ProcessId;
        self.processes.push(Process { id, parent, name: None });
        self.pids.push(pid);
        self.tasks.insert(pid, Task { role: Role::Traced(id), ..Task::default() });
        id
    }

    /// The task gets a CPU, by a switch that was `seen`, or at `ns` at the earliest.
    pub(crate) fn begin(&mut self, pid: i32, ns: u64, seen: bool) {
        let ready = self.get(pid).ready.take();
        if let Role::Traced(process) = self.role(pid) {
            self.first.get_or_insert(ns);
            if let Some(start) = ready {
                self.delayed(pid, start, ns);
                self.pause(process, start, ns, PauseKind::Runnable);
            }
            self.running += 1;
        }
        let task = self.get(pid);
        task.since = Some(ns);
        task.run = Run { woken: ready.filter(|start| !seen && *start == ns), ..Run::default() };
    }

    /// A task can run and waits for a CPU.
    pub(crate) fn ready(&mut self, pid: i32, ns: u64) {
        let crowded = self.running >= self.cpus;
        let task = self.get(pid);
        (task.ready, task.crowded) = (Some(ns), crowded);
    }

    /// A traced task waited for a CPU. Where the others of the traced had not taken them all, the
    /// delay comes from outside the flow, and is a time that the process sleeps.
    fn delayed(&mut self, pid: i32, start: u64, end: u64) {
        let crowded = self.get(pid).crowded;
        let span = end.saturating_sub(start);
        if !crowded && span >= LONG_DELAY_NS {
            self.step_at(pid, start, Cause::Sleep { span: Span::from_ns(span) });
        }
    }

    /// It computes again after an interrupt that took `interrupt` ns.
    pub(crate) fn resume(&mut self, pid: i32, ns: u64, interrupt: u64) {
        let task = self.get(pid);
        task.since = Some(ns);
        task.run.interrupts += interrupt;
    }

    /// The scheduler says that the task has run for `ns` more.
    pub(crate) fn ran(&mut self, pid: i32, ns: u64) {
        self.get(pid).run.ran += ns;
    }

    /// It loses its CPU. The scheduler's account says how long it really had it: its switches are
    /// seen a little late, and those away from the idle loop not at all on some kernels. What is
    /// missing came before the first step; what is too much was its way to the CPU.
    pub(crate) fn end(&mut self, pid: i32, ns: u64) {
        self.stop(pid, ns);
        let Some(task) = self.tasks.get_mut(&pid) else { return };
        if matches!(task.role, Role::Traced(_)) {
            self.running = self.running.saturating_sub(1);
        }
        let Run { charged, interrupts, ran, first_step, woken } = task.run;
        if ran == 0 {
            return;
        }
        // Kernels differ in whether interrupts count as the task's own time.
        let with = charged + interrupts;
        let charged = if ran.abs_diff(with) < ran.abs_diff(charged) { with } else { charged };
        let correct = |compute: u64| (compute + ran).saturating_sub(charged);
        let (before, after) = match first_step.map(|step| &mut self.records[step].1) {
            Some(Item::Step(step)) => {
                let before = step.compute.as_ps() / 1_000;
                step.compute = Span::from_ns(correct(before));
                (before, correct(before))
            }
            _ => {
                let before = task.compute;
                task.compute = correct(before);
                (before, task.compute)
            }
        };
        if let Role::Traced(process) = task.role {
            self.compute_ns = (self.compute_ns + after).saturating_sub(before);
            if let Some(start) = woken {
                self.pause(
                    process,
                    start,
                    start + before.saturating_sub(after),
                    PauseKind::Runnable,
                );
            }
        }
    }

    /// What it has computed counts up to now.
    pub(crate) fn charge(&mut self, pid: i32, ns: u64) {
        let Some(task) = self.tasks.get_mut(&pid) else { return };
        if let Some(since) = task.since {
            let span = ns.saturating_sub(since);
            task.since = Some(ns.max(since));
            task.compute += span;
            task.run.charged += span;
            if matches!(task.role, Role::Traced(_)) {
                self.compute_ns += span;
            }
        }
    }

    /// It computes no more for now.
    pub(crate) fn stop(&mut self, pid: i32, ns: u64) {
        self.charge(pid, ns);
        self.get(pid).since = None;
    }

    /// Ends the computation time of a traced task with an event; others have no steps.
    pub(crate) fn step(&mut self, pid: i32, ns: u64, event: Cause) {
        self.charge(pid, ns);
        if std::mem::take(&mut self.get(pid).trap) {
            self.step_at(pid, ns, Cause::TrapComplete);
        }
        self.step_at(pid, ns, event);
    }

    /// The same where the task did not run up to `ns`.
    pub(crate) fn step_at(&mut self, pid: i32, ns: u64, event: Cause) {
        let Some(task) = self.tasks.get_mut(&pid) else { return };
        let Role::Traced(process) = task.role else { return };
        if task.ended {
            return;
        }
        task.ended = event == Cause::Exit;
        let compute = Span::from_ns(std::mem::take(&mut task.compute));
        task.run.first_step.get_or_insert(self.records.len());
        self.last = self.last.max(ns);
        self.records.push((ns, Item::Step(Step { process, compute, event })));
    }

    pub(crate) fn pause(&mut self, process: ProcessId, start: u64, end: u64, kind: PauseKind) {
        if end > start {
            let span = Span::from_ns(end - start);
            let start = Time::from_ps(start * 1_000);
            self.records.push((end, Item::Pause(Pause { process, start, span, kind })));
        }
    }

    /// A name for something that one process waits for and another wakes.
    pub(crate) fn name_event(&mut self) -> u32 {
        self.next_event += 1;
        self.next_event - 1
    }

    /// Ends every process that still runs; says how many did.
    pub(crate) fn cut(&mut self, ns: u64) -> u64 {
        let mut cut = 0;
        for pid in self.pids.clone() {
            if matches!(self.role(pid), Role::Traced(_)) && !self.get(pid).ended {
                self.stop(pid, ns);
                self.step_at(pid, ns, Cause::Exit);
                cut += 1;
            }
        }
        cut
    }

    /// The records in the order of their time.
    pub(crate) fn into_records(self) -> Vec<FlowRecord> {
        let mut records = self.records;
        records.sort_by_key(|(ns, _)| *ns);
        let record = |(ns, item): (u64, Item)| FlowRecord { at: Time::from_ps(ns * 1_000), item };
        records.into_iter().map(record).collect()
    }
}
