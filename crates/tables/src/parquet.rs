//! Rows as a Parquet file.

use crate::batch::Column;
use crate::blocks::Blocks;
use crate::chunk::{Chunk, Layout};
use crate::columns::{ColumnKind, TableColumn};
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowSchemaConverter, encode_arrow_schema};
use parquet::basic::Encoding;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

/// Times that begin alike: their bytes are split, so that those of the exponents stand together.
const SPLIT: [&str; 3] = ["arrival_ms", "issue_ms", "completion_ms"];
/// Times that do not: to make an eighth less of them, or of queues a third, takes longer than to write it.
const AS_THEY_ARE: [&str; 5] =
    ["response_ms", "queue_ms", "service_ms", "rotation_ms", "measured_ms"];
/// Whole numbers near the one before.
const DIFFERENCES: [&str; 1] = ["request"];
/// By what rows are looked for: only of these the least and the largest of a group are stored.
const SOUGHT: [&str; 5] = ["arrival_ms", "issue_ms", "completion_ms", "request", "lba"];

/// A Parquet file that is being written.
pub(crate) struct ParquetFile {
    writer: SerializedFileWriter<Blocks>,
    schema: Arc<Schema>,
    /// The bytes of each column; kept, as memory that is new costs more than to fill it.
    room: Vec<Vec<u8>>,
}

impl ParquetFile {
    /// Begins it.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn new(
        file: Box<dyn Write + Send>,
        schema: &Arc<Schema>,
    ) -> Result<Self, ParquetError> {
        let stored = ArrowSchemaConverter::new().convert(schema)?.root_schema_ptr();
        let properties = Arc::new(WriterProperties::default());
        let writer = SerializedFileWriter::new(Blocks::new(file), stored, properties)?;
        let room = vec![Vec::new(); schema.fields().len()];
        Ok(Self { writer, schema: Arc::clone(schema), room })
    }

    /// Appends a row group, whose columns are encoded by as many threads as there are processors.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&mut self, columns: &[Column<'_>]) -> Result<(), ParquetError> {
        let stored = self.writer.schema_descr().columns();
        let of_each = stored.par_iter().zip(columns).zip(std::mem::take(&mut self.room));
        let encoded = of_each.map(|((stored, (column, values)), room)| {
            Chunk::new(stored, layout(column), *values, room)
        });
        let chunks: Vec<Chunk> = encoded.collect::<Result<_, _>>()?;
        let mut group = self.writer.next_row_group()?;
        for Chunk { bytes, close } in chunks {
            let bytes = Bytes::from(bytes);
            group.append_column(&bytes, close)?;
            self.room.push(bytes.into());
        }
        group.close()?;
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

/// How the values of a column are laid out. Of numbers that hardly repeat, a dictionary is larger and
/// slower than the numbers. Zstandard at its quickest makes an eighth less of them, and takes longer.
fn layout(column: &TableColumn) -> Layout {
    let named = |names: &[&str]| names.contains(&column.name);
    let words = column.kind == ColumnKind::Labels;
    let encoding = if words {
        Encoding::RLE_DICTIONARY
    } else if named(&SPLIT) {
        Encoding::BYTE_STREAM_SPLIT
    } else if named(&DIFFERENCES) {
        Encoding::DELTA_BINARY_PACKED
    } else {
        Encoding::PLAIN
    };
    Layout { encoding, packed: !words && !named(&AS_THEY_ARE), sought: named(&SOUGHT) }
}
