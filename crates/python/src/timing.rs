//! Timings: the words for the instants at which requests are given to a drive.

use crate::error::input;
use platterlab_sim::Timing;
use platterlab_units::nearest;
use pyo3::prelude::*;

pub(crate) fn timing_named(word: &str) -> PyResult<Timing> {
    let known = Timing::ALL.map(|(name, _)| name);
    Timing::ALL.into_iter().find(|(name, _)| *name == word).map(|(_, timing)| timing).ok_or_else(
        || match nearest(word, known) {
            Some(name) => input(format!("`{word}` is not a timing; did you mean `{name}`?")),
            None => input(format!("`{word}` is not a timing; there are {}", known.join(", "))),
        },
    )
}
