//! Requests as the runs of sectors they are on the platter.

use crate::array::array;
use crate::error::input;
use crate::profile::Profile;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The columns of [`runs`] that are whole numbers.
const WHOLE: [&str; 11] = [
    "request",
    "first",
    "sectors",
    "zone",
    "cylinder",
    "surface",
    "sector",
    "sectors_per_track",
    "track",
    "cylinder_steps",
    "serpentine_steps",
];

/// Every request cut into runs that pass under one head without a break, as columns.
#[pyfunction]
pub(crate) fn runs<'py>(
    py: Python<'py>,
    profile: &Profile,
    lbas: PyReadonlyArray1<'py, u64>,
    sectors: PyReadonlyArray1<'py, u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let layout = profile.drive.layout();
    let (lbas, sectors) = (lbas.as_array(), sectors.as_array());
    if lbas.len() != sectors.len() {
        return Err(input(format!("{} addresses and {} lengths", lbas.len(), sectors.len())));
    }
    let mut columns: [Vec<i64>; WHOLE.len()] = Default::default();
    let mut turns = Vec::new();
    for (request, (lba, sectors)) in lbas.iter().zip(sectors).enumerate() {
        if lba.checked_add(*sectors).is_none_or(|end| end > layout.capacity()) {
            let capacity = layout.capacity();
            return Err(input(format!("request {request} ends beyond the {capacity} sectors")));
        }
        let mut done = 0;
        while done < *sectors {
            let most = u32::try_from(sectors - done).unwrap_or(u32::MAX);
            let run = layout.run(lba + done, most);
            let Some(steps) = layout.steps(run.cylinder, run.surface) else { break };
            let values = [
                request as u64,
                done,
                u64::from(run.sectors),
                steps.zone as u64,
                u64::from(run.cylinder),
                u64::from(run.surface),
                u64::from(run.sector),
                u64::from(run.sectors_per_track),
                steps.tracks,
                steps.cylinders,
                steps.serpentines,
            ];
            for (column, value) in columns.iter_mut().zip(values) {
                column.push(value as i64);
            }
            turns.push(run.angle(0).as_turns());
            done += u64::from(run.sectors);
        }
    }
    let table = PyDict::new(py);
    for (name, column) in WHOLE.into_iter().zip(columns) {
        table.set_item(name, array(py, column)?)?;
    }
    table.set_item("angle_turns", array(py, turns)?)?;
    Ok(table)
}
