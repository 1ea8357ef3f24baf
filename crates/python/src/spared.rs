//! Places of requests on a zone with spares.

use crate::array::{Column, array};
use crate::error::input;
use numpy::{PyArray1, PyReadonlyArray1};
use platterlab_extract::spared::{SparedZone, places};
use pyo3::prelude::*;

/// How late requests are, their heads and cylinders.
type Lying<'py> = (Column<'py>, Bound<'py, PyArray1<i64>>, Column<'py>);

/// How late requests are, and their heads and cylinders; `shape` has surfaces, sectors of a track
/// and cylinders.
#[pyfunction]
pub(crate) fn spared_places<'py>(
    py: Python<'py>,
    lba: PyReadonlyArray1<'py, i64>,
    turns: PyReadonlyArray1<'py, f64>,
    shape: (i64, i64, i64),
    sectors: f64,
    width: i64,
) -> PyResult<Lying<'py>> {
    let (lba, turns) = (lba.as_slice()?, turns.as_slice()?);
    if lba.len() != turns.len() {
        return Err(input(format!("{} addresses and {} angles", lba.len(), turns.len())));
    }
    let (surfaces, per_track, cylinders) = shape;
    let found = places(lba, turns, SparedZone { surfaces, per_track, cylinders }, sectors, width);
    Ok((array(py, found.late)?, array(py, found.head)?, array(py, found.cylinder)?))
}
