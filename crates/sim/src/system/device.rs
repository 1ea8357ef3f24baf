use super::System;
use super::io::{Event, Io, NONE};
use crate::array::Piece;
use crate::engine::Slab;
use crate::scheduler::Waiting;
use crate::source::Source;
use platterlab_units::{Operation, Span};

impl<S: Source> System<S> {
    /// Hands a command to the driver.
    pub(super) fn queue(&mut self, id: u32) {
        let device = self.ios[id].piece.device;
        if self.stations[device as usize].failed {
            return self.lose(id);
        }
        self.ios[id].arrival = self.now;
        let waiting = self.waiting(id);
        self.stations[device as usize].waiting.push(waiting);
        self.dispatch(device);
        let length = self.stations[device as usize].waiting.len();
        let tally = &mut self.observer.devices[device as usize];
        tally.longest_queue = tally.longest_queue.max(length);
        if length > self.queue_limit {
            self.full = Some(device);
        }
    }

    /// Gives a device as many commands as it takes.
    pub(super) fn dispatch(&mut self, device: u32) {
        loop {
            let station = &mut self.stations[device as usize];
            if station.inside >= station.depth {
                return;
            }
            let Some(next) = station.waiting.pop(self.now, &station.model) else { return };
            if !station.waiting.riders().is_empty() {
                ride(&mut self.ios, &next, station.waiting.riders());
            }
            station.inside += 1;
            let delay = self.initiation[next.operation.index()];
            if delay > Span::ZERO {
                self.calendar.enter(self.now + delay, Event::Started(next.id));
            } else {
                self.accept(next);
            }
        }
    }

    /// A device gets a command.
    pub(super) fn accept(&mut self, waiting: Waiting) {
        let station = &mut self.stations[self.ios[waiting.id].piece.device as usize];
        if station.failed {
            station.inside -= 1;
            self.lose(waiting.id);
        } else if station.busy {
            let arrival = self.now;
            // Riders may have moved its start.
            let moved = station.place_wanted && waiting.lba != self.ios[waiting.id].piece.lba;
            let place = if moved { station.model.place(waiting.lba) } else { waiting.place };
            station.taken.push(Waiting { arrival, place, ..waiting });
        } else {
            self.begin(waiting.id);
        }
    }

    /// A command as queues see it.
    pub(super) fn waiting(&mut self, id: u32) -> Waiting {
        let Io { piece: Piece { device, operation, .. }, lba, sectors, active, .. } = self.ios[id];
        let station = &self.stations[device as usize];
        let place = if station.place_wanted { station.model.place(lba) } else { None };
        let criticality = self.active[active].request.criticality;
        let sequence = self.sequence;
        self.sequence += 1;
        Waiting { id, sequence, arrival: self.now, lba, sectors, operation, criticality, place }
    }

    /// A device starts on a command.
    pub(super) fn begin(&mut self, id: u32) {
        let io = &mut self.ios[id];
        io.issue = self.now;
        let station = &mut self.stations[io.piece.device as usize];
        station.busy = true;
        let by_bus = station.shares_bus && io.piece.operation == Operation::Write;
        if by_bus {
            // The data comes first, so the bus does.
            let wanted = self.now + station.model.write_overhead();
            self.calendar.enter(wanted, Event::BusWanted(id));
            return;
        }
        io.service = station.model.serve(self.now, io.command(), &mut station.chance);
        if station.shares_bus {
            self.calendar.enter(io.service.bus_from, Event::BusWanted(id));
        } else {
            io.service.bus += station.arbitration;
            io.service.completion += station.arbitration;
            for place in &station.buses {
                self.buses[place.bus as usize].used(io.service.bus_span);
            }
            self.calendar.enter(io.service.completion, Event::Done(id));
        }
    }

    /// A command is done: its device goes on, and so does its request.
    pub(super) fn done(&mut self, id: u32) {
        let device = self.ios[id].piece.device;
        let station = &mut self.stations[device as usize];
        station.busy = false;
        station.inside -= 1;
        if station.failed {
            return self.lose(id);
        }
        self.observer.command(&self.ios[id].row(self.now));
        if let Some(next) = station.taken.pop(self.now, &station.model) {
            let riders = station.taken.riders();
            if !riders.is_empty() {
                station.inside -= riders.len() as u32;
                ride(&mut self.ios, &next, riders);
            }
            self.begin(next.id);
        }
        let mut one = id;
        while one != NONE {
            let next = self.ios[one].rider;
            self.over(one);
            one = next;
        }
    }

    /// A command, or one that was served with it, is done; the next is given to the device.
    fn over(&mut self, id: u32) {
        let Io { piece, active, .. } = self.ios[id];
        if piece.rewrite {
            let piece = Piece { operation: Operation::Write, rewrite: false, ..piece };
            self.ios[id] = Io::new(active, piece, self.now);
            self.queue(id);
            return self.dispatch(piece.device);
        }
        self.ios.remove(id);
        self.dispatch(piece.device);
        self.command_over(active);
    }

    /// A command will never be done, nor those that were to be served with it: its device has
    /// failed.
    pub(super) fn lose(&mut self, id: u32) {
        let mut one = id;
        while one != NONE {
            let Io { active, rider, .. } = self.ios[one];
            self.ios.remove(one);
            self.active[active].flawed = true;
            self.command_over(active);
            one = rider;
        }
    }
}

/// Lets `riders`, and those that ride with them, be served with the command `chosen`.
fn ride(ios: &mut Slab<Io>, chosen: &Waiting, riders: &mut Vec<Waiting>) {
    let io = &mut ios[chosen.id];
    (io.lba, io.sectors) = (chosen.lba, chosen.sectors);
    for rider in riders.drain(..) {
        let mut last = rider.id;
        while ios[last].rider != NONE {
            last = ios[last].rider;
        }
        ios[last].rider = ios[chosen.id].rider;
        ios[chosen.id].rider = rider.id;
    }
}
