//! A replay, chunk by chunk, as columns.

use crate::answers::Answer;
use crate::error::{input, located};
use crate::profile::Profile;
use crate::requests::Requests;
use crate::rows::RowsFile;
use crate::tables::table;
use crate::timing::timing_named;
use crate::trace::{beyond_named, format_named, options_from};
use platterlab_drive::Drive;
use platterlab_results::{AgreementSummary, Columns, Figures, Row, Summary};
use platterlab_sim::ReplayOptions;
use platterlab_workload::trace::{Ahead, Beyond, Incoming, Listed, Measures, Within, open};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// Rows that are handed over together to who writes them: 1.3 MiB, which stays in a cache until then.
const TOGETHER: usize = 1 << 13;

/// One drive serving one trace, a chunk of requests at a time, in constant memory; or requests that are
/// in memory already.
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
    replay: platterlab_sim::Replay<Incoming>,
    ended: bool,
    figures: Figures,
    measures: Measures,
    /// Pieces that were handed over, the oldest first.
    handed: VecDeque<Arc<Vec<Row>>>,
}

impl Running {
    /// Serves this many requests at most: their rows, fewer only at the end.
    fn piece(&mut self, most: usize) -> PyResult<Arc<Vec<Row>>> {
        let mut rows = self.spare();
        let served = self.replay.rows(most, &mut rows);
        let rows = Arc::new(rows);
        // Those before an error count.
        self.figures.add(&rows);
        self.handed.push_back(Arc::clone(&rows));
        served.map_err(|error| located(error, &self.trace))?;
        self.ended = rows.len() < most;
        Ok(Self::shown(self.measures, rows))
    }

    /// As `piece`, of which nobody sees the rows: how many there were. A file's are counted on
    /// another thread, as it is read there, too; a list's here, where they are in a cache.
    fn pass(&mut self, most: usize) -> PyResult<usize> {
        if matches!(self.replay.source(), Incoming::File(_)) {
            return self.piece(most).map(|rows| rows.len());
        }
        let served = self.replay.pass(most, &mut self.figures.kept());
        let served = served.map_err(|error| located(error, &self.trace))?;
        self.ended = served < most;
        Ok(served)
    }

    /// The share of the trace that has been read, from 0 to 1.
    fn share(&self) -> f64 {
        if self.ended { 1.0 } else { self.replay.source().share().unwrap_or(0.0) }
    }

    /// Requests that are in memory already.
    fn at_hand(&self) -> usize {
        self.replay.source().size_hint().0
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
        let trace_sector_bytes = reader.facts().sector_bytes;
        let timing = timing_named(timing)?;
        let options =
            ReplayOptions { timing, device, seed, warm_up, track_phase, trace_sector_bytes };
        let measures = reader.facts().measures;
        let source = Incoming::File(Ahead::of(reader, within(&profile.drive, &options, beyond)));
        let trace = trace.display().to_string();
        Self::begun(trace, source, &profile.drive, options, measures)
    }

    /// Of requests in memory.
    #[staticmethod]
    #[pyo3(signature = (
        profile, requests, *, timing = "open", seed = 0, warm_up = 0, track_phase = false,
        beyond = "stop"
    ))]
    fn of(
        profile: &Profile,
        requests: &Requests,
        timing: &str,
        seed: u64,
        warm_up: u64,
        track_phase: bool,
        beyond: &str,
    ) -> PyResult<Self> {
        let options = ReplayOptions { warm_up, ..requests.options(timing, seed, track_phase)? };
        let within = within(&profile.drive, &options, beyond_named(beyond)?);
        let list = Listed::new(Arc::clone(requests.records()), within, requests.path());
        let source = Incoming::List(list);
        let trace = requests.path().to_owned();
        Self::begun(trace, source, &profile.drive, options, Measures::Service)
    }

    /// The next rows as columns; `None` at the end. `progress` hears the share that is done, and Ctrl-C
    /// ends it.
    #[pyo3(signature = (rows, progress = None))]
    fn next<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut columns = Columns::with_capacity(self.running()?.at_hand().min(rows));
        self.pieces(py, rows, progress, |running, most| {
            let rows = running.piece(most)?;
            columns.extend(&rows);
            Ok(rows.len())
        })?;
        if columns.is_empty() { Ok(None) } else { table(py, columns).map(Some) }
    }

    /// As `next`, for a run whose rows nobody looks at; how many there were.
    #[pyo3(signature = (rows, progress = None))]
    fn advance(&self, py: Python<'_>, rows: usize, progress: Option<Py<PyAny>>) -> PyResult<usize> {
        self.pieces(py, rows, progress, Running::pass)
    }

    /// As `next`, into a file; how many there were.
    fn write(&self, py: Python<'_>, file: &RowsFile, rows: usize) -> PyResult<usize> {
        self.pieces(py, rows, None, |running, most| {
            let rows = running.piece(most)?;
            let count = rows.len();
            file.rows(rows).map(|()| count)
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
        Ok(self.running()?.share())
    }
}

impl Replay {
    fn begun(
        trace: String,
        source: Incoming,
        drive: &Drive,
        options: ReplayOptions,
        measures: Measures,
    ) -> PyResult<Self> {
        let replay = platterlab_sim::Replay::new(source, drive.clone(), options);
        let replay = replay.map_err(|error| located(error, &trace))?;
        let figures = Figures::new(replay.counting(), measures == Measures::Response);
        let handed = VecDeque::new();
        let running = Running { trace, replay, ended: false, figures, measures, handed };
        Ok(Self { inner: Mutex::new(running) })
    }

    /// Serves this many requests at most, in pieces: how many there were. Nobody has to wait while
    /// Python is heard between them, as what it does may ask this.
    fn pieces(
        &self,
        py: Python<'_>,
        most: usize,
        progress: Option<Py<PyAny>>,
        mut serve: impl FnMut(&mut Running, usize) -> PyResult<usize> + Send,
    ) -> PyResult<usize> {
        if most == 0 {
            return Err(input("ask for at least one row"));
        }
        py.detach(|| {
            let mut done = 0;
            while done < most {
                let mut running = self.running()?;
                if running.ended {
                    break;
                }
                done += serve(&mut running, TOGETHER.min(most - done))?;
                let share = running.share();
                drop(running);
                heard(progress.as_ref(), share)?;
            }
            Ok(done)
        })
    }

    fn running(&self) -> PyResult<MutexGuard<'_, Running>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }
}

/// Tells the share that is done; Ctrl-C, or what who hears it raises, ends the work.
fn heard(progress: Option<&Py<PyAny>>, share: f64) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        progress.map_or(Ok(()), |heard| heard.call1(py, (share,)).map(|_| ()))
    })
}

/// Where requests have to lie on a drive.
fn within(drive: &Drive, options: &ReplayOptions, beyond: Beyond) -> Within {
    let layout = drive.layout();
    let bytes = u128::from(layout.capacity()) * u128::from(layout.sector_bytes());
    Within::new(options.trace_sector_bytes, options.device, bytes, beyond)
}
