//! The topology: what is connected to what, checked, and the path of each drive to the host.

use super::names::{Names, dealt};
use super::{ms, root};
use crate::options::{ExperimentOptions, Sharing};
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_sim::bus::BusOptions;
use platterlab_sim::system::BusPlace;

/// What is attached to what.
pub(crate) struct Topology {
    pub(crate) drives: Names,
    pub(crate) buses: Names,
    pub(crate) controllers: Names,
    drive_bus: Vec<Option<u32>>,
    /// The place of each drive on its bus.
    drive_slot: Vec<u32>,
    /// The controller above each bus, and the table that states the bus.
    bus_controller: Vec<(Option<u32>, usize)>,
    /// The bus above each controller, and the table that states the controller.
    controller_bus: Vec<(Option<u32>, usize)>,
    /// The place of each controller on its bus, after the drives there.
    controller_slot: Vec<u32>,
}

/// The way from a drive or controller to the host.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// Buses with the place of the one below on each.
    pub(crate) buses: Vec<BusPlace>,
    /// Controllers, each with the number of buses below it.
    pub(crate) controllers: Vec<(u32, usize)>,
}

impl Topology {
    /// Checks that everything is attached to the host, by way of others or not, and nothing is empty.
    pub(crate) fn of(options: &ExperimentOptions) -> Result<Self, Fault> {
        let mut drives = Names::new("drive");
        let (mut buses, mut controllers) = (Names::new("bus"), Names::new("controller"));
        let table = |what: &str, index: usize| root().key(what).index(index);
        let named = |at: KeyPath| move |what: String| Fault::new(at.key("name"), what);
        for (index, bus) in options.bus.iter().enumerate() {
            buses.add(&bus.name, bus.count).map_err(named(table("bus", index)))?;
        }
        for (index, controller) in options.controller.iter().enumerate() {
            let (name, count) = (&controller.name, controller.count);
            controllers.add(name, count).map_err(named(table("controller", index)))?;
        }
        let mut drive_bus = Vec::new();
        for (index, drive) in options.drive.iter().enumerate() {
            let at = table("drive", index);
            drives.add(&drive.name, drive.count).map_err(named(at.clone()))?;
            let count = drive.count.unwrap_or(1);
            drive_bus.extend(above(drive.bus.as_deref(), count, &buses, "buses", at.key("bus"))?);
        }
        let mut bus_controller = Vec::new();
        for (index, bus) in options.bus.iter().enumerate() {
            let at = table("bus", index).key("controller");
            let (name, count) = (bus.controller.as_deref(), bus.count.unwrap_or(1));
            let above = above(name, count, &controllers, "controllers", at)?;
            bus_controller.extend(above.into_iter().map(|parent| (parent, index)));
        }
        let mut controller_bus = Vec::new();
        for (index, controller) in options.controller.iter().enumerate() {
            let at = table("controller", index).key("bus");
            let (name, count) = (controller.bus.as_deref(), controller.count.unwrap_or(1));
            let above = above(name, count, &buses, "buses", at)?;
            controller_bus.extend(above.into_iter().map(|parent| (parent, index)));
        }
        let mut attached = vec![0; bus_controller.len()];
        let drive_slot = slots(drive_bus.iter().copied(), &mut attached);
        let controller_slot = slots(controller_bus.iter().map(|(bus, _)| *bus), &mut attached);
        let all = Self {
            drives,
            buses,
            controllers,
            drive_bus,
            drive_slot,
            bus_controller,
            controller_bus,
            controller_slot,
        };
        all.check(&attached)?;
        Ok(all)
    }

