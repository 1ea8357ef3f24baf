//! The version of the core and how it was built.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What this core is: its version and how it was built.
#[pyfunction]
pub(crate) fn version_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("version", env!("CARGO_PKG_VERSION"))?;
    info.set_item("build", if cfg!(debug_assertions) { "debug" } else { "release" })?;
    Ok(info)
}
