//! The likeliest sequences of shifts and of slips along a zone's tracks.

use crate::array::{Column, Values, array};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use platterlab_extract::paths::{Shifts, Slips, Traced};
use pyo3::prelude::*;

type Flags<'py> = PyReadonlyArray1<'py, bool>;

/// How likely each number is at last, and from which each one came, request by request.
type Way<'py> = (Column<'py>, Bound<'py, PyArray1<u32>>);

/// Requests in the order of their addresses, under each shift.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct ShiftPaths {
    cells: Vec<u32>,
    begins: Vec<bool>,
    table: Vec<f64>,
    cost: Vec<f64>,
    step_cost: f64,
}

#[pymethods]
impl ShiftPaths {
    #[new]
    fn new(
        cells: PyReadonlyArray2<'_, u32>,
        begins: Flags<'_>,
        table: Values<'_>,
        cost: Values<'_>,
        step_cost: f64,
    ) -> PyResult<Self> {
        Ok(Self {
            cells: cells.as_slice()?.to_vec(),
            begins: begins.as_slice()?.to_vec(),
            table: table.as_slice()?.to_vec(),
            cost: cost.as_slice()?.to_vec(),
            step_cost,
        })
    }

    fn likelihoods<'py>(
        &self,
        py: Python<'py>,
        before: Values<'py>,
        angles: PyReadonlyArray1<'py, u32>,
    ) -> PyResult<Column<'py>> {
        let (before, angles) = (before.as_slice()?, angles.as_slice()?);
        array(py, py.detach(|| self.shifts().likelihoods(before, angles)))
    }

    fn traced<'py>(&self, py: Python<'py>, before: Values<'py>, angle: u32) -> PyResult<Way<'py>> {
        let before = before.as_slice()?;
        way(py, py.detach(|| self.shifts().traced(before, angle)))
    }
}

impl ShiftPaths {
    fn shifts(&self) -> Shifts<'_> {
        let Self { cells, begins, table, cost, step_cost } = self;
        Shifts { cells, begins, table, cost, step_cost: *step_cost }
    }
}

/// Requests in the order of their tracks, under each number of slipped tracks before them.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct SlipPaths {
    late: Vec<f64>,
    beside: Vec<bool>,
    table: Vec<f64>,
    cost: Vec<f64>,
}

#[pymethods]
impl SlipPaths {
    #[new]
    fn new(
        late: PyReadonlyArray2<'_, f64>,
        beside: Flags<'_>,
        table: Values<'_>,
        cost: Values<'_>,
    ) -> PyResult<Self> {
        Ok(Self {
            late: late.as_slice()?.to_vec(),
            beside: beside.as_slice()?.to_vec(),
            table: table.as_slice()?.to_vec(),
            cost: cost.as_slice()?.to_vec(),
        })
    }

    fn likelihoods<'py>(&self, py: Python<'py>, angles: Values<'py>) -> PyResult<Column<'py>> {
        let angles = angles.as_slice()?;
        array(py, py.detach(|| self.slips().likelihoods(angles)))
    }

    fn traced<'py>(&self, py: Python<'py>, angle: f64) -> PyResult<Way<'py>> {
        way(py, py.detach(|| self.slips().traced(angle)))
    }
}

impl SlipPaths {
    fn slips(&self) -> Slips<'_> {
        let Self { late, beside, table, cost } = self;
        Slips { late, beside, table, cost }
    }
}

fn way(py: Python<'_>, (best, came): Traced) -> PyResult<Way<'_>> {
    Ok((array(py, best)?, array(py, came)?))
}
