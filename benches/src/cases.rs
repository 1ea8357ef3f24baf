//! Replays on one drive: the benchmark cases, and what one repeat of each takes.

use crate::cpu::CpuTime;
use crate::figures::{Figures, library};
use crate::{host, serve, subsystem};
use platterlab_disksim::drive::{self, DriveImportOptions};
use platterlab_drive::Drive;
use platterlab_sim::{Replay, ReplayOptions, Timing};
use platterlab_units::Span;
use platterlab_workload::Record;
use platterlab_workload::synthetic::{Arrival, ArrivalLaw, Mixed};
use platterlab_workload::trace::{Options, TraceError, open};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) const NAMES: [&str; 3] = ["c2200a-week", "hp97560-cache", "atlas10k-validate"];

const WEEK: &str = "hp-week/ajw.1week.srt";

/// A workload in memory and the drive to replay it on, so that only the simulator is measured.
struct Case {
    what: String,
    drive: Drive,
    records: Vec<Record>,
    timing: Timing,
    sector_bytes: u32,
}

/// Runs a case; its figures, or what is wrong with the call.
pub(crate) fn run(name: &str, repeats: u32, data: Option<&Path>) -> Result<Value, String> {
    if serve::NAMES.contains(&name) {
        return serve::run(name, repeats);
    }
    let figures = if subsystem::NAMES.contains(&name) {
        subsystem::run(name, repeats, data)
    } else if host::NAMES.contains(&name) {
        host::run(repeats)
    } else {
        replays(name, repeats, data)
    }?;
    let Figures { what, requests, served, best_s } = figures;
    let per_s = (repeats > 0).then_some(served as f64 / best_s);
    let id = name;
    Ok(json!({ "id": id, "what": what, "requests": requests, "served": served, "per_s": per_s }))
}

fn replays(name: &str, repeats: u32, data: Option<&Path>) -> Result<Figures, String> {
    let case = match name {
        "c2200a-week" => c2200a_week(data)?,
        "hp97560-cache" => hp97560_cache()?,
        "atlas10k-validate" => atlas10k_validate(data)?,
        _ => {
            let (systems, hosts, served) = (subsystem::NAMES, host::NAMES, serve::NAMES);
            return Err(format!(
                "there is no case {name}; there are {NAMES:?}, {systems:?}, {hosts:?} and {served:?}"
            ));
        }
    };
    let mut best_s = f64::INFINITY;
    let mut served = 0;
    for _ in 0..repeats {
        let started = CpuTime::now();
        served = replay(&case)?;
        best_s = best_s.min(started.elapsed_s());
    }
    Ok(Figures { what: case.what, requests: case.records.len(), served, best_s })
}

fn replay(case: &Case) -> Result<u64, String> {
    let options = ReplayOptions {
        timing: case.timing,
        device: Some(0),
        seed: 1,
        warm_up: 0,
        trace_sector_bytes: case.sector_bytes,
        track_phase: false,
    };
    let source = case.records.iter().map(|record| Ok::<_, TraceError>(*record));
    let mut replay = Replay::new(source, case.drive.clone(), options).map_err(|e| e.to_string())?;
    while replay.next_row().map_err(|error| error.to_string())?.is_some() {}
    Ok(replay.summary().served)
}

/// The week of the HP trace, or where it is not at hand a workload of the same size and mix.
fn c2200a_week(data: Option<&Path>) -> Result<Case, String> {
    let drive = library("hp/c2200a.toml")?;
    let sector_bytes = drive.layout().sector_bytes();
    let week = data.map(|folder| folder.join(WEEK)).filter(|path| path.is_file());
    let (what, records, timing) = match week {
        Some(path) => {
            let reader = open(&path, None, &Options::default()).map_err(|e| e.to_string())?;
            let records: Result<Vec<_>, _> = reader.collect();
            let records = records.map_err(|error| error.to_string())?;
            ("HP C2200A, full model, the HP week", records, Timing::Issue)
        }
        None => {
            let mixed = mixed(42_252, drive.layout().capacity(), 32, Span::from_us(40_000));
            ("HP C2200A, full model, generated requests", mixed?, Timing::Open)
        }
    };
    Ok(Case { what: what.to_owned(), drive, records, timing, sector_bytes })
}

fn hp97560_cache() -> Result<Case, String> {
    let drive = library("hp/97560.toml")?;
    let records = mixed(500_000, drive.layout().capacity(), 16, Span::from_us(5_000))?;
    let what = "HP 97560, full model with its cache, half of the requests sequential".to_owned();
    Ok(Case { what, drive, records, timing: Timing::Closed, sector_bytes: 512 })
}

/// The measured trace of an Atlas 10K, fifty times over, on the drive imported from the DiskSim
/// files beside it.
fn atlas10k_validate(data: Option<&Path>) -> Result<Case, String> {
    let trace = data.map(|folder| folder.join("disksim/atlas10k.trace"));
    let trace = trace.filter(|path| path.is_file());
    let trace = trace.ok_or("atlas10k-validate needs the folder with the measured data")?;
    let imported = drive::load(&trace.with_extension("parv"), &DriveImportOptions::default());
    let imported = imported.map_err(|error| error.to_string())?;
    let drive = Drive::new(imported.profile.params()).map_err(|error| error.to_string())?;
    let reader = open(&trace, None, &Options::default()).map_err(|error| error.to_string())?;
    let records: Result<Vec<Record>, _> = reader.collect();
    let records = records.map_err(|error| error.to_string())?.repeat(50);
    let what = "Atlas 10K imported from DiskSim, cache and all overheads, its measured trace";
    Ok(Case { what: what.to_owned(), drive, records, timing: Timing::Closed, sector_bytes: 512 })
}

fn mixed(
    requests: u64,
    capacity_sectors: u64,
    sectors: u32,
    think: Span,
) -> Result<Vec<Record>, String> {
    let workload = Mixed {
        requests,
        capacity_sectors,
        read_share: 0.66,
        sequential_share: 0.5,
        local_share: 0.5,
        local_distance_sectors: capacity_sectors / 100,
        mean_sectors: f64::from(sectors),
        max_sectors: sectors * 4,
        align_sectors: sectors / 2,
        arrival: Arrival::Closed { law: ArrivalLaw::Exponential, think },
        seed: 1,
    };
    workload.requests().map(Iterator::collect).map_err(|error| error.to_string())
}
