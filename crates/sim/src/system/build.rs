//! Builds a system from its options.

use super::commands::Commands;
use super::controller::Controller;
use super::devices::{Devices, Route, Station};
use super::requests::Requests;
use super::{DeviceOptions, System, SystemError, SystemOptions, check};
use crate::array::{Capacity, Volume, VolumeOptions};
use crate::bus::Bus;
use crate::chance::LatencyStream;
use crate::controller::ControllerOptions;
use crate::observe::{Observed, Observer};
use crate::source::Source;

impl<S: Source> System<S> {
    /// Puts a system together.
    ///
    /// # Errors
    /// What of `options` cannot be, and what would be right.
    pub fn new(options: SystemOptions, source: S) -> Result<Self, SystemError> {
        check::check(&options)?;
        let volumes = volumes(&options)?;
        let SystemOptions {
            driver, buses, controllers, devices, seed, mut faults, outside, ..
        } = options;
        let sector_bytes = devices.first().map_or(512, |device| device.model.sector_bytes());
        let rebuilt = options.volumes.iter().any(|volume| volume.rebuild.is_some());
        let cached = controllers.iter().any(|one| one.cache.is_some());
        let observed = Observed {
            sector_bytes,
            warm_up: options.warm_up,
            warm_up_until: options.warm_up_until,
            streams: options.streams,
            all_of_streams: !rebuilt && !cached,
            rows: options.keep_rows,
        };
        let several = options.volumes.len() > 1;
        let kept = |volume: &VolumeOptions| several && volume.devices.len() > 1;
        let kept: Vec<bool> = options.volumes.iter().map(kept).collect();
        let observer = Observer::new(devices.len(), &kept, observed);
        let buses: Vec<Bus> = buses.into_iter().map(Bus::new).collect();
        let users = users(&buses, &controllers, &devices);
        let station = |(index, device): (usize, DeviceOptions)| {
            let stream = u64::from_le_bytes(*b"rotation").wrapping_add(index as u64);
            let route = Route::new(&device, &driver, &controllers, &buses, &users);
            let chance = LatencyStream::named(seed, stream);
            Station::new(device, &driver, &outside, &controllers, route, chance, seed)
        };
        let built = controllers.iter().cloned().enumerate();
        let built = built
            .map(|(index, one)| Controller::new(index, one, &devices, seed, &outside))
            .collect();
        let stations = devices.into_iter().enumerate().map(station).collect();
        faults.sort_by_key(|fault| std::cmp::Reverse(fault.at));
        let (requests, devices) = (Requests::new(volumes), Devices::new(stations, buses));
        Ok(Self {
            source,
            commands: Commands::new(requests, devices, built, observer, options.queue_limit),
            inbox: Vec::new(),
            acts: 0,
            faults,
        })
    }
}

/// How many places there are on each bus.
fn users(buses: &[Bus], controllers: &[ControllerOptions], devices: &[DeviceOptions]) -> Vec<u32> {
    let mut users = vec![0_u32; buses.len()];
    let caches = controllers.iter().filter_map(|one| one.cache.as_ref());
    let fronts = caches.flat_map(|cache| &cache.buses);
    for place in devices.iter().flat_map(|device| &device.buses).chain(fronts) {
        users[place.bus as usize] += 1;
    }
    users
}

fn volumes(options: &SystemOptions) -> Result<Vec<Volume>, SystemError> {
    let capacity = |device: &DeviceOptions| Capacity {
        sectors: device.model.sectors(),
        sector_bytes: device.model.sector_bytes(),
    };
    let capacities: Vec<_> = options.devices.iter().map(capacity).collect();
    let volume = |(index, volume)| {
        let mut built = Volume::new(volume, &capacities, options.seed, index)
            .map_err(|error| SystemError::Volume { volume: index, error })?;
        if let Some(own) = &options.outside.read_choice {
            built.read_by(|| own.make());
        }
        Ok(built)
    };
    options.volumes.iter().enumerate().map(volume).collect()
}
