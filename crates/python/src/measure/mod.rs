//! Measuring a drive: what to ask next, asking it, and what the answers mean.

mod columns;
mod device;
mod work;
pub(crate) mod writing;

pub(crate) use writing::{write_dry_run, write_left, write_repair};

use crate::answers::Answer;
use crate::error::{InputError, failed, input, of_device};
use crate::profile::Profile;
use device::Opened;
use platterlab_extract::{Extraction, Goal, TrackMap};
use platterlab_probe::{Access, Plan, Progress, Samples, run};
use platterlab_units::Span;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use work::Work;

/// Between two looks at the signals.
const PATIENCE: Duration = Duration::from_millis(100);

/// A drive being measured.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Measurement {
    inner: Mutex<State>,
}

struct State {
    opened: Option<Opened>,
    facts: MeasuredDevice,
    work: Work,
}

/// What is known of a device before anything is measured.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub(crate) struct MeasuredDevice {
    name: String,
    capacity_sectors: u64,
    logical_sector_bytes: u32,
    physical_sector_bytes: u32,
    host_overhead_us: f64,
    region: (u64, u64),
    writes: bool,
    whole: bool,
    /// How tracks are mapped, where that is what is wanted: `every` or `fast`.
    #[serde(default)]
    tracks: Option<String>,
    facts: Vec<(String, String)>,
    /// Drive time that it may take, a survey of the tracks included; none for no survey.
    #[serde(default)]
    time_s: Option<f64>,
}

impl MeasuredDevice {
    fn goal(&self) -> Goal {
        let unit_sectors = (self.physical_sector_bytes / self.logical_sector_bytes.max(1)).max(1);
        let (region_lba, sectors) = self.region;
        Goal {
            region_lba,
            // What is left of a physical sector at the end is never asked for.
            region_sectors: sectors / u64::from(unit_sectors) * u64::from(unit_sectors),
            to_drive_end: region_lba + sectors == self.capacity_sectors,
            unit_sectors,
            sector_bytes: self.logical_sector_bytes,
            writes: self.writes,
            whole: self.whole,
        }
    }
}

#[pymethods]
impl Measurement {
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    #[pyo3(signature = (
        profile, *, noise = "typical", seed = 0, writes = true, whole = true, faults = None,
        tracks = None, host = None, time_s = None
    ))]
    fn simulated(
        profile: &Profile,
        noise: &str,
        seed: u64,
        writes: bool,
        whole: bool,
        faults: Option<&Bound<'_, PyDict>>,
        tracks: Option<String>,
        host: Option<&Bound<'_, PyDict>>,
        time_s: Option<f64>,
    ) -> PyResult<Self> {
        let opened = device::simulated(profile, noise, host, seed, writes, faults)?;
        Self::new(opened, None, whole, time_s, tracks)
    }

    #[staticmethod]
    #[pyo3(signature = (path, *, region = None, whole = true, tracks = None, time_s = None))]
    fn linux(
        py: Python<'_>,
        path: PathBuf,
        region: Option<(u64, u64)>,
        whole: bool,
        tracks: Option<String>,
        time_s: Option<f64>,
    ) -> PyResult<Self> {
        let opened = py.detach(|| device::linux(&path))?;
        Self::new(opened, region, whole, time_s, tracks)
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    #[pyo3(signature = (
        path, *, confirmation, region, journal_dir, even_if_open = false, whole = true,
        time_s = None
    ))]
    fn linux_for_writing(
        py: Python<'_>,
        path: PathBuf,
        confirmation: String,
        region: (u64, u64),
        journal_dir: PathBuf,
        even_if_open: bool,
        whole: bool,
        time_s: Option<f64>,
    ) -> PyResult<Self> {
        let request = device::request(path, confirmation, region, journal_dir, even_if_open);
        let opened = py.detach(|| device::linux_for_writing(&request))?;
        Self::new(opened, Some(region), whole, time_s, None)
    }

    /// Of a device that is not here: samples come in through `feed`.
    #[staticmethod]
    #[pyo3(signature = (info))]
    fn recorded(info: &str) -> PyResult<Self> {
        let facts: MeasuredDevice =
            serde_json::from_str(info).map_err(|error| input(format!("device: {error}")))?;
        let work = Work::new(&facts)?;
        Ok(Self { inner: Mutex::new(State { opened: None, facts, work }) })
    }

    fn info(&self) -> PyResult<Answer<MeasuredDevice>> {
        Ok(Answer(self.state()?.facts.clone()))
    }

    #[pyo3(signature = (rotation_ms = 8.333))]
    fn plan(&self, rotation_ms: f64) -> PyResult<Option<Answer<PlannedProbe>>> {
        let rotation =
            Span::from_ms(rotation_ms).ok_or_else(|| input("rotation_ms must be 0 or more"))?;
        let Some(plan) = self.state()?.work.next_plan() else { return Ok(None) };
        let cost = plan.cost();
        let shown = PlannedProbe {
            probe: plan.name(),
            requests: cost.requests,
            sectors: cost.sectors,
            drive_time_s: cost.drive_time(rotation).as_ms() / 1e3,
            plan,
        };
        Ok(Some(Answer(shown)))
    }

    #[pyo3(signature = (progress = None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (run, thrown) = py.detach(|| self.measure(progress.as_ref()))?;
        if let Some(error) = thrown {
            return Err(error);
        }
        columns::columns(py, &run)
    }

    /// Sectors done with and sectors there are, where tracks are mapped.
    fn mapped(&self) -> PyResult<Option<(u64, u64)>> {
        Ok(self.state()?.work.mapped())
    }

    fn feed(&self, plan: &str, columns: &Bound<'_, PyDict>) -> PyResult<()> {
        let run = columns::samples(plan, columns)?;
        self.state()?.work.add(&run);
        Ok(())
    }

    fn extraction(&self) -> PyResult<Answer<Extraction>> {
        let found = self.state()?.work.extraction();
        let other = || PyRuntimeError::new_err("its tracks are mapped: ask for track_map");
        found.map(Answer).ok_or_else(other)
    }

    /// What the self-check leaves of it with one value put wrong, for trials of that check; `None`
    /// where that value is not sure.
    fn falsified(&self, name: &str, value: f64) -> PyResult<Option<Answer<Extraction>>> {
        Ok(self.state()?.work.falsified(name, value).map(Answer))
    }

    fn track_map(&self) -> PyResult<Answer<TrackMap>> {
        let found = self.state()?.work.track_map();
        let other = || PyRuntimeError::new_err("a drive is measured: ask for extraction");
        found.map(Answer).ok_or_else(other)
    }

    /// Ends the use of the device.
    fn finish(&self, py: Python<'_>) -> PyResult<Answer<DeviceLeft>> {
        let Some(opened) = self.state()?.opened.take() else {
            return Ok(Answer(DeviceLeft::default()));
        };
        let finished = py.detach(|| opened.device.finish()).map_err(failed)?;
        Ok(Answer(DeviceLeft {
            changed: writing::runs(&finished.changed),
            damaged: writing::runs(&finished.damaged),
            journal: finished.journal,
        }))
    }
}

