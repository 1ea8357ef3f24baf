//! Normal equations of sparse designs.

use crate::array::{Column, Values, array};
use crate::error::input;
use numpy::PyReadonlyArray2;
use platterlab_extract::normal_equations as core;
use pyo3::prelude::*;

/// The normal matrix of a design of rows by unknowns, row by row, and its right side.
#[pyfunction]
pub(crate) fn normal_equations<'py>(
    py: Python<'py>,
    design: PyReadonlyArray2<'py, f64>,
    weights: Values<'py>,
    observed: Values<'py>,
) -> PyResult<(Column<'py>, Column<'py>)> {
    let [rows, unknowns] = [0, 1].map(|axis| design.as_array().shape()[axis]);
    let (weights, observed) = (weights.as_slice()?, observed.as_slice()?);
    if (weights.len(), observed.len()) != (rows, rows) {
        return Err(input(format!(
            "{rows} rows, {} weights and {} observed values",
            weights.len(),
            observed.len()
        )));
    }
    let found = core::normal_equations(design.as_slice()?, unknowns, weights, observed);
    Ok((array(py, found.matrix)?, array(py, found.told)?))
}
