//! A replay, chunk by chunk, as columns.

use crate::answers::Answer;
use crate::array::array;
use crate::error::{InputError, input};
use crate::profile::Profile;
use crate::rows::RowsFile;
use crate::trace::{beyond_named, format_named, options_from};
use platterlab_drive::CacheOutcome;
use platterlab_results::{
    AgreementSummary, Columns, Figures, Parts, RequestColumns, RequestRow, Row, Summary,
};
use platterlab_sim::{ReplayError, ReplayOptions, TimedOutcome, Timing};
use platterlab_units::{Operation, nearest};
use platterlab_workload::trace::{Ahead, Measures, Within, open};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// What the codes of the columns of words mean.
#[pyfunction]
pub(crate) fn row_labels(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let labels = PyDict::new(py);
    labels.set_item("operation", [Operation::Read, Operation::Write].map(|op| op.to_string()))?;
    labels.set_item("class", RequestRow::CLASSES)?;
    labels.set_item("cache", CacheOutcome::ALL.map(CacheOutcome::name))?;
    Ok(labels)
}

/// Rows that are handed over together to who writes them: 1.3 MiB, which stays in a cache until then.
const TOGETHER: usize = 1 << 13;

/// One drive serving one trace, a chunk of requests at a time, in constant memory.
///
/// >>> import platterlab as pl, pathlib, tempfile
/// >>> path = pathlib.Path(tempfile.mkdtemp()) / "two.trace"
/// >>> _ = path.write_text("0.0 0 0 8 1")
/// >>> replay = pl.Replay(pl.Drive("hp-97560").profile, path, "disksim-ascii")
/// >>> replay.next(1000)["lba"].tolist(), replay.next(1000), replay.progress()
/// ([0], None, 1.0)
/// >>> replay.summary()["served"]
/// 1
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Replay {
    inner: Mutex<Running>,
}

struct Running {
    trace: String,
    replay: platterlab_sim::Replay<Ahead>,
    ended: bool,
    figures: Figures,
    measures: Measures,
    /// Pieces that were handed over, the oldest first.
    handed: VecDeque<Arc<Vec<Row>>>,
}

impl Running {
    /// Serves so many requests at most, and shows their rows in pieces: how many there were.
    fn advance(
        &mut self,
        most: usize,
        mut show: impl FnMut(Arc<Vec<Row>>) -> PyResult<()>,
    ) -> PyResult<usize> {
        let mut done = 0;
        while done < most && !self.ended {
            let (mut rows, wanted) = (self.spare(), TOGETHER.min(most - done));
            let served = self.replay.rows(wanted, &mut rows);
            let rows = Arc::new(rows);
            // Those before an error count.
            self.figures.add(&rows);
            self.handed.push_back(Arc::clone(&rows));
            let served = served.map_err(|error| located(error, &self.trace))?;
            self.ended = served < wanted;
            done += served;
            show(rows)?;
        }
        Ok(done)
    }

    /// The rows as a table has them: with measured times only where they are service times.
    fn shown(measures: Measures, rows: Arc<Vec<Row>>) -> Arc<Vec<Row>> {
        match measures {
            Measures::Service => rows,
            Measures::Response => {
                Arc::new(rows.iter().map(|row| Row { measured: None, ..*row }).collect())
            }
        }
    }

