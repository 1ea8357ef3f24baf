//! A computer over the storage: CPUs, processes and the file cache, after Ganger and Patt (1998, §3).
//!
//! Processes are causes: sequences of computation times and events. Requests, interrupts and context
//! switches are effects that this model makes. It is a [`Source`] like any other, so the same storage
//! runs under it as under a trace.
//!
//! `run` moves processes over CPUs; `events` does what their events say; `storage` is the file cache
//! with its reads and writes; `sync` and `daemon` write what is dirty, `log` the file system's log;
//! `observer` makes a flow of it again.

mod cpu;
mod cpu_set;
mod daemon;
mod deadlock;
mod events;
mod log;
mod observer;
mod of_flow;
mod options;
mod pages;
mod process;
mod read_ahead;
mod report;
mod run;
mod script;
mod storage;
mod svr4;
mod sync;
mod transfers;

pub use cpu::CpuTimes;
pub use of_flow::FlowTraits;
pub use options::{FileReadAhead, HostOptions, Journal, Syncer};
pub use report::HostReport;
pub use transfers::{ClassReport, LimitReport};

use crate::engine::Calendar;
use crate::source::{Over, Request, Source};
use cpu::CpuLapses;
use cpu_set::CpuSet;
use daemon::Sweep;
use log::Log;
use observer::HostObserver;
use pages::Pages;
use platterlab_units::{Lapse, Span, Stamp};
use platterlab_workload::flow::{FlowRecord, ProcessId};
use process::ProcessTable;
use read_ahead::Windows;
use script::Script;
use transfers::Transfers;

/// What the host itself waits for.
#[derive(Clone, Copy, Debug)]
enum Timer {
    /// The flow begins.
    Begin,
    /// A CPU has done what was left, or its process has had its turn; the number it had then.
    Cpu(u32, u32),
    /// A process has slept enough.
    Wake(ProcessId),
    /// A process that was woken comes to a CPU.
    Ready(ProcessId),
    /// The syncer wakes.
    Syncer,
    /// The clock ticks.
    Tick,
    /// The log's thread has prepared a commit.
    Log,
    /// The drive has emptied its own cache; the number of that transfer.
    Flushed(u32),
}

/// A computer at work on a flow.
#[derive(Debug)]
pub struct Host<I> {
    options: HostOptions,
    /// Computation times are multiplied by this, in parts of 2^20.
    pace: u64,
    script: Script<I>,
    timers: Calendar<Timer>,
    processors: CpuSet,
    processes: ProcessTable,
    pages: Pages,
    windows: Windows,
    transfers: Transfers,
    sweep: Sweep,
    log: Log,
    /// How long the first process took, and where the CPUs' time went until then.
    task: Option<(Lapse, CpuLapses)>,
    tally: Tally,
    freed: Vec<ProcessId>,
    observer: Option<Box<HostObserver>>,
}

/// Plain counts.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    interrupts: u64,
    events: u64,
    cut_processes: u64,
}

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    /// A computer that runs the flow of `records`. All of `options` has been checked.
    pub fn new(options: HostOptions, records: I) -> Self {
        let mut timers = Calendar::new();
        timers.enter(Stamp::ZERO, Timer::Begin);
        Self {
            pace: (f64::from(1_u32 << 20) / options.speed).round() as u64,
            script: Script::new(records, options.page_sectors, options.unplaced_lba),
            timers,
            processors: CpuSet::new(options.cpus, options.quantum),
            processes: ProcessTable::default(),
            pages: Pages::new(options.memory_pages),
            windows: Windows::new(options.read_ahead),
            transfers: Transfers::new(),
            sweep: Sweep::default(),
            log: Log::default(),
            task: None,
            tally: Tally::default(),
            freed: Vec::new(),
            observer: None,
            options,
        }
    }

    /// What the computer did so far.
    #[must_use]
    pub fn report(&self) -> HostReport {
        let times = self.processors.times();
        let task_times = self.task.map_or(times, |(_, times)| times);
        let waits = self.processes.storage_waits();
        HostReport {
            task_elapsed_ms: self.task.map(|(elapsed, _)| elapsed.as_ms()),
            task_times: self.task.map(|(_, times)| times.report()),
            times: times.report(),
            task_computation_ms: task_times.task.as_ms(),
            waits: waits.count,
            wait_ms: waits.wait.as_ms(),
            task_wait_ms: waits.task_wait.as_ms(),
            interrupts: self.tally.interrupts,
            context_switches: self.processors.context_switches(),
            events: self.tally.events,
            classes: self.transfers.classes(),
            causes: self.transfers.causes(),
            limits: self.transfers.limits(),
            unplaced_pages: self.script.unplaced_pages(),
            cut_processes: self.tally.cut_processes,
        }
    }

    /// A computation time or overhead at this host's speed.
    fn paced(&self, time: Span) -> Span {
        Span::from_ps(((u128::from(time.as_ps()) * u128::from(self.pace)) >> 20) as u64)
    }

    /// Accounts for all CPUs' time until `now`: before anything changes that it depends on.
    fn charge(&mut self, now: Stamp) {
        let observer = &mut self.observer;
        self.processors.charge(now, self.processes.storage_is_awaited(), |process, span| {
            if let Some(observer) = observer {
                observer.compute(process, span);
            }
        });
    }
}

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Source for Host<I> {
    type Error = E;

    fn next(&mut self) -> Option<Stamp> {
        self.timers.next_time()
    }

    fn act(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), E> {
        let Some(timer) = self.timers.take() else { return Ok(()) };
        match timer {
            Timer::Begin => self.begin(now)?,
            Timer::Cpu(cpu, version) => self.cpu_due(now, cpu as usize, version, out)?,
            Timer::Wake(process) => self.make_ready(now, process),
            Timer::Ready(process) => self.processors.enter(process),
            Timer::Syncer => self.syncer(now, out),
            Timer::Tick => self.tick(now),
            Timer::Log => self.write_log(now, out),
            Timer::Flushed(id) => self.flushed(now, id, out),
        }
        self.dispatch(now, out)
    }

    fn over(&mut self, now: Stamp, over: &Over, out: &mut Vec<Request>) -> Result<(), E> {
        let transfer = over.request.tag as u32;
        // What the device cannot do is over at once; the run counts it as refused.
        if over.served {
            if let Some(observer) = &mut self.observer {
                observer.request(now, *self.transfers.get(transfer), &over.request);
            }
            self.transfers.came_back(transfer, now);
        }
        self.interrupt(now, transfer, out)?;
        self.dispatch(now, out)
    }

    fn take_awaited(&mut self) -> Option<u64> {
        self.transfers.take_newly_awaited().map(u64::from)
    }
}
