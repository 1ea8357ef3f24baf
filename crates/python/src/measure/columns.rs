//! Samples as columns of numbers, and back.

use crate::array::array;
use crate::error::input;
use numpy::PyReadonlyArray1;
use platterlab_probe::{End, Plan, Sample, Samples};
use platterlab_units::{Operation, Time};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One dictionary: a column each, and how the run ended.
pub(super) fn columns<'py>(py: Python<'py>, run: &Samples) -> PyResult<Bound<'py, PyDict>> {
    fn column<T>(run: &Samples, value: impl Fn(&Sample) -> T) -> Vec<T> {
        run.samples.iter().map(value).collect()
    }
    let table = PyDict::new(py);
    table.set_item("lba", array(py, column(run, |sample| sample.lba))?)?;
    table.set_item("sectors", array(py, column(run, |sample| sample.sectors))?)?;
    let distances = column(run, |sample| sample.distance_sectors);
    table.set_item("distance_sectors", array(py, distances)?)?;
    let written = column(run, |sample| u8::from(!sample.operation.is_read()));
    table.set_item("operation", array(py, written)?)?;
    let submitted = column(run, |sample| sample.submitted.as_ps());
    table.set_item("submitted_ps", array(py, submitted)?)?;
    let completed = column(run, |sample| sample.completed.as_ps());
    table.set_item("completed_ps", array(py, completed)?)?;
    let (end, error) = match &run.end {
        End::Complete => ("complete", None),
        End::Cancelled => ("cancelled", None),
        End::Failed(error) => ("failed", Some(error.to_string())),
    };
    table.set_item("end", end)?;
    table.set_item("error", error)?;
    Ok(table)
}

/// A complete run from its columns.
pub(super) fn samples(plan: &str, table: &Bound<'_, PyDict>) -> PyResult<Samples> {
    let plan: Plan = serde_json::from_str(plan).map_err(|error| input(format!("plan: {error}")))?;
    let lba: Vec<u64> = values(table, "lba")?;
    let sectors: Vec<u32> = values(table, "sectors")?;
    let distance: Vec<i64> = values(table, "distance_sectors")?;
    let written: Vec<u8> = values(table, "operation")?;
    let submitted: Vec<u64> = values(table, "submitted_ps")?;
    let completed: Vec<u64> = values(table, "completed_ps")?;
    let lengths = [sectors.len(), distance.len(), written.len(), submitted.len(), completed.len()];
    if lengths.iter().any(|length| *length != lba.len()) {
        return Err(input("the columns of a run must be of the same length"));
    }
    let mut samples = Vec::with_capacity(lba.len());
    for index in 0..lba.len() {
        if completed[index] < submitted[index] {
            return Err(input(format!("sample {index} ends before it begins")));
        }
        samples.push(Sample {
            lba: lba[index],
            sectors: sectors[index],
            operation: if written[index] == 0 { Operation::Read } else { Operation::Write },
            distance_sectors: distance[index],
            submitted: Time::from_ps(submitted[index]),
            completed: Time::from_ps(completed[index]),
        });
    }
    Ok(Samples { plan, samples, end: End::Complete })
}

fn values<T: numpy::Element + Copy>(table: &Bound<'_, PyDict>, name: &str) -> PyResult<Vec<T>> {
    let Some(column) = table.get_item(name)? else {
        return Err(input(format!("a run needs the column {name}")));
    };
    let column: PyReadonlyArray1<'_, T> = column
        .extract()
        .map_err(|_| input(format!("the column {name} holds numbers of another kind")))?;
    Ok(column.as_slice()?.to_vec())
}
