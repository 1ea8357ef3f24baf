use super::controller::{Controller, Front};
use super::io::{Event, Io, Phase};
use super::station::Station;
use super::{BusPlace, System};
use crate::source::Source;
use platterlab_drive::Service;
use platterlab_units::{Operation, Span, Time};

/// The cache of the controller that a command is for, if it is for one.
fn front<'a>(io: &Io, station: &Station, controllers: &'a [Controller]) -> Option<&'a Front> {
    let controller = station.cached.filter(|_| io.front)?;
    controllers[controller as usize].cache.as_deref()
}

/// The buses that the data of a command goes over.
fn way<'a>(io: &Io, station: &'a Station, controllers: &'a [Controller]) -> &'a [BusPlace] {
    front(io, station, controllers).map_or(&station.buses, |front| &front.buses)
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
    pub(super) fn serve(&mut self, at: Time, io: &Io) {
        self.service = self.model.serve(at, io.command(), &mut self.chance);
    }

    /// The command under way has the buses at `start`, on a device that has them from the start of a
    /// command on: until when it keeps them.
    fn keeps_buses(&mut self, start: Time, io: &mut Io) -> Time {
        match io.phase {
            Phase::Command => {
                self.serve(start, io);
                self.service.wait += start.since(io.issue);
                let Service { overhead, bus_from, bus_rest, .. } = self.service;
                let worked_on = start + (overhead - bus_rest);
                if bus_from > worked_on {
                    return worked_on;
                }
                io.phase = Phase::Data;
            }
            Phase::Data => self.put_off(start + self.service.bus_span + self.service.bus_rest),
            Phase::Report => self.put_off(start),
        }
        let Service { completion, bus_from, bus_span, bus_held, .. } = self.service;
        match io.piece.operation {
            Operation::Write if io.phase == Phase::Data => {
                (start + bus_span).max(bus_from + bus_held)
            }
            _ => completion,
        }
    }

    /// Buses that came late let the command under way be done no earlier than `at`.
    fn put_off(&mut self, at: Time) {
        let service = &mut self.service;
        if at > service.completion {
            service.bus += at.since(service.completion);
            service.completion = at;
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
            if !bus.interleaved() && !bus.ask(self.now, id, place.slot) {
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
        if let Some(front) = front(io, station, &self.controllers) {
            let done = self.now + front.arbitration + front.bus_span(io);
            return self.calendar.enter(done, Event::DataDone(id));
        }
        let start = self.now + station.arbitration;
        if station.model.holds_overhead() {
            let free = station.keeps_buses(start, io);
            return self.calendar.enter(free.max(self.now), Event::DataDone(id));
        }
        let data_done = if io.piece.operation == Operation::Write {
            let issue = start - station.model.write_overhead();
            station.serve(issue, io);
            let service = &mut station.service;
            service.wait += issue.since(io.issue);
            service.bus_from + service.bus_span.max(service.bus_held)
        } else {
            station.put_off(start + station.service.bus_span + station.service.bus_rest);
            station.service.completion - station.service.bus_rest
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
                    bus.used(self.now - span, span);
                }
            } else if let Some(next) = bus.release(self.now) {
                self.ios[next].buses += 1;
                self.ask_for_buses(next);
            }
        }
        self.ios[id].buses = 0;
    }

    /// What a command wants the buses for after it has given them back, and when.
    pub(super) fn next_phase(&self, id: u32) -> Option<(Time, Phase)> {
        let io = &self.ios[id];
        let station = &self.stations[io.piece.device as usize];
        let service = &station.service;
        match io.phase {
            Phase::Command => Some((service.bus_from, Phase::Data)),
            Phase::Data if service.completion > self.now => {
                let reports = station.shares_bus && station.model.holds_overhead();
                reports.then_some((service.completion, Phase::Report))
            }
            _ => None,
        }
    }
}
