//! The one exception that the core raises.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;
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

/// A document for Python to parse.
pub(crate) fn json(document: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(document).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
