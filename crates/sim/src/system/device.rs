//! The way of a command: driver, queues, device, completion.

use super::io::{Event, Io, NONE, Owner, Phase};
use super::{Outcome, System};
use crate::array::Piece;
use crate::drive::OnClock;
use crate::engine::Slab;
use crate::scheduler::{Queue, Waiting};
use crate::source::{Request, Source};
use platterlab_units::{Lapse, Operation, Span};

impl<S: Source> System<S> {
    /// Hands a command to the driver, or the command of a controller to its queue.
    pub(super) fn queue(&mut self, id: u32) {
        let Io { active, piece, .. } = self.ios[id];
        let device = piece.device;
        if self.stations[device as usize].failed {
            return self.lose(id);
        }
        let own = self.active[active].owner == Owner::Job;
        let waiting = self.waiting(id);
        let station = &mut self.stations[device as usize];
        let io = &mut self.ios[id];
        io.arrival = self.now.into();
        io.front = station.cached.is_some() && !own;
        let front = io.front;
        let direct = station.back.is_none() && station.gates.is_empty() && !front;
        if direct && station.inside < station.depth && station.waiting.pass(&waiting) {
            station.inside += 1;
            let delay = station.delay[waiting.operation.index()];
            return self.start(waiting, delay);
        }
        match &mut station.back {
            Some(back) if own => back.push(waiting),
            _ => station.waiting.push(waiting),
        }
        if front {
            self.forward(device);
        } else {
            self.dispatch(device);
        }
        let station = &self.stations[device as usize];
        let length = station.waiting.len() + station.back.as_deref().map_or(0, Queue::len);
        let tally = &mut self.observer.devices[device as usize];
        tally.longest_queue = tally.longest_queue.max(length as u32);
        if length > self.queue_limit {
            self.ended = Some(Outcome::QueueFull { device });
        }
    }

    /// Gives a device as many commands as it takes.
    pub(super) fn dispatch(&mut self, device: u32) {
        loop {
            let station = &self.stations[device as usize];
            if station.inside >= station.depth || (station.back.is_none() && !self.open(device)) {
                return;
            }
            let station = &mut self.stations[device as usize];
            if station.back.is_none() && station.waiting.has_none() {
                return;
            }
            if station.waiting.holds_back(self.now) {
                return;
            }
            let from = station.back.as_deref_mut().unwrap_or(&mut station.waiting);
            let view = OnClock { model: &station.model, clock: self.clock, inside: false };
            let Some(next) = from.pop(self.now, &view) else {
                return;
            };
            ride(&mut self.ios, &next, from.riders());
            station.inside += 1;
            let delay = station.delay[next.operation.index()];
            if station.back.is_none() {
                self.enter_gates(device);
            }
            self.start(next, delay);
        }
    }

    /// Gives the caching controller of a device as many commands for it as it takes.
    pub(super) fn forward(&mut self, device: u32) {
        while self.open(device) {
            let station = &mut self.stations[device as usize];
            let view = OnClock { model: &station.model, clock: self.clock, inside: false };
            let Some(next) = station.waiting.pop(self.now, &view) else {
                return;
            };
            ride(&mut self.ios, &next, station.waiting.riders());
            let delay = station.front_delay[next.operation.index()];
            self.enter_gates(device);
            self.start(next, delay);
        }
    }

    fn start(&mut self, next: Waiting, delay: Span) {
        if delay > Span::ZERO {
            self.calendar.enter(self.now + delay, Event::Started(next.id));
        } else {
            self.accept(next);
        }
    }

    /// Whether the controllers on the way to a device take one more command.
    fn open(&self, device: u32) -> bool {
        let gates = &self.stations[device as usize].gates;
        gates
            .iter()
            .map(|&gate| &self.controllers[gate as usize])
            .all(|controller| controller.taken < controller.max_outstanding)
    }

    fn enter_gates(&mut self, device: u32) {
        for &gate in &self.stations[device as usize].gates {
            self.controllers[gate as usize].taken += 1;
        }
    }

    /// Commands have left the controllers on their way: others may go on.
    #[inline]
    pub(super) fn leave_gates(&mut self, device: u32, commands: usize) {
        if !self.stations[device as usize].gates.is_empty() {
            self.leave(device, commands);
        }
    }

