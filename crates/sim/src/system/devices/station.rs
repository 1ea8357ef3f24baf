//! A device in its place: its queues, and the way there.

use super::route::Route;
use crate::chance::LatencyStream;
use crate::clock::Clock;
use crate::controller::ControllerOptions;
use crate::drive::{DeviceQueue, Model, OnClock};
use crate::outside::Outside;
use crate::scheduler::{DeviceView, Overlap, Queue, Waiting};
use crate::system::{DeviceOptions, DriverOptions};
use platterlab_drive::Service;
use platterlab_drive::layout::Spot;
use platterlab_units::{Lapse, Operation, Span, Stamp};

/// A device with all that belongs to it: the driver's queue for it, its own, its way to the host.
#[derive(Clone, Debug)]
pub(in crate::system) struct Station {
    pub(super) model: Model,
    pub(super) chance: LatencyStream,
    /// In the driver.
    pub(super) waiting: Queue,
    /// In the caching controller, if the device is behind one.
    pub(super) back: Option<Box<Queue>>,
    /// In the device.
    pub(super) taken: DeviceQueue,
    /// Whether queues need to know where requests lie.
    place_wanted: bool,
    /// Commands in the device, waiting or under way.
    pub(super) inside: u32,
    depth: u32,
    /// Whether it chooses only once what was reported is written.
    choose_at_rest: bool,
    pub(super) busy: bool,
    /// Whether it does not answer any more.
    pub(in crate::system) failed: bool,
    pub(super) work: AtWork,
    /// What the last command that is done was.
    pub(super) after: Operation,
    pub(in crate::system) route: Route,
}

/// The command under way, or the last one.
#[derive(Clone, Debug)]
pub(super) struct AtWork {
    /// When the device began with it.
    pub(super) issue: Stamp,
    /// How long it had waited in the device.
    pub(super) own_wait: Lapse,
    /// So much of its overhead is over, having waited.
    pub(super) waited: Span,
    /// How it is served. Its times are on a clock whose origin may have moved: what counts is
    /// `completion` and `bus_from`.
    pub(super) service: Service,
    pub(super) completion: Stamp,
    /// From when on it moves data.
    pub(super) bus_from: Stamp,
    /// Sectors of a read that have gone over the buses.
    pub(super) sent: u32,
    /// When it has more of them to send, where it had to let go of the buses.
    pub(super) again: Option<Stamp>,
}

impl Station {
    /// An idle device at the end of `route`.
    pub(in crate::system) fn new(
        options: DeviceOptions,
        driver: &DriverOptions,
        outside: &Outside,
        controllers: &[ControllerOptions],
        mut route: Route,
        chance: LatencyStream,
        seed: u64,
    ) -> Self {
        let DeviceOptions { mut model, spindle, queue, depth, choose_at_rest, .. } = options;
        model.turn_to(spindle, seed);
        let cache = route.cached.and_then(|index| controllers[index as usize].cache.as_ref());
        // One that is answered with another may be over before its own hand-over is.
        let ride = queue.rules.combine.is_some() || queue.rules.overlap == Overlap::Answered;
        let depth = cache.map_or(depth, |cache| depth.min(cache.depth));
        if depth > 1 && model.holds_overhead() && !ride {
            route.take_in_over_bus();
        }
        let (sectors, cylinders) = (model.sectors(), model.cylinders());
        let mut waiting = Queue::new(&driver.queue, sectors, cylinders);
        let place_shown = outside.scheduler.is_some();
        if let Some(own) = &outside.scheduler {
            waiting.decided_by(own.make());
        }
        Self {
            waiting,
            taken: DeviceQueue::new(&queue, &model),
            place_wanted: place_shown
                || driver.queue.needs_place()
                || queue.needs_place()
                || cache.is_some_and(|cache| cache.queue.needs_place()),
            back: cache.map(|cache| Box::new(Queue::new(&cache.queue, sectors, cylinders))),
            model,
            chance,
            inside: 0,
            depth,
            choose_at_rest,
            busy: false,
            failed: false,
            work: AtWork::IDLE,
            after: Operation::Read,
            route,
        }
    }

    pub(in crate::system) fn sector_bytes(&self) -> u32 {
        self.model.sector_bytes()
    }

    /// The device as schedulers see it.
    pub(super) fn view(&self, clock: Clock) -> OnClock<'_> {
        OnClock { model: &self.model, clock, inside: false }
    }

    /// Where a sector lies, if a queue needs to know.
    pub(super) fn place(&self, lba: u64) -> Option<Spot> {
        if self.place_wanted { self.model.place(lba) } else { None }
    }

    /// Whether the device takes one more command.
    pub(in crate::system) fn has_room(&self) -> bool {
        self.inside < self.depth
    }

    /// Whether the device takes a command at once, which it has then.
    pub(in crate::system) fn takes_at_once(&mut self, waiting: &Waiting) -> bool {
        let direct = self.back.is_none() && self.route.gates.is_empty();
        let takes = direct && self.has_room() && self.waiting.pass(waiting);
        self.inside += u32::from(takes);
        takes
    }

    /// A command waits: one of a job of a controller in the controller, others in the driver.
    pub(in crate::system) fn queue(&mut self, waiting: Waiting, of_job: bool) {
        match &mut self.back {
            Some(back) if of_job => back.push(waiting),
            _ => self.waiting.push(waiting),
        }
    }

    /// Commands that wait before the device.
    pub(in crate::system) fn queued(&self) -> usize {
        self.waiting.len() + self.back.as_deref().map_or(0, Queue::len)
    }

    /// When the device, with nothing in hand at `now`, chooses what is next.
    pub(super) fn chooses_at(&self, now: Stamp, clock: Clock) -> Stamp {
        if !self.choose_at_rest {
            return now;
        }
        now + self.view(clock).depart_at_once(now).leaves_after()
    }

    /// Whether a command that comes at `now` is begun then: the device has nothing in hand, and no choice
    /// of its own is put off.
    pub(super) fn begins_at_once(&self, now: Stamp, clock: Clock) -> bool {
        !self.busy && self.chooses_at(now, clock) <= now
    }
}

impl AtWork {
    /// What stands for a command before there is one.
    pub(super) const IDLE: Self = Self {
        issue: Stamp::ZERO,
        own_wait: Lapse::ZERO,
        waited: Span::ZERO,
        service: Service::NONE,
        completion: Stamp::ZERO,
        bus_from: Stamp::ZERO,
        sent: 0,
        again: None,
    };
}
