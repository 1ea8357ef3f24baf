//! Answers of the core to Python: documents, each of a type whose shape has a schema.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// A document on its way to Python, where it is a dictionary.
pub(crate) struct Answer<T>(pub(crate) T);

/// What may be an answer: only what `shapes.rs` lists.
pub(crate) trait Document: JsonSchema + Serialize {}

impl<'py, T: Document> IntoPyObject<'py> for Answer<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let text = serde_json::to_string(&self.0);
        let text = text.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }
}
