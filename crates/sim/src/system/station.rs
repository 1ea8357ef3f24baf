//! A device in its place: its queues, its buses and its controllers.

use super::{BusPlace, DeviceOptions};
use crate::chance::LatencyStream;
use crate::clock::Clock;
use crate::controller::ControllerOptions;
use crate::drive::{Model, OnClock};
use crate::outside::Outside;
use crate::scheduler::{DeviceView, Overlap, Queue};
use platterlab_drive::{CacheOutcome, Service};
use platterlab_units::{Lapse, Operation, Span, Stamp, Time};
use std::collections::BTreeMap;

/// A device with all that belongs to it: the driver's queue for it, its own, its way to the host.
#[derive(Clone, Debug)]
pub(super) struct Station {
    pub(super) model: Model,
    /// In the driver.
    pub(super) waiting: Queue,
    /// In the caching controller, if the device is behind one.
    pub(super) back: Option<Box<Queue>>,
    /// In the device.
    pub(super) taken: Queue,
    /// The reads in it, by their first sectors: where each ends.
    pub(super) reads_taken: BTreeMap<u64, u64>,
    /// The caching controller it is behind.
    pub(super) cached: Option<u32>,
    /// Controllers that limit how many commands the driver gives them.
    pub(super) gates: Vec<u32>,
    /// From the driver or the caching controller until a read, and a write, is at the device.
    pub(super) delay: [Span; 2],
    /// From the driver to the caching controller.
    pub(super) front_delay: [Span; 2],
    /// Whether queues need to know where requests lie.
    pub(super) place_wanted: bool,
    /// Commands in the device, waiting or under way.
    pub(super) inside: u32,
    pub(super) depth: u32,
    /// Whether it chooses only once what was reported is written.
    choose_at_rest: bool,
    pub(super) busy: bool,
    /// When the device began with the command under way.
    pub(super) issue: Stamp,
    /// How long that had waited in it.
    pub(super) own_wait: Lapse,
    /// So much of its overhead is over, having waited.
    pub(super) waited: Span,
    /// How the command under way is served, or the last one was. Its times are on a clock whose
    /// origin may have moved: what counts is `completion` and `bus_from`.
    pub(super) service: Service,
    /// When that is done.
    pub(super) completion: Stamp,
    /// From when on that moves data.
    pub(super) bus_from: Stamp,
    /// Sectors of the read under way that have gone over the buses.
    pub(super) sent: u32,
    /// When it has more of them to send, where it had to let go of the buses.
    pub(super) again: Option<Stamp>,
    /// What the last command that is done was.
    pub(super) after: Operation,
    /// Whether it does not answer any more.
    pub(super) failed: bool,
    pub(super) buses: Vec<BusPlace>,
    /// Whether other devices use a bus on the way.
    pub(super) shares_bus: bool,
    /// Whether commands that wait in it come over a bus, on which its controller looks after them.
    pub(super) hands_over: bool,
    pub(super) arbitration: Span,
    pub(super) chance: LatencyStream,
}

impl Station {
    pub(super) fn new(
        options: DeviceOptions,
        driver: &super::DriverOptions,
        outside: &Outside,
        controllers: &[ControllerOptions],
        chance: LatencyStream,
    ) -> Self {
        let DeviceOptions { model, queue, depth, choose_at_rest, buses, controllers: way, .. } =
            options;
        let at = |controller: &u32| &controllers[*controller as usize];
        let caching = way.iter().position(|one| at(one).cache.is_some());
        let cache = caching.and_then(|index| at(&way[index]).cache.as_ref());
        let (behind, before) = way.split_at(caching.unwrap_or(0));
        let overheads = |way: &[u32], first: [Span; 2]| {
            way.iter()
                .map(at)
                .fold(first, |[read, write], one| [read + one.overhead[0], write + one.overhead[1]])
        };
        let front_delay = overheads(before, driver.initiation);
        let delay = if cache.is_some() { overheads(behind, [Span::ZERO; 2]) } else { front_delay };
        // One that is answered with another may be over before its own hand-over is.
        let ride = queue.rules.combine.is_some() || queue.rules.overlap == Overlap::Answered;
        let depth = cache.map_or(depth, |cache| depth.min(cache.depth));
        let hands_over = depth > 1 && model.holds_overhead() && !ride;
        let limited = |controller: &&u32| at(controller).max_outstanding.is_some();
        let (sectors, cylinders) = (model.sectors(), model.cylinders());
        let mut waiting = Queue::new(&driver.queue, sectors, cylinders);
        let place_shown = outside.scheduler.is_some();
        if let Some(own) = &outside.scheduler {
            waiting.decided_by(own.make());
        }
        Self {
            waiting,
            taken: Queue::new(&queue, sectors, cylinders),
            reads_taken: BTreeMap::new(),
            place_wanted: place_shown
                || driver.queue.needs_place()
                || queue.needs_place()
                || cache.is_some_and(|cache| cache.queue.needs_place()),
            back: cache.map(|cache| Box::new(Queue::new(&cache.queue, sectors, cylinders))),
            cached: caching.map(|index| way[index]),
            gates: before.iter().filter(limited).copied().collect(),
            delay,
            front_delay,
            model,
            inside: 0,
            depth,
            choose_at_rest,
            busy: false,
            issue: Stamp::ZERO,
            own_wait: Lapse::ZERO,
            waited: Span::ZERO,
            service: IDLE,
            completion: Stamp::ZERO,
            bus_from: Stamp::ZERO,
            sent: 0,
            again: None,
            after: Operation::Read,
            failed: false,
            buses,
            shares_bus: false,
            hands_over,
            arbitration: Span::ZERO,
            chance,
        }
    }
}

impl Station {
    /// Where the reads end that wait in the device and continue each other from `end` on.
    pub(super) fn continued_to(&self, mut end: u64) -> u64 {
        while let Some(&next) = self.reads_taken.get(&end) {
            end = next;
        }
        end
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

    /// The device as schedulers see it.
    pub(super) fn view(&self, clock: Clock) -> OnClock<'_> {
        OnClock { model: &self.model, clock, inside: false }
    }
}

/// What stands for the service of a command before there is one.
const IDLE: Service = Service {
    completion: Time::ZERO,
    overhead: Span::ZERO,
    wait: Span::ZERO,
    seek: Span::ZERO,
    rotation: Span::ZERO,
    transfer: Span::ZERO,
    bus: Span::ZERO,
    bus_from: Time::ZERO,
    bus_span: Span::ZERO,
    bus_held: Span::ZERO,
    bus_rest: Span::ZERO,
    media_end: Time::ZERO,
    cache: CacheOutcome::Miss,
    cylinder: 0,
    seek_distance: 0,
};
