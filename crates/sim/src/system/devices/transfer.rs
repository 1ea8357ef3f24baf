//! Commands and data on the buses between a device, or a controller's cache, and the host.

use super::Devices;
use super::at_work::LONGEST_WAIT;
use super::route::Buses;
use super::station::Station;
use crate::system::Outcome;
use crate::system::io::{Event, Io, Phase};
use platterlab_units::{Operation, Span, Stamp};

/// The buses of the cache that a command is for, if it is for one.
fn front<'a>(io: &Io, station: &'a Station) -> Option<&'a Buses> {
    station.route.front.as_deref().filter(|_| io.front)
}

/// What the data of a command takes on the buses of a cache.
fn front_span(io: &Io, front: &Buses) -> Span {
    front.sector_time[io.piece.operation.index()] * u64::from(io.sectors)
}

/// What becomes of a command that has given its buses back.
pub(in crate::system) enum Released {
    /// It has come to its caching controller, or is back from there.
    Front,
    /// Its device has taken it in.
    TakenIn,
    /// It wants them again, or is done, later.
    Later,
    /// It is done now.
    Done,
}

impl Devices {
    /// Takes the buses that are still missing, as far as they are free.
    pub(in crate::system) fn ask_for_buses(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &self.stations[io.piece.device as usize];
        let way = front(io, station).unwrap_or(&station.route.buses);
        while let Some(place) = way.places.get(io.buses as usize) {
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
        let wanted_from = if io.front { io.arrival.stamp() } else { station.work.issue };
        if self.now.since(wanted_from) > LONGEST_WAIT {
            self.ended = Some(Outcome::ClockFull);
            return;
        }
        if let Some(front) = front(io, station) {
            let done = self.now + front.arbitration + front_span(io, front);
            return self.calendar.enter(done, Event::DataDone(id));
        }
        let start = self.now + station.route.buses.arbitration;
        if io.phase.is_hand_over() {
            return self.hand_over(id, start);
        }
        let free = station.moves(start, self.clock, io);
        self.calendar.enter(free.max(self.now), Event::DataDone(id));
    }

    /// A device at work on another command has the buses from `start` on and takes in this one.
    fn hand_over(&mut self, id: u32, start: Stamp) {
        let io = &self.ios[id];
        let station = &self.stations[io.piece.device as usize];
        let (overhead, hit) = station.takes_in(start, self.clock, io);
        if hit && io.piece.operation == Operation::Read {
            // The device may be done with the other one just now, and its turn come.
            self.calendar.enter(self.now, Event::HitTakenIn(id));
        } else {
            self.calendar.enter(start + overhead, Event::DataDone(id));
        }
    }

    /// A device whose controller has the buses while it looks after a command starts on this one: one that
    /// waited in it has been looked after by then, if its hand-over is over; else that continues
    /// first.
    pub(super) fn begin_on_bus(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        if io.phase == Phase::HandOver {
            io.phase = Phase::Turn;
        } else if station.work.waited == Span::ZERO {
            io.phase = Phase::Command;
            self.ask_for_buses(id);
        } else if io.piece.operation == Operation::Write {
            io.phase = Phase::Command;
            // After what came to the device as the last command was done.
            self.calendar.enter(self.now, Event::BusWanted(id));
        } else {
            io.phase = Phase::Data;
            station.serve(self.now, self.clock, io);
            self.calendar.enter(station.work.bus_from, Event::BusWanted(id));
        }
    }

    /// The data of a command is off the buses.
    pub(in crate::system) fn data_done(&mut self, id: u32) -> Released {
        self.release_buses(id);
        let io = &mut self.ios[id];
        if io.front {
            return Released::Front;
        }
        if io.phase.is_hand_over() {
            return Released::TakenIn;
        }
        let station = &mut self.stations[io.piece.device as usize];
        if let Some((at, phase)) = station.next_phase(io.phase, self.now) {
            io.phase = phase;
            self.calendar.enter(at, Event::BusWanted(id));
        } else if station.work.completion == self.now {
            return Released::Done;
        } else {
            self.calendar.enter(station.work.completion, Event::Done(id));
        }
        Released::Later
    }

    pub(super) fn release_buses(&mut self, id: u32) {
        let io = self.ios[id];
        for index in 0..io.buses as usize {
            let station = &self.stations[io.piece.device as usize];
            let front = front(&io, station);
            let place = front.unwrap_or(&station.route.buses).places[index];
            let bus = &mut self.buses[place.bus as usize];
            if bus.interleaved() {
                if io.phase == Phase::Data {
                    let own = station.work.service.bus_span;
                    let span = front.map_or(own, |front| front_span(&io, front));
                    bus.used(self.now - span, self.now);
                }
            } else if let Some(next) = bus.release(self.now) {
                self.ios[next].buses += 1;
                self.ask_for_buses(next);
            }
        }
        self.ios[id].buses = 0;
    }

    /// A command has been taken in, and waits in its device; whether the device has failed in its turn.
    pub(in crate::system) fn handed_over(&mut self, id: u32) -> bool {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        let turn = std::mem::replace(&mut io.phase, Phase::Data) == Phase::Turn;
        if turn && !station.failed {
            // All that the controller has to do has been done.
            station.work.waited = Span::MAX;
            self.begin_on_bus(id);
            return false;
        }
        turn
    }

    /// A read that the buffer answers is taken in: it keeps nobody else from moving data, unless its turn
    /// has come. Then it is answered as one that had not waited.
    pub(in crate::system) fn hit_taken_in(&mut self, id: u32) {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        if io.phase == Phase::Turn {
            io.phase = Phase::Command;
            station.work.waited = Span::ZERO;
            return self.transfer(id);
        }
        let start = self.now + station.route.buses.arbitration;
        let (overhead, _) = station.takes_in(start, self.clock, io);
        self.release_buses(id);
        self.calendar.enter(start + overhead, Event::DataDone(id));
    }
}
