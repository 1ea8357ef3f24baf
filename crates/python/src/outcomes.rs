//! Cache outcomes of requests in memory: all that a search for a cache asks for.

use crate::array::{Column, array};
use crate::profile::Profile;
use crate::requests::Requests;
use crate::tables::ms;
use numpy::PyArray1;
use pyo3::prelude::*;

/// By the number of the cache outcome, and in milliseconds.
type Outcomes<'py> = (Bound<'py, PyArray1<u8>>, Column<'py>);

/// Where the data of each request comes from, and what it takes.
#[pyfunction]
#[pyo3(signature = (requests, profile, *, timing, seed = 0, track_phase = false))]
pub(crate) fn outcomes<'py>(
    py: Python<'py>,
    requests: &Requests,
    profile: &Profile,
    timing: &str,
    seed: u64,
    track_phase: bool,
) -> PyResult<Outcomes<'py>> {
    let options = requests.options(timing, seed, track_phase)?;
    let taken = py.detach(|| requests.taken(&profile.drive, &options))?;
    let cache = taken.iter().map(|one| one.cache).collect();
    Ok((array(py, cache)?, array(py, ms(&taken))?))
}