    /// Checks the ways up, and that on each bus something is `attached`.
    fn check(&self, attached: &[u32]) -> Result<(), Fault> {
        for (bus, (_, table)) in self.bus_controller.iter().enumerate() {
            let at = root().key("bus").index(*table);
            let name = &self.buses.all()[bus];
            if self.loops(Some(bus as u32)) {
                let what = format!(
                    "bus `{name}` is attached to itself: its way up never reaches the host"
                );
                return Err(Fault::new(at.key("controller"), what));
            }
            if attached[bus] == 0 {
                let what = format!(
                    "no device is attached to bus `{name}`; put a drive on it or leave it out"
                );
                return Err(Fault::new(at, what));
            }
        }
        for (controller, (_, table)) in self.controller_bus.iter().enumerate() {
            let below = Some(controller as u32);
            if self.bus_controller.iter().all(|(above, _)| *above != below) {
                let name = &self.controllers.all()[controller];
                let what =
                    format!("no bus is attached to controller `{name}`; add one or leave it out");
                return Err(Fault::new(root().key("controller").index(*table), what));
            }
        }
        Ok(())
    }

    /// Whether the way up from a bus comes back to it.
    fn loops(&self, bus: Option<u32>) -> bool {
        let mut here = bus;
        for _ in 0..=self.bus_controller.len() {
            let Some(index) = here else { return false };
            let (controller, _) = self.bus_controller[index as usize];
            here = controller.and_then(|above| self.controller_bus[above as usize].0);
        }
        true
    }

    /// The way of a drive.
    pub(crate) fn drive_path(&self, drive: usize) -> Path {
        self.path(self.drive_bus[drive], self.drive_slot[drive])
    }

    /// The way of a controller.
    pub(crate) fn controller_path(&self, controller: usize) -> Path {
        self.path(self.controller_bus[controller].0, self.controller_slot[controller])
    }

    fn path(&self, bus: Option<u32>, slot: u32) -> Path {
        let mut path = Path::default();
        let mut here = bus.map(|bus| BusPlace { bus, slot });
        while let Some(place) = here {
            path.buses.push(place);
            let (controller, _) = self.bus_controller[place.bus as usize];
            here = controller.and_then(|controller| {
                path.controllers.push((controller, path.buses.len()));
                let bus = self.controller_bus[controller as usize].0?;
                Some(BusPlace { bus, slot: self.controller_slot[controller as usize] })
            });
        }
        path
    }

    /// The table that states each controller.
    pub(crate) fn controller_tables(&self) -> impl Iterator<Item = usize> + '_ {
        self.controller_bus.iter().map(|(_, table)| *table)
    }

    /// The table that states a bus.
    pub(crate) fn bus_table(&self, bus: u32) -> usize {
        self.bus_controller[bus as usize].1
    }

    /// Every bus as the simulator wants it.
    pub(crate) fn bus_options(&self, options: &ExperimentOptions) -> Vec<BusOptions> {
        let bus = |(_, table): &(Option<u32>, usize)| {
            let bus = &options.bus[*table];
            BusOptions {
                arbitration: bus.arbitration,
                arbitration_time: ms(bus.arbitration_ms),
                interleaved: bus.sharing == Sharing::Interleaved,
            }
        };
        self.bus_controller.iter().map(bus).collect()
    }
}

/// The place of each child on its bus, counted on from what is `attached` there.
fn slots(buses: impl Iterator<Item = Option<u32>>, attached: &mut [u32]) -> Vec<u32> {
    let mut place = |bus: Option<u32>| {
        let Some(bus) = bus else { return 0 };
        let next = &mut attached[bus as usize];
        *next += 1;
        *next - 1
    };
    buses.map(&mut place).collect()
}

/// The parents of `count` things of one table.
fn above(
    name: Option<&str>,
    count: u32,
    parents: &Names,
    what: &str,
    at: KeyPath,
) -> Result<Vec<Option<u32>>, Fault> {
    let Some(name) = name else { return Ok(vec![None; count as usize]) };
    let found = parents.find(name).and_then(|parents| dealt(count, &parents, what));
    match found {
        Ok(dealt) => Ok(dealt.into_iter().map(Some).collect()),
        Err(message) => Err(Fault::new(at, message)),
    }
}
