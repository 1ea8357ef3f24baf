//! Angles as unit numbers.

use crate::array::array;
use numpy::{Complex64, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// The unit number at each of some angles, in radians: what numpy's `exp` gives of an imaginary one.
#[pyfunction]
pub(crate) fn unit_numbers<'py>(
    py: Python<'py>,
    radians: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<Complex64>>> {
    let unit = |angle: &f64| {
        let (sin, cos) = angle.sin_cos();
        Complex64::new(cos, sin)
    };
    array(py, radians.as_slice()?.iter().map(unit).collect())
}
