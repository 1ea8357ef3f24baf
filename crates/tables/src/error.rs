//! Reasons why a table cannot be written.

use parquet::errors::ParquetError;
use std::io;

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
