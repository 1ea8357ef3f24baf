//! The way of a command: driver, caching controller, device, and back.
//!
//! The calls go one way: what happens here asks requests, controllers and devices, which answer and never
//! call back.

mod events;
mod fault;

use super::Outcome;
use super::controller::{Controller, Front};
use super::devices::Devices;
use super::io::{Event, Io, NONE};
use super::requests::{Follows, JobId, Requests};
use crate::array::{Next, Piece};
use crate::observe::Observer;
use crate::scheduler::Waiting;
use platterlab_units::{Operation, Span};

/// The requests of a system, and the commands that serve them.
#[derive(Clone, Debug)]
pub(super) struct Commands {
    pub(super) requests: Requests,
    pub(super) devices: Devices,
    pub(super) observer: Observer,
    controllers: Vec<Controller>,
    queue_limit: usize,
    /// Commands that have come to a queue.
    sequence: u64,
}

/// Requests.
impl Commands {
    pub(super) fn new(
        requests: Requests,
        devices: Devices,
        controllers: Vec<Controller>,
        observer: Observer,
        queue_limit: usize,
    ) -> Self {
        Self { requests, devices, observer, controllers, queue_limit, sequence: 0 }
    }

    /// Begins what is planned of a request.
    fn begin_planned(&mut self, active: u32, rewrites: bool) {
        let Self { requests, devices, .. } = self;
        let mut first = devices.insert_all(active, &mut requests.planned, rewrites);
        while first != NONE {
            let next = std::mem::replace(&mut self.devices.ios[first].next, NONE);
            self.queue(first);
            first = next;
        }
    }

    /// A command of a request, or its rewrite, is over: done or lost.
    fn command_over(&mut self, active: u32, rewrite: bool) {
        let Self { requests, devices, observer, .. } = self;
        match requests.command_over(active, rewrite, devices, observer) {
            Follows::Planned => self.begin_planned(active, false),
            Follows::Rebuild(volume, next) => self.rebuild_next(volume, next),
            Follows::JobStage { job, flawed } => self.job_stage_over(job, flawed),
        }
    }

    fn rebuild_next(&mut self, volume: u32, next: Next) {
        if let Next::At(at) = next {
            self.devices.calendar.enter(at, Event::Rebuild(volume));
        }
    }
}

/// From the driver to a device or a caching controller.
impl Commands {
    /// Hands a command to the driver, or the command of a job to its controller's queue.
    fn queue(&mut self, id: u32) {
        let Io { active, piece: Piece { device, .. }, .. } = self.devices.ios[id];
        if self.devices.stations[device as usize].failed {
            return self.lose(id);
        }
        let marks = self.requests.marks(active);
        let sequence = self.take_number();
        let waiting = self.devices.arrives(id, sequence, marks);
        let station = &mut self.devices.stations[device as usize];
        if station.takes_at_once(&waiting) {
            let delay = station.route.delay[waiting.operation.index()];
            return self.start(waiting, delay);
        }
        station.queue(waiting, marks.of_job);
        if station.route.cached.is_some() && !marks.of_job {
            self.forward(device);
        } else {
            self.dispatch(device);
        }
        let length = self.devices.stations[device as usize].queued();
        let tally = &mut self.observer.devices[device as usize];
        tally.longest_queue = tally.longest_queue.max(length as u32);
        if length > self.queue_limit {
            self.devices.ended = Some(Outcome::QueueFull { device });
        }
    }

    fn take_number(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence - 1
    }

    /// Gives a device as many commands as it takes.
    fn dispatch(&mut self, device: u32) {
        loop {
            let station = &self.devices.stations[device as usize];
            let cached = station.route.cached.is_some();
            if !station.has_room() || (!cached && !self.is_open(device)) {
                return;
            }
            let Some(next) = self.devices.next_for_device(device) else { return };
            if !cached {
                self.enter_gates(device);
            }
            let delay = self.devices.route(device).delay[next.operation.index()];
            self.start(next, delay);
        }
    }

    /// Gives the caching controller of a device as many commands for it as it takes.
    fn forward(&mut self, device: u32) {
        while self.is_open(device) {
            let Some(next) = self.devices.next_for_controller(device) else { return };
            let delay = self.devices.route(device).front_delay[next.operation.index()];
            self.enter_gates(device);
            self.start(next, delay);
        }
    }

