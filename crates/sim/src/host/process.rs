//! Processes: what each is doing, what it waits for and how long, and the signals they wake each other with.

use super::cpu::TASK;
use platterlab_units::{Lapse, Span, Stamp};
use platterlab_workload::flow::{Event, ProcessId};
use std::collections::{BTreeMap, VecDeque};

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It has not been forked yet.
    Unborn,
    /// It waits for a CPU, or has one.
    Running,
    /// It has issued a read that it needs, and computes on before it sleeps; this many requests are
    /// still to come.
    Issued(u32),
    /// It waits for this many requests.
    Storage(u32),
    /// It waits until memory has room.
    Memory,
    /// It sleeps until a timer wakes it.
    Sleeping,
    /// It waits for another process to wake it.
    Event(u32),
    /// It has ended.
    Gone,
}

/// A process.
#[derive(Clone, Copy, Debug)]
struct Process {
    doing: Doing,
    /// What it computes before its next event.
    left: Span,
    /// The event after that.
    event: Option<Event>,
    /// Whether what it does now issued a read that it needs.
    issued: bool,
    /// What it computed before it slept, of the steps that follow.
    ahead: Span,
    /// When it began to wait for storage.
    blocked: Stamp,
}

impl Process {
    const UNBORN: Self = Self {
        doing: Doing::Unborn,
        left: Span::ZERO,
        event: None,
        issued: false,
        ahead: Span::ZERO,
        blocked: Stamp::ZERO,
    };
}

/// All processes, and how long they waited for storage.
#[derive(Debug, Default)]
pub(super) struct ProcessTable {
    all: Vec<Process>,
    signals: Signals,
    /// How many wait for storage, or for memory.
    storage_waiters: u32,
    /// Those that wait until memory has room.
    memory_waiters: VecDeque<ProcessId>,
    waits: u64,
    wait: Lapse,
    task_wait: Lapse,
}

/// How often and how long processes waited for storage.
#[derive(Clone, Copy, Debug)]
pub(super) struct StorageWaits {
    pub(super) count: u64,
    pub(super) wait: Lapse,
    /// Of that, what the first process did.
    pub(super) task_wait: Lapse,
}

impl ProcessTable {
    fn at(&mut self, process: ProcessId) -> &mut Process {
        &mut self.all[process as usize]
    }

    /// A process comes into being.
    pub(super) fn start(&mut self, process: ProcessId) {
        let index = process as usize;
        if index >= self.all.len() {
            self.all.resize(index + 1, Process::UNBORN);
        }
        self.run(process);
    }

    /// A process can run.
    pub(super) fn run(&mut self, process: ProcessId) {
        self.at(process).doing = Doing::Running;
    }

    /// A process ends.
    pub(super) fn end(&mut self, process: ProcessId) {
        self.at(process).doing = Doing::Gone;
    }

    /// What a process is doing; one that nobody has heard of is not born.
    pub(super) fn doing(&self, process: ProcessId) -> Doing {
        self.all.get(process as usize).map_or(Doing::Unborn, |state| state.doing)
    }

    /// All there are, with what they are doing.
    pub(super) fn all(&self) -> impl Iterator<Item = (ProcessId, Doing)> {
        (0..).zip(&self.all).map(|(process, state)| (process, state.doing))
    }

    /// What a process computes before its next event.
    pub(super) fn left(&self, process: ProcessId) -> Span {
        self.all[process as usize].left
    }

    /// A process was taken off its CPU with so much left to compute.
    pub(super) fn set_left(&mut self, process: ProcessId, left: Span) {
        self.at(process).left = left;
    }

    /// The event that a process has come to, or comes to next.
    pub(super) fn event(&self, process: ProcessId) -> Option<Event> {
        self.all[process as usize].event
    }

    /// What a process does when it continues.
    pub(super) fn set_event(&mut self, process: ProcessId, event: Option<Event>) {
        self.at(process).event = event;
    }

    /// A process has its next step: what it computed ahead of that is no longer to be done.
    pub(super) fn take_step(&mut self, process: ProcessId, compute: Span, event: Event) {
        let state = self.at(process);
        state.left = compute.less(state.ahead);
        state.ahead = state.ahead.less(compute);
        state.event = Some(event);
    }

