//! Batches as a Parquet file.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};
use bytes::Bytes;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowSchemaConverter, encode_arrow_schema};
use parquet::basic::{Compression, Encoding, EncodingMask};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::{ColumnCloseResult, ColumnWriterImpl};
use parquet::data_type::{DataType as Stored, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
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

/// Codes that are packed together.
const TOGETHER: usize = 8;

/// A Parquet file that is being written, a row group for each batch.
///
/// The columns are encoded by their four stored types. `ArrowWriter` can write any array of Arrow's,
/// and what it needs for those would be an eighth of the core.
pub(crate) struct ParquetFile {
    writer: SerializedFileWriter<File>,
    schema: Arc<Schema>,
}

impl ParquetFile {
    /// Begins it.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn new(file: File, schema: &Arc<Schema>) -> Result<Self, ParquetError> {
        let stored = ArrowSchemaConverter::new().convert(schema)?.root_schema_ptr();
        let writer = SerializedFileWriter::new(file, stored, Arc::new(properties(schema)))?;
        Ok(Self { writer, schema: Arc::clone(schema) })
    }

    /// Appends a row group, whose columns are encoded by as many threads as there are processors.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), ParquetError> {
        let properties = self.writer.properties();
        let columns = self.writer.schema_descr().columns().par_iter().zip(batch.columns());
        let encoded = columns.map(|(column, values)| Encoded::new(column, properties, values));
        let chunks: Vec<Encoded> = encoded.collect::<Result<_, _>>()?;
        let mut group = self.writer.next_row_group()?;
        for chunk in chunks {
            group.append_column(&Bytes::from(chunk.bytes), chunk.close)?;
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

/// A column of a batch, as it goes into the file, and what the file tells of it.
struct Encoded {
    bytes: Vec<u8>,
    close: ColumnCloseResult,
}

impl Encoded {
    fn new(
        column: &ColumnDescPtr,
        properties: &WriterPropertiesPtr,
        values: &ArrayRef,
    ) -> Result<Self, ParquetError> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let to =
            Chunk { column, properties, pages: Box::new(SerializedPageWriter::new(&mut bytes)) };
        let close = match values.data_type() {
            DataType::Float64 => to.numbers::<Float64Type, DoubleType>(values, |value| value),
            DataType::UInt16 => to.numbers::<UInt16Type, Int32Type>(values, i32::from),
            DataType::UInt32 => to.numbers::<UInt32Type, Int32Type>(values, u32::cast_signed),
            DataType::UInt64 => to.numbers::<UInt64Type, Int64Type>(values, u64::cast_signed),
            _ => to.words(values),
        }?;
        Ok(Self { bytes: bytes.into_inner()?, close })
    }
}

/// Where a column goes.
struct Chunk<'a> {
    column: &'a ColumnDescPtr,
    properties: &'a WriterPropertiesPtr,
    pages: Box<dyn PageWriter + 'a>,
}

