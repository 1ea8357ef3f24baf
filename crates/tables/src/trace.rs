//! The requests of a trace as a Parquet file, whose bytes are handed out as they come.

use crate::batch::{self, Labels};
use crate::columns::{TRACE, TRACE_OF_RESPONSES, schema};
use crate::error::TableError;
use crate::parquet::ParquetFile;
use crate::trace_columns::TraceColumns;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Requests of a row group, but for the last.
const ROWS: usize = 1 << 16;

/// A trace that becomes a Parquet file. Memory is bounded by a row group.
pub struct TraceTable {
    file: Box<ParquetFile>,
    bytes: Handed,
    rows: TraceColumns,
    labels: Labels,
    responses: bool,
}

impl TraceTable {
    /// Begins one. `responses`: its times are from arrival to completion.
    ///
    /// # Errors
    /// The format cannot hold it.
    pub fn new(responses: bool) -> Result<Self, TableError> {
        let columns = if responses { &TRACE_OF_RESPONSES[..] } else { &TRACE[..] };
        let bytes = Handed::default();
        let file = ParquetFile::new(Box::new(bytes.clone()), &schema(columns))?;
        Ok(Self {
            file: Box::new(file),
            bytes,
            rows: TraceColumns::default(),
            labels: Labels::new(&[]),
            responses,
        })
    }

    /// Where the next request goes: one more value at the end of every column.
    pub fn rows(&mut self) -> &mut TraceColumns {
        &mut self.rows
    }

    /// The bytes of the file since they were last asked for, or not until there are enough requests.
    ///
    /// # Errors
    /// The format cannot hold them.
    pub fn bytes(&mut self) -> Result<Vec<u8>, TableError> {
        if self.rows.lba.len() >= ROWS {
            self.write()?;
        }
        Ok(self.bytes.take())
    }

    /// The rest of the file.
    ///
    /// # Errors
    /// The format cannot hold it.
    pub fn finish(mut self) -> Result<Vec<u8>, TableError> {
        if !self.rows.lba.is_empty() {
            self.write()?;
        }
        self.file.finish(HashMap::new())?;
        Ok(self.bytes.take())
    }

    fn write(&mut self) -> Result<(), TableError> {
        self.file.write(&batch::trace(&self.rows, &self.labels, self.responses)?)?;
        self.rows.clear();
        Ok(())
    }
}

/// Bytes that are written at one end and taken at the other.
#[derive(Clone, Default)]
struct Handed(Arc<Mutex<Vec<u8>>>);

impl Handed {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Handed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
