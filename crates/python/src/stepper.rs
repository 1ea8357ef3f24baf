//! A drive or a system on the caller's clock.

use crate::answers::Answer;
use crate::error::input;
use crate::experiment::Experiment;
use crate::profile::Profile;
use platterlab_experiment::scheduler_named;
use platterlab_sim::Report;
use platterlab_sim::system::Asked;
use platterlab_units::{Operation, Stamp};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

type Inner = platterlab_sim::system::Stepper;

/// Number, arrival and completion in picoseconds, and whether its data was lost.
type Ended = (u64, u128, u128, bool);

/// A drive or a system on the caller's clock.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct Stepper {
    inner: Mutex<Inner>,
}

#[pymethods]
impl Stepper {
    /// A drive behind a driver that gives it one command at a time.
    #[staticmethod]
    fn of_drive(profile: &Profile, scheduler: &str, seed: u64) -> PyResult<Self> {
        let scheduler = scheduler_named(scheduler).map_err(input)?;
        Ok(Self::of(Inner::of_drive(profile.drive.clone(), scheduler, seed).map_err(input)?))
    }

    /// The system of an experiment, its workloads left out.
    #[staticmethod]
    fn of_system(experiment: &Experiment, replication: u32) -> PyResult<Self> {
        Ok(Self::of(experiment.plan.stepper(replication).map_err(input)?))
    }

    /// Another one in the same state.
    fn copy(&self) -> PyResult<Self> {
        Ok(Self::of(self.inner()?.clone()))
    }

    #[getter]
    fn now_ps(&self) -> PyResult<u128> {
        Ok(self.inner()?.now().as_ps())
    }

    #[getter]
    fn in_flight(&self) -> PyResult<usize> {
        Ok(self.inner()?.in_flight())
    }

    #[getter]
    fn volumes(&self) -> PyResult<usize> {
        Ok(self.inner()?.volumes())
    }

    #[getter]
    fn sector_bytes(&self) -> PyResult<u32> {
        Ok(self.inner()?.sector_bytes())
    }

    /// Sectors of a volume, 0 where there is none.
    fn sectors(&self, volume: u32) -> PyResult<u64> {
        Ok(self.inner()?.sectors(volume))
    }

    /// Hands a request in, which arrives now where no instant is given; its number.
    fn submit(
        &self,
        at_ps: Option<u128>,
        volume: u32,
        lba: u64,
        sectors: u32,
        writes: bool,
    ) -> PyResult<u64> {
        let mut inner = self.inner()?;
        let at = at_ps.map_or(inner.now(), Stamp::from_ps);
        inner.submit(at, asked(volume, lba, sectors, writes)).map_err(input)
    }

    /// When something happens next, in picoseconds.
    #[getter]
    fn next_event_ps(&self) -> PyResult<Option<u128>> {
        Ok(self.inner()?.next_event().map(Stamp::as_ps))
    }

    /// Lets happen what is due up to an instant; what is over since.
    fn advance(&self, py: Python<'_>, to_ps: u128) -> PyResult<Vec<Ended>> {
        let over = py.detach(|| {
            let mut inner = self.inner()?;
            let advanced = inner.advance(Stamp::from_ps(to_ps));
            advanced.map_err(input)?;
            PyResult::Ok(std::mem::take(inner.completions()))
        })?;
        let ended = |one: &platterlab_sim::source::Ended| {
            (one.request.tag, one.arrival.as_ps(), one.completion.as_ps(), one.lost)
        };
        Ok(over.iter().map(ended).collect())
    }

    /// When a request would be over if it came now and nothing after it did.
    fn estimate(
        &self,
        py: Python<'_>,
        volume: u32,
        lba: u64,
        sectors: u32,
        writes: bool,
    ) -> PyResult<u128> {
        let one = asked(volume, lba, sectors, writes);
        py.detach(|| self.inner()?.estimate(one).map(Stamp::as_ps).map_err(input))
    }

    /// The figures so far.
    fn report(&self) -> PyResult<Answer<Report>> {
        Ok(Answer(self.inner()?.report()))
    }
}

impl Stepper {
    fn of(inner: Inner) -> Self {
        Self { inner: Mutex::new(inner) }
    }

    fn inner(&self) -> PyResult<MutexGuard<'_, Inner>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }
}

fn asked(volume: u32, lba: u64, sectors: u32, writes: bool) -> Asked {
    let operation = if writes { Operation::Write } else { Operation::Read };
    Asked { volume, lba, sectors, operation }
}
