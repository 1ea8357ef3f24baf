//! Timings: the words for the instants at which requests are given to a drive.

use crate::error::input;
use platterlab_sim::Timing;
use platterlab_units::named;
use pyo3::prelude::*;

pub(crate) fn timing_named(word: &str) -> PyResult<Timing> {
    named(word, Timing::ALL, Timing::name)
        .map_err(|meant| input(format!("`{word}` is not a timing; {meant}")))
}
