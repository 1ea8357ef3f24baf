//! Drives: from profiles or simple devices to the simulator's models, with their way to the host.

use super::topology::{Path, Topology};
use super::{Profiles, ms, policy, root, sectors};
use crate::options::{DriveOptions, ExperimentOptions, Simple, TagRule};
use platterlab_drive::{Drive, DriveParams};
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_sim::drive::{Model, SimpleDevice, SimpleParams};
use platterlab_sim::scheduler::QueueOptions;
use platterlab_sim::system::DeviceOptions;
use platterlab_units::{SECTOR_BYTES_DEFAULT, Span};
use std::collections::BTreeMap;

/// As many drives as a system takes: the plan alone of more would fill a small machine's memory.
const MOST: u64 = 1 << 17;

/// Every drive with its way to the host.
pub(crate) fn devices(
    options: &ExperimentOptions,
    topology: &Topology,
    profiles: &mut Profiles<'_>,
) -> Result<Vec<DeviceOptions>, Fault> {
    let mut devices = Vec::new();
    let mut sets: BTreeMap<&str, (u32, Span)> = BTreeMap::new();
    // Commands that bring a tag are queued by it everywhere.
    let tagged = options.workload.iter().any(|workload| workload.tags().is_some());
    let tags = tagged.then(TagRule::default);
    let count: u64 = options.drive.iter().map(|drive| u64::from(drive.count.unwrap_or(1))).sum();
    if count > MOST {
        let what = format!("are {count}, and a system takes up to {MOST}; take fewer of them");
        return Err(Fault::new(root().key("drive"), what));
    }
    for (table, drive) in options.drive.iter().enumerate() {
        let at = root().key("drive").index(table);
        let mut source = Source::of(drive, profiles, &at)?;
        let queue = QueueOptions {
            critical: drive.critical,
            timeout: drive.timeout,
            rules: drive.rules,
            tags: drive.tags.or(tags),
            ..QueueOptions::of(drive.scheduler)
        };
        let queue = policy::queue(queue, source.sector_bytes(), &at)?;
        for _ in 0..drive.count.unwrap_or(1) {
            let path = topology.drive_path(devices.len());
            let slowest = slowest(options, topology, &path);
            let model = source.model(slowest, devices.len() as u64);
            let model = model.map_err(|what| Fault::new(at.clone(), what))?;
            let cached = caching(options, topology, &path);
            // The first drive begins where its profile says: alone, it needs no chance.
            let own = devices.len() as u32;
            let spindle = match &drive.in_step {
                None => own,
                Some(set) => {
                    let (spindle, period) = *sets.entry(set).or_insert((own, model.revolution()));
                    if model.revolution() != period {
                        let what = format!(
                            "turns in {:.3} ms, but `{set}` in {:.3} ms: what turns in step turns \
                             at one speed",
                            model.revolution().as_ms(),
                            period.as_ms()
                        );
                        return Err(Fault::new(at.key("in_step"), what));
                    }
                    spindle
                }
            };
            devices.push(DeviceOptions {
                model,
                spindle: if drive.at_index { 0 } else { spindle },
                queue,
                depth: drive.depth,
                choose_at_rest: drive.choose_at_rest,
                buses: path.buses[..cached.unwrap_or(path.buses.len())].to_vec(),
                controllers: path.controllers.iter().map(|(controller, _)| *controller).collect(),
            });
        }
    }
    let bytes = |device: &DeviceOptions| device.model.sector_bytes();
    if let Some(odd) = devices.iter().find(|device| bytes(device) != bytes(&devices[0])) {
        let what = format!(
            "has sectors of {} bytes, other drives sectors of {}; all drives of a system have \
             sectors of one size",
            bytes(odd),
            bytes(&devices[0])
        );
        return Err(Fault::new(root().key("drive"), what));
    }
    Ok(devices)
}

/// How many buses lie below the first controller with a cache, if there is one.
fn caching(options: &ExperimentOptions, topology: &Topology, path: &Path) -> Option<usize> {
    let tables: Vec<usize> = topology.controller_tables().collect();
    path.controllers
        .iter()
        .find(|(controller, _)| options.controller[tables[*controller as usize]].cache.is_some())
        .map(|(_, buses)| *buses)
}

/// The time of a sector on the slowest bus of a way, reading and writing.
pub(crate) fn slowest(options: &ExperimentOptions, topology: &Topology, path: &Path) -> [Span; 2] {
    let tables = path.buses.iter().map(|place| &options.bus[topology.bus_table(place.bus)]);
    tables.fold([Span::ZERO; 2], |[read, write], bus| {
        [read.max(ms(bus.read_sector_ms)), write.max(ms(bus.write_sector_ms))]
    })
}

/// What a read and a write of a sector take at least, by the buses on the way.
type Slowest = [Span; 2];

enum Source {
    /// With the one built last: drives alike share all that never changes.
    Profile(Box<DriveParams>, Option<(Slowest, Box<Drive>)>),
    Simple(SimpleParams),
}

impl Source {
    fn of(drive: &DriveOptions, profiles: &mut Profiles<'_>, at: &KeyPath) -> Result<Self, Fault> {
        match (&drive.profile, &drive.simple) {
            (Some(name), None) => {
                let profile = profiles(name).map_err(|what| Fault::new(at.key("profile"), what))?;
                Ok(Self::Profile(Box::new(profile.params().clone()), None))
            }
            (None, Some(simple)) => Ok(Self::Simple(params(simple, &at.key("simple"))?)),
            (None, None) => {
                let what = "says of no drive what it is; write `profile` or `simple`";
                Err(Fault::new(at.clone(), what))
            }
            (Some(_), Some(_)) => {
                let what = "has a profile and is simple at once; leave one of them out";
                Err(Fault::new(at.key("simple"), what))
            }
        }
    }

    fn sector_bytes(&self) -> u32 {
        match self {
            Self::Profile(params, _) => params.layout.sector_bytes,
            Self::Simple(params) => params.sector_bytes,
        }
    }

    /// The drive number `index`, behind buses on which a sector takes no less than `slowest`.
    fn model(&mut self, slowest: Slowest, index: u64) -> Result<Model, String> {
        let [read, write] = slowest;
        match self {
            Self::Profile(_, Some((like, drive))) if *like == slowest => {
                Ok(Model::Drive(drive.clone()))
            }
            Self::Profile(params, built) => {
                let mut params = params.clone();
                params.bus.read_sector = params.bus.read_sector.max(read);
                params.bus.write_sector = params.bus.write_sector.max(write);
                let drive = Drive::new(&params).map_err(|error| error.to_string())?;
                let (_, drive) = built.insert((slowest, Box::new(drive)));
                Ok(Model::Drive(drive.clone()))
            }
            Self::Simple(params) => {
                let mut params = params.clone();
                params.sector_time = params.sector_time.max(read).max(write);
                Ok(Model::Simple(Box::new(SimpleDevice::new(params, index))))
            }
        }
    }
}

fn params(simple: &Simple, at: &KeyPath) -> Result<SimpleParams, Fault> {
    Ok(SimpleParams {
        sectors: sectors(simple.size, SECTOR_BYTES_DEFAULT, at.key("size"))?,
        sector_bytes: SECTOR_BYTES_DEFAULT,
        overhead: ms(simple.overhead_ms),
        access: simple.access,
        sector_time: ms(simple.sector_ms),
    })
}
