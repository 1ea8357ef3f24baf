//! The state of each CPU: whose turn it is, whether it serves an interrupt, and when it is idle.

use std::collections::BTreeMap;

use crate::block::RequestId;

/// One CPU of the traced machine.
#[derive(Debug, Default)]
pub(crate) struct Cpu {
    /// Who has it; `None` before the first switch was seen.
    pub(crate) current: Option<i32>,
    /// Interrupt handlers that run on top of each other.
    pub(crate) depth: u32,
    /// The request whose end this CPU is just serving.
    pub(crate) completion: Option<RequestId>,
    interrupt_since: u64,
    busy_since: u64,
    idle_since: Option<u64>,
    /// When something last happened on it.
    pub(crate) last: u64,
}

/// All CPUs and the sums over them.
#[derive(Debug, Default)]
pub(crate) struct Cpus {
    cpus: BTreeMap<u32, Cpu>,
    /// Stretches in which a CPU had nothing to run.
    pub(crate) idle: Vec<(u64, u64)>,
    pub(crate) interrupts: u64,
    pub(crate) switches: u64,
    /// CPU time of tasks that are not traced, and of interrupts on top of them.
    pub(crate) other_ns: u64,
    /// Time of interrupts on top of traced tasks.
    pub(crate) interrupt_ns: u64,
}

impl Cpus {
    pub(crate) fn get(&mut self, cpu: u32) -> &mut Cpu {
        self.cpus.entry(cpu).or_default()
    }

    /// An interrupt handler begins; true for the first of a stack.
    pub(crate) fn enter(&mut self, cpu: u32, ns: u64) -> bool {
        self.interrupts += 1;
        let cpu = self.get(cpu);
        cpu.depth += 1;
        if cpu.depth == 1 {
            cpu.interrupt_since = ns;
        }
        cpu.depth == 1
    }

    /// It ends; gives the length of a whole stack. `traced` says on whose time it ran.
    pub(crate) fn leave(&mut self, cpu: u32, ns: u64, traced: bool) -> Option<u64> {
        let cpu = self.get(cpu);
        cpu.completion = None;
        // A trace can begin within a handler.
        if cpu.depth != 1 {
            cpu.depth = cpu.depth.saturating_sub(1);
            return None;
        }
        cpu.depth = 0;
        let (span, idle) = (ns - cpu.interrupt_since, cpu.current == Some(0));
        if traced {
            self.interrupt_ns += span;
        } else if idle {
            self.other_ns += span;
        }
        Some(span)
    }

    /// `next` gets the CPU from a task that is `traced` or not.
    pub(crate) fn switch(&mut self, number: u32, ns: u64, next: i32, traced: bool) {
        self.switches += 1;
        let cpu = self.cpus.entry(number).or_default();
        cpu.completion = None;
        if let Some(since) = cpu.idle_since.take() {
            self.idle.push((since, ns));
        } else if !traced && cpu.current.is_some() {
            self.other_ns += ns - cpu.busy_since;
        }
        cpu.current = Some(next);
        cpu.busy_since = ns;
        cpu.idle_since = (next == 0).then_some(ns);
    }
}
