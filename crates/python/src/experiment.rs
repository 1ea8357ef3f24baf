//! Experiments: whole systems, read from their files and run in the background.

use crate::answers::Answer;
use crate::error::input;
use crate::outside::Classes;
use crate::profile::{to_table, to_toml};
use crate::rows::RowsFile;
use crate::tables::{request_table, table};
use crate::trace::beyond_named;
use numpy::PyReadonlyArray1;
use platterlab_disksim::syntax::Value;
use platterlab_disksim::{Choices, Served, choices, system};
use platterlab_experiment::{EXAMPLES, JobReport, Plan, Rows, saturated, schema_json};
use platterlab_units::{Operation, Span, Time};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// The experiments that come with the program: name and text.
#[pyfunction]
pub(crate) fn examples() -> Vec<(&'static str, &'static str)> {
    EXAMPLES.iter().map(|example| (example.name, example.text)).collect()
}

/// The JSON schema of the experiment file.
#[pyfunction]
pub(crate) fn experiment_schema() -> String {
    schema_json()
}

/// A system and what is asked of it, checked.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Experiment {
    pub(crate) plan: Plan,
    /// What of Python's takes part in it.
    classes: Classes,
    /// Profiles, traces and flows that it names: what each is for, and its path or its name in the
    /// library.
    #[pyo3(get)]
    inputs: Vec<(&'static str, String)>,
    /// What a reader should know of an import.
    #[pyo3(get)]
    notes: Vec<String>,
}

#[pymethods]
impl Experiment {
    #[staticmethod]
    #[pyo3(signature = (path, overrides))]
    fn load(path: PathBuf, overrides: &Bound<'_, PyDict>) -> PyResult<Self> {
        let changes = changes(overrides)?;
        let experiment = platterlab_experiment::Experiment::load(&path, &changes).map_err(input)?;
        let inputs = experiment.inputs(path.parent().unwrap_or(Path::new("")));
        Ok(Self { inputs, plan: experiment.plan, notes: Vec::new(), classes: Classes::default() })
    }

    /// The text of an experiment, `shown` in messages; profiles and flows are looked for in `folder`.
    #[staticmethod]
    fn parse(
        text: &str,
        shown: &str,
        folder: PathBuf,
        overrides: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let changes = changes(overrides)?;
        let read = platterlab_experiment::Experiment::parse;
        let experiment = read(text.as_bytes(), shown, &folder, &changes).map_err(input)?;
        let inputs = experiment.inputs(&folder);
        Ok(Self { inputs, plan: experiment.plan, notes: Vec::new(), classes: Classes::default() })
    }

    /// The same of the tables of the file.
    #[staticmethod]
    fn draft(
        values: &Bound<'_, PyDict>,
        shown: &str,
        folder: PathBuf,
        overrides: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let text = toml::to_string(&to_table(values)?).map_err(input)?;
        Self::parse(&text, shown, folder, overrides)
    }

    #[staticmethod]
    #[pyo3(signature = (path, trace = None, format = None, seed = None, replications = 1, overrides = Vec::new()))]
    fn disksim(
        py: Python<'_>,
        path: PathBuf,
        trace: Option<String>,
        format: Option<String>,
        seed: Option<u32>,
        replications: u32,
        overrides: Vec<(String, String, Setting)>,
    ) -> PyResult<Self> {
        let value =
            |(component, parameter, setting)| (component, parameter, Setting::into(setting));
        let overrides = overrides.into_iter().map(value).collect();
        let options = system::SystemImportOptions { trace, format, seed, replications, overrides };
        let imported = py.detach(|| system::load(&path, &options)).map_err(input)?;
        // Its drives stand in the file itself, and its trace was given by hand.
        Ok(Self {
            inputs: Vec::new(),
            plan: imported.experiment.plan,
            notes: imported.notes,
            classes: Classes::default(),
        })
    }

    /// The profiles, traces and flows that it reads.
    #[getter]
    fn files(&self) -> Vec<PathBuf> {
        self.plan.files().map(PathBuf::from).collect()
    }

    /// The same with another rule for requests of traces that do not lie on their volume.
    fn with_beyond(&self, rule: &str) -> PyResult<Self> {
        let plan = self.plan.clone().with_beyond(beyond_named(rule)?);
        Ok(self.planned(plan, self.classes.clone()))
    }

