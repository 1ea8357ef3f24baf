//! Whole systems: the workloads that DiskSim's speed was measured with, and many drives.

use crate::cpu::CpuTime;
use crate::figures::{Figures, library};
use platterlab_disksim::drive::{DriveImportOptions, load};
use platterlab_drive::Drive;
use platterlab_sim::array::{LayoutOptions, ParityOptions, ParityUpdate, Rotation, VolumeOptions};
use platterlab_sim::bus::{Arbitration, BusOptions};
use platterlab_sim::drive::Model;
use platterlab_sim::scheduler::{Key, QueueOptions, Scheduler};
use platterlab_sim::source::{Closed, Open, Source};
use platterlab_sim::system::{BusPlace, DeviceOptions};
use platterlab_sim::{Outcome, System, SystemOptions};
use platterlab_units::{Span, Stamp};
use platterlab_workload::Record;
use platterlab_workload::synthetic::{Arrival, ArrivalLaw, Mixed};
use platterlab_workload::trace::{Options, open};
use std::convert::Infallible;
use std::path::Path;

pub(crate) const NAMES: [&str; 12] = [
    "ascii-trace",
    "mixed-single",
    "burst64-fcfs",
    "burst64-look",
    "burst64-sptf",
    "overload5000-look",
    "overload5000-sptf",
    "ncq32-sptf",
    "raid5",
    "raid5-small-writes",
    "drives-1",
    "drives-1000",
];

const REQUESTS: u64 = 500_000;
const BURST: usize = 64;

/// How requests come.
#[derive(Clone, Copy)]
enum Coming {
    AsRecorded,
    Outstanding(u32),
}

struct Case {
    what: String,
    records: Vec<Record>,
    coming: Coming,
    options: SystemOptions,
}

/// Runs a case; its figures, or what is wrong with the call.
pub(crate) fn run(name: &str, repeats: u32, data: Option<&Path>) -> Result<Figures, String> {
    let case = case(name, data)?;
    let mut best_s = f64::INFINITY;
    let mut served = 0;
    for _ in 0..repeats {
        let options = case.options.clone();
        let started = CpuTime::now();
        let records = case.records.iter().map(|record| Ok::<_, Infallible>(*record));
        served = match case.coming {
            Coming::AsRecorded => simulate(options, Open::new(records, 1.0)),
            Coming::Outstanding(population) => simulate(options, Closed::new(records, population)),
        }?;
        best_s = best_s.min(started.elapsed_s());
    }
    Ok(Figures { what: case.what, requests: case.records.len(), served, best_s })
}

fn simulate(
    options: SystemOptions,
    source: impl Source<Error = Infallible>,
) -> Result<u64, String> {
    let mut system = System::new(options, source).map_err(|error| error.to_string())?;
    let Ok(outcome) = system.run();
    let report = system.report();
    if outcome != Outcome::Finished || report.offered != report.served + report.refused {
        return Err(format!("{outcome:?}, {} of {} served", report.served, report.offered));
    }
    Ok(report.served)
}

fn case(name: &str, data: Option<&Path>) -> Result<Case, String> {
    let look = Scheduler::Look { by: Key::Lba };
    match name {
        "ascii-trace" => ascii_trace(data),
        "mixed-single" => mixed_case(data, Scheduler::Fcfs, Coming::Outstanding(1)),
        "burst64-fcfs" => mixed_case(data, Scheduler::Fcfs, Coming::AsRecorded),
        "burst64-look" => mixed_case(data, look, Coming::AsRecorded),
        "burst64-sptf" => mixed_case(data, Scheduler::Sptf, Coming::AsRecorded),
        "overload5000-look" => mixed_case(data, look, Coming::Outstanding(5_000)),
        "overload5000-sptf" => mixed_case(data, Scheduler::Sptf, Coming::Outstanding(5_000)),
        "ncq32-sptf" => ncq(data),
        "raid5" => raid5(data),
        "raid5-small-writes" => small_writes(data),
        "drives-1" => drives(data, 1),
        "drives-1000" => drives(data, 1_000),
        _ => Err(format!("there is no case {name}")),
    }
}

/// A drive imported from the data folder, or where there is none one of the library.
fn drive(data: Option<&Path>, file: &str, instead: &str) -> Result<(Drive, String), String> {
    let path = data.map(|folder| folder.join("disksim").join(file)).filter(|path| path.is_file());
    let Some(path) = path else {
        return Ok((library(instead)?, format!("library drive {instead}")));
    };
    let options = DriveImportOptions { approximate: true, ..DriveImportOptions::default() };
    let imported = load(&path, &options).map_err(|error| error.to_string())?;
    let drive = Drive::new(imported.profile.params()).map_err(|error| error.to_string())?;
    Ok((drive, file.to_owned()))
}

