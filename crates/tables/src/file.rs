//! A table file that a thread of its own writes, batch by batch.

use crate::batch::{self, Labels};
use crate::columns::{COMMANDS, REQUESTS, schema};
use crate::csv::CsvFile;
use crate::parquet::ParquetFile;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use parquet::errors::ParquetError;
use platterlab_results::{Columns, RequestColumns};
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Rows of a batch, at least, but for the last: a row group of a Parquet file.
const ROWS: usize = 1 << 16;
/// Batches that wait for the thread: one is simulated while another is written.
const WAITING: usize = 1;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Apache Parquet.
    Parquet,
    /// Lines of text.
    Csv,
}

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tables {
    /// That of [`COMMANDS`].
    Commands,
    /// That of [`REQUESTS`].
    Requests,
}

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be written.
    #[error("{0}")]
    File(#[from] io::Error),
    /// The table cannot be put into this format.
    #[error("{0}")]
    Table(String),
}

impl From<ArrowError> for TableError {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => Self::File(error),
            other => Self::Table(other.to_string()),
        }
    }
}

impl From<ParquetError> for TableError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => Self::File(*error),
                Err(other) => Self::Table(other.to_string()),
            },
            other => Self::Table(other.to_string()),
        }
    }
}

enum Sink {
    Parquet(Box<ParquetFile>),
    Csv(CsvFile),
}

impl Sink {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        match self {
            Self::Parquet(file) => Ok(file.write(batch)?),
            Self::Csv(file) => Ok(file.write(batch)?),
        }
    }

    fn finish(self) -> Result<(), TableError> {
        match self {
            Self::Parquet(file) => Ok(file.finish()?),
            Self::Csv(file) => Ok(file.finish()?),
        }
    }
}

/// A table that is being written to a file.
///
/// Memory is bounded: some rows are gathered, one batch waits and one is written.
pub struct TableFile {
    commands: Columns,
    requests: RequestColumns,
    schema: Arc<Schema>,
    labels: Labels,
    batches: Option<SyncSender<RecordBatch>>,
    thread: Option<JoinHandle<Result<(), TableError>>>,
}

impl TableFile {
    /// Begins a table in `file`; of a Parquet file `metadata` stands in it. `cache` has the words of that column of commands, by their codes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(
        file: File,
        kind: Kind,
        tables: Tables,
        metadata: HashMap<String, String>,
        cache: &[&str],
    ) -> Result<Self, TableError> {
        let schema = match tables {
            Tables::Commands => schema(&COMMANDS, metadata),
            Tables::Requests => schema(&REQUESTS, metadata),
        };
        let sink = match kind {
            Kind::Parquet => Sink::Parquet(Box::new(ParquetFile::new(file, &schema)?)),
            Kind::Csv => Sink::Csv(CsvFile::new(file, &schema)),
        };
        let (batches, come) = sync_channel(WAITING);
        let thread = std::thread::Builder::new().name("table".into());
        let thread = thread.spawn(move || written(sink, &come))?;
        Ok(Self {
            commands: Columns::default(),
            requests: RequestColumns::default(),
            schema,
            labels: Labels::new(cache),
            batches: Some(batches),
            thread: Some(thread),
        })
    }

    /// Appends commands, to a table of those.
    ///
    /// # Errors
    /// It cannot be written: what was handed over earlier, or a code that has no word.
    pub fn commands(&mut self, rows: Columns) -> Result<(), TableError> {
        let rows = if self.commands.is_empty() {
            rows
        } else {
            let mut gathered = std::mem::take(&mut self.commands);
            gathered.append(rows);
            gathered
        };
        if rows.len() < ROWS {
            self.commands = rows;
            return Ok(());
        }
        self.put_commands(rows)
    }

    /// Appends requests, to a table of those.
    ///
    /// # Errors
    /// As for [`TableFile::commands`].
    pub fn requests(&mut self, rows: RequestColumns) -> Result<(), TableError> {
        self.requests.append(rows);
        if self.requests.len() < ROWS {
            return Ok(());
        }
        let rows = std::mem::take(&mut self.requests);
        self.put_requests(rows)
    }

    fn put_commands(&mut self, rows: Columns) -> Result<(), TableError> {
        let batch = batch::commands(rows, &self.labels, &self.schema)?;
        self.put(batch)
    }

    fn put_requests(&mut self, rows: RequestColumns) -> Result<(), TableError> {
        let batch = batch::requests(rows, &self.labels, &self.schema)?;
        self.put(batch)
    }

    fn put(&mut self, batch: RecordBatch) -> Result<(), TableError> {
        let sent = self.batches.as_ref().is_some_and(|batches| batches.send(batch).is_ok());
        if sent { Ok(()) } else { self.ended() }
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(&mut self) -> Result<(), TableError> {
        let (commands, requests) =
            (std::mem::take(&mut self.commands), std::mem::take(&mut self.requests));
        if !commands.is_empty() {
            self.put_commands(commands)?;
        }
        if !requests.is_empty() {
            self.put_requests(requests)?;
        }
        self.ended()
    }

    fn ended(&mut self) -> Result<(), TableError> {
        self.batches = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(answer)) => answer,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => Err(TableError::Table("the table was finished before".into())),
        }
    }
}

/// One that is given up leaves its thread nothing to do.
impl Drop for TableFile {
    fn drop(&mut self) {
        self.batches = None;
        if let Some(thread) = self.thread.take() {
            let _given_up = thread.join();
        }
    }
}

fn written(mut sink: Sink, batches: &Receiver<RecordBatch>) -> Result<(), TableError> {
    for batch in batches {
        sink.write(&batch)?;
    }
    sink.finish()
}
