use super::station::Station;
use super::{BusPlace, DeviceOptions, Fault, System, SystemError, SystemOptions};
use crate::array::{Capacity, Volume};
use crate::bus::Bus;
use crate::chance::LatencyStream;
use crate::engine::{Calendar, Slab};
use crate::observe::Observer;
use crate::source::Source;
use platterlab_units::Time;

impl<S: Source> System<S> {
    /// Puts a system together.
    ///
    /// # Errors
    /// What of `options` cannot be, and what would be right.
    pub fn new(options: SystemOptions, source: S) -> Result<Self, SystemError> {
        check(&options)?;
        let volumes = volumes(&options)?;
        let SystemOptions { driver, buses, devices, seed, mut faults, .. } = options;
        let sector_bytes = devices.first().map_or(512, |device| device.model.sector_bytes());
        let observer =
            Observer::new(devices.len(), sector_bytes, options.warm_up, options.keep_rows);
        let buses: Vec<Bus> = buses.into_iter().map(Bus::new).collect();
        let mut users = vec![0_u32; buses.len()];
        for place in devices.iter().flat_map(|device| &device.buses) {
            users[place.bus as usize] += 1;
        }
        let station = |(index, device): (usize, DeviceOptions)| {
            let stream = u64::from_le_bytes(*b"rotation").wrapping_add(index as u64);
            let mut station = Station::new(device, &driver, LatencyStream::named(seed, stream));
            let held = |place: &&BusPlace| !buses[place.bus as usize].interleaved();
            station.shares_bus =
                station.buses.iter().filter(held).any(|place| users[place.bus as usize] > 1);
            let times =
                station.buses.iter().map(|place| buses[place.bus as usize].arbitration_time());
            station.arbitration = times.sum();
            station
        };
        let stations = devices.into_iter().enumerate().map(station).collect();
        faults.sort_by_key(|fault| std::cmp::Reverse(fault.at));
        Ok(Self {
            now: Time::ZERO,
            calendar: Calendar::new(),
            source,
            active: Slab::new(),
            ios: Slab::new(),
            volumes,
            stations,
            buses,
            initiation: driver.initiation,
            queue_limit: options.queue_limit,
            full: None,
            sequence: 0,
            acts: 0,
            observer,
            inbox: Vec::new(),
            news: Vec::new(),
            pieces: Vec::new(),
            faults,
        })
    }
}

fn volumes(options: &SystemOptions) -> Result<Vec<Volume>, SystemError> {
    let capacity = |device: &DeviceOptions| Capacity {
        sectors: device.model.sectors(),
        sector_bytes: device.model.sector_bytes(),
    };
    let capacities: Vec<_> = options.devices.iter().map(capacity).collect();
    let volume = |(index, volume)| {
        Volume::new(volume, &capacities, options.seed, index)
            .map_err(|error| SystemError::Volume { volume: index, error })
    };
    options.volumes.iter().enumerate().map(volume).collect()
}

fn check(options: &SystemOptions) -> Result<(), SystemError> {
    for (index, device) in options.devices.iter().enumerate() {
        let by = || format!("device {index}");
        if device.depth == 0 {
            return Err(SystemError::NoDepth { device: index });
        }
        let buses: Vec<u32> = device.buses.iter().map(|place| place.bus).collect();
        way(by, "bus", &buses, options.buses.len())?;
        way(by, "controller", &device.controllers, options.controllers.len())?;
    }
    for (index, volume) in options.volumes.iter().enumerate() {
        let spares = volume.rebuild.iter().flat_map(|rebuild| &rebuild.spares);
        for &device in spares {
            let others = options.volumes.iter().enumerate().filter(|(other, _)| *other != index);
            let taken = others.map(|(_, other)| other).any(|other| {
                other.devices.contains(&device)
                    || other.rebuild.as_ref().is_some_and(|one| one.spares.contains(&device))
            });
            if taken {
                return Err(SystemError::SpareTaken { device, volume: index });
            }
        }
    }
    for fault in &options.faults {
        let by = || "a fault".to_owned();
        match fault.fault {
            Fault::Device(device) => way(by, "device", &[device], options.devices.len())?,
            Fault::CacheLoss(controller) => {
                way(by, "controller", &[controller], options.controllers.len())?;
            }
        }
    }
    Ok(())
}

/// Everything on a way exists, and is there once.
fn way(
    by: impl Fn() -> String,
    what: &'static str,
    parts: &[u32],
    count: usize,
) -> Result<(), SystemError> {
    for (index, &number) in parts.iter().enumerate() {
        if number as usize >= count {
            return Err(SystemError::Unknown { by: by(), what, number, count });
        }
        if parts[..index].contains(&number) {
            return Err(SystemError::Loop { by: by(), what, number });
        }
    }
    Ok(())
}
