//! The one exception that the core raises.

use platterlab_device::DeviceError;
use platterlab_profile::ProfileError;
use platterlab_sim::ReplayError;
use platterlab_workload::trace::{Position, TraceError};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::fmt;

pyo3::create_exception!(
    platterlab._core,
    InputError,
    PyValueError,
    "A bad file, key or argument. Its text names the place and says what would be right.\n\n\
     `file`, `line` and `key` are the place, as far as there is one; else None.\n\n\
     >>> import platterlab as pl\n\
     >>> try:\n\
     ...     pl.Drive.of_toml(pl.Drive(\"mock\").to_toml().replace(\"surfaces = 15\", \"surfaces = 0\"))\n\
     ... except pl.InputError as error:\n\
     ...     print(error.key)\n\
     geometry.surfaces"
);

/// Where in a file something is wrong.
#[derive(Default)]
struct Place {
    file: Option<String>,
    line: Option<u64>,
    key: Option<String>,
}

impl Place {
    /// That of an error which knows its own.
    fn of(error: &dyn Any) -> Self {
        if let Some(error) = error.downcast_ref::<ProfileError>() {
            Self {
                file: Some(error.file().to_owned()),
                line: error.line.map(|line| line as u64),
                key: Some(error.key.clone()).filter(|key| !key.is_empty()),
            }
        } else if let Some(error) = error.downcast_ref::<TraceError>() {
            let line = match error.position {
                Position::Line(line) => Some(line),
                // A list has no file.
                Position::Request(_) => return Self::default(),
                Position::File | Position::Row(_) | Position::Byte(_) => None,
            };
            Self { file: Some(error.path.display().to_string()), line, key: None }
        } else {
            Self::default()
        }
    }
}

/// What is wrong with the user's input, as the exception for it.
pub(crate) fn input<E: fmt::Display + 'static>(error: E) -> PyErr {
    let place = Place::of(&error);
    let raised = InputError::new_err(error.to_string());
    if place.file.is_some() {
        Python::attach(|python| {
            let value = raised.value(python);
            // An exception takes any attribute.
            let _ = value.setattr("file", place.file);
            let _ = value.setattr("line", place.line);
            let _ = value.setattr("key", place.key);
        });
    }
    raised
}

/// An error of a trace names its file; one of a request does not.
pub(crate) fn located(error: ReplayError, trace: &str) -> PyErr {
    match error {
        ReplayError::Trace(error) => input(error),
        ReplayError::Request(what) => InputError::new_err(format!("{trace}: {what}")),
    }
}

/// Gives the exception's type the attributes of an error without a place.
pub(crate) fn add_places(python: Python<'_>) -> PyResult<()> {
    let kind = python.get_type::<InputError>();
    ["file", "line", "key"].into_iter().try_for_each(|name| kind.setattr(name, python.None()))
}

/// Work that failed though nothing was wrong with the input, as the exception for it.
pub(crate) fn failed(error: impl fmt::Display) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// What a device answers: that it fails is not a fault of the input.
pub(crate) fn of_device(error: &DeviceError) -> PyErr {
    match error {
        DeviceError::Io { .. }
        | DeviceError::Gone { .. }
        | DeviceError::Short { .. }
        | DeviceError::Shrank { .. }
        | DeviceError::Failed { .. } => failed(error),
        DeviceError::Beyond { .. } | DeviceError::Other { .. } => input(error.to_string()),
    }
}