fn atlas(data: Option<&Path>) -> Result<(Drive, String), String> {
    drive(data, "atlas10k.parv", "seagate/barracuda-st15150w.toml")
}

/// Two thirds reads, half of the requests in sequence, one at a time, all outstanding, or in bursts.
fn mixed_case(data: Option<&Path>, policy: Scheduler, coming: Coming) -> Result<Case, String> {
    let (drive, name) = atlas(data)?;
    let mut records = mixed(drive.layout().capacity(), Span::from_us(10_000))?;
    let how = match coming {
        Coming::AsRecorded => {
            for (index, record) in records.iter_mut().enumerate() {
                record.arrival = Stamp::from_us((index / BURST) as u64 * 640_000);
            }
            format!("bursts of {BURST}")
        }
        Coming::Outstanding(1) => "one at a time".to_owned(),
        Coming::Outstanding(population) => format!("{population} outstanding"),
    };
    let options = options(&drive, 1, policy);
    let what = format!("{name}, mixed requests, {how}, {policy:?}");
    Ok(Case { what, records, coming, options })
}

/// Commands of 8 sectors, 32 at a time in the drive, which serves them by its own positioning times.
fn ncq(data: Option<&Path>) -> Result<Case, String> {
    const DEPTH: u32 = 32;
    let (drive, name) = atlas(data)?;
    let records = generate(short(drive.layout().capacity(), 0.66))?;
    let mut options = options(&drive, 1, Scheduler::Fcfs);
    for device in &mut options.devices {
        device.depth = DEPTH;
        device.queue = QueueOptions::of(Scheduler::Sptf);
    }
    let what = format!("{name}, short requests, {DEPTH} in the drive, which chooses by SPTF");
    Ok(Case { what, records, coming: Coming::Outstanding(DEPTH), options })
}

/// Writes of 8 sectors to five drives with rotated parity, each of four commands.
fn small_writes(data: Option<&Path>) -> Result<Case, String> {
    const DRIVES: u32 = 5;
    let (drive, name) = atlas(data)?;
    let parity = rotated_parity();
    let unit = u64::from(parity.unit_sectors);
    let capacity = drive.layout().capacity() / unit * unit * u64::from(DRIVES - 1);
    let records = generate(short(capacity, 0.0))?;
    let mut options = options(&drive, DRIVES, Scheduler::CLook { by: Key::Lba });
    options.volumes = vec![volume(LayoutOptions::Parity(parity), (0..DRIVES).collect())];
    let what = format!("{name}, {DRIVES} of them, rotated parity, small writes");
    Ok(Case { what, records, coming: Coming::Outstanding(8), options })
}

/// Requests of one length, anywhere.
fn short(capacity_sectors: u64, read_share: f64) -> Mixed {
    Mixed {
        read_share,
        sequential_share: 0.0,
        mean_sectors: 8.0,
        max_sectors: 8,
        align_sectors: 8,
        ..workload(capacity_sectors, Span::from_us(10_000))
    }
}

/// Half a million requests for a number of drives, each with a stream of its own of one kind, so that
/// each drive has the same to do however many there are.
fn drives(data: Option<&Path>, count: u32) -> Result<Case, String> {
    let (drive, name) = atlas(data)?;
    let own = workload(drive.layout().capacity(), Span::from_us(10_000));
    let requests = REQUESTS / u64::from(count);
    let mut records = Vec::with_capacity(REQUESTS as usize);
    for device in 0..count {
        let stream = generate(Mixed { requests, seed: u64::from(device), ..own })?;
        records.extend(stream.into_iter().map(|record| Record { device, ..record }));
    }
    records.sort_by_key(|record| record.arrival);
    let options = options(&drive, count, Scheduler::Look { by: Key::Lba });
    let what = format!("{name}, {count} of them, mixed requests at 100/s each, LOOK");
    Ok(Case { what, records, coming: Coming::AsRecorded, options })
}

/// Rotated parity in units of 64 sectors.
fn rotated_parity() -> ParityOptions {
    let unit_sectors = 64;
    ParityOptions {
        parities: 1,
        rotation: Rotation::LeftSymmetric,
        unit_sectors,
        parity_unit_sectors: unit_sectors,
        update: ParityUpdate::ModifyBelow { share: 0.5 },
        synch_writes: false,
    }
}

