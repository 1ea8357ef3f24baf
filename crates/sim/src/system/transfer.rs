//! Data on the buses between a device, or a controller's cache, and the host.

use super::controller::{Controller, Front};
use super::io::{Event, Io, Phase};
use super::station::Station;
use super::{BusPlace, Outcome, System};
use crate::clock::Clock;
use crate::source::Source;
use platterlab_drive::Service;
use platterlab_units::{Lapse, Operation, Span, Stamp};

/// The cache of the controller that a command is for, if it is for one.
fn front<'a>(io: &Io, station: &Station, controllers: &'a [Controller]) -> Option<&'a Front> {
    let controller = station.cached.filter(|_| io.front)?;
    controllers[controller as usize].cache.as_deref()
}

/// The buses that the data of a command goes over.
fn way<'a>(io: &Io, station: &'a Station, controllers: &'a [Controller]) -> &'a [BusPlace] {
    front(io, station, controllers).map_or(&station.buses, |front| &front.buses)
}

/// A command that has waited longer for its buses ends the run: the parts of its service are told in
/// 64 bits of picoseconds.
const LONGEST_WAIT: Lapse = Lapse::from_ps(1 << 63);

fn part_of_service(time: Lapse) -> Span {
    time.span().expect("a longer wait has ended the run")
}

impl Front {
    /// What the data of a command takes on the buses.
    fn bus_span(&self, io: &Io) -> Span {
        self.sector_time[io.piece.operation.index()] * u64::from(io.sectors)
    }
}

impl Station {
    /// The device does what a command asks, from `at` on.
    #[inline]
    pub(super) fn serve(&mut self, at: Stamp, clock: Clock, io: &Io) {
        let command = io.command();
        let continued_to = self.continued_to(command.lba + u64::from(command.sectors));
        let queued = (self.waited, continued_to);
        (self.sent, self.again) = (0, None);
        self.service = self.model.serve(clock.time(at), queued, command, &mut self.chance);
        self.completion = clock.stamp(self.service.completion);
        self.bus_from = clock.stamp(self.service.bus_from);
    }

    /// How long after a command for a write is begun its data is wanted: a device looks after a command
    /// while that waits in it.
    pub(super) fn write_overhead(&self) -> Span {
        self.model.write_overhead().less(self.waited)
    }

    /// The command under way has waited for its buses, which have its data from `start` on.
    fn waited_for_buses(&mut self, start: Stamp) {
        self.service.wait += part_of_service(start.since(self.issue));
    }

    /// The command under way has the buses at `start`, on a device that has them from the start of a
    /// command on: until when it keeps them.
    fn keeps_buses(&mut self, start: Stamp, clock: Clock, io: &mut Io) -> Stamp {
        match io.phase {
            Phase::Command => {
                self.serve(start, clock, io);
                self.waited_for_buses(start);
                let Service { overhead, bus_rest, .. } = self.service;
                let worked_on = start + (overhead - bus_rest);
                if self.bus_from > worked_on {
                    return worked_on;
                }
                io.phase = Phase::Data;
            }
            Phase::Data => {}
            Phase::Report => {
                self.put_off(start);
                return self.completion;
            }
            Phase::HandOver | Phase::Turn => return start,
        }
        if io.piece.operation.is_read() {
            return self.sends(start.max(self.bus_from), clock, io);
        }
        self.put_off(start + self.service.bus_span + self.service.bus_rest);
        let Service { bus_span, bus_held, .. } = self.service;
        match io.piece.operation {
            Operation::Write if io.phase == Phase::Data => {
                (start + bus_span).max(self.bus_from + bus_held)
            }
            _ => self.completion,
        }
    }

