//! Running processes on CPUs: dispatch, computation, preemption and interrupts.

use super::cpu::{TASK, Work};
use super::process::Doing;
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
        self.tick_after(now);
        Ok(())
    }

    /// A process comes into being.
    pub(super) fn start(&mut self, process: ProcessId) {
        self.processes.start(process);
        self.processors.enter(process);
    }

    /// A process that waited can continue.
    pub(super) fn make_ready(&mut self, now: Stamp, process: ProcessId) {
        self.processes.run(process);
        if self.options.wake_up > Span::ZERO {
            self.timers.enter(now + self.options.wake_up, Timer::Ready(process));
        } else {
            self.processors.enter(process);
        }
    }

    /// Gives idle CPUs to processes that can run.
    pub(super) fn dispatch(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), E> {
        self.limit_dirty(now, out);
        while let Some(cpu) = self.processors.idle() {
            self.charge(now);
            let Some(process) = self.processors.take_ready() else { return Ok(()) };
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
        let left = self.processes.left(process);
        let switch = self.paced(self.options.context_switch);
        self.processors.put_on(now, cpu, process, left, switch);
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
        if !self.processors.is_due(cpu, version) {
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
        while let Some(frame) = self.processors.top(cpu) {
            if frame.left > Span::ZERO {
                if let Some((process, left)) = self.processors.preempt(now, cpu) {
                    self.processes.set_left(process, left);
                    continue;
                }
                self.set_timer(now, cpu);
                return Ok(());
            }
            self.processors.pop(cpu);
            match frame.work {
                Work::Process(process) => self.event_due(now, cpu, process, out)?,
                Work::Interrupt(transfer) => self.transfer_done(now, transfer, out),
                Work::Switch | Work::Syncer | Work::Tick => {}
            }
        }
        Ok(())
    }

    /// The timer for what a CPU does next.
    fn set_timer(&mut self, now: Stamp, cpu: usize) {
        if let Some((due, version)) = self.processors.next_due(now, cpu) {
            self.timers.enter(due, Timer::Cpu(cpu as u32, version));
        }
    }

    /// The event of a process whose computation is over. The process continues with its next step
    /// unless the event makes it wait.
    fn event_due(
        &mut self,
        now: Stamp,
        cpu: usize,
        process: ProcessId,
        out: &mut Vec<Request>,
    ) -> Result<(), E> {
        if let Doing::Issued(waits) = self.processes.doing(process)
            && !self.sleep_after_issue(now, process, waits)
        {
            return Ok(());
        }
        if let Some(event) = self.processes.event(process) {
            let goes_on = self.perform(now, process, event, out);
            if let Some(observer) = &mut self.observer {
                let is_left = self.processes.event(process).is_some();
                let again = !goes_on && is_left && self.processes.doing(process) != Doing::Gone;
                observer.step(now, process, event, again);
            }
            if !goes_on {
                self.compute_on(cpu, process);
                return Ok(());
            }
            self.tally.events += 1;
        }
        if self.next_step(now, process)? {
            self.processors.push(cpu, Work::Process(process), self.processes.left(process));
        }
        Ok(())
    }

    /// A process that has issued a read it needs computes on: what a tracer counts for its next step.
    fn compute_on(&mut self, cpu: usize, process: ProcessId) {
        if matches!(self.processes.doing(process), Doing::Issued(_)) {
            let span = self.paced(self.options.issue_to_sleep);
            self.processes.compute_ahead(process, span);
            self.processors.push(cpu, Work::Process(process), span);
        }
    }

    /// Reads a process's next step; whether there is one.
    pub(super) fn next_step(&mut self, now: Stamp, process: ProcessId) -> Result<bool, E> {
        let Some(step) = self.script.next(process)? else {
            self.tally.cut_processes += 1;
            self.exit(now, process);
            return Ok(false);
        };
        self.processes.take_step(process, self.paced(step.compute), step.event);
        Ok(true)
    }

    /// A process ends.
    pub(super) fn exit(&mut self, now: Stamp, process: ProcessId) {
        self.processes.end(process);
        self.script.end(process);
        if process == TASK {
            self.task = Some((now.since(Stamp::ZERO), self.processors.times()));
        }
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
        let least = self.processors.least_burdened();
        self.processors.push(least, Work::Interrupt(transfer), handler);
        self.go_on(now, least, out)
    }

    /// The clock interrupts, which nothing else in the computer caused.
    pub(super) fn tick(&mut self, now: Stamp) {
        self.tally.interrupts += 1;
        let handler = self.paced(self.options.tick);
        if handler > Span::ZERO {
            self.put_on_top(now, Work::Tick, handler);
        }
        self.tick_after(now);
    }

    /// Sets the clock's timer as long as anything can still happen.
    fn tick_after(&mut self, now: Stamp) {
        if let Some(interval) = self.options.clock
            && self.has_more()
        {
            self.timers.enter(now + interval, Timer::Tick);
        }
    }

    /// The least burdened CPU has other work to do first.
    pub(super) fn put_on_top(&mut self, now: Stamp, work: Work, left: Span) {
        self.charge(now);
        let least = self.processors.least_burdened();
        self.processors.push(least, work, left);
        self.set_timer(now, least);
    }
}