/// How a device was left.
#[derive(Default, JsonSchema, Serialize)]
pub(crate) struct DeviceLeft {
    changed: Vec<(u64, u64)>,
    damaged: Vec<(u64, u64)>,
    journal: Option<PathBuf>,
}

/// What is measured next, and what that costs.
#[derive(JsonSchema, Serialize)]
pub(crate) struct PlannedProbe {
    probe: &'static str,
    requests: u64,
    sectors: u64,
    drive_time_s: f64,
    plan: Plan,
}

impl Measurement {
    fn new(
        mut opened: Opened,
        region: Option<(u64, u64)>,
        whole: bool,
        time_s: Option<f64>,
        tracks: Option<String>,
    ) -> PyResult<Self> {
        let device = opened.device.as_block();
        let overhead = device.overhead();
        let info = device.info().clone();
        let (first, sectors) = region.unwrap_or_else(|| info.whole());
        info.check_region(first, sectors).map_err(|error| of_device(&error))?;
        let facts = MeasuredDevice {
            name: info.name,
            capacity_sectors: info.capacity_sectors,
            logical_sector_bytes: info.logical_sector_bytes,
            physical_sector_bytes: info.physical_sector_bytes,
            host_overhead_us: overhead.as_ms() * 1e3,
            region: (first, sectors),
            writes: opened.consent.is_some(),
            whole,
            tracks,
            facts: info.facts,
            time_s,
        };
        let work = Work::new(&facts)?;
        Ok(Self { inner: Mutex::new(State { opened: Some(opened), facts, work }) })
    }

    fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }

    /// Runs the next plan; with it, what the progress function threw.
    fn measure(&self, progress: Option<&Py<PyAny>>) -> PyResult<(Samples, Option<PyErr>)> {
        let mut state = self.state()?;
        let State { opened, work, .. } = &mut *state;
        let Some(opened) = opened else {
            return Err(InputError::new_err("the device is closed; samples can only be fed"));
        };
        let plan = work.next_plan().ok_or_else(|| input("there is no more to measure"))?;
        let consent = opened.consent.as_ref().filter(|_| !work.only_reads());
        let access = consent.map_or(Access::Read, Access::Write);
        let mut thrown = None;
        let mut looked = Instant::now();
        let mut watch = |now: Progress| {
            if looked.elapsed() < PATIENCE {
                return ControlFlow::Continue(());
            }
            looked = Instant::now();
            Python::attach(|py| look(py, progress, now, &mut thrown))
        };
        let run = run(opened.device.as_block(), &plan, access, &mut watch);
        if run.end == platterlab_probe::End::Complete {
            work.add(&run);
        }
        Ok((run, thrown))
    }
}

/// Handles signals and reports the progress. A signal ends the run, and its samples are kept.
fn look(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    now: Progress,
    thrown: &mut Option<PyErr>,
) -> ControlFlow<()> {
    if py.check_signals().is_err() {
        return ControlFlow::Break(());
    }
    let Some(progress) = progress else { return ControlFlow::Continue(()) };
    match progress.call1(py, (now.done, now.requests, now.drive_time.as_ms())) {
        Ok(_) => ControlFlow::Continue(()),
        Err(error) => {
            *thrown = Some(error);
            ControlFlow::Break(())
        }
    }
}
