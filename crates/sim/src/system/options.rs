//! The parameters of a system: driver, buses, controllers, devices, volumes and failures.

use crate::array::{LayoutOptions, VolumeOptions};
use crate::bus::{BusOptions, BusPlace};
use crate::controller::ControllerOptions;
use crate::drive::Model;
use crate::outside::Outside;
use crate::scheduler::{QueueOptions, Scheduler};
use platterlab_units::{Span, Stamp};

/// The host's driver: a queue for each device.
#[derive(Clone, Debug)]
pub struct DriverOptions {
    /// How it chooses.
    pub queue: QueueOptions,
    /// Times to start a read, and a write.
    pub initiation: [Span; 2],
}

/// A device and its way to the host.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// The device that serves the commands.
    pub model: Model,
    /// The spindle that turns it: drives of one number turn in step, each number from an angle
    /// drawn by chance, 0 from where the drive's parameters say.
    pub spindle: u32,
    /// The device's own queue.
    pub queue: QueueOptions,
    /// Commands it takes at a time, the one under way included.
    pub depth: u32,
    /// Whether it begins nothing while its mechanism writes what was reported, and then chooses from all
    /// that has come.
    pub choose_at_rest: bool,
    /// Buses from the device to the host, or to its caching controller, and its place on each.
    pub buses: Vec<BusPlace>,
    /// Controllers from the device to the host, by their places in the system; one of them may have
    /// a cache.
    pub controllers: Vec<u32>,
}

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultOptions {
    /// When.
    pub at: Stamp,
    /// What.
    pub fault: Fault,
}

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A device does not answer any more.
    Device(u32),
    /// A controller loses its memory; what is dirty in it is lost unless a battery keeps it.
    CacheLoss(u32),
}

/// A system to be built.
#[derive(Clone, Debug)]
pub struct SystemOptions {
    /// Targets of requests.
    pub volumes: Vec<VolumeOptions>,
    /// The host's driver.
    pub driver: DriverOptions,
    /// All buses.
    pub buses: Vec<BusOptions>,
    /// All controllers.
    pub controllers: Vec<ControllerOptions>,
    /// All devices.
    pub devices: Vec<DeviceOptions>,
    /// Faults in the course of the run.
    pub faults: Vec<FaultOptions>,
    /// Streams that requests belong to, at least 1; each has figures of its own.
    pub streams: u16,
    /// Requests served before figures are kept.
    pub warm_up: u64,
    /// Simulated time before figures are kept.
    pub warm_up_until: Stamp,
    /// Seed of all random streams.
    pub seed: u64,
    /// The run is broken off when more than this wait for one device.
    pub queue_limit: usize,
    /// Whether a row is kept of each command.
    pub keep_rows: bool,
    /// Deciders in place of the system's own policies, where there are any.
    pub outside: Outside,
}

impl DeviceOptions {
    /// A device on the driver itself, which takes one command at a time.
    #[must_use]
    pub fn of(model: Model) -> Self {
        Self {
            model,
            spindle: 0,
            queue: QueueOptions::of(Scheduler::Fcfs),
            depth: 1,
            choose_at_rest: false,
            buses: Vec::new(),
            controllers: Vec::new(),
        }
    }
}

impl SystemOptions {
    /// Devices behind the driver, each of them a volume, and nothing that ends a run.
    #[must_use]
    pub fn of(devices: Vec<DeviceOptions>, queue: QueueOptions) -> Self {
        let volume = |index: usize| VolumeOptions {
            layout: LayoutOptions::Concat,
            devices: vec![index as u32],
            accept_uneven: false,
            rebuild: None,
        };
        Self {
            volumes: (0..devices.len()).map(volume).collect(),
            driver: DriverOptions { queue, initiation: [Span::ZERO; 2] },
            buses: Vec::new(),
            controllers: Vec::new(),
            devices,
            faults: Vec::new(),
            streams: 1,
            warm_up: 0,
            warm_up_until: Stamp::ZERO,
            seed: 1,
            queue_limit: usize::MAX,
            keep_rows: false,
            outside: Outside::default(),
        }
    }
}
