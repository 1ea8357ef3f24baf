//! The computer that a captured flow implies: its header, and what its records add to that.

use super::options::{FileReadAhead, HostOptions, Journal, Syncer};
use platterlab_units::{Span, Time};
use platterlab_workload::flow::{
    Cause, Event, FlowHeader, FlowRecord, Item, Observed, Pause, PauseKind, ProcessId, Step,
};
use std::collections::BTreeMap;

/// Longest turn of a process that others wait behind: Linux's default for fair tasks is of this order.
const QUANTUM: Span = Span::from_us(3_000);

/// What the records of a captured flow say about its computer in addition to its header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowTraits {
    ready: Span,
    waits: u64,
    /// The last sleep and when it began.
    slept: Option<(ProcessId, Time)>,
    log: Option<(u64, u64)>,
    commits: Commits,
    reads: Reads,
    flushes: u64,
    flush: Span,
}

/// Reads that processes slept for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reads {
    /// When the last one that each process needed was issued, and when it ended.
    last: BTreeMap<ProcessId, (Time, Time)>,
    count: u64,
    /// From the issue to the sleep, altogether.
    awake: Span,
}

/// The commits of a flow's log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Commits {
    /// The one that a process waits for.
    open: Option<Commit>,
    count: u64,
    /// Those in which the drive's cache was emptied.
    flushed: u64,
    /// What the log's thread took for all.
    thread: Span,
    /// The last record that ended one.
    record_sectors: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Commit {
    process: ProcessId,
    begin: Time,
    /// When the last of its requests ended so far.
    last: Time,
    requests: Span,
    record_sectors: u32,
    flushed: bool,
}

impl FlowTraits {
    /// Takes a record into account.
    pub fn take(&mut self, record: &FlowRecord) {
        match &record.item {
            Item::Pause(pause) => self.paused(pause),
            Item::Step(Step { process, event: Event::Commit { .. }, .. }) => {
                self.commits.begin(*process, record.at);
            }
            Item::Step(Step { process, event: Event::Sleep { .. }, .. }) => {
                self.slept = Some((*process, record.at));
            }
            Item::Observed(request) => self.observed(request),
            _ => {}
        }
    }

    fn paused(&mut self, pause: &Pause) {
        if pause.kind == PauseKind::Storage {
            self.reads.slept(pause);
        }
        if pause.kind != PauseKind::Runnable {
            self.waits += 1;
            self.commits.end(pause);
        } else if self.slept == Some((pause.process, pause.start)) {
            // A delay from outside the flow is a step of its own: a sleep, from which the process
            // has to come back as well.
            self.waits += 1;
        } else {
            self.ready += pause.span;
        }
    }

    fn observed(&mut self, request: &Observed) {
        self.reads.ended(request);
        if request.cause == Cause::Flush {
            self.flushes += 1;
            self.flush += request.completion.since(request.issue);
        } else if request.cause == Cause::Journal {
            let end = request.lba + u64::from(request.sectors);
            let (first, last) = self.log.unwrap_or((request.lba, end));
            self.log = Some((first.min(request.lba), last.max(end)));
        } else {
            return;
        }
        if let Some(commit) = &mut self.commits.open {
            commit.requests += request.completion.since(request.issue.max(commit.last));
            commit.last = commit.last.max(request.completion);
            commit.flushed |= request.sectors == 0;
            if request.sectors > 0 {
                commit.record_sectors = request.sectors;
            }
        }
    }

    /// What it takes to come back from a wait: all time in which processes could run and did not, by
    /// the number of waits and sleeps. Short delays by others on the same computer are in it.
    fn wake_up(&self) -> Span {
        if self.waits == 0 { Span::ZERO } else { self.ready / self.waits }
    }

    /// The log as it was written.
    fn journal(&self) -> Option<Journal> {
        let (first, end) = self.log?;
        let Commits { count, flushed, thread, record_sectors, .. } = self.commits;
        (count > 0).then(|| Journal {
            lba: first,
            sectors: (end - first).clamp(u64::from(record_sectors), u64::from(u32::MAX)) as u32,
            record_sectors,
            flushes: flushed * 2 > count,
            thread: thread / count,
        })
    }
}

impl Reads {
    fn ended(&mut self, request: &Observed) {
        let Some(process) = request.process else { return };
        if matches!(request.cause, Cause::DemandRead | Cause::MetadataRead | Cause::DirectRead) {
            self.last.insert(process, (request.issue, request.completion));
        }
    }

    /// A process slept; if its last read was on its way then, that is what it slept for.
    fn slept(&mut self, pause: &Pause) {
        let Some((issue, end)) = self.last.remove(&pause.process) else { return };
        if issue <= pause.start && pause.start < end {
            self.count += 1;
            self.awake += pause.start.since(issue);
        }
    }

    /// Computation of a process between issuing a read and sleeping for it.
    fn mean(&self) -> Span {
        if self.count == 0 { Span::ZERO } else { self.awake / self.count }
    }
}

