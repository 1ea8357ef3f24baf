//! The devices and the commands on their way to them and back: no request is known here, nor a cache.

mod at_work;
mod fleet;
mod route;
mod station;
mod transfer;

pub(super) use route::Route;
pub(super) use station::Station;
pub(super) use transfer::Released;

use super::Outcome;
use super::io::{Event, Io, NONE, Phase};
use super::requests::Marks;
use crate::array::Piece;
use crate::bus::Bus;
use crate::clock::Clock;
use crate::drive::OnClock;
use crate::engine::{Calendar, Slab};
use crate::row::row;
use crate::scheduler::Waiting;
use platterlab_results::Row;
use platterlab_units::{Lapse, Operation, Stamp};
use platterlab_workload::Criticality;

/// Devices, buses and what is under way on them.
#[derive(Clone, Debug)]
pub(super) struct Devices {
    pub(super) now: Stamp,
    /// The clock of the devices.
    clock: Clock,
    pub(super) calendar: Calendar<Event>,
    pub(super) ios: Slab<Io>,
    pub(super) stations: Vec<Station>,
    pub(super) buses: Vec<Bus>,
    /// Why nothing more is done.
    pub(super) ended: Option<Outcome>,
}

impl Devices {
    pub(super) fn new(stations: Vec<Station>, buses: Vec<Bus>) -> Self {
        Self {
            now: Stamp::ZERO,
            clock: Clock::default(),
            calendar: Calendar::new(),
            ios: Slab::new(),
            stations,
            buses,
            ended: None,
        }
    }

    pub(super) fn route(&self, device: u32) -> &Route {
        &self.stations[device as usize].route
    }

    /// Whether the clock has to be moved so that it can show `at`.
    pub(super) fn clock_must_move(&self, at: Stamp) -> bool {
        self.clock.must_move(at)
    }

    /// Moves the origin of the clock, so that it can show `at`.
    pub(super) fn move_clock(&mut self, at: Stamp) {
        let by = self.clock.move_to(at);
        self.stations.iter_mut().for_each(|station| station.model.rebase(by));
    }
}

/// Commands before their device.
impl Devices {
    /// Commands of the request `active` that begin together; the first of them.
    pub(super) fn insert_all(
        &mut self,
        active: u32,
        pieces: &mut Vec<Piece>,
        rewrites: bool,
    ) -> u32 {
        let mut first = NONE;
        while let Some(piece) = pieces.pop() {
            let mut io = Io::new(active, piece, self.now);
            (io.next, io.rewrites) = (first, rewrites);
            first = self.ios.insert(io);
        }
        first
    }

    /// A command comes to the driver, or one of a job to its controller's queue, and is seen there as
    /// this.
    pub(super) fn arrives(&mut self, id: u32, sequence: u64, marks: Marks) -> Waiting {
        let device = self.ios[id].piece.device;
        let io = &mut self.ios[id];
        io.arrival = self.now.into();
        io.front = self.stations[device as usize].route.cached.is_some() && !marks.of_job;
        self.waiting(id, sequence, marks)
    }

    /// A command as queues see it: with a number of its own, part of a request.
    #[inline]
    pub(super) fn waiting(&self, id: u32, sequence: u64, marks: Marks) -> Waiting {
        let io = &self.ios[id];
        let Piece { device, operation, .. } = io.piece;
        let (lba, sectors) = (io.lba(), io.sectors);
        let Marks { criticality, order, .. } = marks;
        let (arrival, place) = (self.now.into(), self.stations[device as usize].place(lba));
        Waiting { id, sequence, arrival, lba, sectors, operation, criticality, order, place }
    }

    /// The next command that a device gets.
    pub(super) fn next_for_device(&mut self, device: u32) -> Option<Waiting> {
        let Station { model, waiting, back, inside, .. } = &mut self.stations[device as usize];
        if back.is_none() && waiting.has_none() || waiting.holds_back(self.now) {
            return None;
        }
        let from = back.as_deref_mut().unwrap_or(waiting);
        let next = from.pop(self.now, &OnClock { model, clock: self.clock, inside: false })?;
        *inside += 1;
        ride(&mut self.ios, &next, from.riders());
        Some(next)
    }

    /// The next command that the caching controller of a device gets.
    pub(super) fn next_for_controller(&mut self, device: u32) -> Option<Waiting> {
        let Station { model, waiting, .. } = &mut self.stations[device as usize];
        let next = waiting.pop(self.now, &OnClock { model, clock: self.clock, inside: false })?;
        ride(&mut self.ios, &next, waiting.riders());
        Some(next)
    }

    /// Somebody has come to wait for the commands of these requests; whether the driver may begin one of
    /// them.
    pub(super) fn promote(&mut self, device: u32, is_awaited: impl Fn(u32) -> bool) -> bool {
        let Self { stations, ios, .. } = self;
        let station = &mut stations[device as usize];
        let is_awaited = |io: u32| is_awaited(ios[io].active);
        station.taken.promote(is_awaited);
        station.waiting.promote(is_awaited) && station.route.cached.is_none()
    }
}

/// Commands in their device.
impl Devices {
    /// Whether a device begins at once with a command that comes now.
    pub(super) fn begins_at_once(&self, device: u32) -> bool {
        self.stations[device as usize].begins_at_once(self.now, self.clock)
    }

