//! The one exception that the core raises.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt;

pyo3::create_exception!(
    platterlab._core,
    InputError,
    PyValueError,
    "A bad file, key or argument. Its text names the place and says what would be right."
);

/// What is wrong with the user's input, as the exception for it.
pub(crate) fn input(error: impl fmt::Display) -> PyErr {
    InputError::new_err(error.to_string())
}
