//! A device with its queue, or a volume of a system, that somebody with a clock of his own asks step by
//! step: requests go in at instants, and are done at instants that only the model decides.

mod faults;
mod served;
mod volume;

pub use faults::{DeviceFault, FaultKind, Faults};
pub use served::Live;
pub use volume::LiveVolume;

use crate::chance::LatencyStream;
use crate::clock::Clock;
use crate::drive::{DeviceQueue, Model, OnClock};
use crate::engine::{Cell, Slab};
use crate::row::row;
use crate::scheduler::{Overlap, QueueOptions, Rules, Scheduler, Tag, TagRule, Waiting};
use platterlab_drive::{CacheOutcome, Command, WrittenMemory};
use platterlab_results::Row;
use platterlab_units::{Lapse, Operation, Partial, Span, Stamp, Time};
use platterlab_workload::Criticality;
use std::collections::VecDeque;

/// What is asked of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// To read.
    Read,
    /// To write; `forced` is reported only when it is on the media.
    Write {
        /// Whether the device may not report it early.
        forced: bool,
    },
    /// To put on the media what waits for it. Whatever came before goes before, whatever comes later
    /// goes after.
    Flush,
    /// To forget sectors: the controller's work alone.
    Discard,
}

impl Ask {
    fn writes(self) -> bool {
        matches!(self, Self::Write { .. })
    }
}

/// A request that fits the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveRequest {
    /// The asker's own mark on it, given back when it is done.
    pub tag: u64,
    /// First sector of the media.
    pub lba: u64,
    /// Sectors of the media that it touches.
    pub sectors: u32,
    /// What a write leaves alone of the first and the last of them.
    pub partial: Partial,
    /// What to do.
    pub ask: Ask,
}

/// A request that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveDone {
    /// Its tag.
    pub tag: u64,
    /// When.
    pub at: Stamp,
    /// When its data is on the media, as far as the device knows by now; `None` while it waits in a
    /// write-back cache, and where it failed.
    pub on_media: Option<Stamp>,
    /// How it was served; a flush or a discard leaves no row.
    pub row: Option<Row>,
    /// How long it took; `None` for a flush or a discard.
    pub took: Option<Lapse>,
    /// Whether it failed.
    pub failed: bool,
}

impl LiveDone {
    /// A request of which nothing was done.
    fn nothing(tag: u64, at: Stamp) -> Self {
        Self { tag, at, on_media: None, row: None, took: None, failed: true }
    }
}

/// A request in the device's hands.
#[derive(Clone, Copy, Debug)]
struct Taken {
    request: LiveRequest,
    number: u64,
    arrival: Stamp,
    /// The slab's.
    spare: u32,
}

impl Cell for Taken {
    fn spare(&mut self) -> &mut u32 {
        &mut self.spare
    }
}

/// A device, its own queue, and those that wait before it.
#[derive(Debug)]
pub struct LiveDevice {
    model: Model,
    queue: DeviceQueue,
    place_wanted: bool,
    depth: u32,
    inside: u32,
    /// What the device has no room for, in the order it came.
    outside: VecDeque<u32>,
    taken: Slab<Taken>,
    under_way: Option<(u32, LiveDone)>,
    clock: Clock,
    chance: LatencyStream,
    sequence: u64,
    now: Stamp,
    faults: Option<Faults>,
    /// Reported, and on its way to the media: the first sector, the end, and when it is there.
    landing: Vec<(u64, u64, Stamp)>,
}

impl LiveDevice {
    /// An idle device that takes `depth` requests at a time and serves them in the order of
    /// `scheduler`,
    /// requests for the same sectors in the order they came.
    #[must_use]
    pub fn new(model: Model, scheduler: Scheduler, depth: u32, seed: u64) -> Self {
        let options = QueueOptions {
            rules: Rules { overlap: Overlap::InOrder, ..Rules::default() },
            tags: Some(TagRule::default()),
            ..QueueOptions::of(scheduler)
        };
        Self {
            queue: DeviceQueue::new(&options, &model),
            place_wanted: options.needs_place(),
            model,
            depth: depth.max(1),
            inside: 0,
            outside: VecDeque::new(),
            taken: Slab::new(),
            under_way: None,
            clock: Clock::default(),
            chance: LatencyStream::new(seed),
            sequence: 0,
            now: Stamp::ZERO,
            faults: None,
            landing: Vec::new(),
        }
    }

