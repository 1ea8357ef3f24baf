//! Times and the intervals they should lie in.

use crate::array::{Column, array};
use crate::error::input;
use numpy::PyReadonlyArray1;
use platterlab_extract::edges;
use pyo3::prelude::*;

/// The later of two times, by row, and how far it is the second's.
#[pyfunction]
pub(crate) fn smooth_later<'py>(
    py: Python<'py>,
    first: PyReadonlyArray1<'py, f64>,
    second: PyReadonlyArray1<'py, f64>,
    width: f64,
) -> PyResult<(Column<'py>, Column<'py>)> {
    let (first, second) = (first.as_array(), second.as_array());
    if first.len() != second.len() {
        return Err(input(format!("{} times and {}", first.len(), second.len())));
    }
    let both = first.iter().zip(second);
    let (later, share) =
        both.map(|(first, second)| edges::smooth_later(*first, *second, width)).unzip();
    Ok((array(py, later)?, array(py, share)?))
}

/// What each time is charged for its interval, its slope, and the slope's.
#[pyfunction]
pub(crate) fn edge_penalties<'py>(
    py: Python<'py>,
    times: PyReadonlyArray1<'py, f64>,
    ends: PyReadonlyArray1<'py, f64>,
    is_open: PyReadonlyArray1<'py, bool>,
    length: f64,
    width: f64,
) -> PyResult<(Column<'py>, Column<'py>, Column<'py>)> {
    let (times, ends, is_open) = (times.as_array(), ends.as_array(), is_open.as_array());
    if times.len() != ends.len() || times.len() != is_open.len() {
        let (times, ends, open) = (times.len(), ends.len(), is_open.len());
        return Err(input(format!("{times} times, {ends} ends and {open} flags")));
    }
    let mut columns: [Vec<f64>; 3] = std::array::from_fn(|_| Vec::with_capacity(times.len()));
    for ((time, end), open) in times.iter().zip(ends).zip(is_open) {
        let found = edges::penalties(*time, *end, length, *open, width);
        for (column, value) in
            columns.iter_mut().zip([found.after + found.before, found.slope, found.curvature])
        {
            column.push(value);
        }
    }
    let [charged, slope, curvature] = columns;
    Ok((array(py, charged)?, array(py, slope)?, array(py, curvature)?))
}
