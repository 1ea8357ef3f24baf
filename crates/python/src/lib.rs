//! The module `platterlab._core`: the Rust core as Python sees it, and nothing else.

mod version;

use pyo3::prelude::*;

/// The core of Platterlab. `python/platterlab/_core.pyi` describes it.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::version::version_info;
}
