//! Rows as tables in files: what their columns are, and Parquet and CSV written on a thread of
//! their own while the next rows are simulated.

mod batch;
mod blocks;
mod chunk;
mod columns;
mod csv;
mod encoding;
mod error;
mod file;
mod parquet;
mod trace;
mod trace_columns;

#[cfg(test)]
mod tests;

pub use columns::{COMMANDS, ColumnKind, REQUESTS, TableColumn};
pub use error::TableError;
pub use file::{Kind, TableFile, Tables};
pub use trace::TraceTable;
pub use trace_columns::TraceColumns;
