//! Batches as a Parquet file.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, ArrowWriterOptions,
    compute_leaves,
};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowWriter, encode_arrow_schema};
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;
use std::collections::HashMap;
use std::fs::File;
use std::sync::Arc;

/// Times that begin alike: their bytes are split, so that those of the exponents stand together.
const SPLIT: [&str; 3] = ["arrival_ms", "issue_ms", "completion_ms"];
/// Times that do not: to make an eighth less of them takes longer than to write it.
const AS_THEY_ARE: [&str; 4] = ["response_ms", "service_ms", "rotation_ms", "measured_ms"];
/// Whole numbers near the one before.
const DIFFERENCES: [&str; 1] = ["request"];
/// By what rows are looked for: only of these the least and the largest of a group are told.
const SOUGHT: [&str; 5] = ["arrival_ms", "issue_ms", "completion_ms", "request", "lba"];

/// A Parquet file that is being written, a row group for each batch.
pub(crate) struct ParquetFile {
    writer: SerializedFileWriter<File>,
    columns: ArrowRowGroupWriterFactory,
    schema: Arc<Schema>,
    groups: usize,
}

impl ParquetFile {
    /// Begins it.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn new(file: File, schema: &Arc<Schema>) -> Result<Self, ParquetError> {
        // What the columns are is written with what made them, which is known at the end.
        let options = ArrowWriterOptions::new()
            .with_properties(properties(schema))
            .with_skip_arrow_metadata(true);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(schema), options)?;
        let (writer, columns) = writer.into_serialized_writer()?;
        Ok(Self { writer, columns, schema: Arc::clone(schema), groups: 0 })
    }

    /// Appends a row group, whose columns are encoded by as many threads as there are processors.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        let writers = self.columns.create_column_writers(self.groups)?;
        let schema = batch.schema_ref();
        let fields = schema.fields().par_iter().zip(batch.columns());
        let columns = writers.into_par_iter().zip(fields);
        let encoded = columns.map(|(writer, (field, values))| encoded(writer, field, values));
        let chunks: Vec<ArrowColumnChunk> = encoded.collect::<Result<_, _>>()?;
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            chunk.append_to_row_group(&mut group)?;
        }
        group.close()?;
        self.groups += 1;
        Ok(())
    }

    /// Writes what stands at the end.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish(mut self, metadata: HashMap<String, String>) -> Result<(), ParquetError> {
        let schema = Schema::clone(&self.schema).with_metadata(metadata);
        let encoded = encode_arrow_schema(&schema);
        let key = ARROW_SCHEMA_META_KEY.to_owned();
        self.writer.append_key_value_metadata(KeyValue::new(key, encoded));
        self.writer.close().map(drop)
    }
}

/// A column of a batch: none of the tables has one of several leaves.
fn encoded(
    mut writer: ArrowColumnWriter,
    field: &Field,
    values: &ArrayRef,
) -> Result<ArrowColumnChunk, ParquetError> {
    for leaf in compute_leaves(field, values)? {
        writer.write(&leaf)?;
    }
    writer.close()
}

fn properties(schema: &Schema) -> WriterProperties {
    // Of numbers that hardly repeat, a dictionary is larger and slower than the numbers. Zstandard at its
    // quickest makes an eighth less of them, and takes longer.
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::LZ4_RAW)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_dictionary_enabled(false);
    for field in schema.fields() {
        let name = field.name().as_str();
        if matches!(field.data_type(), DataType::Dictionary(..)) {
            properties = properties.set_column_dictionary_enabled(name.into(), true);
        } else if SPLIT.contains(&name) {
            properties = properties.set_column_encoding(name.into(), Encoding::BYTE_STREAM_SPLIT);
        } else if AS_THEY_ARE.contains(&name) {
            properties = properties.set_column_compression(name.into(), Compression::UNCOMPRESSED);
        } else if DIFFERENCES.contains(&name) {
            properties = properties.set_column_encoding(name.into(), Encoding::DELTA_BINARY_PACKED);
        }
        if SOUGHT.contains(&name) {
            let chunk = EnabledStatistics::Chunk;
            properties = properties.set_column_statistics_enabled(name.into(), chunk);
        }
    }
    properties.build()
}
