//! The way of a command through a controller with a cache: in over the front buses, to the devices
//! only as far as the cache sends it there, out over the front buses.

use super::System;
use super::io::{Active, Event, Io, JobId, NONE, Owner};
use super::{BusPlace, DeviceOptions};
use crate::array::Piece;
use crate::chance::LatencyStream;
use crate::controller::{Cache, CacheReport, ControllerOptions, Ready};
use crate::outside::Outside;
use crate::source::Source;
use platterlab_results::Distribution;
use platterlab_units::{Operation, Span, Stamp};
use std::collections::VecDeque;

/// A controller and what is under way in it.
#[derive(Clone, Debug)]
pub(super) struct Controller {
    pub(super) max_outstanding: u32,
    pub(super) forgetful: bool,
    /// Commands it has taken, where that is limited.
    pub(super) taken: u32,
    /// The devices whose commands it takes.
    pub(super) devices: Vec<u32>,
    pub(super) cache: Option<Box<Front>>,
}

/// A cache and the commands of the host that it has.
#[derive(Clone, Debug)]
pub(super) struct Front {
    pub(super) cache: Cache,
    pub(super) buses: Vec<BusPlace>,
    pub(super) arbitration: Span,
    pub(super) sector_time: [Span; 2],
    /// By job.
    jobs: Vec<Progress>,
    /// Commands that cannot begin until a job is over.
    blocked: VecDeque<u32>,
    active: u32,
    /// The last time the host wanted something or got it.
    quiet_since: Stamp,
    idle_awaited: bool,
    flush_awaited: bool,
    /// How long the host's commands waited for the controller, and took in all.
    waits: Distribution,
    responses: Distribution,
}

/// How far a job is.
#[derive(Clone, Copy, Debug)]
struct Progress {
    /// The host's command, until it has heard.
    front: u32,
    ready: bool,
}

impl Controller {
    pub(super) fn new(
        (index, options): (usize, ControllerOptions),
        devices: &[DeviceOptions],
        arbitration: impl Fn(&[BusPlace]) -> Span,
        seed: u64,
        outside: &Outside,
    ) -> Self {
        let mine = |device: &DeviceOptions| device.controllers.contains(&(index as u32));
        let sectors = devices.iter().map(|device| device.model.sectors()).collect();
        let name = u64::from_le_bytes(*b"cache   ").wrapping_add(index as u64);
        let front = |options: crate::controller::CacheOptions| {
            let (buses, sector_time) = (options.buses.clone(), options.sector_time);
            let mut cache = Cache::new(options, sectors, LatencyStream::named(seed, name));
            if let Some(own) = &outside.replacement {
                cache.replaced_by(own.make());
            }
            Box::new(Front {
                arbitration: arbitration(&buses),
                buses,
                sector_time,
                cache,
                jobs: Vec::new(),
                blocked: VecDeque::new(),
                active: 0,
                quiet_since: Stamp::ZERO,
                idle_awaited: false,
                flush_awaited: false,
                waits: Distribution::new(),
                responses: Distribution::new(),
            })
        };
        Self {
            max_outstanding: options.max_outstanding.unwrap_or(u32::MAX),
            forgetful: options.forgetful,
            taken: 0,
            devices: (0..).zip(devices).filter(|(_, one)| mine(one)).map(|(at, _)| at).collect(),
            cache: options.cache.map(front),
        }
    }

    pub(super) fn report(&self) -> Option<CacheReport> {
        self.cache.as_ref().map(|front| CacheReport {
            wait_ms: front.waits.summary(),
            response_ms: front.responses.summary(),
            ..front.cache.report()
        })
    }
}

impl<S: Source> System<S> {
    /// The cache of a controller that has one.
    fn front(&mut self, controller: u32) -> &mut Front {
        let cache = self.controllers[controller as usize].cache.as_mut();
        cache.expect("only commands for caching controllers come here")
    }

    /// The caching controller that a command is for.
    fn controller_of(&self, io: u32) -> u32 {
        self.stations[self.ios[io].piece.device as usize].cached.unwrap_or(NONE)
    }

    /// Nothing is to come any more: forgetful controllers think of what still waits. Whether anything
    /// comes of it.
    pub(super) fn remind(&mut self) -> bool {
        for controller in 0..self.controllers.len() {
            let Controller { forgetful, devices, .. } = &self.controllers[controller];
            for index in 0..if *forgetful { devices.len() } else { 0 } {
                self.go_on_with(self.controllers[controller].devices[index]);
            }
        }
        self.calendar.next_time().is_some()
    }

    /// A command of the host comes to its controller.
    pub(super) fn arrive(&mut self, io: u32) {
        let (now, controller) = (self.now, self.controller_of(io));
        let waited = now.since(self.ios[io].arrival.stamp());
        let front = self.front(controller);
        front.waits.add(waited);
        front.active += 1;
        front.quiet_since = now;
        match self.ios[io].piece.operation {
            Operation::Read => self.begin_job(io),
            Operation::Write => self.ask_for_buses(io),
        }
    }

    /// The data of a command is over the front buses.
    pub(super) fn front_transferred(&mut self, io: u32) {
        match self.ios[io].piece.operation {
            Operation::Read => self.front_over(io, true),
            Operation::Write => self.begin_job(io),
        }
    }

    fn begin_job(&mut self, io: u32) {
        let Io { piece, sectors, .. } = self.ios[io];
        let (controller, lba) = (self.controller_of(io), self.ios[io].lba());
        let piece = Piece { lba, sectors, ..piece };
        let mut pieces = std::mem::take(&mut self.pieces);
        let front = self.front(controller);
        match front.cache.begin(piece, &mut pieces) {
            None => front.blocked.push_back(io),
            Some(job) => self.open_job(controller, job, io, &pieces),
        }
        pieces.clear();
        self.pieces = pieces;
    }

