//! Requests in memory, to be replayed many times: what studies and fits need.

use crate::array::{Column, array};
use crate::error::{input, located};
use crate::issue_order::{RowOrder, issue};
use crate::packed::{PickledRequests, packed, unpacked};
use crate::profile::Profile;
use crate::tables::{ms, table};
use crate::timing::timing_named;
use crate::trace::{format_named, options_from};
use numpy::PyReadonlyArray1;
use platterlab_drive::{Command, Drive};
use platterlab_results::Columns;
use platterlab_sim::{Replay, ReplayOptions, TimedOutcome, check_sectors, command_of, times};
use platterlab_units::{Lapse, Operation, Span, Stamp};
use platterlab_workload::synthetic::{Arrival, ArrivalLaw, Mixed};
use platterlab_workload::trace::{Beyond, Incoming, Listed, Position, TraceError, Within, open};
use platterlab_workload::{Criticality, Record};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// Rows that become columns together: column by column is quicker than row by row.
const TOGETHER: usize = 128;

/// A list of requests for one device.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Requests {
    /// Shared with the replays of them that are under way.
    records: Arc<Vec<Record>>,
    sector_bytes: u32,
    path: String,
    /// Where each stands in the file; none of requests that are no whole file's.
    places: Vec<Position>,
}

impl Requests {
    pub(crate) fn new(records: Vec<Record>, sector_bytes: u32, path: &str) -> Self {
        let records = Arc::new(records);
        Self { records, sector_bytes, path: path.to_owned(), places: Vec::new() }
    }

    pub(crate) fn records(&self) -> &Arc<Vec<Record>> {
        &self.records
    }

    /// What the list is called.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}

#[pymethods]
impl Requests {
    /// The requests of a trace for one device, in the order in which the drive got them.
    #[staticmethod]
    #[pyo3(signature = (path, format = None, *, device = 0, options = None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        device: u32,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (format, options) = (format_named(format)?, options_from(options)?);
        py.detach(|| {
            let mut reader = open(&path, format, &options).map_err(input)?;
            let sector_bytes = reader.facts().sector_bytes;
            let mut read = Vec::new();
            while let Some(record) = reader.next() {
                let record = record.map_err(input)?;
                if record.device == device {
                    read.push((record, reader.place()));
                }
            }
            // As the drive got them, so that a part of the list is a part of the drive's day.
            read.sort_by_key(|(record, _)| issue(record.arrival, record.queued));
            let (records, places): (Vec<_>, _) = read.into_iter().unzip();
            let records = Arc::new(records);
            Ok(Self { records, sector_bytes, path: path.display().to_string(), places })
        })
    }

    /// Requests of a generated mixture, with think times for closed replay.
    #[staticmethod]
    #[pyo3(signature = (
        profile, requests, *, read_share, sequential_share, local_share, local_distance_sectors,
        mean_sectors, max_sectors, align_sectors, think_ms, seed
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword argument in Python")]
    fn generate(
        profile: &Profile,
        requests: u64,
        read_share: f64,
        sequential_share: f64,
        local_share: f64,
        local_distance_sectors: u64,
        mean_sectors: f64,
        max_sectors: u32,
        align_sectors: u32,
        think_ms: f64,
        seed: u64,
    ) -> PyResult<Self> {
        let think = Span::from_ms(think_ms)
            .ok_or_else(|| input(format!("think_ms: {think_ms}; it must be 0 or more")))?;
        let workload = Mixed {
            requests,
            capacity_sectors: profile.drive.layout().capacity(),
            read_share,
            sequential_share,
            local_share,
            local_distance_sectors,
            mean_sectors,
            max_sectors,
            align_sectors,
            arrival: Arrival::Closed { law: ArrivalLaw::Exponential, think },
            seed,
        };
        let records = workload.requests().map_err(input)?.collect();
        let sector_bytes = profile.drive.layout().sector_bytes();
        Ok(Self::new(records, sector_bytes, "generated requests"))
    }

    /// Reads of given places, each begun when the one before is done.
    #[staticmethod]
    fn reads(profile: &Profile, places: Vec<(u64, u32)>) -> Self {
        let record = |(number, (lba, sectors)): (usize, (u64, u32))| Record {
            arrival: Stamp::ZERO,
            queued: None,
            service: None,
            think: (number > 0).then_some(Span::ZERO),
            lba,
            sectors,
            device: 0,
            operation: Operation::Read,
            criticality: Criticality::Unknown,
        };
        let records = places.into_iter().enumerate().map(record).collect();
        Self::new(records, profile.drive.layout().sector_bytes(), "listed requests")
    }

