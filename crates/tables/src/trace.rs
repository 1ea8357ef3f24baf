//! The requests of a trace as a Parquet file, whose bytes are handed out as they come.

use crate::batch::{self, Labels};
use crate::columns::{TRACE, TRACE_OF_RESPONSES, schema};
use crate::error::TableError;
use crate::parquet::ParquetFile;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Requests of a row group, but for the last.
const ROWS: usize = 1 << 16;

/// Requests as columns: times in milliseconds, unknown ones not a number.
#[derive(Clone, Debug, Default)]
pub struct TraceColumns {
    /// Arrival, from the first.
    pub arrival_ms: Vec<f64>,
    /// Arrival to issue; not written where the times are responses.
    pub queue_ms: Vec<f64>,
    /// Issue to completion; or arrival to completion, where the times are responses.
    pub time_ms: Vec<f64>,
    /// First sector.
    pub lba: Vec<u64>,
    /// Length in sectors.
    pub sectors: Vec<u32>,
    /// Device.
    pub device: Vec<u32>,
    /// 0 read, 1 write.
    pub operation: Vec<u8>,
    /// Who waits for it, as requests of a system number it.
    pub class: Vec<u8>,
}

impl TraceColumns {
    fn clear(&mut self) {
        self.arrival_ms.clear();
        self.queue_ms.clear();
        self.time_ms.clear();
        self.lba.clear();
        self.sectors.clear();
        self.device.clear();
        self.operation.clear();
        self.class.clear();
    }
}

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