    fn leave(&mut self, device: u32, commands: usize) {
        for gate in 0..self.stations[device as usize].gates.len() {
            let gate = self.stations[device as usize].gates[gate] as usize;
            self.controllers[gate].taken -= commands as u32;
            for index in 0..self.controllers[gate].devices.len() {
                let other = self.controllers[gate].devices[index];
                if self.controllers[gate].forgetful && other != device {
                    continue;
                }
                self.go_on_with(other);
            }
        }
    }

    /// What waits for a device may go on.
    pub(super) fn go_on_with(&mut self, device: u32) {
        if self.stations[device as usize].back.is_some() {
            self.forward(device);
        } else {
            self.dispatch(device);
        }
    }

    /// A command comes to its device, or to a caching controller, after the driver's time for it.
    pub(super) fn started(&mut self, id: u32) {
        let io = &self.ios[id];
        let station = &self.stations[io.piece.device as usize];
        if io.front || station.failed || !station.begins_at_once(self.now, self.clock) {
            let waiting = self.waiting(id);
            self.accept(waiting);
        } else {
            self.begin(id, Lapse::ZERO);
        }
    }

    /// A device, or a caching controller, gets a command.
    pub(super) fn accept(&mut self, waiting: Waiting) {
        if self.ios[waiting.id].front {
            return self.arrive(waiting.id);
        }
        let device = self.ios[waiting.id].piece.device;
        let station = &self.stations[device as usize];
        if station.failed {
            self.lose_inside(waiting.id);
        } else if station.begins_at_once(self.now, self.clock) {
            self.begin(waiting.id, Lapse::ZERO);
        } else {
            self.keep(device, waiting);
            if !self.stations[device as usize].busy {
                self.choose_inside(device);
            }
        }
    }

    /// A device keeps a command until it chooses it.
    fn keep(&mut self, device: u32, waiting: Waiting) {
        let station = &mut self.stations[device as usize];
        let arrival = self.now.into();
        // Riders may have moved its start.
        let moved = station.place_wanted && waiting.lba != self.ios[waiting.id].piece.lba;
        let place = if moved { station.model.place(waiting.lba) } else { waiting.place };
        if waiting.operation.is_read() {
            station.reads_taken.insert(waiting.lba, waiting.end());
        }
        station.taken.push(Waiting { arrival, place, ..waiting });
        if station.hands_over {
            self.ios[waiting.id].phase = Phase::HandOver;
            self.ask_for_buses(waiting.id);
        }
    }

    /// A command as queues see it.
    pub(super) fn waiting(&mut self, id: u32) -> Waiting {
        let Io { piece: Piece { device, operation, .. }, sectors, active, .. } = self.ios[id];
        let lba = self.ios[id].lba();
        let station = &self.stations[device as usize];
        let place = if station.place_wanted { station.model.place(lba) } else { None };
        let Request { criticality, order, .. } = self.active[active].request;
        let sequence = self.sequence;
        self.sequence += 1;
        let arrival = self.now.into();
        Waiting { id, sequence, arrival, lba, sectors, operation, criticality, order, place }
    }

    /// A device starts on a command that has `waited` in it.
    pub(super) fn begin(&mut self, id: u32, waited: Lapse) {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        station.busy = true;
        station.issue = self.now;
        station.own_wait = waited;
        // No overhead is as long as what a span cannot hold.
        station.waited = waited.span().unwrap_or(Span::MAX);
        if station.shares_bus && station.model.holds_overhead() {
            return self.begin_on_bus(id);
        }
        let by_bus = station.shares_bus && io.piece.operation == Operation::Write;
        if by_bus {
            // The data comes first, so the bus does.
            let wanted = self.now + station.write_overhead();
            self.calendar.enter(wanted, Event::BusWanted(id));
            return;
        }
        station.serve(self.now, self.clock, io);
        if station.shares_bus {
            self.calendar.enter(station.bus_from, Event::BusWanted(id));
        } else {
            station.service.bus += station.arbitration;
            station.completion += station.arbitration;
            for place in &station.buses {
                let until = station.bus_from + station.service.bus_span;
                self.buses[place.bus as usize].used(station.bus_from, until);
            }
            self.calendar.enter(station.completion, Event::Done(id));
        }
    }