    /// A command comes to its device, which still answers.
    pub(super) fn accept(&mut self, waiting: Waiting) {
        let device = self.ios[waiting.id].piece.device;
        if self.begins_at_once(device) {
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
        let moved = waiting.lba != self.ios[waiting.id].piece.lba;
        let place = if moved { station.place(waiting.lba) } else { waiting.place };
        station.taken.push(Waiting { arrival, place, ..waiting });
        if station.route.hands_over {
            self.ios[waiting.id].phase = Phase::HandOver;
            self.ask_for_buses(waiting.id);
        }
    }

    /// A device starts on a command that has `waited` in it.
    #[inline]
    pub(super) fn begin(&mut self, id: u32, waited: Lapse) {
        let io = &mut self.ios[id];
        let station = &mut self.stations[io.piece.device as usize];
        station.begin(self.now, waited);
        let shares_bus = station.route.shares_bus;
        if shares_bus && station.model.holds_overhead() {
            return self.begin_on_bus(id);
        }
        if shares_bus && io.piece.operation == Operation::Write {
            // The data comes first, so the bus does.
            let wanted = self.now + station.write_overhead();
            return self.calendar.enter(wanted, Event::BusWanted(id));
        }
        station.serve(self.now, self.clock, io);
        if shares_bus {
            return self.calendar.enter(station.work.bus_from, Event::BusWanted(id));
        }
        let (from, until) = station.has_buses();
        for place in &station.route.buses.places {
            self.buses[place.bus as usize].used(from, until);
        }
        self.calendar.enter(station.work.completion, Event::Done(id));
    }

    /// A device is done with a command; whether it still answers.
    pub(super) fn done(&mut self, id: u32) -> bool {
        let Piece { device, operation, .. } = self.ios[id].piece;
        let station = &mut self.stations[device as usize];
        station.busy = false;
        station.after = operation;
        station.inside -= u32::from(!station.failed);
        !station.failed
    }

    /// The row of a command that is done, of a request with these marks; how long it waited in its device.
    #[inline(always)]
    pub(super) fn row(&self, id: u32, marks: Marks) -> (Row, Lapse) {
        let io = &self.ios[id];
        let device = io.piece.device;
        let station = &self.stations[device as usize];
        let times = [io.arrival.stamp(), station.work.issue, self.now];
        let row = row(&io.command(), times, &station.work.service);
        (Row { device, request: marks.number, stream: marks.stream, ..row }, station.work.own_wait)
    }

    /// The driver hears that a command is done.
    pub(super) fn served(&mut self, device: u32, class: Criticality) {
        let station = &mut self.stations[device as usize];
        if let Some(until) = station.waiting.served(class, self.now) {
            self.calendar.enter(until, Event::Anticipated(device));
        }
    }

    /// The mechanism of a device is at rest, for which its choice was put off; how many ride with it.
    pub(super) fn at_rest(&mut self, device: u32) -> usize {
        self.stations[device as usize].busy = false;
        self.choose_inside(device)
    }

    /// A device that has nothing in hand continues to the next command in it, now or once its
    /// mechanism is at rest; how many ride with that.
    pub(super) fn choose_inside(&mut self, device: u32) -> usize {
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
        let riders = station.taken.riders();
        let riding = riders.len();
        station.inside -= riding as u32;
        ride(&mut self.ios, &next, riders);
        self.begin(next.id, self.now.since(next.arrival.stamp()));
        riding
    }
}

/// Commands of a device that has failed.
impl Devices {
    /// A device does not answer any more; whether it did.
    pub(super) fn fail(&mut self, device: u32) -> bool {
        !std::mem::replace(&mut self.stations[device as usize].failed, true)
    }

    /// A command in a device will never be done.
    pub(super) fn forget_one(&mut self, device: u32) {
        self.stations[device as usize].inside -= 1;
    }

    /// The next command that waits in a device, and those that would be served with it, are `lost`;
    /// whether there was one. What is on its way over the buses is lost when they let go of it.
    pub(super) fn lose_inside(&mut self, device: u32, lost: &mut Vec<u32>) -> bool {
        let Station { model, taken, .. } = &mut self.stations[device as usize];
        let view = &OnClock { model, clock: self.clock, inside: true };
        let Some(next) = taken.pop(self.now, view) else { return false };
        for one in taken.riders().drain(..).chain([next]) {
            let phase = &mut self.ios[one.id].phase;
            if *phase == Phase::HandOver {
                *phase = Phase::Turn;
            } else {
                lost.push(one.id);
            }
        }
        true
    }

    /// As [`Devices::lose_inside`], of the commands that wait before a device.
    pub(super) fn lose_before(&mut self, device: u32, lost: &mut Vec<u32>) -> bool {
        let Station { model, waiting, back, .. } = &mut self.stations[device as usize];
        let view = &OnClock { model, clock: self.clock, inside: true };
        let mut queues = [Some(waiting), back.as_deref_mut()].into_iter().flatten();
        queues.any(|queue| {
            let next = queue.pop(self.now, view);
            lost.extend(queue.riders().drain(..).chain(next).map(|one| one.id));
            next.is_some()
        })
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
