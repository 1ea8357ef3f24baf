//! The one exception that the core raises.

use platterlab_device::DeviceError;
use pyo3::exceptions::{PyOSError, PyValueError};
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

/// Work that failed though nothing was wrong with the input, as the exception for it.
pub(crate) fn failed(error: impl fmt::Display) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// What a device answers: that it fails is no fault of the input.
pub(crate) fn of_device(error: &DeviceError) -> PyErr {
    match error {
        DeviceError::Io { .. }
        | DeviceError::Gone { .. }
        | DeviceError::Short { .. }
        | DeviceError::Shrank { .. } => failed(error),
        DeviceError::Beyond { .. } | DeviceError::Other { .. } => input(error),
    }
}
