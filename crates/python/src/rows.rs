//! Files of rows: what their columns are, and one that is being written.

use crate::error::input;
use platterlab_drive::CacheOutcome;
use platterlab_results::{Columns, RequestColumns, Row};
use platterlab_tables::{
    COMMANDS, ColumnKind, Kind, REQUESTS, TableColumn, TableError, TableFile, Tables,
};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

type Described = (&'static str, &'static str, &'static str, &'static str);

/// The columns of rows of commands and of requests: name, type, unit and what each is.
#[pyfunction]
pub(crate) fn row_columns() -> (Vec<Described>, Vec<Described>) {
    let told = |columns: &[TableColumn]| {
        let one = |c: &TableColumn| (c.name, ColumnKind::name(c.kind), c.unit, c.about);
        columns.iter().map(one).collect()
    };
    (told(&COMMANDS), told(&REQUESTS))
}

/// A file of rows that is being written, on a thread of its own.
#[pyclass(frozen, module = "platterlab._core")]
pub(crate) struct RowsFile {
    inner: Mutex<TableFile>,
}

#[pymethods]
impl RowsFile {
    #[new]
    #[pyo3(signature = (path, kind, *, requests = false))]
    fn new(path: PathBuf, kind: &str, requests: bool) -> PyResult<Self> {
        let kind = match kind {
            "parquet" => Kind::Parquet,
            "csv" => Kind::Csv,
            other => {
                return Err(input(format!("`{other}` is not a kind of table: parquet or csv")));
            }
        };
        let tables = if requests { Tables::Requests } else { Tables::Commands };
        let cache = CacheOutcome::ALL.map(CacheOutcome::name);
        let file = TableFile::new(File::create(path)?, kind, tables, &cache);
        Ok(Self { inner: Mutex::new(file.map_err(unwritten)?) })
    }

    /// Waits until everything is written, with `metadata` and the rows in one Parquet file.
    fn finish(&self, py: Python<'_>, metadata: HashMap<String, String>) -> PyResult<()> {
        py.detach(|| self.inner()?.finish(metadata).map_err(unwritten))
    }
}

impl RowsFile {
    /// Appends rows of commands.
    pub(crate) fn rows(&self, rows: Arc<Vec<Row>>) -> PyResult<()> {
        self.inner()?.rows(rows).map_err(unwritten)
    }

    /// Appends commands.
    pub(crate) fn commands(&self, rows: Columns) -> PyResult<()> {
        self.inner()?.commands(rows).map_err(unwritten)
    }

    /// Appends requests.
    pub(crate) fn requests(&self, rows: RequestColumns) -> PyResult<()> {
        self.inner()?.requests(rows).map_err(unwritten)
    }

    fn inner(&self) -> PyResult<MutexGuard<'_, TableFile>> {
        self.inner.lock().map_err(|_| PyRuntimeError::new_err("an earlier call failed"))
    }
}

fn unwritten(error: TableError) -> PyErr {
    match error {
        TableError::File(error) => match error.raw_os_error() {
            Some(code) => PyOSError::new_err((code, error.to_string())),
            None => error.into(),
        },
        TableError::Table(what) => PyOSError::new_err(what),
    }
}