    /// From now on these are its faults, instead of those it had.
    pub fn set_faults(&mut self, faults: Option<Faults>) {
        self.faults = faults;
    }

    /// What has been reported as written and is not on the media at `now`, which is not before any
    /// instant given so far: first sector and end of each run.
    pub fn unwritten(&mut self, now: Stamp) -> Vec<(u64, u64)> {
        self.landing.retain(|&(_, _, at)| at > now);
        let mut runs: Vec<(u64, u64)> =
            self.landing.iter().map(|&(lba, end, _)| (lba, end)).collect();
        let now = self.on_clock(now);
        self.model.unwritten(now, &mut self.chance, &mut runs);
        runs
    }

    /// Whether what it has reported as written outlives a loss of power at `now`, on the media or not.
    #[must_use]
    pub fn outlives_power(&self, now: Stamp) -> bool {
        let dead = || self.faults.as_ref().is_some_and(|faults| faults.battery_is_dead(now));
        match self.model.written_memory() {
            WrittenMemory::Volatile => false,
            WrittenMemory::BatteryBacked => !dead(),
            WrittenMemory::Nvram => true,
        }
    }

    /// The device.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What the quickest request takes, or nearly: of one sector that has just been read or written.
    #[must_use]
    pub fn quickest(&self) -> Span {
        let mut model = self.model.clone();
        let mut chance = self.chance.clone();
        let mut at = Time::ZERO;
        let operations = [Operation::Read, Operation::Read, Operation::Write];
        let times = operations.map(|operation| {
            let partial = Partial::WHOLE;
            let one = Command { lba: 0, sectors: 1, operation, may_report_early: true, partial };
            let service = model.serve(at, Span::ZERO, 0, one, &mut chance);
            let took = service.completion - at;
            at = service.completion + Span::from_us(1_000_000);
            took
        });
        times.into_iter().min().unwrap_or(Span::ZERO)
    }

