//! Batches as a Parquet file.

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::fs::File;
use std::sync::Arc;

/// Times that hardly repeat: their bytes are split, so that those of the exponents stand together.
const SPLIT: [&str; 7] = [
    "arrival_ms",
    "issue_ms",
    "completion_ms",
    "response_ms",
    "service_ms",
    "rotation_ms",
    "measured_ms",
];
/// Whole numbers near the one before.
const DIFFERENCES: [&str; 1] = ["request"];

/// A Parquet file that is being written, a row group for each batch.
pub(crate) struct ParquetFile {
    writer: ArrowWriter<File>,
}

impl ParquetFile {
    /// Begins it.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn new(file: File, schema: &Arc<Schema>) -> Result<Self, ParquetError> {
        let properties = properties(schema)?;
        Ok(Self { writer: ArrowWriter::try_new(file, Arc::clone(schema), Some(properties))? })
    }

    /// Appends a row group.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        self.writer.write(batch)?;
        self.writer.flush()
    }

    /// Writes what stands at the end.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish(self) -> Result<(), ParquetError> {
        self.writer.close().map(drop)
    }
}

fn properties(schema: &Schema) -> Result<WriterProperties, ParquetError> {
    // Of numbers that hardly repeat, a dictionary is larger and slower than the numbers. Zstandard at its
    // quickest makes an eighth less of them, and takes longer.
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::LZ4_RAW)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_dictionary_enabled(false);
    for field in schema.fields() {
        let column = field.name().as_str().into();
        let name = field.name().as_str();
        if matches!(field.data_type(), DataType::Dictionary(..)) {
            properties = properties.set_column_dictionary_enabled(column, true);
        } else if SPLIT.contains(&name) {
            properties = properties.set_column_encoding(column, Encoding::BYTE_STREAM_SPLIT);
        } else if DIFFERENCES.contains(&name) {
            properties = properties.set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
        }
    }
    Ok(properties.build())
}