    /// What waits for a device may continue.
    fn go_on_with(&mut self, device: u32) {
        if self.devices.route(device).cached.is_some() {
            self.forward(device);
        } else {
            self.dispatch(device);
        }
    }

    fn start(&mut self, next: Waiting, delay: Span) {
        if delay > Span::ZERO {
            self.devices.calendar.enter(self.devices.now + delay, Event::Started(next.id));
        } else {
            self.accept(next);
        }
    }

    /// A device, or a caching controller, gets a command.
    fn accept(&mut self, waiting: Waiting) {
        let Io { front, piece: Piece { device, .. }, .. } = self.devices.ios[waiting.id];
        if front {
            self.arrive(waiting.id);
        } else if self.devices.stations[device as usize].failed {
            self.lose_inside(waiting.id);
        } else {
            self.devices.accept(waiting);
        }
    }

    /// Whether the controllers on the way to a device take one more command.
    fn is_open(&self, device: u32) -> bool {
        let gates = &self.devices.route(device).gates;
        gates.iter().all(|&gate| self.controllers[gate as usize].is_open())
    }

    fn enter_gates(&mut self, device: u32) {
        for &gate in &self.devices.route(device).gates {
            self.controllers[gate as usize].taken += 1;
        }
    }

    /// Commands have left the controllers on their way: others may continue.
    #[inline]
    fn leave_gates(&mut self, device: u32, commands: usize) {
        if !self.devices.route(device).gates.is_empty() {
            self.leave(device, commands);
        }
    }

    fn leave(&mut self, device: u32, commands: usize) {
        for gate in 0..self.devices.route(device).gates.len() {
            let gate = self.devices.route(device).gates[gate] as usize;
            self.controllers[gate].taken -= commands as u32;
            for index in 0..self.controllers[gate].devices.len() {
                let other = self.controllers[gate].devices[index];
                if other == device || !self.controllers[gate].forgetful {
                    self.go_on_with(other);
                }
            }
        }
    }
}

/// Over.
impl Commands {
    /// Commands have left a device; those behind a caching controller have not left that.
    fn leave_device(&mut self, device: u32, commands: usize) {
        if commands > 0 && self.devices.route(device).cached.is_none() {
            self.leave_gates(device, commands);
        }
    }

    /// A command, and what was served with it, is done; there may be room for others.
    fn over(&mut self, id: u32) {
        let mut one = id;
        while one != NONE {
            let Io { piece, active, next: rider, rewrites, .. } = self.devices.ios[one];
            let cached = self.devices.route(piece.device).cached.is_some();
            if piece.rewrite {
                let piece = Piece { operation: Operation::Write, rewrite: false, ..piece };
                let rewrite = Io::new(active, piece, self.devices.now);
                self.devices.ios[one] = Io { rewrites: true, ..rewrite };
                self.requests.rewrites(active);
                self.queue(one);
            } else {
                self.devices.ios.remove(one);
            }
            if cached {
                self.forward(piece.device);
            }
            if piece.part > 0 && piece.operation.is_read() {
                self.requests.part_over(active, piece.part);
                self.begin_planned(active, true);
            }
            // What comes next of the request is there before the device chooses.
            self.command_over(active, rewrites);
            self.dispatch(piece.device);
            one = rider;
        }
    }

    /// A command in a device will never be done: the device has failed.
    fn lose_inside(&mut self, id: u32) {
        let device = self.devices.ios[id].piece.device;
        self.devices.forget_one(device);
        self.lose(id);
        self.leave_device(device, 1);
    }

    /// A command will never be done, nor those that were to be served with it: its device has
    /// failed.
    fn lose(&mut self, id: u32) {
        let mut one = id;
        while one != NONE {
            let Io { active, next: rider, rewrites, .. } = self.devices.ios[one];
            self.devices.ios.remove(one);
            self.requests.flaw(active);
            self.command_over(active, rewrites);
            one = rider;
        }
    }
}

/// Through a controller with a cache: in over its front buses, to the devices only as far as the cache
/// sends it there, out over the front buses.
impl Commands {
    /// The cache of a controller that has one.
    fn front(&mut self, controller: u32) -> &mut Front {
        let front = self.controllers[controller as usize].front.as_mut();
        front.expect("only commands for caching controllers come here")
    }

    /// The caching controller that a command is for.
    fn controller_of(&self, io: u32) -> u32 {
        self.devices.route(self.devices.ios[io].piece.device).cached.unwrap_or(NONE)
    }

