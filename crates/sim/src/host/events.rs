//! The effect of each event of a process, and whether the process waits for it.

use super::process::Doing;
use super::{Host, Timer};
use crate::source::Request;
use platterlab_units::{Span, Stamp};
use platterlab_workload::flow::{Event, FlowRecord, ProcessId};

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    /// Does what an event of a process says; whether the process continues at once. One that does
    /// not has been told to come back when what it waits for is over; the event is then done,
    /// except where memory was full: there it is tried again.
    pub(super) fn perform(
        &mut self,
        now: Stamp,
        process: ProcessId,
        event: Event,
        out: &mut Vec<Request>,
    ) -> bool {
        let waits = match event {
            // Their cost is in the computation times around them.
            Event::SystemCall { .. } | Event::SystemReturn | Event::Trap | Event::TrapComplete => 0,
            Event::Fork { child } => {
                self.start(child);
                0
            }
            Event::Exit => {
                self.exit(now, process);
                return false;
            }
            Event::Sleep { span } => {
                self.timers.enter(now + span, Timer::Wake(process));
                return self.leave(process, Doing::Sleeping);
            }
            Event::Wait { event } => {
                if self.processes.wait_for_event(event, process) {
                    0
                } else {
                    return self.leave(process, Doing::Event(event));
                }
            }
            Event::WakeUp { event } => {
                if let Some(woken) = self.processes.give_event(event) {
                    self.make_ready(now, woken);
                }
                0
            }
            Event::Forget { file, page } => {
                self.forget(now, file, page);
                0
            }
            Event::Read { file, page, pages } => {
                return self.read(now, process, file, page, pages, out);
            }
            Event::Write { file, page, pages } => {
                return self.write(now, process, file, page, pages);
            }
            Event::Sync { file } => return self.sync(now, process, Some(file), out),
            Event::SyncAll => return self.sync(now, process, None, out),
            Event::Commit { sectors } => return self.commit(now, process, sectors),
            Event::Flush => return self.flush(now, process),
            Event::ReadBlock { lba, sectors } => {
                return self.read_block(now, process, lba, sectors, out);
            }
            Event::WriteBlock { lba, sectors, mode } => {
                return self.write_block(now, process, lba, sectors, mode, out);
            }
        };
        self.wait_for(now, process, waits)
    }

    /// The process leaves its CPU, done with its event.
    fn leave(&mut self, process: ProcessId, doing: Doing) -> bool {
        self.processes.leave(process, doing);
        self.tally.events += 1;
        false
    }

    /// The process waits for this many requests; whether it continues at once, as there are none.
    pub(super) fn wait_for(&mut self, now: Stamp, process: ProcessId, waits: u32) -> bool {
        let issued = self.processes.take_issued(process);
        if waits == 0 {
            return true;
        }
        if issued && self.options.issue_to_sleep > Span::ZERO {
            return self.leave(process, Doing::Issued(waits));
        }
        self.leave(process, Doing::Storage(waits));
        self.processes.sleep(now, process, waits);
        false
    }

    /// A process has computed what it does between issuing a read and sleeping for it; whether it
    /// continues at once, as the read is done.
    pub(super) fn sleep_after_issue(&mut self, now: Stamp, process: ProcessId, waits: u32) -> bool {
        if waits == 0 {
            self.processes.run(process);
            return true;
        }
        self.processes.sleep(now, process, waits);
        false
    }

    /// The process waits until memory has room, and then tries its event again.
    pub(super) fn wait_for_memory(&mut self, now: Stamp, process: ProcessId) -> bool {
        self.processes.wait_for_memory(now, process);
        false
    }

    /// One of the things that a process waits for is over.
    pub(super) fn one_less(&mut self, now: Stamp, process: ProcessId) {
        if self.processes.one_less(process) {
            self.unblock(now, process);
        }
    }

    /// A process that waited for storage continues.
    pub(super) fn unblock(&mut self, now: Stamp, process: ProcessId) {
        let blocked = self.processes.unblock(now, process);
        if let Some(observer) = &mut self.observer {
            observer.waited(now, process, blocked);
        }
        self.make_ready(now, process);
    }
}