impl Commits {
    fn begin(&mut self, process: ProcessId, begin: Time) {
        let (requests, record_sectors, flushed) = (Span::ZERO, 0, false);
        self.open = Some(Commit { process, begin, last: begin, requests, record_sectors, flushed });
    }

    /// What a process waited for a commit, and no request of it explains, its thread took.
    fn end(&mut self, pause: &Pause) {
        let is = |commit: &Commit| commit.process == pause.process && commit.begin == pause.start;
        let Some(commit) = self.open.filter(is) else { return };
        self.open = None;
        if commit.record_sectors > 0 {
            self.count += 1;
            self.flushed += u64::from(commit.flushed);
            self.thread += pause.span.less(commit.requests);
            self.record_sectors = commit.record_sectors;
        }
    }
}

impl HostOptions {
    /// The computer that a flow was captured on, or is meant for.
    #[must_use]
    pub fn of_flow(header: &FlowHeader, traits: &FlowTraits) -> Self {
        let page_sectors = header.machine.page_bytes / header.device.sector_bytes;
        let memory = header.machine.memory_pages;
        let share = |percent: f64| (memory as f64 * percent / 100.0) as u64;
        let ms = |ms: f64| Span::from_ms(ms).unwrap_or(Span::MAX);
        let cache = &header.cache;
        Self {
            cpus: header.machine.cpus,
            speed: 1.0,
            quantum: QUANTUM,
            context_switch: Span::ZERO,
            wake_up: traits.wake_up(),
            issue_to_sleep: traits.reads.mean(),
            interrupt: Span::ZERO,
            clock: None,
            tick: Span::ZERO,
            syncer_request: Span::ZERO,
            memory_pages: memory,
            page_sectors,
            request_pages: (header.device.max_request_sectors / page_sectors).max(1),
            read_ahead: match cache.read_ahead_pages {
                0 => FileReadAhead::Off,
                1 => FileReadAhead::Next { cluster_pages: u32::MAX },
                pages => FileReadAhead::Window(pages),
            },
            syncer: Syncer::Expire {
                interval: ms(header.syncer.interval_ms),
                expire: ms(header.syncer.expire_ms),
                background_pages: share(cache.dirty_background_percent),
            },
            dirty_limit_pages: Some(share(cache.dirty_percent).max(1)),
            sync_in_turn: true,
            journal: traits.journal(),
            flush: if traits.flushes == 0 { Span::ZERO } else { traits.flush / traits.flushes },
            volume: 0,
            unplaced_lba: header.device.sectors / 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_units::Operation;

    #[test]
    fn coming_back_from_a_wait_takes_the_mean_of_short_delays() {
        let us = |us| Time::ZERO + Span::from_us(us);
        let mut traits = FlowTraits::default();
        let mut take = |at, item| traits.take(&FlowRecord { at: us(at), item });
        let pause = |kind, start, length| {
            Item::Pause(Pause { process: 3, start: us(start), span: Span::from_us(length), kind })
        };
        // A wait and a short delay after it.
        take(10, pause(PauseKind::Storage, 0, 10));
        take(40, pause(PauseKind::Runnable, 10, 30));
        // A wait and a long delay, which is a sleep of its own.
        take(60, pause(PauseKind::Storage, 50, 10));
        let event = Event::Sleep { span: Span::from_us(900) };
        take(60, Item::Step(Step { process: 3, compute: Span::ZERO, event }));
        take(960, pause(PauseKind::Runnable, 60, 900));
        assert_eq!(traits.wake_up(), Span::from_us(30) / 3);
    }

    #[test]
    fn the_sleep_for_a_read_comes_later_than_its_issue() {
        let us = |us| Time::ZERO + Span::from_us(us);
        let mut traits = FlowTraits::default();
        let mut take = |at, item| traits.take(&FlowRecord { at: us(at), item });
        let read = |issue, completion, cause: Cause| {
            Item::Observed(Observed {
                arrival: us(issue),
                issue: us(issue),
                completion: us(completion),
                lba: 0,
                sectors: 8,
                operation: Operation::Read,
                cause,
                criticality: cause.criticality(),
                process: Some(3),
                limit: None,
                waited: Span::ZERO,
            })
        };
        let sleep = |start, end: u64| {
            let (start, kind) = (us(start), PauseKind::Storage);
            Item::Pause(Pause { process: 3, start, span: us(end).since(start), kind })
        };
        take(100, read(0, 100, Cause::DemandRead));
        take(100, sleep(20, 100));
        take(300, read(200, 300, Cause::MetadataRead));
        take(300, sleep(240, 300));
        // One that was over before the sleep, and one that was asked for by nobody who sleeps.
        take(410, read(400, 410, Cause::DemandRead));
        take(500, sleep(430, 500));
        take(600, read(510, 600, Cause::ReadAhead));
        take(600, sleep(590, 600));
        assert_eq!(traits.reads.mean(), Span::from_us(30));
    }
}
