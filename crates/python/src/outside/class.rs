//! A class of Python whose objects take part in a simulation, and what one of them did wrong.

use pyo3::prelude::*;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A class, and the first thing that one of its objects did wrong.
pub(super) struct Class {
    kind: &'static str,
    class: Py<PyAny>,
    name: String,
    failure: Mutex<Option<Failure>>,
}

/// The message, and the exception that was the cause, if one was.
struct Failure {
    text: String,
    cause: Option<PyErr>,
}

/// What makes deciders of a class, each with an object of its own.
#[derive(Debug)]
pub(super) struct Made(pub(super) Arc<Class>);

impl Class {
    pub(super) fn new(kind: &'static str, class: &Bound<'_, PyAny>) -> Self {
        let name = class.getattr("__name__").and_then(|name| name.extract::<String>());
        let name = name.unwrap_or_else(|_| class.to_string());
        Self { kind, class: class.clone().unbind(), name, failure: Mutex::default() }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What `build` makes of an object of the class; nothing if the class failed.
    pub(super) fn object<T>(
        &self,
        build: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> Option<T> {
        Python::attach(|py| {
            let made = self.class.bind(py).call0().and_then(|object| build(&object));
            self.passed(py, "making one", made)
        })
    }

    /// What came of `doing` something; nothing, and the failure kept, if it raised.
    pub(super) fn passed<T>(&self, py: Python<'_>, doing: &str, done: PyResult<T>) -> Option<T> {
        done.map_err(|error| {
            let name = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
            self.keep(&format!("{doing} raised {name}: {}", error.value(py)), Some(error));
        })
        .ok()
    }

    /// Notes that an object of the class broke its contract.
    pub(super) fn fail(&self, what: &str) {
        self.keep(what, None);
    }

    /// The first failure counts.
    fn keep(&self, what: &str, cause: Option<PyErr>) {
        let text = format!("{} {}: {what}", self.kind, self.name);
        self.kept().get_or_insert(Failure { text, cause });
    }

    pub(super) fn failure(&self) -> Option<String> {
        self.kept().as_ref().map(|failure| failure.text.clone())
    }

    /// The exception behind the failure, which is given away.
    pub(super) fn cause(&self) -> Option<PyErr> {
        self.kept().as_mut().and_then(|failure| failure.cause.take())
    }

    fn kept(&self) -> MutexGuard<'_, Option<Failure>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.name)
    }
}

/// How messages show an object.
pub(super) fn shown(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "an object".to_owned(), |text| text.to_string())
}

/// A method that a class may leave out.
pub(super) fn optional(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Py<PyAny>>> {
    Ok(object.getattr_opt(name)?.map(Bound::unbind))
}
