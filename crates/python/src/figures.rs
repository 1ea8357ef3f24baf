//! Errors of simulated times against measured ones.

use crate::answers::Answer;
use crate::error::input;
use numpy::PyReadonlyArray1;
use platterlab_results::{AgreementSummary, ErrorFigures};
use platterlab_units::Operation;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

type Times<'py> = PyReadonlyArray1<'py, f64>;

#[pyfunction]
#[pyo3(signature = (simulated, measured))]
pub(crate) fn demerit_ms(simulated: Times<'_>, measured: Times<'_>) -> PyResult<f64> {
    platterlab_results::demerit_ms(simulated.as_slice()?, measured.as_slice()?)
        .ok_or_else(|| input("the times to compare must be numbers, and at least one of each"))
}

#[pyfunction]
#[pyo3(signature = (simulated, measured))]
pub(crate) fn error_figures(
    simulated: Times<'_>,
    measured: Times<'_>,
) -> PyResult<Answer<ErrorFigures>> {
    let figures = ErrorFigures::new(simulated.as_slice()?, measured.as_slice()?);
    figures.map(Answer).ok_or_else(|| {
        input("the times to compare must be numbers, as many of one as of the other, at least one")
    })
}

/// Simulated against measured times of any number of requests.
#[pyclass(frozen, module = "platterlab._core")]
#[derive(Default)]
pub(crate) struct Agreement {
    inner: Mutex<platterlab_results::Agreement>,
}

#[pymethods]
impl Agreement {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn add(
        &self,
        simulated: Times<'_>,
        measured: Times<'_>,
        operation: PyReadonlyArray1<'_, u8>,
    ) -> PyResult<()> {
        let (simulated, measured) = (simulated.as_slice()?, measured.as_slice()?);
        let operation = operation.as_slice()?;
        if simulated.len() != measured.len() || simulated.len() != operation.len() {
            return Err(input("times and operations must be as many of each"));
        }
        if !simulated.iter().chain(measured).all(|ms| ms.is_finite()) {
            return Err(input("the times to compare must be numbers"));
        }
        let requests = operation.iter().zip(simulated).zip(measured);
        self.lock()?.extend(requests.map(|((code, simulated_ms), measured_ms)| {
            let write = usize::from(*code) == Operation::Write.index();
            let operation = if write { Operation::Write } else { Operation::Read };
            (operation, *simulated_ms, *measured_ms)
        }));
        Ok(())
    }

    fn figures(&self) -> PyResult<Option<Answer<AgreementSummary>>> {
        Ok(self.lock()?.summary().map(Answer))
    }
}

impl Agreement {
    fn lock(&self) -> PyResult<MutexGuard<'_, platterlab_results::Agreement>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }
}