    /// The same with classes of Python in place of the driver's scheduler, the caches' replacement,
    /// the workloads and the mirrors' choice of a copy.
    #[pyo3(signature = (*, scheduler = None, replacement = None, workload = None, read_choice = None))]
    fn with_classes(
        &self,
        scheduler: Option<&Bound<'_, PyAny>>,
        replacement: Option<&Bound<'_, PyAny>>,
        workload: Option<&Bound<'_, PyAny>>,
        read_choice: Option<&Bound<'_, PyAny>>,
    ) -> Self {
        let plan = self.plan.clone();
        let (plan, classes) = Classes::in_plan(plan, scheduler, replacement, workload, read_choice);
        self.planned(plan, classes)
    }

    #[getter]
    fn name(&self) -> Option<&str> {
        self.plan.name()
    }

    #[getter]
    fn drives(&self) -> Vec<String> {
        self.plan.drives().to_vec()
    }

    /// The seed of the first replication.
    #[getter]
    fn seed(&self) -> u64 {
        self.plan.seed_of(0)
    }

    #[getter]
    fn replications(&self) -> u32 {
        self.plan.replications()
    }

    /// Drives with more than they can do, and their loads, by an estimate.
    fn saturated(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        py.detach(|| saturated(&self.plan)).map_err(input)
    }

    /// How often the driver picks what another simulator picked for the first drive. A completion
    /// that is not a number is of a request that was never done.
    fn choices(
        &self,
        arrival_ms: PyReadonlyArray1<'_, f64>,
        completion_ms: PyReadonlyArray1<'_, f64>,
        lba: PyReadonlyArray1<'_, u64>,
        sectors: PyReadonlyArray1<'_, u32>,
        reads: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<Answer<Choices>> {
        let (arrival, completion) = (arrival_ms.as_slice()?, completion_ms.as_slice()?);
        let (lba, sectors, reads) = (lba.as_slice()?, sectors.as_slice()?, reads.as_slice()?);
        let count = arrival.len();
        if [completion.len(), lba.len(), sectors.len(), reads.len()].iter().any(|n| *n != count) {
            return Err(input("the columns must be of one length"));
        }
        let time = |ms: f64| Span::from_ms(ms).map(|span| Time::ZERO + span);
        let served = |index: usize| {
            Ok(Served {
                arrival: time(arrival[index])
                    .ok_or_else(|| input("an arrival is not a time of 0 or more"))?,
                completion: time(completion[index]),
                lba: lba[index],
                sectors: sectors[index],
                operation: if reads[index] { Operation::Read } else { Operation::Write },
            })
        };
        let requests = (0..count).map(served).collect::<PyResult<Vec<Served>>>()?;
        Ok(Answer(choices(&self.plan, &requests)))
    }

    #[getter]
    fn streams(&self) -> Vec<String> {
        self.plan.streams().to_vec()
    }

    #[getter]
    fn volumes(&self) -> Vec<String> {
        self.plan.volumes().to_vec()
    }

    /// Begins a timeline of its drives and volumes in a file.
    fn timeline(&self, path: PathBuf) -> PyResult<Timeline> {
        let file = BufWriter::new(File::create(path)?);
        let begun =
            platterlab_results::Timeline::new(file, self.plan.drives(), self.plan.volumes());
        Ok(Timeline { inner: Mutex::new(Some(begun?)) })
    }

    /// Memory for a number of replications at a time, in bytes, and of what.
    fn memory(&self, py: Python<'_>, threads: u64) -> (u64, String) {
        let memory = py.detach(|| self.plan.memory(threads));
        (memory.bytes, memory.of)
    }

    /// Starts the replications on this many threads.
    fn start(&self, threads: usize, rows: bool) -> Job {
        let job = platterlab_experiment::Job::start(self.plan.clone(), threads, rows);
        Job { inner: Mutex::new(Some(job)), classes: self.classes.clone() }
    }
}

impl Experiment {
    fn planned(&self, plan: Plan, classes: Classes) -> Self {
        Self { inputs: self.inputs.clone(), plan, notes: self.notes.clone(), classes }
    }
}

/// What replaces a parameter of DiskSim's.
#[derive(FromPyObject)]
enum Setting {
    Number(f64),
    Word(String),
}

impl From<Setting> for Value {
    fn from(setting: Setting) -> Self {
        match setting {
            Setting::Number(number) => Self::Number(number),
            Setting::Word(word) => Self::Word(word),
        }
    }
}

/// Other values at some dotted keys.
fn changes(overrides: &Bound<'_, PyDict>) -> PyResult<Vec<(String, toml::Value)>> {
    let change = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        Ok((key.extract::<String>()?, to_toml(&value)?))
    };
    overrides.iter().map(change).collect()
}