    /// What a process does now has issued a read that it needs.
    pub(super) fn issued(&mut self, process: ProcessId) {
        self.at(process).issued = true;
    }

    /// Whether it has, since that was asked.
    pub(super) fn take_issued(&mut self, process: ProcessId) -> bool {
        std::mem::take(&mut self.at(process).issued)
    }

    /// A process computes so much ahead of its next step.
    pub(super) fn compute_ahead(&mut self, process: ProcessId, span: Span) {
        self.at(process).ahead += span;
    }

    /// A process leaves its CPU, done with its event.
    pub(super) fn leave(&mut self, process: ProcessId, doing: Doing) {
        let state = self.at(process);
        state.doing = doing;
        state.left = Span::ZERO;
        state.event = None;
    }

    /// A process sleeps for this many requests.
    pub(super) fn sleep(&mut self, now: Stamp, process: ProcessId, waits: u32) {
        self.at(process).doing = Doing::Storage(waits);
        self.block(now, process);
    }

    /// A process waits until memory has room, with its event still to be done.
    pub(super) fn wait_for_memory(&mut self, now: Stamp, process: ProcessId) {
        let state = self.at(process);
        state.doing = Doing::Memory;
        state.left = Span::ZERO;
        self.memory_waiters.push_back(process);
        self.block(now, process);
    }

    fn block(&mut self, now: Stamp, process: ProcessId) {
        self.storage_waiters += 1;
        self.waits += 1;
        self.at(process).blocked = now;
    }

    /// One of the things that a process waits for is over; whether it sleeps for nothing else.
    pub(super) fn one_less(&mut self, process: ProcessId) -> bool {
        match &mut self.at(process).doing {
            Doing::Issued(waits) => {
                *waits -= 1;
                false
            }
            Doing::Storage(waits) => {
                *waits -= 1;
                *waits == 0
            }
            _ => false,
        }
    }

    /// A process no longer waits for storage; since when it did.
    pub(super) fn unblock(&mut self, now: Stamp, process: ProcessId) -> Stamp {
        let blocked = self.all[process as usize].blocked;
        let waited = now.since(blocked);
        self.wait += waited;
        if process == TASK {
            self.task_wait += waited;
        }
        self.storage_waiters -= 1;
        blocked
    }

    /// Whether any process waits for storage.
    pub(super) fn storage_is_awaited(&self) -> bool {
        self.storage_waiters > 0
    }

    /// Whether any process waits until memory has room.
    pub(super) fn memory_is_awaited(&self) -> bool {
        !self.memory_waiters.is_empty()
    }

    /// The next of those.
    pub(super) fn take_memory_waiter(&mut self) -> Option<ProcessId> {
        self.memory_waiters.pop_front()
    }

    /// Whether an event was given already; else the process is to wait for it.
    pub(super) fn wait_for_event(&mut self, event: u32, process: ProcessId) -> bool {
        self.signals.wait(event, process)
    }

    /// Gives an event; the process that may continue, if one waits.
    pub(super) fn give_event(&mut self, event: u32) -> Option<ProcessId> {
        self.signals.wake(event)
    }

    /// How often and how long processes waited for storage so far.
    pub(super) fn storage_waits(&self) -> StorageWaits {
        StorageWaits { count: self.waits, wait: self.wait, task_wait: self.task_wait }
    }
}

/// Events that processes wake each other with: as a semaphore does, a wake-up that comes first is
/// kept.
#[derive(Debug, Default)]
struct Signals {
    /// Wake-ups nobody waited for yet; none of 0.
    kept: BTreeMap<u32, u32>,
    waiting: Vec<(u32, ProcessId)>,
}

impl Signals {
    /// Whether a wake-up was kept; else the process waits for one.
    fn wait(&mut self, event: u32, process: ProcessId) -> bool {
        let Some(kept) = self.kept.get_mut(&event) else {
            self.waiting.push((event, process));
            return false;
        };
        *kept -= 1;
        if *kept == 0 {
            self.kept.remove(&event);
        }
        true
    }

    /// The process that may continue, if one waits.
    fn wake(&mut self, event: u32) -> Option<ProcessId> {
        if let Some(first) = self.waiting.iter().position(|(awaited, _)| *awaited == event) {
            return Some(self.waiting.remove(first).1);
        }
        *self.kept.entry(event).or_default() += 1;
        None
    }
}
