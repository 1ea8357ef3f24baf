//! The checks of a system: whether its parts fit each other.

use super::{DeviceOptions, Fault, SystemError, SystemOptions};
use crate::controller::{self, Store};

/// Whether the parts of a system fit each other.
pub(super) fn check(options: &SystemOptions) -> Result<(), SystemError> {
    for (index, device) in options.devices.iter().enumerate() {
        let by = || format!("device {index}");
        if device.depth == 0 {
            return Err(SystemError::NoDepth { device: index });
        }
        let buses: Vec<u32> = device.buses.iter().map(|place| place.bus).collect();
        way(by, "bus", &buses, options.buses.len())?;
        way(by, "controller", &device.controllers, options.controllers.len())?;
        controllers(options, index)?;
    }
    for (index, one) in options.controllers.iter().enumerate() {
        controller::check(one)
            .map_err(|error| SystemError::Controller { controller: index, error })?;
        let Some(cache) = &one.cache else { continue };
        let buses: Vec<u32> = cache.buses.iter().map(|place| place.bus).collect();
        way(|| format!("controller {index}"), "bus", &buses, options.buses.len())?;
        if let Store::Device(device) = cache.store {
            let by = || format!("the cache of controller {index}");
            way(by, "device", &[device], options.devices.len())?;
            store(options, index, device, cache.size_sectors)?;
        }
    }
    spares(options)?;
    faults(options)
}

/// The controllers on the way of a device.
fn controllers(options: &SystemOptions, device: usize) -> Result<(), SystemError> {
    let way = &options.devices[device].controllers;
    let at = |controller: &u32| &options.controllers[*controller as usize];
    let mut caching = way.iter().filter(|one| at(one).cache.is_some());
    if let (Some(_), Some(&second)) = (caching.next(), caching.next()) {
        return Err(SystemError::TwoCaches { device, controller: second });
    }
    let behind = way.iter().take_while(|one| at(one).cache.is_none());
    let limited = behind.clone().find(|one| at(one).max_outstanding.is_some());
    if let Some(&controller) = limited
        && behind.count() < way.len()
    {
        return Err(SystemError::LimitBehindCache { device, controller });
    }
    Ok(())
}

/// A device that keeps the data of a cache serves that cache alone, and holds it.
fn store(
    options: &SystemOptions,
    controller: usize,
    device: u32,
    needed: u64,
) -> Result<(), SystemError> {
    let one: &DeviceOptions = &options.devices[device as usize];
    let why = if !one.controllers.contains(&(controller as u32)) {
        "is not behind the controller whose cache it is"
    } else if one.model.sectors() < needed {
        "is smaller than the cache"
    } else if options.volumes.iter().any(|volume| volume.devices.contains(&device)) {
        "belongs to a volume"
    } else {
        return Ok(());
    };
    Err(SystemError::CacheDevice { controller, device, why })
}

fn spares(options: &SystemOptions) -> Result<(), SystemError> {
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
    Ok(())
}

fn faults(options: &SystemOptions) -> Result<(), SystemError> {
    for fault in &options.faults {
        let by = || "a fault".to_owned();
        match fault.fault {
            Fault::Device(device) => way(by, "device", &[device], options.devices.len())?,
            Fault::CacheLoss(controller) => {
                way(by, "controller", &[controller], options.controllers.len())?;
                if options.controllers[controller as usize].cache.is_none() {
                    return Err(SystemError::NoCache { controller });
                }
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