/// Replications at work.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Job {
    inner: Mutex<Option<platterlab_experiment::Job>>,
    classes: Classes,
}

#[pymethods]
impl Job {
    /// The share that is done, and requests served.
    fn progress(&self) -> PyResult<(f64, u64)> {
        let inner = self.inner()?;
        let progress = inner.as_ref().map(platterlab_experiment::Job::progress);
        Ok(progress.map_or((1.0, 0), |progress| (progress.share, progress.served)))
    }

    #[getter]
    fn done(&self) -> PyResult<bool> {
        Ok(self.inner()?.as_ref().is_none_or(platterlab_experiment::Job::is_done))
    }

    /// Breaks off.
    fn stop(&self) -> PyResult<()> {
        if let Some(job) = self.inner()?.as_ref() {
            job.stop();
        }
        Ok(())
    }

    /// The next rows of commands and of requests, waited for up to `patience_ms`; empty if there are
    /// none yet, None at the end.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        patience_ms: u64,
    ) -> PyResult<Option<(Bound<'py, PyDict>, Bound<'py, PyDict>)>> {
        let rows = py.detach(|| self.next(patience_ms))?;
        let tables = |Rows { commands, requests }| {
            PyResult::Ok((table(py, commands)?, request_table(py, requests)?))
        };
        rows.map(tables).transpose()
    }

    /// The next rows into files, as `rows` has them; whether there may be more.
    #[pyo3(signature = (patience_ms, commands = None, requests = None, timeline = None))]
    fn write(
        &self,
        py: Python<'_>,
        patience_ms: u64,
        commands: Option<&RowsFile>,
        requests: Option<&RowsFile>,
        timeline: Option<&Timeline>,
    ) -> PyResult<bool> {
        py.detach(|| {
            let Some(rows) = self.next(patience_ms)? else { return Ok(false) };
            if let Some(timeline) = timeline {
                timeline.add(&rows)?;
            }
            if let Some(file) = commands {
                file.commands(rows.commands)?;
            }
            if let Some(file) = requests {
                file.requests(rows.requests)?;
            }
            Ok(true)
        })
    }

    /// Waits for the end; the figures.
    fn finish(&self, py: Python<'_>) -> PyResult<Answer<JobReport>> {
        let finished = py.detach(|| {
            let job = self.inner()?.take();
            let job = job.ok_or_else(|| PyRuntimeError::new_err("the job was finished before"))?;
            job.finish().map_err(input)
        });
        finished.map(Answer).inspect_err(|error| error.set_cause(py, self.classes.cause()))
    }
}

impl Job {
    fn next(&self, patience_ms: u64) -> PyResult<Option<Rows>> {
        let patience = Duration::from_millis(patience_ms);
        Ok(self.inner()?.as_ref().and_then(|job| job.rows(patience)))
    }

    fn inner(&self) -> PyResult<MutexGuard<'_, Option<platterlab_experiment::Job>>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }
}

type Writer = platterlab_results::Timeline<BufWriter<File>>;

/// A timeline that is being written.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Timeline {
    inner: Mutex<Option<Writer>>,
}

#[pymethods]
impl Timeline {
    /// Ends it.
    fn finish(&self) -> PyResult<()> {
        if let Some(timeline) = self.inner()?.take() {
            timeline.finish()?;
        }
        Ok(())
    }
}

impl Timeline {
    fn add(&self, rows: &Rows) -> PyResult<()> {
        if let Some(timeline) = self.inner()?.as_mut() {
            timeline.commands(&rows.commands)?;
            timeline.requests(&rows.requests)?;
        }
        Ok(())
    }

    fn inner(&self) -> PyResult<MutexGuard<'_, Option<Writer>>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }
}
