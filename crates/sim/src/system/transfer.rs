use super::System;
use super::io::Event;
use crate::source::Source;
use platterlab_units::Operation;

impl<S: Source> System<S> {
    /// Takes the buses that are still missing, as far as they are free.
    pub(super) fn ask_for_buses(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &self.stations[io.piece.device as usize];
        while let Some(place) = station.buses.get(io.buses as usize) {
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
            let place = self.stations[io.piece.device as usize].buses[index];
            let bus = &mut self.buses[place.bus as usize];
            if bus.interleaved() {
                bus.used(io.service.bus_span);
            } else if let Some(next) = bus.release(self.now) {
                self.ios[next].buses += 1;
                self.ask_for_buses(next);
            }
        }
    }
}
