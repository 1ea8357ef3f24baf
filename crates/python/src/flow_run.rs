//! Process flows on a computer, and what storage alone makes of their requests.

use crate::answers::Answer;
use crate::error::input;
use crate::profile::Profile;
use crate::requests::Requests;
use platterlab_experiment::computer::{Ran, Settings, Storage, fits, placing, with_settings};
use platterlab_sim::Report;
use platterlab_sim::host::HostOptions;
use platterlab_sim::source::{Closed, Open};
use platterlab_units::named;
use platterlab_workload::flow::{FlowHeader, FlowReader, FlowRecord, FlowSummary, FlowWriter};
use platterlab_workload::synthetic::Task;
use platterlab_workload::trace::TraceError;
use pyo3::prelude::*;
use std::convert::Infallible;
use std::fmt::Display;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

fn task_named(name: &str) -> PyResult<Task> {
    named(name, Task::ALL, Task::name)
        .map_err(|meant| input(format!("`{name}` is not a task; {meant}")))
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
) -> PyResult<(Answer<Ran>, Requests)> {
    let name = task;
    let task = task_named(task)?;
    let mut settings = settings.unwrap_or_default();
    let storage =
        Storage::new(&profile.drive, scheduler, two_lists, &mut settings).map_err(input)?;
    let placing = placing(&mut settings).map_err(input)?;
    py.detach(|| {
        let file = path.map(|path| FlowReader::open(&path)).transpose().map_err(input)?;
        let (header, records) = match &file {
            Some(file) => (file.header().clone(), Vec::new()),
            None => task.flow_placed(seed, placing),
        };
        fits(&header, &profile.drive).map_err(input)?;
        let options = with_settings(HostOptions::svr4_mp(&header), &settings).map_err(input)?;
        let observes = observed.is_some();
        let computed = match file {
            Some(file) => storage.computer(options, file, name, observes),
            None => {
                let flow = records.into_iter().map(Ok::<FlowRecord, Infallible>);
                storage.computer(options, flow, name, observes)
            }
        };
        let computed = computed.map_err(input)?;
        if let Some(path) = observed {
            write(&path, &header, &computed.observed)?;
        }
        let requests = Requests::new(computed.requests, header.device.sector_bytes, name);
        Ok((Answer(computed.ran), requests))
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
) -> PyResult<Answer<Report>> {
    if !(time_scale > 0.0 && time_scale.is_finite()) {
        return Err(input(format!("time_scale = {time_scale}: it is above 0")));
    }
    let storage = Storage::new(&profile.drive, scheduler, two_lists, &mut Settings::new());
    let storage = storage.map_err(input)?;
    py.detach(|| {
        let records = requests.records().iter().map(|record| Ok::<_, TraceError>(*record));
        let report = match population {
            Some(population) => storage.alone(Closed::new(records, population)),
            None => storage.alone(Open::new(records, time_scale)),
        };
        report.map(Answer).map_err(input)
    })
}
