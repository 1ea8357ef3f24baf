//! A replay, chunk by chunk, as columns.

use crate::answers::Answer;
use crate::error::{InputError, input};
use crate::profile::Profile;
use crate::trace::{beyond_named, format_named, options_from};
use numpy::IntoPyArray;
use platterlab_drive::CacheOutcome;
use platterlab_results::{Columns, Parts, RequestColumns, RequestRow, Summary};
use platterlab_sim::{ReplayError, ReplayOptions, Timing};
use platterlab_units::{Operation, nearest};
use platterlab_workload::trace::{TraceReader, Within, open};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

/// What the codes of the columns of words mean.
#[pyfunction]
pub(crate) fn row_labels(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let labels = PyDict::new(py);
    labels.set_item("operation", [Operation::Read, Operation::Write].map(|op| op.to_string()))?;
    labels.set_item("class", RequestRow::CLASSES)?;
    labels.set_item("cache", CacheOutcome::ALL.map(CacheOutcome::name))?;
    Ok(labels)
}

/// One drive serving one trace.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Replay {
    inner: Mutex<Running>,
}

struct Running {
    trace: String,
    replay: platterlab_sim::Replay<Within>,
    ended: bool,
}

#[pymethods]
impl Replay {
    #[new]
    #[pyo3(signature = (
        profile, trace, format = None, *,
        timing = "open", device = None, seed = 0, warm_up = 0, track_phase = false, options = None,
        beyond = "stop"
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword argument in Python")]
    fn new(
        profile: &Profile,
        trace: PathBuf,
        format: Option<&str>,
        timing: &str,
        device: Option<u32>,
        seed: u64,
        warm_up: u64,
        track_phase: bool,
        options: Option<&Bound<'_, PyDict>>,
        beyond: &str,
    ) -> PyResult<Self> {
        let beyond = beyond_named(beyond)?;
        let reader = open(&trace, format_named(format)?, &options_from(options)?);
        let reader = reader.map_err(input)?;
        let options = ReplayOptions {
            timing: timing_named(timing)?,
            device,
            seed,
            warm_up,
            track_phase,
            trace_sector_bytes: reader.facts().sector_bytes,
        };
        let layout = profile.drive.layout();
        let bytes = u128::from(layout.capacity()) * u128::from(layout.sector_bytes());
        let reader = Within::new(reader, device, bytes, beyond);
        let trace = trace.display().to_string();
        let replay = platterlab_sim::Replay::new(reader, profile.drive.clone(), options);
        let replay = replay.map_err(|error| located(error, &trace))?;
        Ok(Self { inner: Mutex::new(Running { trace, replay, ended: false }) })
    }

    fn next<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Option<Bound<'py, PyDict>>> {
        if rows == 0 {
            return Err(input("ask for at least one row"));
        }
        let columns = py.detach(|| {
            let mut running = self.running()?;
            let mut columns = Columns::default();
            if !running.ended {
                let filled = running.replay.fill(&mut columns, rows);
                filled.map_err(|error| located(error, &running.trace))?;
                running.ended = columns.len() < rows;
            }
            PyResult::Ok(columns)
        })?;
        if columns.is_empty() { Ok(None) } else { table(py, columns).map(Some) }
    }

    fn summary(&self) -> PyResult<Answer<Summary>> {
        Ok(Answer(self.running()?.replay.summary()))
    }

    /// Requests that were given another place on the drive.
    #[getter]
    fn wrapped(&self) -> PyResult<u64> {
        Ok(self.running()?.replay.source().wrapped())
    }

    fn progress(&self) -> PyResult<f64> {
        let running = self.running()?;
        let reader = running.replay.source();
        Ok(match reader.bytes_total() {
            _ if running.ended => 1.0,
            Some(total) if total > 0 => (reader.bytes_read() as f64 / total as f64).min(1.0),
            _ => 0.0,
        })
    }
}

impl Replay {
    fn running(&self) -> PyResult<MutexGuard<'_, Running>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }
}

pub(crate) fn timing_named(word: &str) -> PyResult<Timing> {
    let known = Timing::ALL.map(|(name, _)| name);
    Timing::ALL.into_iter().find(|(name, _)| *name == word).map(|(_, timing)| timing).ok_or_else(
        || match nearest(word, known) {
            Some(name) => input(format!("`{word}` is no timing; did you mean `{name}`?")),
            None => input(format!("`{word}` is no timing; there are {}", known.join(", "))),
        },
    )
}

/// An error of a trace names its file; one of a request does not.
pub(crate) fn located(error: ReplayError, trace: &str) -> PyErr {
    match error {
        ReplayError::Trace(error) => input(error),
        ReplayError::Request(what) => InputError::new_err(format!("{trace}: {what}")),
    }
}

pub(crate) fn table(py: Python<'_>, columns: Columns) -> PyResult<Bound<'_, PyDict>> {
    let rows = PyDict::new(py);
    rows.set_item("arrival_ms", columns.arrival_ms.into_pyarray(py))?;
    rows.set_item("issue_ms", columns.issue_ms.into_pyarray(py))?;
    rows.set_item("completion_ms", columns.completion_ms.into_pyarray(py))?;
    rows.set_item("response_ms", columns.response_ms.into_pyarray(py))?;
    rows.set_item("queue_ms", columns.queue_ms.into_pyarray(py))?;
    rows.set_item("service_ms", columns.service_ms.into_pyarray(py))?;
    for (name, part_ms) in Parts::NAMES.into_iter().zip(columns.parts_ms) {
        rows.set_item(format!("{name}_ms"), part_ms.into_pyarray(py))?;
    }
    rows.set_item("lba", columns.lba.into_pyarray(py))?;
    rows.set_item("sectors", columns.sectors.into_pyarray(py))?;
    rows.set_item("device", columns.device.into_pyarray(py))?;
    rows.set_item("request", columns.request.into_pyarray(py))?;
    rows.set_item("stream", columns.stream.into_pyarray(py))?;
    rows.set_item("operation", columns.operation.into_pyarray(py))?;
    rows.set_item("cache", columns.cache.into_pyarray(py))?;
    rows.set_item("cylinder", columns.cylinder.into_pyarray(py))?;
    let distances = columns.seek_distance_cylinders.into_pyarray(py);
    rows.set_item("seek_distance_cylinders", distances)?;
    rows.set_item("measured_ms", columns.measured_ms.into_pyarray(py))?;
    Ok(rows)
}

pub(crate) fn request_table(
    py: Python<'_>,
    columns: RequestColumns,
) -> PyResult<Bound<'_, PyDict>> {
    let rows = PyDict::new(py);
    rows.set_item("arrival_ms", columns.arrival_ms.into_pyarray(py))?;
    rows.set_item("completion_ms", columns.completion_ms.into_pyarray(py))?;
    rows.set_item("response_ms", columns.response_ms.into_pyarray(py))?;
    rows.set_item("request", columns.request.into_pyarray(py))?;
    rows.set_item("stream", columns.stream.into_pyarray(py))?;
    rows.set_item("volume", columns.volume.into_pyarray(py))?;
    rows.set_item("lba", columns.lba.into_pyarray(py))?;
    rows.set_item("sectors", columns.sectors.into_pyarray(py))?;
    rows.set_item("operation", columns.operation.into_pyarray(py))?;
    rows.set_item("class", columns.class.into_pyarray(py))?;
    Ok(rows)
}