impl<'a> Chunk<'a> {
    fn writer<S: Stored>(self) -> ColumnWriterImpl<'a, S> {
        ColumnWriterImpl::new(Arc::clone(self.column), Arc::clone(self.properties), self.pages)
    }

    /// Numbers, each as it is stored.
    fn numbers<A: ArrowPrimitiveType, S: Stored>(
        self,
        values: &ArrayRef,
        stored: impl Fn(A::Native) -> S::T,
    ) -> Result<ColumnCloseResult, ParquetError> {
        let optional = self.column.max_def_level() > 0;
        let mut writer = self.writer::<S>();
        let numbers = values.as_primitive::<A>();
        let there: Vec<S::T> = if numbers.null_count() == 0 {
            numbers.values().iter().map(|value| stored(*value)).collect()
        } else {
            numbers.iter().flatten().map(stored).collect()
        };
        let levels: Option<Vec<i16>> = optional.then(|| match numbers.nulls() {
            Some(nulls) => nulls.iter().map(i16::from).collect(),
            None => vec![1; numbers.len()],
        });
        writer.write_batch(&there, levels.as_deref(), None)?;
        writer.close()
    }

    /// Words by their codes, of which every row has one. The library would look each row's word up
    /// again to find its code, which takes longer than all the rest of a column.
    fn words(mut self, values: &ArrayRef) -> Result<ColumnCloseResult, ParquetError> {
        let coded = values.as_dictionary::<UInt8Type>();
        let (mut words, mut count) = (Vec::new(), 0);
        for word in coded.values().as_string::<i32>().iter().flatten() {
            words.extend(u32::try_from(word.len())?.to_le_bytes());
            words.extend(word.as_bytes());
            count += 1;
        }
        let dictionary = Page::DictionaryPage {
            buf: words.into(),
            num_values: count,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let codes = coded.keys().values();
        let rows = Page::DataPage {
            buf: packed(codes, count).into(),
            num_values: u32::try_from(codes.len())?,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let [dictionary, rows] = [dictionary, rows].map(|page| {
            let bytes = page.buffer().len();
            self.pages.write_page(CompressedPage::new(page, bytes))
        });
        let (dictionary, rows) = (dictionary?, rows?);
        self.pages.close()?;
        let bytes = dictionary.bytes_written + rows.bytes_written;
        let count = i64::try_from(codes.len())?;
        let encodings = [Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY];
        let metadata = ColumnChunkMetaData::builder(Arc::clone(self.column))
            .set_compression(Compression::UNCOMPRESSED)
            .set_encodings_mask(EncodingMask::new_from_encodings(encodings.iter()))
            .set_total_compressed_size(i64::try_from(bytes)?)
            .set_total_uncompressed_size(i64::try_from(bytes)?)
            .set_num_values(count)
            .set_dictionary_page_offset(Some(i64::try_from(dictionary.offset)?))
            .set_data_page_offset(i64::try_from(rows.offset)?)
            .build()?;
        let place = PageLocation {
            offset: i64::try_from(rows.offset)?,
            compressed_page_size: i32::try_from(rows.compressed_size)?,
            first_row_index: 0,
        };
        Ok(ColumnCloseResult {
            bytes_written: bytes,
            rows_written: u64::try_from(codes.len())?,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: Some(OffsetIndexMetaData {
                page_locations: vec![place],
                unencoded_byte_array_data_bytes: None,
            }),
        })
    }
}

/// Codes below `count`, of as many bits as those take: runs of the same one, and eights of others.
fn packed(codes: &[u8], count: u32) -> Vec<u8> {
    let bits = (u32::BITS - count.saturating_sub(1).leading_zeros()).clamp(1, u8::BITS);
    let mut packed = vec![bits.to_le_bytes()[0]];
    let (mut from, mut at) = (0, 0);
    while at < codes.len() {
        let same = codes[at..].iter().take_while(|code| **code == codes[at]).count();
        if same < TOGETHER {
            at += TOGETHER;
            continue;
        }
        eights(&codes[from..at], bits, &mut packed);
        number(same << 1, &mut packed);
        packed.push(codes[at]);
        at += same;
        from = at;
    }
    eights(&codes[from..], bits, &mut packed);
    packed
}

/// Codes one after the other, the lowest bits first; what lacks at the end to eight is 0.
fn eights(codes: &[u8], bits: u32, packed: &mut Vec<u8>) {
    if codes.is_empty() {
        return;
    }
    number(codes.len().div_ceil(TOGETHER) << 1 | 1, packed);
    for eight in codes.chunks(TOGETHER) {
        let together = eight.iter().rev().fold(0_u64, |sum, code| sum << bits | u64::from(*code));
        // Eight of so many bits are as many bytes.
        packed.extend(together.to_le_bytes().iter().take(bits as usize));
    }
}

/// A number by seven bits, the lowest first; the eighth says that there are more.
fn number(mut value: usize, packed: &mut Vec<u8>) {
    while value > 0x7F {
        packed.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    packed.push(value.to_le_bytes()[0]);
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
        if SPLIT.contains(&name) {
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
