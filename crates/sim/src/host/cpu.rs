//! Processors: a stack of work each, and where their time goes.

use platterlab_units::{Lapse, Span, Stamp};
use platterlab_workload::flow::ProcessId;
use serde::Serialize;

/// The process whose work is the task: the first.
pub(super) const TASK: ProcessId = 0;

/// What a CPU works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// The computation before a process's next event.
    Process(ProcessId),
    /// The handler for a completed request, by its number.
    Interrupt(u32),
    /// Making the process above it current.
    Switch,
    /// The syncer.
    Syncer,
    /// The handler of the clock.
    Tick,
}

/// Work and what is left of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) work: Work,
    pub(super) left: Span,
}

/// Where the time of all CPUs went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct CpuTimes {
    /// Computing for processes.
    pub process_ms: f64,
    /// Interrupts, context switches and daemons.
    pub other_ms: f64,
    /// Idle while a process waited for storage.
    pub false_idle_ms: f64,
    /// Idle otherwise.
    pub idle_ms: f64,
}

/// The same in whole picoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CpuLapses {
    pub(super) process: Lapse,
    /// Of that, for the first process.
    pub(super) task: Lapse,
    other: Lapse,
    false_idle: Lapse,
    idle: Lapse,
}

impl CpuLapses {
    pub(super) fn report(&self) -> CpuTimes {
        CpuTimes {
            process_ms: self.process.as_ms(),
            other_ms: self.other.as_ms(),
            false_idle_ms: self.false_idle.as_ms(),
            idle_ms: self.idle.as_ms(),
        }
    }
}

/// One processor.
#[derive(Clone, Debug)]
pub(super) struct Cpu {
    /// A process at the bottom, what interrupted it above.
    stack: Vec<Frame>,
    /// Until when its time has been accounted for.
    since: Stamp,
    /// Tells the timer that counts from those that have been overtaken.
    pub(super) version: u32,
    /// The process that was on it last.
    pub(super) last: Option<ProcessId>,
    /// When the process on it has had its turn.
    pub(super) turn_ends: Stamp,
}

impl Cpu {
    pub(super) fn new() -> Self {
        Self {
            stack: Vec::new(),
            since: Stamp::ZERO,
            version: 0,
            last: None,
            turn_ends: Stamp::ZERO,
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.stack.is_empty()
    }

    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    pub(super) fn top(&self) -> Option<Frame> {
        self.stack.last().copied()
    }

    pub(super) fn push(&mut self, work: Work, left: Span) {
        self.stack.push(Frame { work, left });
    }

    pub(super) fn pop(&mut self) -> Option<Frame> {
        self.stack.pop()
    }

    /// The process that has been computing since its time was accounted for, and how long.
    pub(super) fn computed(&self, now: Stamp) -> Option<(ProcessId, Lapse)> {
        match self.top()?.work {
            Work::Process(process) => Some((process, now.since(self.since))),
            _ => None,
        }
    }

    /// Accounts for the time until `now`, and takes it off what is left to do.
    pub(super) fn charge(&mut self, now: Stamp, storage_awaited: bool, times: &mut CpuLapses) {
        let span = now.since(self.since);
        self.since = now;
        let Some(frame) = self.stack.last_mut() else {
            if storage_awaited {
                times.false_idle += span;
            } else {
                times.idle += span;
            }
            return;
        };
        frame.left = span.span().map_or(Span::ZERO, |span| frame.left.less(span));
        match frame.work {
            Work::Process(process) => {
                times.process += span;
                if process == TASK {
                    times.task += span;
                }
            }
            Work::Interrupt(_) | Work::Switch | Work::Syncer | Work::Tick => {
                times.other += span;
            }
        }
    }
}
