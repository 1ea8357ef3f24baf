use crate::array::Volume;
use crate::bus::BusOptions;
use crate::drive::Model;
use crate::scheduler::QueueOptions;
use platterlab_units::Span;

/// The host's driver: a queue for each device.
#[derive(Clone, Debug)]
pub struct DriverOptions {
    /// How it chooses.
    pub queue: QueueOptions,
    /// What it takes to start a read, and a write.
    pub initiation: [Span; 2],
}

/// A device and its way to the host.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// What serves the commands.
    pub model: Model,
    /// The device's own queue.
    pub queue: QueueOptions,
    /// Commands it takes at a time, the one under way included.
    pub depth: u32,
    /// Buses from the device to the host, and its place on each.
    pub buses: Vec<BusPlace>,
}

/// A place on a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusPlace {
    /// The bus, by its place in the system.
    pub bus: u32,
    /// The place on it; lower goes first where places count.
    pub slot: u32,
}

/// A system to be built.
#[derive(Clone, Debug)]
pub struct SystemOptions {
    /// What requests are for.
    pub volumes: Vec<Volume>,
    /// The host's driver.
    pub driver: DriverOptions,
    /// All buses.
    pub buses: Vec<BusOptions>,
    /// All devices.
    pub devices: Vec<DeviceOptions>,
    /// Requests served before figures are kept.
    pub warm_up: u64,
    /// Seed of all random streams.
    pub seed: u64,
    /// The run is broken off when more than this wait for one device.
    pub queue_limit: usize,
    /// Whether a row is kept of each command.
    pub keep_rows: bool,
}
