//! The way from the driver to a device, which does not change.

use crate::bus::{Bus, BusPlace};
use crate::controller::ControllerOptions;
use crate::system::{DeviceOptions, DriverOptions};
use platterlab_units::Span;

/// Buses and controllers between the driver and a device.
#[derive(Clone, Debug)]
pub(in crate::system) struct Route {
    /// The caching controller it is behind.
    pub(in crate::system) cached: Option<u32>,
    /// Controllers that limit how many commands the driver gives them.
    pub(in crate::system) gates: Vec<u32>,
    /// From the driver or the caching controller until a read, and a write, is at the device.
    pub(in crate::system) delay: [Span; 2],
    /// From the driver to the caching controller.
    pub(in crate::system) front_delay: [Span; 2],
    /// From the device to the host, or to its caching controller.
    pub(super) buses: Buses,
    /// From the caching controller to the host.
    pub(super) front: Option<Box<Buses>>,
    /// Whether other devices use a bus on the way.
    pub(super) shares_bus: bool,
    /// Whether a command has a bus for itself on the way.
    holds_bus: bool,
    /// Whether commands that wait in it come over a bus, on which its controller looks after them.
    pub(super) hands_over: bool,
}

/// Buses that data needs together.
#[derive(Clone, Debug)]
pub(in crate::system) struct Buses {
    pub(super) places: Vec<BusPlace>,
    /// What it takes to get them.
    pub(super) arbitration: Span,
    /// What a sector of a read, and of a write, takes on them, where no device says it.
    pub(super) sector_time: [Span; 2],
}

impl Buses {
    fn new(places: &[BusPlace], sector_time: [Span; 2], buses: &[Bus]) -> Self {
        let time = |place: &BusPlace| buses[place.bus as usize].arbitration_time();
        let arbitration = places.iter().map(time).sum();
        Self { places: places.to_vec(), arbitration, sector_time }
    }
}

impl Route {
    /// The way to a device over `buses`, each with this many `users`.
    pub(in crate::system) fn new(
        device: &DeviceOptions,
        driver: &DriverOptions,
        controllers: &[ControllerOptions],
        buses: &[Bus],
        users: &[u32],
    ) -> Self {
        let way = &device.controllers;
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
        let limited = |controller: &&u32| at(controller).max_outstanding.is_some();
        let held = |place: &&BusPlace| !buses[place.bus as usize].interleaved();
        let mut held = device.buses.iter().filter(held);
        Self {
            cached: caching.map(|index| way[index]),
            gates: before.iter().filter(limited).copied().collect(),
            delay,
            front_delay,
            buses: Buses::new(&device.buses, [Span::ZERO; 2], buses),
            front: cache.map(|one| Box::new(Buses::new(&one.buses, one.sector_time, buses))),
            holds_bus: held.clone().next().is_some(),
            shares_bus: held.any(|place| users[place.bus as usize] > 1),
            hands_over: false,
        }
    }

    /// The device takes in commands while another moves its data: it is in its own way on a bus that one
    /// command holds.
    pub(super) fn take_in_over_bus(&mut self) {
        self.hands_over = self.holds_bus;
        self.shares_bus |= self.hands_over;
    }
}
