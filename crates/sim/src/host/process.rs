//! Processes: what each is doing, and the signals they wake each other with.

use platterlab_units::{Span, Stamp};
use platterlab_workload::flow::{Event, ProcessId};

/// What a process is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It has not been forked yet.
    Unborn,
    /// It waits for a CPU, or has one.
    Running,
    /// It has issued a read that it needs, and computes on before it sleeps; so many requests are
    /// still to come.
    Issued(u32),
    /// It waits for so many requests.
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
pub(super) struct Process {
    pub(super) doing: Doing,
    /// What it computes before its next event.
    pub(super) left: Span,
    /// The event after that.
    pub(super) event: Option<Event>,
    /// Whether what it does now issued a read that it needs.
    pub(super) issued: bool,
    /// What it computed before it slept, of the steps that follow.
    pub(super) ahead: Span,
    /// When it began to wait for storage.
    pub(super) blocked: Stamp,
}

impl Process {
    pub(super) const UNBORN: Self = Self {
        doing: Doing::Unborn,
        left: Span::ZERO,
        event: None,
        issued: false,
        ahead: Span::ZERO,
        blocked: Stamp::ZERO,
    };
}

/// Events that processes wake each other with: as a semaphore does, a wake-up that comes first is
/// kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    /// Wake-ups nobody waited for yet; none of 0.
    kept: std::collections::BTreeMap<u32, u32>,
    waiting: Vec<(u32, ProcessId)>,
}

impl Signals {
    /// Whether a wake-up was kept; else the process waits for one.
    pub(super) fn wait(&mut self, event: u32, process: ProcessId) -> bool {
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

    /// The process that may go on, if one waits.
    pub(super) fn wake(&mut self, event: u32) -> Option<ProcessId> {
        if let Some(first) = self.waiting.iter().position(|(awaited, _)| *awaited == event) {
            return Some(self.waiting.remove(first).1);
        }
        *self.kept.entry(event).or_default() += 1;
        None
    }
}
