//! Columns for numpy.

use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// What Python gets.
pub(crate) type Column<'py> = Bound<'py, PyArray1<f64>>;

/// What Python gives.
pub(crate) type Values<'py> = PyReadonlyArray1<'py, f64>;

/// A column, without a copy. The first one loads numpy.
pub(crate) fn array<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
) -> PyResult<Bound<'_, PyArray1<T>>> {
    // An interruption that the conversion meets, as the first one loads more, would be a panic.
    py.import("numpy")?;
    py.check_signals()?;
    Ok(values.into_pyarray(py))
}
