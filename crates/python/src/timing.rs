//! When requests are given to a drive, by the word for it.

use crate::error::input;
use platterlab_sim::Timing;
use platterlab_units::nearest;
use pyo3::prelude::*;

pub(crate) fn timing_named(word: &str) -> PyResult<Timing> {
    let known = Timing::ALL.map(|(name, _)| name);
    Timing::ALL.into_iter().find(|(name, _)| *name == word).map(|(_, timing)| timing).ok_or_else(
        || match nearest(word, known) {
            Some(name) => input(format!("`{word}` is no timing; did you mean `{name}`?")),
            None => input(format!("`{word}` is no timing; there are {}", known.join(", "))),
        },
    )
}
