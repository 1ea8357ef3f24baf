use super::controller::{Controller, Front};
use super::io::{Event, Io, Phase};
use super::station::Station;
use super::{BusPlace, System};
use crate::source::Source;
use platterlab_drive::Service;
use platterlab_units::{Operation, Time};

/// The cache of the controller that a command is for, if it is for one.
fn front<'a>(io: &Io, station: &Station, controllers: &'a [Controller]) -> Option<&'a Front> {
    let controller = station.cached.filter(|_| io.front)?;
    controllers[controller as usize].cache.as_deref()
}

/// The buses that the data of a command goes over.
fn way<'a>(io: &Io, station: &'a Station, controllers: &'a [Controller]) -> &'a [BusPlace] {
    front(io, station, controllers).map_or(&station.buses, |front| &front.buses)
}

impl Io {
    /// It has the buses at `start`, on a device that has them from the start of a command on: until
    /// when it keeps them. `serve` asks the device.
    fn keeps_buses(&mut self, start: Time, serve: impl FnOnce(&mut Self)) -> Time {
        match self.phase {
            Phase::Command => {
                serve(self);
                let Service { overhead, bus_from, bus_rest, .. } = self.service;
                let worked_on = start + (overhead - bus_rest);
                if bus_from > worked_on {
                    return worked_on;
                }
                self.phase = Phase::Data;
            }
            Phase::Data => self.put_off(start + self.service.bus_span + self.service.bus_rest),
            Phase::Report => self.put_off(start),
        }
        let Service { completion, bus_from, bus_span, bus_held, .. } = self.service;
        match self.piece.operation {
            Operation::Write if self.phase == Phase::Data => {
                (start + bus_span).max(bus_from + bus_held)
            }
            _ => completion,
        }
    }

    /// Buses that came late let it be done no earlier than `at`.
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
            let sector = front.sector_time[io.piece.operation.index()];
            io.service.bus_span = sector * u64::from(io.sectors);
            let done = self.now + front.arbitration + io.service.bus_span;
            return self.calendar.enter(done, Event::DataDone(id));
        }
        let start = self.now + station.arbitration;
        if station.model.holds_overhead() {
            let free = io.keeps_buses(start, |io| {
                let late = start.since(io.issue);
                io.service = station.model.serve(start, io.command(), &mut station.chance);
                io.service.wait += late;
            });
            return self.calendar.enter(free.max(self.now), Event::DataDone(id));
        }
        let data_done = if io.piece.operation == Operation::Write {
            let issue = start - station.model.write_overhead();
            io.service = station.model.serve(issue, io.command(), &mut station.chance);
            io.service.wait += issue.since(io.issue);
            io.service.bus_from + io.service.bus_span.max(io.service.bus_held)
        } else {
            io.put_off(start + io.service.bus_span + io.service.bus_rest);
            io.service.completion - io.service.bus_rest
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
                    bus.used(self.now - io.service.bus_span, io.service.bus_span);
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
        let service = &io.service;
        match io.phase {
            Phase::Command => Some((service.bus_from, Phase::Data)),
            Phase::Data if service.completion > self.now => {
                let station = &self.stations[io.piece.device as usize];
                let reports = station.shares_bus && station.model.holds_overhead();
                reports.then_some((service.completion, Phase::Report))
            }
            _ => None,
        }
    }
}
