//! Density of values.

use crate::array::{Values, array};
use crate::error::input;
use numpy::PyArray1;
use platterlab_extract::crowding as core;
use pyo3::prelude::*;

/// How crowded values less a slope times their weights are, for each of some slopes.
#[pyfunction]
pub(crate) fn crowding<'py>(
    py: Python<'py>,
    values: Values<'py>,
    weights: Values<'py>,
    slopes: Values<'py>,
    edges: Values<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (values, weights) = (values.as_slice()?, weights.as_slice()?);
    if values.len() != weights.len() {
        return Err(input(format!("{} values and {} weights", values.len(), weights.len())));
    }
    array(py, core::crowding(values, weights, slopes.as_slice()?, edges.as_slice()?))
}