    /// Requests of which the columns are given, as `columns` gives them; they are put in the order of issue.
    #[staticmethod]
    #[pyo3(signature = (
        lba, sectors, operation, arrival_ms, queued_ms, service_ms, think_ms, *, sector_bytes, shown
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a column")]
    fn given(
        lba: PyReadonlyArray1<'_, u64>,
        sectors: PyReadonlyArray1<'_, u32>,
        operation: PyReadonlyArray1<'_, u8>,
        arrival_ms: PyReadonlyArray1<'_, f64>,
        queued_ms: PyReadonlyArray1<'_, f64>,
        service_ms: PyReadonlyArray1<'_, f64>,
        think_ms: PyReadonlyArray1<'_, f64>,
        sector_bytes: u32,
        shown: String,
    ) -> PyResult<Self> {
        let (lba, sectors, operation) = (lba.as_array(), sectors.as_array(), operation.as_array());
        let times = [&arrival_ms, &queued_ms, &service_ms, &think_ms].map(|one| one.as_array());
        let [arrival_ms, queued_ms, service_ms, think_ms] = times;
        let lengths = times.map(|column| column.len()).into_iter();
        if lengths.chain([sectors.len(), operation.len()]).any(|n| n != lba.len()) {
            return Err(input(format!("{shown}: its columns differ in length")));
        }
        let operations = [Operation::Read, Operation::Write];
        let mut order = RowOrder::default();
        let records = (0..lba.len()).map(|row| {
            let wrong = |what: &str| input(format!("{shown}: row {row}: {what}"));
            let known = |name: &str, ms: f64| {
                let none = || wrong(&format!("{name}: {ms}; it is 0 or more"));
                (!ms.is_nan()).then(|| Span::from_ms(ms).ok_or_else(none)).transpose()
            };
            let arrival =
                Lapse::from_ms(arrival_ms[row]).map(|after| Stamp::ZERO + after).ok_or_else(
                    || wrong(&format!("arrival_ms: {}; it is 0 or more", arrival_ms[row])),
                )?;
            let queued = known("queued_ms", queued_ms[row])?;
            if !order.holds(arrival, issue(arrival, queued)) {
                return Err(wrong("it arrives, and is issued, before the one above it"));
            }
            if sectors[row] == 0 {
                return Err(wrong("it has no sectors; one has at least 1"));
            }
            let operation = operations.get(usize::from(operation[row])).copied();
            Ok(Record {
                arrival,
                queued,
                service: known("service_ms", service_ms[row])?,
                think: known("think_ms", think_ms[row])?,
                lba: lba[row],
                sectors: sectors[row],
                device: 0,
                operation: operation.ok_or_else(|| wrong("an operation is 0 or 1"))?,
                criticality: Criticality::Unknown,
            })
        });
        let mut records = records.collect::<PyResult<Vec<_>>>()?;
        if !order.of_issue {
            records.sort_by_key(|record| issue(record.arrival, record.queued));
        }
        Ok(Self::new(records, sector_bytes, &shown))
    }

