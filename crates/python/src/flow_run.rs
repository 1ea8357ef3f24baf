//! Process flows on a computer, and what storage alone makes of their requests.

use crate::error::{input, json};
use crate::profile::Profile;
use crate::requests::Requests;
use platterlab_experiment::scheduler_named;
use platterlab_sim::drive::Model;
use platterlab_sim::host::{Host, HostOptions, HostReport, Syncer};
use platterlab_sim::scheduler::QueueOptions;
use platterlab_sim::source::{Closed, Open, Recorded, Source};
use platterlab_sim::system::DeviceOptions;
use platterlab_sim::{Report, System, SystemOptions};
use platterlab_units::Span;
use platterlab_workload::flow::{FlowHeader, FlowReader, FlowRecord, FlowSummary, FlowWriter};
use platterlab_workload::synthetic::{Placing, Task};
use platterlab_workload::trace::TraceError;
use pyo3::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Display;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// What a caller sets apart from the rest, by name.
type Settings = BTreeMap<String, f64>;

/// What computer and storage did.
#[derive(Serialize)]
struct Ran {
    host: HostReport,
    storage: Report,
}

/// A disk and the driver's queue for it.
struct Storage {
    model: Model,
    queue: QueueOptions,
}

impl Storage {
    fn new(
        model: Model,
        scheduler: &str,
        two_lists: bool,
        settings: &mut Settings,
    ) -> PyResult<Self> {
        let policy = scheduler_named(scheduler).map_err(input)?;
        let promote = settings.remove("promote").is_some_and(|value| value != 0.0);
        let anticipate_ms = settings.remove("anticipate_ms").unwrap_or(0.0);
        let queue = QueueOptions {
            critical: two_lists.then_some(policy),
            promote,
            anticipate: span("anticipate_ms", anticipate_ms)?,
            ..QueueOptions::of(policy)
        };
        Ok(Self { model, queue })
    }

    /// The disk alone, all of it one volume.
    fn options(self) -> SystemOptions {
        SystemOptions::of(vec![DeviceOptions::of(self.model)], self.queue)
    }
}

fn task_named(name: &str) -> PyResult<Task> {
    let found = Task::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, task)| *task).ok_or_else(|| {
        let names = Task::ALL.map(|(name, _)| name);
        input(format!("`{name}` is no task of {names:?}"))
    })
}

#[pyfunction]
#[pyo3(signature = (task, path, *, seed))]
pub(crate) fn task_write(py: Python<'_>, task: &str, path: PathBuf, seed: u64) -> PyResult<()> {
    let task = task_named(task)?;
    py.detach(|| {
        let (header, records) = task.flow(seed);
        write(&path, &header, &records)
    })
}

fn write(path: &Path, header: &FlowHeader, records: &[FlowRecord]) -> PyResult<()> {
    let at = |error: &dyn Display| input(format!("{}: {error}", path.display()));
    let file = BufWriter::new(File::create(path).map_err(|error| at(&error))?);
    let mut writer = FlowWriter::new(file, header).map_err(|error| at(&error))?;
    for record in records {
        writer.write(record).map_err(|error| at(&error))?;
    }
    writer.finish(&FlowSummary::default()).map_err(|error| at(&error))?;
    Ok(())
}

#[pyfunction]
#[pyo3(signature = (
    task, profile, *, seed, scheduler, two_lists = false, settings = None, path = None,
    observed = None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword argument in Python")]
pub(crate) fn task_run(
    py: Python<'_>,
    task: &str,
    profile: &Profile,
    seed: u64,
    scheduler: &str,
    two_lists: bool,
    settings: Option<Settings>,
    path: Option<PathBuf>,
    observed: Option<PathBuf>,
) -> PyResult<(String, Requests)> {
    let name = task;
    let task = task_named(task)?;
    let mut settings = settings.unwrap_or_default();
    let model = Model::Drive(Box::new(profile.drive.clone()));
    let storage = Storage::new(model, scheduler, two_lists, &mut settings)?;
    let placing = placing(&mut settings)?;
    py.detach(|| {
        let file = path.map(|path| FlowReader::open(&path)).transpose().map_err(input)?;
        let (header, records) = match &file {
            Some(file) => (file.header().clone(), Vec::new()),
            None => task.flow_placed(seed, placing),
        };
        fits(&header, profile)?;
        let options = with_settings(HostOptions::svr4_mp(&header), &settings)?;
        let observes = observed.is_some();
        let (ran, records, seen) = match file {
            Some(file) => run(storage, Host::new(options, file), name, observes),
            None => {
                let flow = records.into_iter().map(Ok::<FlowRecord, Infallible>);
                run(storage, Host::new(options, flow), name, observes)
            }
        }?;
        if let Some(path) = observed {
            write(&path, &header, &seen)?;
        }
        let requests = Requests::new(records, header.device.sector_bytes, name);
        Ok((json(&ran)?, requests))
    })
}

