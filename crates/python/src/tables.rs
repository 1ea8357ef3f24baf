//! Rows as columns of Python's arrays.

use crate::array::array;
use platterlab_drive::CacheOutcome;
use platterlab_results::{Columns, Parts, RequestColumns, RequestRow};
use platterlab_sim::TimedOutcome;
use platterlab_units::Operation;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What the codes of the columns of words mean.
#[pyfunction]
pub(crate) fn row_labels(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let labels = PyDict::new(py);
    labels.set_item("operation", [Operation::Read, Operation::Write].map(|op| op.to_string()))?;
    labels.set_item("class", RequestRow::CLASSES)?;
    labels.set_item("cache", CacheOutcome::ALL.map(CacheOutcome::name))?;
    Ok(labels)
}

/// The parts of a service time, in the order in which they pass.
#[pyfunction]
pub(crate) fn service_parts() -> [&'static str; 6] {
    Parts::NAMES
}

pub(crate) fn table(py: Python<'_>, columns: Columns) -> PyResult<Bound<'_, PyDict>> {
    let rows = PyDict::new(py);
    rows.set_item("arrival_ms", array(py, columns.arrival_ms)?)?;
    rows.set_item("issue_ms", array(py, columns.issue_ms)?)?;
    rows.set_item("completion_ms", array(py, columns.completion_ms)?)?;
    rows.set_item("response_ms", array(py, columns.response_ms)?)?;
    rows.set_item("queue_ms", array(py, columns.queue_ms)?)?;
    rows.set_item("service_ms", array(py, columns.service_ms)?)?;
    for (name, part_ms) in Parts::NAMES.into_iter().zip(columns.parts_ms) {
        rows.set_item(format!("{name}_ms"), array(py, part_ms)?)?;
    }
    rows.set_item("lba", array(py, columns.lba)?)?;
    rows.set_item("sectors", array(py, columns.sectors)?)?;
    rows.set_item("device", array(py, columns.device)?)?;
    rows.set_item("request", array(py, columns.request)?)?;
    rows.set_item("stream", array(py, columns.stream)?)?;
    rows.set_item("operation", array(py, columns.operation)?)?;
    rows.set_item("cache", array(py, columns.cache)?)?;
    rows.set_item("cylinder", array(py, columns.cylinder)?)?;
    let distances = array(py, columns.seek_distance_cylinders)?;
    rows.set_item("seek_distance_cylinders", distances)?;
    rows.set_item("measured_ms", array(py, columns.measured_ms)?)?;
    Ok(rows)
}

pub(crate) fn request_table(
    py: Python<'_>,
    columns: RequestColumns,
) -> PyResult<Bound<'_, PyDict>> {
    let rows = PyDict::new(py);
    rows.set_item("arrival_ms", array(py, columns.arrival_ms)?)?;
    rows.set_item("completion_ms", array(py, columns.completion_ms)?)?;
    rows.set_item("response_ms", array(py, columns.response_ms)?)?;
    rows.set_item("request", array(py, columns.request)?)?;
    rows.set_item("stream", array(py, columns.stream)?)?;
    rows.set_item("volume", array(py, columns.volume)?)?;
    rows.set_item("lba", array(py, columns.lba)?)?;
    rows.set_item("sectors", array(py, columns.sectors)?)?;
    rows.set_item("operation", array(py, columns.operation)?)?;
    rows.set_item("class", array(py, columns.class)?)?;
    Ok(rows)
}

/// What each request takes.
pub(crate) fn ms(taken: &[TimedOutcome]) -> Vec<f64> {
    taken.iter().map(|one| one.service.as_ms()).collect()
}
