//! A table file that a thread of its own writes, batch by batch.

use crate::batch::{self, Column, Labels};
use crate::columns::{COMMANDS, REQUESTS, schema};
use crate::csv::CsvFile;
use crate::error::TableError;
use crate::parquet::ParquetFile;
use platterlab_results::{Columns, RequestColumns, Row};
use std::collections::HashMap;
use std::fs::File;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Rows of a batch, at least, but for the last: a row group of a Parquet file.
const ROWS: usize = 1 << 16;
/// Pieces that wait for the thread: some are simulated while others are written.
const WAITING: usize = 4;

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

enum Sink {
    Parquet(Box<ParquetFile>),
    Csv(CsvFile),
}

impl Sink {
    fn write(&mut self, columns: &[Column<'_>], rows: usize) -> Result<(), TableError> {
        match self {
            Self::Parquet(file) => Ok(file.write(columns)?),
            Self::Csv(file) => Ok(file.write(columns, rows)?),
        }
    }

    fn finish(self, metadata: HashMap<String, String>) -> Result<(), TableError> {
        match self {
            Self::Parquet(file) => Ok(file.finish(metadata)?),
            Self::Csv(file) => Ok(file.finish()?),
        }
    }
}

/// What is handed over to the thread.
enum Piece {
    Rows(Arc<Vec<Row>>),
    Commands(Box<Columns>),
    Requests(Box<RequestColumns>),
}

/// A table that is being written to a file.
///
/// Memory is bounded: some pieces wait, and rows are gathered to one batch that is written.
pub struct TableFile {
    pieces: Option<SyncSender<Piece>>,
    thread: Option<JoinHandle<Result<Sink, TableError>>>,
}

impl TableFile {
    /// Begins a table in `file`. `cache` has the words of that column of commands, by their codes.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(file: File, kind: Kind, tables: Tables, cache: &[&str]) -> Result<Self, TableError> {
        let columns = match tables {
            Tables::Commands => &COMMANDS[..],
            Tables::Requests => &REQUESTS[..],
        };
        let sink = match kind {
            Kind::Parquet => {
                Sink::Parquet(Box::new(ParquetFile::new(Box::new(file), &schema(columns))?))
            }
            Kind::Csv => Sink::Csv(CsvFile::new(file, columns)),
        };
        let writing = Writing {
            sink,
            commands: Columns::default(),
            requests: RequestColumns::default(),
            labels: Labels::new(cache),
        };
        let (pieces, come) = sync_channel(WAITING);
        let thread = std::thread::Builder::new().name("table".into());
        let thread = thread.spawn(move || writing.all(&come))?;
        Ok(Self { pieces: Some(pieces), thread: Some(thread) })
    }

    /// Appends commands, to a table of those.
    ///
    /// # Errors
    /// It cannot be written: what was handed over earlier, or a code that has no word.
    pub fn commands(&mut self, rows: Columns) -> Result<(), TableError> {
        self.put(Piece::Commands(Box::new(rows)))
    }

    /// The same of rows that are not yet columns: the thread makes them.
    ///
    /// # Errors
    /// As for [`TableFile::commands`].
    pub fn rows(&mut self, rows: Arc<Vec<Row>>) -> Result<(), TableError> {
        self.put(Piece::Rows(rows))
    }

    /// Appends requests, to a table of those.
    ///
    /// # Errors
    /// As for [`TableFile::commands`].
    pub fn requests(&mut self, rows: RequestColumns) -> Result<(), TableError> {
        self.put(Piece::Requests(Box::new(rows)))
    }

    fn put(&mut self, piece: Piece) -> Result<(), TableError> {
        match &self.pieces {
            Some(pieces) if pieces.send(piece).is_ok() => Ok(()),
            // It takes no more, and says why.
            _ => self.ended().map(drop),
        }
    }

    /// Waits until everything is written; in a Parquet file `metadata` goes with the rows.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(&mut self, metadata: HashMap<String, String>) -> Result<(), TableError> {
        self.ended()?.finish(metadata)
    }

    fn ended(&mut self) -> Result<Sink, TableError> {
        self.pieces = None;
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
        self.pieces = None;
        if let Some(thread) = self.thread.take() {
            let _given_up = thread.join();
        }
    }
}

/// The thread's: what it has gathered, and where it writes that.
struct Writing {
    sink: Sink,
    commands: Columns,
    requests: RequestColumns,
    labels: Labels,
}

impl Writing {
    fn all(mut self, pieces: &Receiver<Piece>) -> Result<Sink, TableError> {
        for piece in pieces {
            match piece {
                Piece::Rows(rows) => self.commands.extend(&rows),
                Piece::Commands(rows) if self.commands.is_empty() => self.commands = *rows,
                Piece::Commands(rows) => self.commands.append(*rows),
                Piece::Requests(rows) => self.requests.append(*rows),
            }
            self.write(ROWS)?;
        }
        self.write(1)?;
        Ok(self.sink)
    }

    /// Writes what is gathered, if there are this many rows. The columns are filled again: memory
    /// that is new costs more than that.
    fn write(&mut self, least: usize) -> Result<(), TableError> {
        let Self { sink, commands, requests, labels } = self;
        if commands.len() >= least {
            sink.write(&batch::commands(commands, labels)?, commands.len())?;
            commands.clear();
        }
        if requests.len() >= least {
            sink.write(&batch::requests(requests, labels)?, requests.len())?;
            requests.clear();
        }
        Ok(())
    }
}