#[pyfunction]
#[pyo3(signature = (
    requests, profile, *, scheduler, two_lists = false, population = None, time_scale = 1.0
))]
pub(crate) fn storage_run(
    py: Python<'_>,
    requests: &Requests,
    profile: &Profile,
    scheduler: &str,
    two_lists: bool,
    population: Option<u32>,
    time_scale: f64,
) -> PyResult<String> {
    if !(time_scale > 0.0 && time_scale.is_finite()) {
        return Err(input(format!("time_scale = {time_scale}: it is above 0")));
    }
    let model = Model::Drive(Box::new(profile.drive.clone()));
    let storage = Storage::new(model, scheduler, two_lists, &mut Settings::new())?;
    py.detach(|| {
        let records = requests.records().iter().map(|record| Ok::<_, TraceError>(*record));
        let report = match population {
            Some(population) => alone(storage, Closed::new(records, population)),
            None => alone(storage, Open::new(records, time_scale)),
        }?;
        json(&report)
    })
}

/// Storage under a source that no computer stands behind.
fn alone<S: Source<Error: Display>>(storage: Storage, source: S) -> PyResult<Report> {
    let mut system = System::new(storage.options(), source).map_err(input)?;
    system.run().map_err(input)?;
    Ok(system.report())
}

/// Storage under a computer, the requests it made, and what a tracer saw of it.
fn run<I, E: Display>(
    storage: Storage,
    host: Host<I>,
    name: &str,
    observes: bool,
) -> PyResult<(Ran, Vec<platterlab_workload::Record>, Vec<FlowRecord>)>
where
    I: Iterator<Item = Result<FlowRecord, E>>,
{
    let host = if observes { host.observed() } else { host };
    let mut system = System::new(storage.options(), Recorded::new(host)).map_err(input)?;
    system.run().map_err(input)?;
    if let Some(stuck) = system.source_mut().source_mut().deadlock().map_err(input)? {
        return Err(input(format!("{name}: the flow stops: {stuck}")));
    }
    let ran = Ran { host: system.source().source().report(), storage: system.report() };
    let seen = system.source_mut().source_mut().take_observed();
    Ok((ran, system.source_mut().take_records(), seen))
}

/// Refuses a drive that is too small for a flow's addresses.
fn fits(header: &FlowHeader, profile: &Profile) -> PyResult<()> {
    let layout = profile.drive.layout();
    let (has, needs) = (layout.capacity(), header.device.sectors);
    if layout.sector_bytes() != header.device.sector_bytes || has < needs {
        return Err(input(format!(
            "{}: the flow needs {needs} sectors of {} bytes, the drive has {has} of {}",
            header.title,
            header.device.sector_bytes,
            layout.sector_bytes()
        )));
    }
    Ok(())
}

fn span(name: &str, ms: f64) -> PyResult<Span> {
    Span::from_ms(ms).ok_or_else(|| input(format!("{name} = {ms}: a time in ms is not negative")))
}

/// Where files lie, as far as it is set.
fn placing(settings: &mut Settings) -> PyResult<Placing> {
    let usual = Placing::default();
    let mut whole = |name: &str, usual: u64, least: u64| match settings.remove(name) {
        None => Ok(usual),
        Some(value) if value >= least as f64 && value <= 1e6 => Ok(value as u64),
        Some(value) => Err(input(format!("{name} = {value}: it is {least} to 1000000"))),
    };
    Ok(Placing {
        gap_sectors: whole("gap_sectors", usual.gap_sectors, 0)?,
        inodes_per_block: whole("inodes_per_block", usual.inodes_per_block, 1)?,
    })
}

fn with_settings(mut options: HostOptions, settings: &Settings) -> PyResult<HostOptions> {
    for (name, &value) in settings {
        match name.as_str() {
            "speed" if value > 0.0 && value.is_finite() => options.speed = value,
            "speed" => return Err(input(format!("speed = {value}: it is above 0"))),
            "interrupt_ms" => options.interrupt = span(name, value)?,
            "wake_up_ms" => options.wake_up = span(name, value)?,
            "stride_thousandths" if (0.0..=1_000.0).contains(&value) => {
                if let Syncer::Sweep { stride_thousandths, .. } = &mut options.syncer {
                    *stride_thousandths = value as u32;
                }
            }
            "stride_thousandths" => {
                return Err(input(format!("stride_thousandths = {value}: it is 0 to 1000")));
            }
            "context_switch_ms" => options.context_switch = span(name, value)?,
            _ => return Err(input(format!("`{name}` is no setting of a computer"))),
        }
    }
    Ok(options)
}
