//! Controllers and their caches: from the file's keys to the simulator's options.

use super::topology::Topology;
use super::{drives, ms, policy, root, sectors, sectors_32};
use crate::options::{CacheStore, ExperimentOptions, SystemCache};
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_sim::controller::{CacheOptions, ControllerOptions, Store};
use platterlab_sim::scheduler::QueueOptions;
use platterlab_sim::system::DeviceOptions;

/// Every controller with its cache.
pub(crate) fn controllers(
    options: &ExperimentOptions,
    topology: &Topology,
    devices: &[DeviceOptions],
) -> Result<Vec<ControllerOptions>, Fault> {
    let bytes = devices.first().map_or(512, |device| device.model.sector_bytes());
    let mut all = Vec::new();
    for table in topology.controller_tables() {
        let stated = &options.controller[table];
        let at = root().key("controller").index(table);
        let index = all.len();
        let cache = match &stated.cache {
            None => None,
            Some(cache) => {
                let path = topology.controller_path(index);
                if path.controllers.iter().any(|(above, _)| {
                    let table = topology.controller_tables().nth(*above as usize);
                    table.is_some_and(|table| options.controller[table].cache.is_some())
                }) {
                    let what =
                        "has a cache below another controller's; one cache on a way is enough";
                    return Err(Fault::new(at.key("cache"), what));
                }
                let mut built = cache_options(cache, bytes, topology, &at.key("cache"))?;
                built.sector_time = drives::slowest(options, topology, &path);
                built.buses = path.buses;
                Some(built)
            }
        };
        all.push(ControllerOptions {
            overhead: [ms(stated.read_ms), ms(stated.write_ms)],
            max_outstanding: stated.depth,
            forgetful: stated.forgetful,
            cache,
        });
    }
    Ok(all)
}

fn cache_options(
    cache: &SystemCache,
    bytes: u32,
    topology: &Topology,
    at: &KeyPath,
) -> Result<CacheOptions, Fault> {
    let size_sectors = sectors(cache.size, bytes, at.key("size"))?;
    let line_sectors = sectors_32(cache.line, bytes, at.key("line"))?;
    let granule_sectors = sectors_32(cache.granule, bytes, at.key("granule"))?;
    let queue = QueueOptions {
        critical: cache.critical,
        timeout: cache.timeout,
        rules: cache.rules,
        ..QueueOptions::of(cache.scheduler)
    };
    let queue = policy::queue(queue, bytes, at)?;
    Ok(CacheOptions {
        buses: Vec::new(),
        sector_time: Default::default(),
        queue,
        depth: cache.drive_depth,
        store: match &cache.store {
            CacheStore::Memory => Store::Memory,
            CacheStore::Drive { drive } => {
                let found = topology.drives.one(drive);
                let at = at.key("store").key("drive");
                Store::Device(found.map_err(|what| Fault::new(at, what))?)
            }
        },
        size_sectors,
        line_sectors,
        granule_sectors,
        max_request_sectors: sectors_32(cache.max_request, bytes, at.key("max_request"))?,
        replacement: cache.replacement.clone(),
        allocation: cache.allocation,
        write: cache.write,
        flush: cache.flush,
        read_prefetch: cache.read_prefetch,
        write_prefetch: cache.write_prefetch,
        line_by_line: cache.line_by_line,
        max_gather_lines: cache.max_gather_lines,
    })
}