    /// Requests that came and are not done.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.inside as usize + self.outside.len()
    }

    /// When the request under way is done; `None` if nothing is asked.
    #[must_use]
    pub fn next(&self) -> Option<Stamp> {
        self.under_way.map(|(_, done)| done.at)
    }

    /// Takes a request at `at`, which is not before any instant given so far.
    pub fn submit(&mut self, at: Stamp, request: LiveRequest) {
        debug_assert!(at >= self.now && self.next().is_none_or(|next| next >= at));
        self.now = at;
        let number = self.sequence;
        self.sequence += 1;
        let id = self.taken.insert(Taken { request, number, arrival: at, spare: 0 });
        if self.inside < self.depth {
            self.inside += 1;
            self.enter(id);
        } else {
            self.outside.push_back(id);
        }
    }

    /// Continues to `to`; what is done by then goes to `out`, in order.
    pub fn advance(&mut self, to: Stamp, out: &mut Vec<LiveDone>) {
        while let Some((id, done)) = self.under_way
            && done.at <= to
        {
            self.under_way = None;
            self.now = done.at;
            self.taken.remove(id);
            self.inside -= 1;
            out.push(done);
            let view = OnClock { model: &self.model, clock: self.clock, inside: true };
            if let Some(next) = self.queue.pop(self.now, &view) {
                let waited = self.now.since(next.arrival.stamp()).span().unwrap_or(Span::MAX);
                self.begin(next.id, waited);
            }
            if let Some(id) = self.outside.pop_front() {
                self.inside += 1;
                self.enter(id);
            }
        }
        self.now = self.now.max(to);
    }

    /// A request comes into the device.
    fn enter(&mut self, id: u32) {
        if self.under_way.is_none() {
            return self.begin(id, Span::ZERO);
        }
        let Taken { request, number, .. } = self.taken[id];
        let LiveRequest { lba, sectors, ask, .. } = request;
        let operation = operation_of(ask);
        self.queue.push(Waiting {
            id,
            sequence: number,
            arrival: self.now.into(),
            lba,
            sectors,
            operation,
            criticality: Criticality::Critical,
            order: (ask == Ask::Flush).then_some(Tag::Ordered),
            place: if self.place_wanted { self.model.place(lba) } else { None },
        });
    }

    /// The device starts on a request that has waited in it for so long.
    fn begin(&mut self, id: u32, waited: Span) {
        let taken = self.taken[id];
        let request = taken.request;
        let gone = self.faults.as_ref().and_then(|faults| faults.gone_by(self.now));
        let mut done = match gone {
            Some(_) => LiveDone::nothing(request.tag, self.now),
            None => self.serve(&taken, waited),
        };
        if gone.is_none() && self.faults.is_some() {
            self.suffer(&request, &mut done);
        }
        if let Some(at) = done.on_media
            && at > done.at
        {
            self.landing.retain(|&(_, _, at)| at > self.now);
            self.landing.push((request.lba, request.lba + u64::from(request.sectors), at));
        }
        self.under_way = Some((id, done));
    }

    /// The device serves a request as if it were whole.
    fn serve(&mut self, taken: &Taken, waited: Span) -> LiveDone {
        let &Taken { request, number, arrival, .. } = taken;
        let LiveRequest { tag, lba, sectors, partial, ask } = request;
        let issue = self.on_clock(self.now);
        match ask {
            Ask::Flush => {
                let at = self.model.flush(issue, &mut self.chance);
                self.bare(tag, at)
            }
            Ask::Discard => self.bare(tag, issue + self.model.write_overhead()),
            Ask::Read | Ask::Write { .. } => {
                let forced = ask == Ask::Write { forced: true };
                let operation = operation_of(ask);
                let command =
                    Command { lba, sectors, operation, may_report_early: !forced, partial };
                let end = self.queue.continued_to(command.end());
                let service = self.model.serve(issue, waited, end, command, &mut self.chance);
                let at = self.clock.stamp(service.completion);
                let waits = service.cache == CacheOutcome::Reported && self.model.writes_back();
                let row =
                    Row { request: number, ..row(&command, [arrival, self.now, at], &service) };
                let on_media = (!waits).then(|| at.max(self.clock.stamp(service.media_end)));
                let took = Some(row.service());
                LiveDone { tag, at, on_media, row: Some(row), took, failed: false }
            }
        }
    }

    /// What is wrong with the device befalls a request.
    fn suffer(&mut self, request: &LiveRequest, done: &mut LiveDone) {
        let Some(faults) = &mut self.faults else { return };
        let took = done.at.since(self.now).span().unwrap_or(Span::MAX);
        let fate = faults.fate(self.now, request, took, &self.model);
        let more = fate.wait + fate.rotation.into();
        done.at += more;
        done.on_media = done.on_media.map(|at| at + more);
        done.failed = fate.failed;
        if let Some(gone) = faults.gone_by(done.at) {
            *done = LiveDone::nothing(request.tag, gone.max(self.now));
        } else if let Some(row) = &mut done.row {
            row.completion = done.at;
            done.took = Some(row.service());
            row.parts.rotation += fate.rotation;
            row.parts.wait += fate.wait.span().unwrap_or(Span::MAX);
        }
        if !done.failed && request.ask.writes() {
            let end = request.lba + u64::from(request.sectors);
            faults.written(self.now, request.lba, end);
        }
    }

    /// An instant on the device's own clock.
    fn on_clock(&mut self, now: Stamp) -> Time {
        if self.clock.must_move(now) {
            self.model.rebase(self.clock.move_to(now));
        }
        self.clock.time(now)
    }

    fn bare(&self, tag: u64, at: Time) -> LiveDone {
        let at = self.clock.stamp(at);
        LiveDone { tag, at, on_media: Some(at), row: None, took: None, failed: false }
    }
}

fn operation_of(ask: Ask) -> Operation {
    if ask == Ask::Read { Operation::Read } else { Operation::Write }
}
