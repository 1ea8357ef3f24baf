use super::controller::{Controller, Front};
use super::io::{Event, Io};
use super::station::Station;
use super::{BusPlace, System};
use crate::source::Source;
use platterlab_units::Operation;

/// The cache of the controller that a command is for, if it is for one.
fn front<'a>(io: &Io, station: &Station, controllers: &'a [Controller]) -> Option<&'a Front> {
    let controller = station.cached.filter(|_| io.front)?;
    controllers[controller as usize].cache.as_deref()
}

/// The buses that the data of a command goes over.
fn way<'a>(io: &Io, station: &'a Station, controllers: &'a [Controller]) -> &'a [BusPlace] {
    front(io, station, controllers).map_or(&station.buses, |front| &front.buses)
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
        let data_done = if io.piece.operation == Operation::Write {
            let issue = start - station.model.write_overhead();
            io.service = station.model.serve(issue, io.command(), &mut station.chance);
            io.service.wait += issue.since(io.issue);
            io.service.bus_from + io.service.bus_span.max(io.service.bus_held)
        } else {
            let service = &mut io.service;
            let late = start + service.bus_span + service.bus_rest;
            if late > service.completion {
                service.bus += late.since(service.completion);
                service.completion = late;
            }
            service.completion - service.bus_rest
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
                bus.used(self.now - io.service.bus_span, io.service.bus_span);
            } else if let Some(next) = bus.release(self.now) {
                self.ios[next].buses += 1;
                self.ask_for_buses(next);
            }
        }
    }
}
