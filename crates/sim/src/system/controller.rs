//! A controller, and the commands of the host that its cache has.

use super::DeviceOptions;
use super::io::NONE;
use crate::array::Piece;
use crate::chance::LatencyStream;
use crate::controller::{Cache, CacheReport, ControllerOptions, Ready};
use crate::outside::Outside;
use platterlab_results::Distribution;
use platterlab_units::{Lapse, Stamp};
use std::collections::VecDeque;

/// A controller and what is under way in it.
#[derive(Clone, Debug)]
pub(super) struct Controller {
    max_outstanding: u32,
    pub(super) forgetful: bool,
    /// Commands it has taken, where that is limited.
    pub(super) taken: u32,
    /// The devices whose commands it takes.
    pub(super) devices: Vec<u32>,
    pub(super) front: Option<Box<Front>>,
}

/// A cache and the commands of the host that it has.
#[derive(Clone, Debug)]
pub(super) struct Front {
    pub(super) cache: Cache,
    /// By job.
    jobs: Vec<Progress>,
    /// Commands that cannot begin until a job is over.
    pub(super) blocked: VecDeque<u32>,
    active: u32,
    /// The last time the host wanted something or got it.
    quiet_since: Stamp,
    pub(super) idle_awaited: bool,
    pub(super) flush_awaited: bool,
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
        index: usize,
        options: ControllerOptions,
        devices: &[DeviceOptions],
        seed: u64,
        outside: &Outside,
    ) -> Self {
        let mine = |device: &DeviceOptions| device.controllers.contains(&(index as u32));
        let sectors = devices.iter().map(|device| device.model.sectors()).collect();
        let name = u64::from_le_bytes(*b"cache   ").wrapping_add(index as u64);
        let front = |options: crate::controller::CacheOptions| {
            let mut cache = Cache::new(options, sectors, LatencyStream::named(seed, name));
            if let Some(own) = &outside.replacement {
                cache.replaced_by(own.make());
            }
            Box::new(Front {
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
            front: options.cache.map(front),
        }
    }

    pub(super) fn report(&self) -> Option<CacheReport> {
        self.front.as_ref().map(|front| CacheReport {
            wait_ms: front.waits.summary(),
            response_ms: front.responses.summary(),
            ..front.cache.report()
        })
    }
    /// Whether it takes one more command.
    pub(super) fn is_open(&self) -> bool {
        self.taken < self.max_outstanding
    }
}

impl Front {
    /// A command of the host comes that has `waited` for the controller.
    pub(super) fn arrives(&mut self, waited: Lapse, now: Stamp) {
        self.waits.add(waited);
        self.active += 1;
        self.quiet_since = now;
    }

    /// A command of the host leaves, having taken so long, if it was served.
    pub(super) fn leaves(&mut self, took: Option<Lapse>, now: Stamp) {
        if let Some(took) = took {
            self.responses.add(took);
        }
        self.active -= 1;
        self.quiet_since = now;
    }

    /// Begins a command of the host that asks for `want`; the job, unless it has to wait. Its first
    /// commands go to `out`.
    pub(super) fn begin(&mut self, io: u32, want: Piece, out: &mut Vec<Piece>) -> Option<u32> {
        let job = self.cache.begin(want, out);
        match job {
            None => {
                out.clear();
                self.blocked.push_back(io);
            }
            Some(job) => self.open(job, io),
        }
        job
    }

    /// Begins to write the oldest dirty lines, if there are any.
    pub(super) fn begin_flush(&mut self, out: &mut Vec<Piece>) -> Option<u32> {
        let job = self.cache.begin_flush(out)?;
        self.open(job, NONE);
        Some(job)
    }

    fn open(&mut self, job: u32, front: u32) {
        let progress = Progress { front, ready: false };
        if self.jobs.len() <= job as usize {
            self.jobs.resize(job as usize + 1, progress);
        }
        self.jobs[job as usize] = progress;
    }

    /// The command of the host that a job is for, if it is for one that has not heard.
    pub(super) fn host_command(&self, job: u32) -> Option<u32> {
        let front = self.jobs[job as usize].front;
        (front != NONE).then_some(front)
    }

    /// The same, which will not be asked for again.
    fn take_host_command(&mut self, job: u32) -> Option<u32> {
        let command = self.host_command(job);
        self.jobs[job as usize].front = NONE;
        command
    }

    /// A job comes to nothing; the command of the host that is lost with it.
    pub(super) fn abort(&mut self, job: u32) -> Option<u32> {
        self.cache.abort(job);
        self.take_host_command(job)
    }

    /// A job is over; the command of the host that hears of it.
    pub(super) fn finish(&mut self, job: u32) -> Option<u32> {
        self.cache.finish(job);
        self.take_host_command(job)
    }

    /// The commands of a job are over; whether that was its last stage.
    pub(super) fn stage_over(&mut self, job: u32) -> bool {
        std::mem::replace(&mut self.jobs[job as usize].ready, true)
    }

    /// A job has made ready: whether there is more to do, which goes to `out`, and the command of the host
    /// that hears of it.
    pub(super) fn ready(&mut self, job: u32, out: &mut Vec<Piece>) -> (bool, Option<u32>) {
        let Ready { reply, more } = self.cache.ready(job, out);
        (more, if reply { self.take_host_command(job) } else { None })
    }

    /// When all that is dirty is to be written, and when some of it if the host is quiet then, of which
    /// nothing has been said yet.
    pub(super) fn await_flush(&mut self, now: Stamp) -> [Option<Stamp>; 2] {
        let mut flushes = [None; 2];
        if !self.cache.is_dirty() {
            return flushes;
        }
        let flush = self.cache.options().flush;
        if let Some(period) = flush.period
            && !std::mem::replace(&mut self.flush_awaited, true)
        {
            let turns = now.as_ps() / u128::from(period.as_ps()) + 1;
            flushes[0] = Some(Stamp::from_ps(turns * u128::from(period.as_ps())));
        }
        if let Some(delay) = flush.idle_delay
            && self.active == 0
            && now < self.quiet_since + delay
            && !std::mem::replace(&mut self.idle_awaited, true)
        {
            flushes[1] = Some(self.quiet_since + delay);
        }
        flushes
    }

    /// Whether the host has been quiet for so long that some of what is dirty is to be written.
    pub(super) fn flushes_while_idle(&self, now: Stamp) -> bool {
        let quiet = |delay| now >= self.quiet_since + delay;
        self.active == 0 && self.cache.options().flush.idle_delay.is_some_and(quiet)
    }
}
