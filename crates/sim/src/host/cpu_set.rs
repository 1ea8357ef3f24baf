//! All CPUs, who waits for one, and where their time went.

use super::cpu::{Cpu, CpuLapses, Frame, Work};
use platterlab_units::{Lapse, Span, Stamp};
use platterlab_workload::flow::ProcessId;
use std::collections::VecDeque;

/// The CPUs of a computer.
#[derive(Debug)]
pub(super) struct CpuSet {
    cpus: Vec<Cpu>,
    /// Processes that wait for one.
    ready: VecDeque<ProcessId>,
    /// How long a process has one while others wait.
    quantum: Span,
    times: CpuLapses,
    context_switches: u64,
}

impl CpuSet {
    pub(super) fn new(count: u32, quantum: Span) -> Self {
        Self {
            cpus: vec![Cpu::new(); count as usize],
            ready: VecDeque::new(),
            quantum,
            times: CpuLapses::default(),
            context_switches: 0,
        }
    }

    pub(super) fn times(&self) -> CpuLapses {
        self.times
    }

    pub(super) fn context_switches(&self) -> u64 {
        self.context_switches
    }

    /// A process waits for a CPU.
    pub(super) fn enter(&mut self, process: ProcessId) {
        self.ready.push_back(process);
    }

    /// An idle CPU, if a process waits for one.
    pub(super) fn idle(&self) -> Option<usize> {
        (!self.ready.is_empty()).then(|| self.cpus.iter().position(Cpu::is_idle)).flatten()
    }

    /// The process that has waited longest for a CPU.
    pub(super) fn take_ready(&mut self) -> Option<ProcessId> {
        self.ready.pop_front()
    }

    /// Puts a process on an idle CPU, with so much to compute after a context switch that takes
    /// `switch`, if another process was on it last.
    pub(super) fn put_on(
        &mut self,
        now: Stamp,
        cpu: usize,
        process: ProcessId,
        left: Span,
        switch: Span,
    ) {
        let place = &mut self.cpus[cpu];
        place.push(Work::Process(process), left);
        place.turn_ends = now + switch + self.quantum;
        if place.last != Some(process) {
            place.last = Some(process);
            self.context_switches += 1;
            if switch > Span::ZERO {
                place.push(Work::Switch, switch);
            }
        }
    }

    /// Puts work on top of what a CPU does.
    pub(super) fn push(&mut self, cpu: usize, work: Work, left: Span) {
        self.cpus[cpu].push(work, left);
    }

    /// What a CPU works on.
    pub(super) fn top(&self, cpu: usize) -> Option<Frame> {
        self.cpus[cpu].top()
    }

    /// A CPU is done with what it worked on.
    pub(super) fn pop(&mut self, cpu: usize) {
        self.cpus[cpu].pop();
    }

    /// Takes a process off its CPU where it has had its turn and others wait; which one, and what it
    /// had left to compute.
    pub(super) fn preempt(&mut self, now: Stamp, cpu: usize) -> Option<(ProcessId, Span)> {
        let Frame { work: Work::Process(process), left } = self.cpus[cpu].top()? else {
            return None;
        };
        if now < self.cpus[cpu].turn_ends {
            return None;
        }
        if self.ready.is_empty() {
            self.cpus[cpu].turn_ends = now + self.quantum;
            return None;
        }
        self.cpus[cpu].pop();
        self.ready.push_back(process);
        Some((process, left))
    }

    /// When a CPU is to be looked at next, and the number of that timer: all before are overtaken.
    pub(super) fn next_due(&mut self, now: Stamp, cpu: usize) -> Option<(Stamp, u32)> {
        let place = &mut self.cpus[cpu];
        let frame = place.top()?;
        let mut due = now + frame.left;
        if matches!(frame.work, Work::Process(_)) {
            due = due.min(place.turn_ends);
        }
        place.version = place.version.wrapping_add(1);
        Some((due, place.version))
    }

    /// Whether a CPU's timer has not been overtaken.
    pub(super) fn is_due(&self, cpu: usize, version: u32) -> bool {
        self.cpus[cpu].version == version
    }

    /// The CPU with the least work stacked on it.
    pub(super) fn least_burdened(&self) -> usize {
        (0..self.cpus.len()).min_by_key(|&cpu| self.cpus[cpu].depth()).unwrap_or(0)
    }

    /// Accounts for all CPUs' time until `now`, of which `computed` hears what processes had.
    pub(super) fn charge(
        &mut self,
        now: Stamp,
        storage_is_awaited: bool,
        mut computed: impl FnMut(ProcessId, Lapse),
    ) {
        for cpu in &mut self.cpus {
            if let Some((process, span)) = cpu.computed(now) {
                computed(process, span);
            }
            cpu.charge(now, storage_is_awaited, &mut self.times);
        }
    }
}
