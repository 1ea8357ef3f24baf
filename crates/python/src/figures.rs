//! How far simulated times are from measured ones.

use crate::error::{input, json};
use numpy::PyReadonlyArray1;
use platterlab_results::ErrorFigures;
use pyo3::prelude::*;

type Times<'py> = PyReadonlyArray1<'py, f64>;

#[pyfunction]
#[pyo3(signature = (simulated, measured))]
pub(crate) fn demerit_ms(simulated: Times<'_>, measured: Times<'_>) -> PyResult<f64> {
    platterlab_results::demerit_ms(simulated.as_slice()?, measured.as_slice()?)
        .ok_or_else(|| input("the times to compare must be numbers, and at least one of each"))
}

#[pyfunction]
#[pyo3(signature = (simulated, measured))]
pub(crate) fn error_figures(simulated: Times<'_>, measured: Times<'_>) -> PyResult<String> {
    let figures = ErrorFigures::new(simulated.as_slice()?, measured.as_slice()?);
    json(&figures.ok_or_else(|| {
        input("the times to compare must be numbers, as many of one as of the other, at least one")
    })?)
}