    /// A command of the host comes to its controller.
    fn arrive(&mut self, id: u32) {
        let (now, controller) = (self.devices.now, self.controller_of(id));
        let Io { arrival, piece, .. } = self.devices.ios[id];
        self.front(controller).arrives(now.since(arrival.stamp()), now);
        match piece.operation {
            Operation::Read => self.begin_job(id),
            Operation::Write => self.devices.ask_for_buses(id),
        }
    }

    fn begin_job(&mut self, id: u32) {
        let controller = self.controller_of(id);
        let Self { devices, controllers, requests, .. } = self;
        let io = &devices.ios[id];
        let want = Piece { lba: io.lba(), sectors: io.sectors, ..io.piece };
        let front = controllers[controller as usize].front.as_mut();
        if let Some(job) = front.and_then(|front| front.begin(id, want, &mut requests.planned)) {
            self.run_job(JobId { controller, job });
        }
    }

    /// Gives what is planned of a job to its devices.
    fn run_job(&mut self, id: JobId) {
        if self.requests.planned.is_empty() {
            return self.job_stage_over(id, false);
        }
        let command = self.front(id.controller).host_command(id.job);
        let asked_by = command.map(|io| self.devices.ios[io].active);
        let active = self.requests.open_job(id, asked_by, self.devices.now);
        self.begin_planned(active, false);
    }

    /// The commands of a job are over; `flawed` if a device failed under one of them.
    fn job_stage_over(&mut self, id: JobId, flawed: bool) {
        let JobId { controller, job } = id;
        if flawed {
            if let Some(io) = self.front(controller).abort(job) {
                self.front_over(io, false);
            }
        } else if self.front(controller).stage_over(job) {
            let told = self.front(controller).finish(job);
            self.reply(told);
        } else {
            let Self { controllers, requests, .. } = self;
            let front = controllers[controller as usize].front.as_mut();
            let ready = front.map(|front| front.ready(job, &mut requests.planned));
            let (more, told) = ready.unwrap_or_default();
            if more {
                self.run_job(id);
            }
            // What the host sends on hearing of it comes after what is to be done of it.
            self.reply(told);
            if more {
                return;
            }
            self.front(controller).finish(job);
        }
        self.retry(controller);
        self.await_flush(controller);
        self.flush_while_idle(controller);
    }

    /// The host hears of its command, if there is one.
    fn reply(&mut self, command: Option<u32>) {
        let Some(id) = command else { return };
        match self.devices.ios[id].piece.operation {
            Operation::Read => self.devices.ask_for_buses(id),
            Operation::Write => self.front_over(id, true),
        }
    }

    /// A command of the host leaves the controller.
    fn front_over(&mut self, id: u32, served: bool) {
        let (now, controller) = (self.devices.now, self.controller_of(id));
        let Io { piece: Piece { device, .. }, arrival, .. } = self.devices.ios[id];
        let took = served.then(|| now.since(arrival.stamp()));
        self.front(controller).leaves(took, now);
        self.leave_gates(device, 1);
        if served {
            self.over(id);
        } else {
            self.lose(id);
            self.forward(device);
        }
        self.await_flush(controller);
    }

    /// Commands that had to wait are tried again.
    fn retry(&mut self, controller: u32) {
        for _ in 0..self.front(controller).blocked.len() {
            if let Some(io) = self.front(controller).blocked.pop_front() {
                self.begin_job(io);
            }
        }
    }

    /// Sees to it that what is dirty will be written when it should be.
    fn await_flush(&mut self, controller: u32) {
        let now = self.devices.now;
        let [periodic, idle] = self.front(controller).await_flush(now);
        if let Some(at) = periodic {
            self.devices.calendar.enter(at, Event::Flush(controller));
        }
        if let Some(at) = idle {
            self.devices.calendar.enter(at, Event::Idle(controller));
        }
    }

    fn flush_while_idle(&mut self, controller: u32) {
        let now = self.devices.now;
        if self.front(controller).flushes_while_idle(now) {
            self.flush_one(controller);
        }
    }

    /// Begins to write the oldest dirty lines; whether there are any.
    fn flush_one(&mut self, controller: u32) -> bool {
        let Self { controllers, requests, .. } = self;
        let front = controllers[controller as usize].front.as_mut();
        let job = front.and_then(|front| front.begin_flush(&mut requests.planned));
        if let Some(job) = job {
            self.run_job(JobId { controller, job });
        }
        job.is_some()
    }
}