    /// By its records, so that it can be copied to another process.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, PickledRequests)> {
        let unpickled = slf.get_type().getattr("unpickled")?.unbind();
        let held = slf.get();
        let bytes = slf.py().detach(|| packed(&held.records, &held.places));
        let bytes = PyBytes::new(slf.py(), &bytes).unbind();
        Ok((unpickled, (bytes, held.sector_bytes, held.path.clone())))
    }

    /// What `__reduce__` gave.
    #[staticmethod]
    fn unpickled(records: &[u8], sector_bytes: u32, path: String) -> PyResult<Self> {
        let whole = unpacked(records).ok_or_else(|| input("these are not pickled requests"))?;
        Ok(Self { records: Arc::new(whole.0), sector_bytes, path, places: whole.1 })
    }

    #[getter]
    pub(crate) fn sector_bytes(&self) -> u32 {
        self.sector_bytes
    }

    fn __len__(&self) -> usize {
        self.records.len()
    }

    /// The requests from `first` to `last`, that one left out.
    fn part(&self, first: usize, last: usize) -> PyResult<Self> {
        let records = self.records.get(first..last).ok_or_else(|| {
            input(format!("{first}..{last} is not part of {} requests", self.records.len()))
        })?;
        Ok(Self::new(records.to_vec(), self.sector_bytes, &self.path))
    }

    /// The same requests in the sectors of a drive, which has to take them all.
    fn on(&self, profile: &Profile) -> PyResult<Self> {
        let (drive, trace) = (&profile.drive, self.sector_bytes);
        let own = drive.layout().sector_bytes();
        check_sectors(trace, drive).map_err(|error| located(error, &self.path))?;
        let record = |(number, record): (usize, &Record)| match command_of(record, trace, drive) {
            Ok(Command { lba, sectors, partial, .. }) if partial.is_whole() => {
                Ok(Record { lba, sectors, ..*record })
            }
            refused => Err(input(TraceError::new(
                self.path.as_ref(),
                self.places.get(number).copied().unwrap_or(Position::File),
                format!(
                    "{} sectors from {} on: {reason}; the trace is of another drive than the profile",
                    record.sectors,
                    record.lba,
                    reason = refused.err().unwrap_or("not whole sectors of the drive"),
                ),
            ))),
        };
        let records = self.records.iter().enumerate().map(record).collect::<PyResult<_>>()?;
        Ok(Self::new(records, own, &self.path))
    }

    /// What the trace says of each request, as columns; a time it does not know is not a number.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = PyDict::new(py);
        let whole = |value: fn(&Record) -> u64| {
            array(py, self.records.iter().map(value).collect::<Vec<u64>>())
        };
        let column = |ms: &dyn Fn(&Record) -> f64| {
            array(py, self.records.iter().map(ms).collect::<Vec<f64>>())
        };
        let ms = |value: fn(&Record) -> Option<Span>| {
            column(&|record| value(record).map_or(f64::NAN, Span::as_ms))
        };
        table.set_item("lba", whole(|record| record.lba)?)?;
        table.set_item("sectors", whole(|record| record.sectors.into())?)?;
        table.set_item("operation", whole(|record| record.operation.index() as u64)?)?;
        table.set_item("arrival_ms", column(&|record| record.arrival.as_ms())?)?;
        table.set_item("queued_ms", ms(|record| record.queued)?)?;
        table.set_item("service_ms", ms(|record| record.service)?)?;
        table.set_item("think_ms", ms(|record| record.think)?)?;
        Ok(table)
    }

    /// Serves all requests: a row each, as columns. Refused requests have no row.
    #[pyo3(signature = (profile, *, timing, seed = 0, track_phase = false))]
    fn replay<'py>(
        &self,
        py: Python<'py>,
        profile: &Profile,
        timing: &str,
        seed: u64,
        track_phase: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let options = self.options(timing, seed, track_phase)?;
        table(py, py.detach(|| self.rows(&profile.drive, options))?)
    }

    /// The service times under several profiles, worked out side by side.
    #[pyo3(signature = (profiles, *, timing, seed = 0, track_phase = false))]
    fn service_ms<'py>(
        &self,
        py: Python<'py>,
        profiles: Vec<PyRef<'py, Profile>>,
        timing: &str,
        seed: u64,
        track_phase: bool,
    ) -> PyResult<Vec<Column<'py>>> {
        let options = self.options(timing, seed, track_phase)?;
        let drives: Vec<Drive> = profiles.iter().map(|profile| profile.drive.clone()).collect();
        let served = |drive: &Drive| self.taken(drive, &options).map(|taken| ms(&taken));
        let runs: PyResult<Vec<Vec<f64>>> = py.detach(|| drives.par_iter().map(served).collect());
        runs?.into_iter().map(|times| array(py, times)).collect()
    }
}

impl Requests {
    pub(crate) fn options(
        &self,
        timing: &str,
        seed: u64,
        track_phase: bool,
    ) -> PyResult<ReplayOptions> {
        Ok(ReplayOptions {
            timing: timing_named(timing)?,
            device: self.records.first().map(|record| record.device),
            seed,
            warm_up: 0,
            trace_sector_bytes: self.sector_bytes,
            track_phase,
        })
    }

    /// Serves all of them: what comes of each that is not refused.
    pub(crate) fn taken(
        &self,
        drive: &Drive,
        options: &ReplayOptions,
    ) -> PyResult<Vec<TimedOutcome>> {
        times(&self.records, drive.clone(), options.clone())
            .map_err(|error| located(error, &self.path))
    }

    /// Serves all of them: a row of each that is not refused.
    fn rows(&self, drive: &Drive, options: ReplayOptions) -> PyResult<Columns> {
        let explain = |error| located(error, &self.path);
        let within = Within::new(self.sector_bytes, options.device, u128::MAX, Beyond::Skip);
        let list = Listed::new(Arc::clone(&self.records), within, &self.path);
        let source = Incoming::List(list);
        let mut replay = Replay::new(source, drive.clone(), options).map_err(explain)?;
        let mut columns = Columns::with_capacity(self.records.len());
        let mut rows = Vec::with_capacity(TOGETHER);
        loop {
            rows.clear();
            replay.rows(TOGETHER, &mut rows).map_err(explain)?;
            columns.extend(&rows);
            if rows.len() < TOGETHER {
                return Ok(columns);
            }
        }
    }
}