    fn open_job(&mut self, controller: u32, job: u32, io: u32, pieces: &[Piece]) {
        let front = self.front(controller);
        let progress = Progress { front: io, ready: false };
        if front.jobs.len() <= job as usize {
            front.jobs.resize(job as usize + 1, progress);
        }
        front.jobs[job as usize] = progress;
        self.run_job(controller, job, pieces);
    }

    /// Gives the commands of a job to its devices.
    fn run_job(&mut self, controller: u32, job: u32, pieces: &[Piece]) {
        if pieces.is_empty() {
            return self.job_stage_over(controller, job, false);
        }
        let io = self.front(controller).jobs[job as usize].front;
        let mut active = if io == NONE {
            Active::own(0, Owner::Job, self.now)
        } else {
            let Active { request, number, .. } = self.active[self.ios[io].active];
            Active::new(request, number, Owner::Job, self.now)
        };
        active.request.tag = JobId { controller, job }.tag();
        let active = self.active.insert(active);
        self.launch(active, pieces);
    }

    /// The commands of a job are over; `flawed` if a device failed under one of them.
    pub(super) fn job_stage_over(&mut self, controller: u32, job: u32, flawed: bool) {
        let front = self.front(controller);
        let progress = &mut front.jobs[job as usize];
        if flawed {
            let io = std::mem::replace(&mut progress.front, NONE);
            front.cache.abort(job);
            if io != NONE {
                self.front_over(io, false);
            }
        } else if std::mem::replace(&mut progress.ready, true) {
            front.cache.finish(job);
            let told = self.taken_from(controller, job);
            self.reply(told);
        } else {
            let mut pieces = std::mem::take(&mut self.pieces);
            let Ready { reply, more } = self.front(controller).cache.ready(job, &mut pieces);
            let told = if reply { self.taken_from(controller, job) } else { NONE };
            if more {
                self.run_job(controller, job, &pieces);
            }
            // What the host sends on hearing of it comes after what is to be done of it.
            self.reply(told);
            if !more {
                self.front(controller).cache.finish(job);
            }
            pieces.clear();
            self.pieces = pieces;
            if more {
                return;
            }
        }
        self.retry(controller);
        self.await_flush(controller);
        self.flush_while_idle(controller);
    }

    /// The command of the host that a job is for, which will not ask for it again.
    fn taken_from(&mut self, controller: u32, job: u32) -> u32 {
        std::mem::replace(&mut self.front(controller).jobs[job as usize].front, NONE)
    }

    /// The host hears of its command, if there is one.
    fn reply(&mut self, io: u32) {
        if io == NONE {
            return;
        }
        match self.ios[io].piece.operation {
            Operation::Read => self.ask_for_buses(io),
            Operation::Write => self.front_over(io, true),
        }
    }

    /// A command of the host leaves the controller.
    fn front_over(&mut self, io: u32, served: bool) {
        let (now, controller) = (self.now, self.controller_of(io));
        let Io { piece: Piece { device, .. }, arrival, .. } = self.ios[io];
        let front = self.front(controller);
        if served {
            front.responses.add(now.since(arrival.stamp()));
        }
        front.active -= 1;
        front.quiet_since = now;
        self.leave_gates(device, 1);
        if served {
            self.over(io);
        } else {
            self.lose(io);
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
        let now = self.now;
        let front = self.front(controller);
        if !front.cache.is_dirty() {
            return;
        }
        let flush = front.cache.options().flush;
        let (mut periodic, mut idle) = (None, None);
        if let Some(period) = flush.period
            && !std::mem::replace(&mut front.flush_awaited, true)
        {
            let turns = now.as_ps() / u128::from(period.as_ps()) + 1;
            periodic = Some(Stamp::from_ps(turns * u128::from(period.as_ps())));
        }
        if let Some(delay) = flush.idle_delay
            && front.active == 0
            && now < front.quiet_since + delay
            && !std::mem::replace(&mut front.idle_awaited, true)
        {
            idle = Some(front.quiet_since + delay);
        }
        if let Some(at) = periodic {
            self.calendar.enter(at, Event::Flush(controller));
        }
        if let Some(at) = idle {
            self.calendar.enter(at, Event::Idle(controller));
        }
    }

    /// Everything dirty is written that may be.
    pub(super) fn flush(&mut self, controller: u32) {
        self.front(controller).flush_awaited = false;
        while self.flush_one(controller) {}
        self.await_flush(controller);
    }

    /// The time has come at which the host may have been quiet for long enough.
    pub(super) fn idle(&mut self, controller: u32) {
        self.front(controller).idle_awaited = false;
        self.await_flush(controller);
        self.flush_while_idle(controller);
    }

    fn flush_while_idle(&mut self, controller: u32) {
        let now = self.now;
        let front = self.front(controller);
        let quiet = |delay| now >= front.quiet_since + delay;
        if front.active == 0 && front.cache.options().flush.idle_delay.is_some_and(quiet) {
            self.flush_one(controller);
        }
    }

    /// Begins to write the oldest dirty lines; whether there are any.
    fn flush_one(&mut self, controller: u32) -> bool {
        let mut pieces = std::mem::take(&mut self.pieces);
        let job = self.front(controller).cache.begin_flush(&mut pieces);
        if let Some(job) = job {
            self.open_job(controller, job, NONE, &pieces);
        }
        pieces.clear();
        self.pieces = pieces;
        job.is_some()
    }
}