/// DiskSim's check of RAID 5: nine drives, rotated parity, requests of eight sectors and multiples.
fn raid5(data: Option<&Path>) -> Result<Case, String> {
    const DRIVES: u32 = 9;
    let (drive, name) = atlas(data)?;
    let parity = rotated_parity();
    let capacity = drive.layout().capacity() / u64::from(parity.unit_sectors) * 512;
    let workload = Mixed {
        read_share: 0.66,
        sequential_share: 0.2,
        local_share: 0.375,
        local_distance_sectors: 40_000,
        mean_sectors: 8.0,
        align_sectors: 8,
        ..workload(capacity, Span::from_us(10_000))
    };
    let mut options = options(&drive, DRIVES, Scheduler::CLook { by: Key::Lba });
    options.volumes = vec![volume(LayoutOptions::Parity(parity), (0..DRIVES).collect())];
    let what = format!("{name}, {DRIVES} of them, rotated parity, two thirds reads");
    Ok(Case { what, records: generate(workload)?, coming: Coming::Outstanding(5), options })
}

/// DiskSim's trace of a large system: eighteen drives, each on a bus of its own below a shared one.
fn ascii_trace(data: Option<&Path>) -> Result<Case, String> {
    const DEVICES: [u32; 18] = [14, 18, 10, 11, 20, 0, 16, 30, 17, 5, 7, 101, 6, 3, 4, 103, 1, 2];
    let (drive, name) = drive(data, "hp_c2249a.diskspecs", "hp/c2200a.toml")?;
    let path = data.map(|folder| folder.join("disksim/ascii.trace")).filter(|path| path.is_file());
    let (records, trace) = match path {
        Some(path) => {
            let reader = open(&path, None, &Options::default()).map_err(|e| e.to_string())?;
            let records: Result<Vec<_>, _> = reader.collect();
            (records.map_err(|error| error.to_string())?, "ascii.trace")
        }
        None => (mixed(drive.layout().capacity(), Span::from_us(15_000))?, "mixed requests"),
    };
    let known = |record: &Record| DEVICES.iter().position(|device| *device == record.device);
    let records = records
        .into_iter()
        .filter_map(|record| known(&record).map(|at| Record { device: at as u32, ..record }))
        .collect();
    let count = DEVICES.len() as u32;
    let mut options = options(&drive, count, Scheduler::CLook { by: Key::Lba });
    options.driver.initiation = [Span::from_us(560), Span::from_us(830)];
    let bus = |interleaved| BusOptions {
        arbitration: Arbitration::Slot,
        arbitration_time: Span::ZERO,
        interleaved,
    };
    options.buses = (0..=count).map(|index| bus(index == count)).collect();
    for (slot, device) in (0..).zip(&mut options.devices) {
        device.buses = vec![BusPlace { bus: slot, slot: 0 }, BusPlace { bus: count, slot }];
    }
    let what = format!("{name}, 18 of them on their buses, {trace}, C-LOOK");
    Ok(Case { what, records, coming: Coming::AsRecorded, options })
}

pub(crate) fn options(drive: &Drive, count: u32, policy: Scheduler) -> SystemOptions {
    let device = |_| DeviceOptions::of(Model::Drive(Box::new(drive.clone())));
    SystemOptions::of((0..count).map(device).collect(), QueueOptions::of(policy))
}

fn volume(layout: LayoutOptions, devices: Vec<u32>) -> VolumeOptions {
    VolumeOptions { layout, devices, accept_uneven: false, rebuild: None }
}

fn mixed(capacity_sectors: u64, gap: Span) -> Result<Vec<Record>, String> {
    generate(workload(capacity_sectors, gap))
}

fn workload(capacity_sectors: u64, gap: Span) -> Mixed {
    Mixed {
        requests: REQUESTS,
        capacity_sectors,
        read_share: 0.66,
        sequential_share: 0.5,
        local_share: 0.0,
        local_distance_sectors: 1,
        mean_sectors: 32.0,
        max_sectors: 128,
        align_sectors: 2,
        arrival: Arrival::Open { law: ArrivalLaw::Exponential, gap },
        seed: 1,
    }
}

fn generate(workload: Mixed) -> Result<Vec<Record>, String> {
    workload.requests().map(Iterator::collect).map_err(|error| error.to_string())
}
