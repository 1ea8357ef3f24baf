//! Running processes on CPUs: dispatch, computation, preemption and interrupts.

use super::cpu::{TASK, Work};
use super::process::{Doing, Process};
use super::{Host, Timer};
use crate::source::Request;
use platterlab_units::{Span, Stamp};
use platterlab_workload::flow::{FlowRecord, ProcessId};

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    pub(super) fn begin(&mut self, now: Stamp) -> Result<(), E> {
        for process in self.script.begin()? {
            self.start(process);
        }
        self.fill_memory();
        self.wake_syncer_after(now);
        Ok(())
    }

    /// A process comes into being.
    pub(super) fn start(&mut self, process: ProcessId) {
        let index = process as usize;
        if index >= self.processes.len() {
            self.processes.resize(index + 1, Process::UNBORN);
        }
        self.processes[index].doing = Doing::Running;
        self.ready.push_back(process);
    }

    /// A process that waited can go on.
    pub(super) fn make_ready(&mut self, now: Stamp, process: ProcessId) {
        self.processes[process as usize].doing = Doing::Running;
        if self.options.wake_up > Span::ZERO {
            self.timers.enter(now + self.options.wake_up, Timer::Ready(process));
        } else {
            self.ready.push_back(process);
        }
    }

    /// Gives idle CPUs to processes that can run.
    pub(super) fn dispatch(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), E> {
        self.limit_dirty(now, out);
        while !self.ready.is_empty() {
            let Some(cpu) = self.cpus.iter().position(super::cpu::Cpu::is_idle) else {
                return Ok(());
            };
            self.charge(now);
            let Some(process) = self.ready.pop_front() else { return Ok(()) };
            self.put_on(now, cpu, process, out)?;
        }
        Ok(())
    }

    /// Puts a process on an idle CPU.
    fn put_on(
        &mut self,
        now: Stamp,
        cpu: usize,
        process: ProcessId,
        out: &mut Vec<Request>,
    ) -> Result<(), E> {
        let left = self.processes[process as usize].left;
        let quantum = self.options.quantum;
        let switch = self.paced(self.options.context_switch);
        let place = &mut self.cpus[cpu];
        place.push(Work::Process(process), left);
        place.turn_ends = now + switch + quantum;
        if place.last != Some(process) {
            place.last = Some(process);
            self.tally.context_switches += 1;
            if switch > Span::ZERO {
                self.cpus[cpu].push(Work::Switch, switch);
            }
        }
        self.go_on(now, cpu, out)
    }

    /// A CPU's timer is over.
    pub(super) fn cpu_due(
        &mut self,
        now: Stamp,
        cpu: usize,
        version: u32,
        out: &mut Vec<Request>,
    ) -> Result<(), E> {
        if self.cpus[cpu].version != version {
            return Ok(());
        }
        self.charge(now);
        self.go_on(now, cpu, out)
    }

    /// Does what is due on a CPU at `now`, until something takes time.
    pub(super) fn go_on(
        &mut self,
        now: Stamp,
        cpu: usize,
        out: &mut Vec<Request>,
    ) -> Result<(), E> {
        while let Some(frame) = self.cpus[cpu].top() {
            if frame.left > Span::ZERO {
                if let Work::Process(process) = frame.work
                    && now >= self.cpus[cpu].turn_ends
                {
                    if self.ready.is_empty() {
                        self.cpus[cpu].turn_ends = now + self.options.quantum;
                    } else {
                        self.preempt(cpu, process);
                        continue;
                    }
                }
                self.set_timer(now, cpu);
                return Ok(());
            }
            self.cpus[cpu].pop();
            match frame.work {
                Work::Process(process) => self.event_due(now, cpu, process, out)?,
                Work::Interrupt(transfer) => self.transfer_done(now, transfer, out),
                Work::Switch | Work::Syncer => {}
            }
        }
        Ok(())
    }

    /// Takes a process off its CPU before its computation is over.
    fn preempt(&mut self, cpu: usize, process: ProcessId) {
        if let Some(frame) = self.cpus[cpu].pop() {
            self.processes[process as usize].left = frame.left;
            self.ready.push_back(process);
        }
    }

    /// The timer for what a CPU does next.
    fn set_timer(&mut self, now: Stamp, cpu: usize) {
        let place = &mut self.cpus[cpu];
        let Some(frame) = place.top() else { return };
        let mut due = now + frame.left;
        if matches!(frame.work, Work::Process(_)) {
            due = due.min(place.turn_ends);
        }
        place.version = place.version.wrapping_add(1);
        self.timers.enter(due, Timer::Cpu(cpu as u32, place.version));
    }

    /// The event of a process whose computation is over. The process goes on with its next step
    /// unless the event makes it wait.
    fn event_due(
        &mut self,
        now: Stamp,
        cpu: usize,
        process: ProcessId,
        out: &mut Vec<Request>,
    ) -> Result<(), E> {
        if let Doing::Issued(waits) = self.processes[process as usize].doing
            && !self.sleep_after_issue(now, process, waits)
        {
            return Ok(());
        }
        if let Some(event) = self.processes[process as usize].event {
            let goes_on = self.perform(now, process, event, out);
            if let Some(observer) = &mut self.observer {
                let state = &self.processes[process as usize];
                let again = !goes_on && state.event.is_some() && state.doing != Doing::Gone;
                observer.step(now, process, event, again);
            }
            if !goes_on {
                self.compute_on(cpu, process);
                return Ok(());
            }
            self.tally.events += 1;
        }
        if self.next_step(now, process)? {
            let left = self.processes[process as usize].left;
            self.cpus[cpu].push(Work::Process(process), left);
        }
        Ok(())
    }

    /// A process that has issued a read it needs computes on: what a tracer counts for its next step.
    fn compute_on(&mut self, cpu: usize, process: ProcessId) {
        if matches!(self.processes[process as usize].doing, Doing::Issued(_)) {
            let span = self.paced(self.options.issue_to_sleep);
            self.processes[process as usize].ahead += span;
            self.cpus[cpu].push(Work::Process(process), span);
        }
    }

    /// Reads a process's next step; whether there is one.
    pub(super) fn next_step(&mut self, now: Stamp, process: ProcessId) -> Result<bool, E> {
        let Some(step) = self.script.next(process)? else {
            self.tally.cut_processes += 1;
            self.exit(now, process);
            return Ok(false);
        };
        let compute = self.paced(step.compute);
        let state = &mut self.processes[process as usize];
        state.left = compute.less(state.ahead);
        state.ahead = state.ahead.less(compute);
        state.event = Some(step.event);
        Ok(true)
    }

    /// A process ends.
    pub(super) fn exit(&mut self, now: Stamp, process: ProcessId) {
        self.processes[process as usize].doing = Doing::Gone;
        self.script.end(process);
        if process == TASK {
            self.task = Some((now.since(Stamp::ZERO), self.times));
        }
    }

    /// The CPU with the least work stacked on it.
    fn least_burdened(&self) -> usize {
        (0..self.cpus.len()).min_by_key(|&cpu| self.cpus[cpu].depth()).unwrap_or(0)
    }

    /// A request has come back: its handler runs on an idle CPU, or on top of the least burdened.
    pub(super) fn interrupt(
        &mut self,
        now: Stamp,
        transfer: u32,
        out: &mut Vec<Request>,
    ) -> Result<(), E> {
        self.tally.interrupts += 1;
        let handler = self.paced(self.options.interrupt);
        self.charge(now);
        if handler == Span::ZERO {
            self.transfer_done(now, transfer, out);
            return Ok(());
        }
        let least = self.least_burdened();
        self.cpus[least].push(Work::Interrupt(transfer), handler);
        self.go_on(now, least, out)
    }

    /// The syncer works for `left` on the least burdened CPU.
    pub(super) fn charge_syncer(&mut self, now: Stamp, left: Span) {
        self.charge(now);
        let least = self.least_burdened();
        self.cpus[least].push(Work::Syncer, left);
        self.set_timer(now, least);
    }
}