    /// Room for a piece: that of one that nobody looks at any more, as memory that is new costs more
    /// than to fill it.
    fn spare(&mut self) -> Vec<Row> {
        let oldest = self.handed.pop_front();
        match oldest.map(Arc::try_unwrap) {
            Some(Ok(mut rows)) => {
                rows.clear();
                rows
            }
            Some(Err(in_use)) => {
                self.handed.push_front(in_use);
                Vec::with_capacity(TOGETHER)
            }
            None => Vec::with_capacity(TOGETHER),
        }
    }
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
        let within = Within::new(reader.facts(), device, bytes, beyond);
        let measures = reader.facts().measures;
        let reader = Ahead::of(reader, within);
        let trace = trace.display().to_string();
        let replay = platterlab_sim::Replay::new(reader, profile.drive.clone(), options);
        let replay = replay.map_err(|error| located(error, &trace))?;
        let figures = Figures::new(replay.counting(), measures == Measures::Response);
        let handed = VecDeque::new();
        let running = Running { trace, replay, ended: false, figures, measures, handed };
        Ok(Self { inner: Mutex::new(running) })
    }

    /// The next rows as columns; `None` at the end.
    fn next<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Option<Bound<'py, PyDict>>> {
        at_least_one(rows)?;
        let mut columns = Columns::default();
        py.detach(|| {
            let mut running = self.running()?;
            let measures = running.measures;
            running.advance(rows, |rows| {
                columns.extend(&Running::shown(measures, rows));
                Ok(())
            })
        })?;
        if columns.is_empty() { Ok(None) } else { table(py, columns).map(Some) }
    }

    /// As `next`, for a run whose rows nobody looks at; how many there were.
    fn advance(&self, py: Python<'_>, rows: usize) -> PyResult<usize> {
        at_least_one(rows)?;
        py.detach(|| self.running()?.advance(rows, |_| Ok(())))
    }

    /// As `next`, into a file; how many there were.
    fn write(&self, py: Python<'_>, file: &RowsFile, rows: usize) -> PyResult<usize> {
        at_least_one(rows)?;
        py.detach(|| {
            let mut running = self.running()?;
            let measures = running.measures;
            running.advance(rows, |rows| file.rows(Running::shown(measures, rows)))
        })
    }

    /// Against the times that the trace has, without those of the warm-up.
    fn agreement(&self) -> PyResult<Option<Answer<AgreementSummary>>> {
        Ok(self.running()?.figures.kept().agreement.summary().map(Answer))
    }

    /// What the measured times of the trace are: `service` or `response`.
    #[getter]
    fn measures(&self) -> PyResult<&'static str> {
        Ok(self.running()?.measures.name())
    }

    /// What happened so far.
    fn summary(&self) -> PyResult<Answer<Summary>> {
        let running = &mut *self.running()?;
        Ok(Answer(running.replay.summary_with(&running.figures.kept().summary)))
    }

    /// Requests that were given another place on the drive.
    #[getter]
    fn wrapped(&self) -> PyResult<u64> {
        Ok(self.running()?.replay.source().wrapped())
    }

    /// The share of the trace that has been read, from 0 to 1.
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

fn at_least_one(rows: usize) -> PyResult<()> {
    if rows == 0 { Err(input("ask for at least one row")) } else { Ok(()) }
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
    rows.set_item("arrival_ms", array(py, columns.arrival_ms)?)?;
    rows.set_item("issue_ms", array(py, columns.issue_ms)?)?;
    rows.set_item("completion_ms", array(py, columns.completion_ms)?)?;
    rows.set_item("response_ms", array(py, columns.response_ms)?)?;
    rows.set_item("queue_ms", array(py, columns.queue_ms)?)?;
    rows.set_item("service_ms", array(py, columns.service_ms)?)?;
    for (name, part_ms) in Parts::NAMES.into_iter().zip(columns.parts_ms) {
        rows.set_item(format!("{name}_ms"), array(py, part_ms)?)?;
    }
    rows.set_item("lba", array(py, columns.lba)?)?;
    rows.set_item("sectors", array(py, columns.sectors)?)?;
    rows.set_item("device", array(py, columns.device)?)?;
    rows.set_item("request", array(py, columns.request)?)?;
    rows.set_item("stream", array(py, columns.stream)?)?;
    rows.set_item("operation", array(py, columns.operation)?)?;
    rows.set_item("cache", array(py, columns.cache)?)?;
    rows.set_item("cylinder", array(py, columns.cylinder)?)?;
    let distances = array(py, columns.seek_distance_cylinders)?;
    rows.set_item("seek_distance_cylinders", distances)?;
    rows.set_item("measured_ms", array(py, columns.measured_ms)?)?;
    Ok(rows)
}

pub(crate) fn request_table(
    py: Python<'_>,
    columns: RequestColumns,
) -> PyResult<Bound<'_, PyDict>> {
    let rows = PyDict::new(py);
    rows.set_item("arrival_ms", array(py, columns.arrival_ms)?)?;
    rows.set_item("completion_ms", array(py, columns.completion_ms)?)?;
    rows.set_item("response_ms", array(py, columns.response_ms)?)?;
    rows.set_item("request", array(py, columns.request)?)?;
    rows.set_item("stream", array(py, columns.stream)?)?;
    rows.set_item("volume", array(py, columns.volume)?)?;
    rows.set_item("lba", array(py, columns.lba)?)?;
    rows.set_item("sectors", array(py, columns.sectors)?)?;
    rows.set_item("operation", array(py, columns.operation)?)?;
    rows.set_item("class", array(py, columns.class)?)?;
    Ok(rows)
}

/// What each request takes.
pub(crate) fn ms(taken: &[TimedOutcome]) -> Vec<f64> {
    taken.iter().map(|one| one.service.as_ms()).collect()
}
