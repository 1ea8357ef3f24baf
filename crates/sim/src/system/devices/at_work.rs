//! The command that a device is at work on: its times, and when it has the buses.

use super::station::{AtWork, Station};
use crate::clock::Clock;
use crate::system::io::{Io, Phase};
use platterlab_drive::Service;
use platterlab_units::{Lapse, Operation, Span, Stamp};

impl AtWork {
    /// The command has waited for its buses, which have its data from `start` on.
    fn waited_for_buses(&mut self, start: Stamp) {
        self.service.wait += part_of_service(start.since(self.issue));
    }

    /// Buses that came late let the command be done no earlier than `at`.
    fn put_off(&mut self, at: Stamp) {
        if at > self.completion {
            self.service.bus += part_of_service(at.since(self.completion));
            self.completion = at;
        }
    }
}

/// A command that has waited longer for its buses ends the run: the parts of its service are kept
/// in 64 bits of picoseconds.
pub(super) const LONGEST_WAIT: Lapse = Lapse::from_ps(1 << 63);

fn part_of_service(time: Lapse) -> Span {
    time.span().expect("a longer wait has ended the run")
}

impl Station {
    /// The device begins with a command that has `waited` in it.
    pub(super) fn begin(&mut self, now: Stamp, waited: Lapse) {
        self.busy = true;
        self.work.issue = now;
        self.work.own_wait = waited;
        // No overhead is as long as what a span cannot hold.
        self.work.waited = waited.span().unwrap_or(Span::MAX);
    }

    /// The device does what a command asks, from `at` on.
    #[inline]
    pub(super) fn serve(&mut self, at: Stamp, clock: Clock, io: &Io) {
        let command = io.command();
        let continued_to = self.taken.continued_to(command.end());
        let work = &mut self.work;
        (work.sent, work.again) = (0, None);
        let (issue, chance) = (clock.time(at), &mut self.chance);
        work.service = self.model.serve(issue, work.waited, continued_to, command, chance);
        work.completion = clock.stamp(work.service.completion);
        work.bus_from = clock.stamp(work.service.bus_from);
    }

    /// The command under way has buses that nobody else wants: from when until when.
    pub(super) fn has_buses(&mut self) -> (Stamp, Stamp) {
        let work = &mut self.work;
        let arbitration = self.route.buses.arbitration;
        work.service.bus += arbitration;
        work.completion += arbitration;
        (work.bus_from, work.bus_from + work.service.bus_span)
    }

    /// How long after a command for a write is begun its data is wanted: a device looks after a command
    /// while that waits in it.
    pub(super) fn write_overhead(&self) -> Span {
        self.model.write_overhead().less(self.work.waited)
    }

    /// A command has the buses at `start`: until when.
    pub(super) fn moves(&mut self, start: Stamp, clock: Clock, io: &mut Io) -> Stamp {
        if self.model.holds_overhead() {
            return self.keeps_buses(start, clock, io);
        }
        if io.piece.operation == Operation::Write {
            let issue = start - self.write_overhead();
            self.serve(issue, clock, io);
            self.work.waited_for_buses(issue);
            let Service { bus_span, bus_held, bus_rest, .. } = self.work.service;
            self.work.put_off(start + bus_span + bus_rest);
            (start + bus_span).max(self.work.bus_from + bus_held)
        } else {
            let Service { bus_span, bus_rest, .. } = self.work.service;
            self.work.put_off(start + bus_span + bus_rest);
            self.work.completion - bus_rest
        }
    }

    /// The command under way has the buses at `start`, on a device that has them from the start of a
    /// command on: until when it keeps them.
    fn keeps_buses(&mut self, start: Stamp, clock: Clock, io: &mut Io) -> Stamp {
        match io.phase {
            Phase::Command => {
                self.serve(start, clock, io);
                self.work.waited_for_buses(start);
                let Service { overhead, bus_rest, .. } = self.work.service;
                let worked_on = start + (overhead - bus_rest);
                if self.work.bus_from > worked_on {
                    return worked_on;
                }
                io.phase = Phase::Data;
            }
            Phase::Data => {}
            Phase::Report => {
                self.work.put_off(start);
                return self.work.completion;
            }
            Phase::HandOver | Phase::Turn => return start,
        }
        if io.piece.operation.is_read() {
            return self.sends(start.max(self.work.bus_from), clock, io);
        }
        let Service { bus_span, bus_held, bus_rest, .. } = self.work.service;
        self.work.put_off(start + bus_span + bus_rest);
        match io.piece.operation {
            Operation::Write if io.phase == Phase::Data => {
                (start + bus_span).max(self.work.bus_from + bus_held)
            }
            _ => self.work.completion,
        }
    }

    /// The read under way has the buses at `start` for what it has not sent: until when.
    fn sends(&mut self, start: Stamp, clock: Clock, io: &Io) -> Stamp {
        let work = &mut self.work;
        if let Some(dry) = self.model.runs_dry(work.sent, clock.time(start)) {
            (work.sent, work.again) = (dry.sent, Some(clock.stamp(dry.again)));
            return clock.stamp(dry.at);
        }
        let Service { bus_span, bus_rest, .. } = work.service;
        let left = bus_span / u64::from(io.sectors) * u64::from(io.sectors - work.sent);
        work.put_off(start + left + bus_rest);
        work.completion
    }

    /// What the command under way, in this phase, wants the buses for after it has given them back, and
    /// when.
    pub(super) fn next_phase(&mut self, phase: Phase, now: Stamp) -> Option<(Stamp, Phase)> {
        let work = &mut self.work;
        match phase {
            Phase::Data if work.again.is_some() => {
                work.again.take().map(|again| (again, Phase::Data))
            }
            Phase::Command => Some((work.bus_from, Phase::Data)),
            Phase::Data if work.completion > now => {
                let reports = self.route.shares_bus && self.model.holds_overhead();
                reports.then_some((work.completion, Phase::Report))
            }
            _ => None,
        }
    }

    /// The device, at work on another command, takes one in from `start` on: how long that takes, and
    /// whether its buffer answers it.
    pub(super) fn takes_in(&self, start: Stamp, clock: Clock, io: &Io) -> (Span, bool) {
        self.model.hand_over(clock.time(start), &io.command(), self.after)
    }
}