    /// A device is done with a command: it goes on, and so does the request.
    pub(super) fn done(&mut self, id: u32) {
        let device = self.ios[id].piece.device;
        let station = &mut self.stations[device as usize];
        station.busy = false;
        station.after = self.ios[id].piece.operation;
        if station.failed {
            return self.lose_inside(id);
        }
        station.inside -= 1;
        let io = &self.ios[id];
        let active = &self.active[io.active];
        let times = [io.arrival.stamp(), station.issue, self.now];
        let row = io.row(active, &station.service, times);
        self.observer.command(&row, active.request.criticality, station.own_wait);
        if io.is_partial_write() {
            self.observer.partial_write();
        }
        if let Some(until) = station.waiting.served(active.request.criticality, self.now) {
            self.calendar.enter(until, Event::Anticipated(device));
        }
        let others = station.inside > 0;
        let left = 1 + if others { self.choose_inside(device) } else { 0 };
        if self.stations[device as usize].back.is_none() {
            self.leave_gates(device, left);
        }
        self.over(id);
    }

    /// The mechanism of a device is at rest, for which its choice was put off.
    pub(super) fn at_rest(&mut self, device: u32) {
        self.stations[device as usize].busy = false;
        let riding = self.choose_inside(device);
        if riding > 0 && self.stations[device as usize].back.is_none() {
            self.leave_gates(device, riding);
        }
    }

    /// A device that has nothing in hand goes on to the next command in it, now or once its mechanism
    /// is at rest; how many ride with that.
    fn choose_inside(&mut self, device: u32) -> usize {
        let station = &mut self.stations[device as usize];
        if station.inside == 0 {
            return 0;
        }
        let chooses = station.chooses_at(self.now, self.clock);
        if chooses > self.now {
            station.busy = true;
            self.calendar.enter(chooses, Event::AtRest(device));
            return 0;
        }
        let view = OnClock { model: &station.model, clock: self.clock, inside: true };
        let Some(next) = station.taken.pop(self.now, &view) else { return 0 };
        station.reads_taken.remove(&next.lba);
        let riders = station.taken.riders();
        for rider in riders.iter() {
            station.reads_taken.remove(&rider.lba);
        }
        let riding = riders.len();
        station.inside -= riding as u32;
        ride(&mut self.ios, &next, riders);
        self.begin(next.id, self.now.since(next.arrival.stamp()));
        riding
    }

    /// A command, and what was served with it, is done; there may be room for others.
    pub(super) fn over(&mut self, id: u32) {
        let mut one = id;
        while one != NONE {
            let Io { piece, active, next: rider, rewrites, .. } = self.ios[one];
            let cached = self.stations[piece.device as usize].back.is_some();
            if piece.rewrite {
                let piece = Piece { operation: Operation::Write, rewrite: false, ..piece };
                self.ios[one] = Io { rewrites: true, ..Io::new(active, piece, self.now) };
                self.active[active].rewriting += 1;
                self.queue(one);
            } else {
                self.ios.remove(one);
            }
            if cached {
                self.forward(piece.device);
            }
            if piece.part > 0 && piece.operation.is_read() {
                self.part_over(active, piece.part);
            }
            // What comes next of the request is there before the device chooses.
            self.command_over(active, rewrites);
            self.dispatch(piece.device);
            one = rider;
        }
    }

    /// A command in a device will never be done: the device has failed.
    pub(super) fn lose_inside(&mut self, id: u32) {
        let device = self.ios[id].piece.device;
        self.stations[device as usize].inside -= 1;
        self.lose(id);
        if self.stations[device as usize].back.is_none() {
            self.leave_gates(device, 1);
        }
    }

    /// A command will never be done, nor those that were to be served with it: its device has
    /// failed.
    pub(super) fn lose(&mut self, id: u32) {
        let mut one = id;
        while one != NONE {
            let Io { active, next: rider, rewrites, .. } = self.ios[one];
            self.ios.remove(one);
            self.active[active].flawed = true;
            self.command_over(active, rewrites);
            one = rider;
        }
    }
}

/// Lets `riders`, and those that ride with them, be served with the command `chosen`.
fn ride(ios: &mut Slab<Io>, chosen: &Waiting, riders: &mut Vec<Waiting>) {
    if riders.is_empty() {
        return;
    }
    let io = &mut ios[chosen.id];
    (io.ahead, io.sectors) = ((io.piece.lba - chosen.lba) as u32, chosen.sectors);
    for rider in riders.drain(..) {
        // A sector within that is written in part has to be read too, as one at the edge has.
        let partial = ios[rider.id].partial;
        let io = &mut ios[chosen.id];
        io.partial.before = io.partial.before.max(partial.before);
        io.partial.after = io.partial.after.max(partial.after);
        let mut last = rider.id;
        while ios[last].next != NONE {
            last = ios[last].next;
        }
        ios[last].next = ios[chosen.id].next;
        ios[chosen.id].next = rider.id;
    }
}
