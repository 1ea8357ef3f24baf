//! Requests in memory that do not lie on a drive: one stops the run, or they are dealt with.

use crate::error::input;
use crate::profile::Profile;
use crate::requests::Requests;
use crate::trace::beyond_named;
use platterlab_workload::Record;
use pyo3::prelude::*;

/// The requests where they lie on the drive, and how many were given another place there. Those that are
/// to be skipped are left for the drive to refuse and count.
#[pyfunction]
pub(crate) fn requests_within(
    py: Python<'_>,
    requests: Py<Requests>,
    profile: &Profile,
    beyond: &str,
) -> PyResult<(Py<Requests>, u64)> {
    let rule = beyond_named(beyond)?;
    let layout = profile.drive.layout();
    let held = requests.get();
    let end_bytes = u128::from(layout.capacity()) * u128::from(layout.sector_bytes());
    let end = end_bytes / u128::from(held.sector_bytes().max(1));
    let end = u64::try_from(end).unwrap_or(u64::MAX);
    let mut moved = Vec::new();
    for (number, record) in held.records().iter().enumerate() {
        let placed = rule.place(record.lba, record.sectors, end).map_err(|what| {
            input(format!(
                "request {number}: {what} of the drive, which has {end} sectors of {} bytes; beyond=\"skip\" \
                 leaves such requests out, beyond=\"wrap\" folds them back",
                held.sector_bytes()
            ))
        })?;
        if placed.1 {
            moved.push((number, placed.0));
        }
    }
    if moved.is_empty() {
        return Ok((requests, 0));
    }
    let mut records: Vec<Record> = held.records().to_vec();
    for (number, lba) in &moved {
        records[*number].lba = *lba;
    }
    let wrapped = moved.len() as u64;
    Ok((Py::new(py, Requests::new(records, held.sector_bytes(), held.path()))?, wrapped))
}
