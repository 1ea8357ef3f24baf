//! From what a file states to a system that can be built, and its sources.

mod cache;
mod drives;
mod flows;
mod names;
mod policy;
mod sources;
mod topology;
mod volumes;

pub use policy::scheduler_named;

use crate::options::ExperimentOptions;
use crate::plan::Plan;
use platterlab_profile::Profile;
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_sim::outside::Outside;
use platterlab_sim::scheduler::QueueOptions;
use platterlab_sim::source::Closed;
use platterlab_sim::system::DriverOptions;
use platterlab_sim::{System, SystemError, SystemOptions};
use platterlab_units::{SECTOR_BYTES_DEFAULT, Span};
use platterlab_workload::Record;
use std::convert::Infallible;
use std::path::Path;

/// Finds a drive's profile by what stands in the file.
pub type Profiles<'a> = dyn FnMut(&str) -> Result<Profile, String> + 'a;

/// Checks an experiment and makes its plan. Traces lie in `folder`.
pub(crate) fn resolve(
    options: &ExperimentOptions,
    profiles: &mut Profiles<'_>,
    folder: &Path,
) -> Result<Plan, Fault> {
    let topology = topology::Topology::of(options)?;
    let devices = drives::devices(options, &topology, profiles)?;
    let controllers = cache::controllers(options, &topology, &devices)?;
    let volumes = volumes::volumes(options, &topology.drives, &devices)?;
    let sources = sources::sources(options, &volumes, folder)?;
    let faults = volumes::faults(options, &topology)?;
    let host = &options.host;
    let bytes = devices.first().map_or(SECTOR_BYTES_DEFAULT, |device| device.model.sector_bytes());
    if host.critical.is_none() && (host.promote || host.anticipate_ms > 0.0) {
        let key = if host.promote { "promote" } else { "anticipate_ms" };
        let what = "needs `critical`: without it no request goes before others";
        return Err(Fault::new(root().key("host").key(key), what));
    }
    let queue = QueueOptions {
        critical: host.critical,
        promote: host.promote,
        anticipate: ms(host.anticipate_ms),
        timeout: host.timeout,
        rules: host.rules,
        ..QueueOptions::of(host.scheduler)
    };
    let queue = policy::queue(queue, bytes, &root().key("host"))?;
    let system = SystemOptions {
        volumes: volumes.options,
        driver: DriverOptions { queue, initiation: [ms(host.read_ms), ms(host.write_ms)] },
        buses: topology.bus_options(options),
        controllers,
        devices,
        faults,
        streams: sources.len() as u16,
        warm_up: options.stop.warm_up_requests,
        warm_up_until: options.stop.warm_up_until(),
        seed: u64::from(options.seed),
        queue_limit: options.stop.queue_limit as usize,
        keep_rows: false,
        outside: Outside::default(),
    };
    buildable(&system, &topology)?;
    Ok(Plan {
        system,
        within: None,
        sources,
        processors: host.processors.map(|count| (count, host.woken)),
        stop: options.stop.clone(),
        replications: options.replications,
        seed: options.seed,
        drives: topology.drives.all().to_vec(),
        buses: topology.buses.all().to_vec(),
        volumes: volumes.names.all().to_vec(),
        streams: sources::names(options)?,
        volume_sectors: volumes.sectors,
        name: options.name.clone(),
        profile_files: Vec::new(),
    })
}

/// Whether the simulator takes the system.
fn buildable(system: &SystemOptions, topology: &topology::Topology) -> Result<(), Fault> {
    /// A larger cache takes memory, and is as right with this many lines.
    const LINES: std::ops::RangeInclusive<u64> = 4096..=1 << 30;
    let nothing = Closed::new(std::iter::empty::<Result<Record, Infallible>>(), 0);
    let mut system = system.clone();
    for cache in system.controllers.iter_mut().filter_map(|one| one.cache.as_mut()) {
        let line = u64::from(cache.line_sectors.max(1));
        let touched = u64::from(cache.max_request_sectors).div_ceil(line) + 1;
        let (lines, enough) = (cache.size_sectors / line, touched.max(*LINES.start()));
        if LINES.contains(&lines) {
            cache.size_sectors = lines.min(enough) * line;
        }
    }
    match System::new(system, nothing) {
        Ok(_) => Ok(()),
        Err(SystemError::Volume { volume, error }) => {
            Err(Fault::new(root().key("volume").index(volume), error.to_string()))
        }
        Err(SystemError::Controller { controller, error }) => {
            let at = root().key("controller");
            let table = topology.controller_tables().nth(controller);
            let at = table.map_or(at.clone(), |table| at.index(table));
            let key = error.key.split('.').fold(at, |at, key| at.key(key));
            Err(Fault::new(key, error.to_string()))
        }
        Err(error) => Err(Fault::new(root(), error.to_string())),
    }
}

/// The top of the file.
pub(crate) fn root() -> KeyPath {
    KeyPath::default()
}

/// A checked time of at most eleven days.
#[must_use]
pub fn ms(time: f64) -> Span {
    Span::from_ms(time).unwrap_or(Span::ZERO)
}

/// Whole sectors of a size, at least one.
pub(crate) fn sectors(
    size: platterlab_profile::Size,
    sector_bytes: u32,
    at: KeyPath,
) -> Result<u64, Fault> {
    let (bytes, sector) = (size.bytes(), u64::from(sector_bytes));
    if bytes == 0 || !bytes.is_multiple_of(sector) {
        let what = format!("{bytes} bytes are not whole sectors of {sector} bytes, at least one");
        return Err(Fault::new(at, what));
    }
    Ok(bytes / sector)
}

/// The same for what is counted in 32 bits.
pub(crate) fn sectors_32(
    size: platterlab_profile::Size,
    sector_bytes: u32,
    at: KeyPath,
) -> Result<u32, Fault> {
    let count = sectors(size, sector_bytes, at.clone())?;
    u32::try_from(count).map_err(|_| Fault::new(at, "is too large; write less than 1T"))
}
