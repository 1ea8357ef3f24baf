use super::{BusPlace, DeviceOptions};
use crate::chance::LatencyStream;
use crate::drive::Model;
use crate::scheduler::Queue;
use platterlab_units::Span;

/// A device with all that belongs to it: the driver's queue for it, its own, its way to the host.
#[derive(Clone, Debug)]
pub(super) struct Station {
    pub(super) model: Model,
    /// In the driver.
    pub(super) waiting: Queue,
    /// In the device.
    pub(super) taken: Queue,
    /// Whether queues need to know where requests lie.
    pub(super) place_wanted: bool,
    /// Commands in the device, waiting or under way.
    pub(super) inside: u32,
    pub(super) depth: u32,
    pub(super) busy: bool,
    /// Whether it does not answer any more.
    pub(super) failed: bool,
    pub(super) buses: Vec<BusPlace>,
    /// Whether other devices use a bus on the way.
    pub(super) shares_bus: bool,
    pub(super) arbitration: Span,
    pub(super) chance: LatencyStream,
}

impl Station {
    pub(super) fn new(
        options: DeviceOptions,
        driver: &super::DriverOptions,
        chance: LatencyStream,
    ) -> Self {
        let DeviceOptions { model, queue, depth, buses, .. } = options;
        let (sectors, cylinders) = (model.sectors(), model.cylinders());
        Self {
            waiting: Queue::new(&driver.queue, sectors, cylinders),
            taken: Queue::new(&queue, sectors, cylinders),
            place_wanted: driver.queue.needs_place() || queue.needs_place(),
            model,
            inside: 0,
            depth,
            busy: false,
            failed: false,
            buses,
            shares_bus: false,
            arbitration: Span::ZERO,
            chance,
        }
    }
}