    /// The read under way has the buses at `start` for what it has not sent: until when.
    fn sends(&mut self, start: Stamp, clock: Clock, io: &Io) -> Stamp {
        if let Some(dry) = self.model.runs_dry(self.sent, clock.time(start)) {
            (self.sent, self.again) = (dry.sent, Some(clock.stamp(dry.again)));
            return clock.stamp(dry.at);
        }
        let Service { bus_span, bus_rest, .. } = self.service;
        let left = bus_span / u64::from(io.sectors) * u64::from(io.sectors - self.sent);
        self.put_off(start + left + bus_rest);
        self.completion
    }

    /// Buses that came late let the command under way be done no earlier than `at`.
    fn put_off(&mut self, at: Stamp) {
        if at > self.completion {
            self.service.bus += part_of_service(at.since(self.completion));
            self.completion = at;
        }
    }
}

impl<S: Source> System<S> {
    /// Takes the buses that are still missing, as far as they are free.
    pub(super) fn ask_for_buses(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &self.stations[io.piece.device as usize];
        let way = way(io, station, &self.controllers);
        while let Some(place) = way.get(io.buses as usize) {
            let bus = &mut self.buses[place.bus as usize];
            if !bus.interleaved() && !bus.ask(self.now, id, place.slot, io.phase.is_command()) {
                return;
            }
            io.buses += 1;
        }
        self.transfer(id);
    }

    /// All buses are there: the data moves.
    pub(super) fn transfer(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        let wanted_from = if io.front { io.arrival.stamp() } else { station.issue };
        if self.now.since(wanted_from) > LONGEST_WAIT {
            self.ended = Some(Outcome::ClockFull);
            return;
        }
        if let Some(front) = front(io, station, &self.controllers) {
            let done = self.now + front.arbitration + front.bus_span(io);
            return self.calendar.enter(done, Event::DataDone(id));
        }
        let start = self.now + station.arbitration;
        if io.phase.is_hand_over() {
            return self.hand_over(id, start);
        }
        if station.model.holds_overhead() {
            let free = station.keeps_buses(start, self.clock, io);
            return self.calendar.enter(free.max(self.now), Event::DataDone(id));
        }
        let data_done = if io.piece.operation == Operation::Write {
            let issue = start - station.write_overhead();
            station.serve(issue, self.clock, io);
            station.waited_for_buses(issue);
            let Service { bus_span, bus_held, bus_rest, .. } = station.service;
            station.put_off(start + bus_span + bus_rest);
            (start + bus_span).max(station.bus_from + bus_held)
        } else {
            station.put_off(start + station.service.bus_span + station.service.bus_rest);
            station.completion - station.service.bus_rest
        };
        self.calendar.enter(data_done.max(self.now), Event::DataDone(id));
    }

    pub(super) fn release_buses(&mut self, id: u32) {
        let io = self.ios[id];
        for index in 0..io.buses as usize {
            let station = &self.stations[io.piece.device as usize];
            let place = way(&io, station, &self.controllers)[index];
            let bus = &mut self.buses[place.bus as usize];
            if bus.interleaved() {
                if io.phase == Phase::Data {
                    let front = front(&io, station, &self.controllers);
                    let span = front.map_or(station.service.bus_span, |front| front.bus_span(&io));
                    bus.used(self.now - span, self.now);
                }
            } else if let Some(next) = bus.release(self.now) {
                self.ios[next].buses += 1;
                self.ask_for_buses(next);
            }
        }
        self.ios[id].buses = 0;
    }

    /// What a command wants the buses for after it has given them back, and when.
    pub(super) fn next_phase(&mut self, id: u32) -> Option<(Stamp, Phase)> {
        let io = &self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        match io.phase {
            Phase::Data if station.again.is_some() => {
                station.again.take().map(|again| (again, Phase::Data))
            }
            Phase::Command => Some((station.bus_from, Phase::Data)),
            Phase::Data if station.completion > self.now => {
                let reports = station.shares_bus && station.model.holds_overhead();
                reports.then_some((station.completion, Phase::Report))
            }
            _ => None,
        }
    }
}
