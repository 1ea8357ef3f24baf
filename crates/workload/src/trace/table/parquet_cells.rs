//! The cells of Parquet's columns, row by row.

use std::sync::Arc;

use arrow_schema::{DataType, SchemaRef, TimeUnit};
use parquet::column::page::PageReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

use super::parquet_column::{ColumnText, column};

/// Rows that are decoded together.
const TOGETHER: usize = 4096;

/// The unit that a column of instants counts by its type.
pub(super) fn unit_of(kind: &DataType) -> Option<&'static str> {
    match kind {
        DataType::Timestamp(unit, _) => Some(match unit {
            TimeUnit::Second => "s",
            TimeUnit::Millisecond => "ms",
            TimeUnit::Microsecond => "us",
            TimeUnit::Nanosecond => "ns",
        }),
        _ => None,
    }
}

type PagesOf = dyn Fn(usize, usize) -> Result<Box<dyn PageReader>, ParquetError> + Send;

/// The rows of a file, one after the other, as the text of the wanted columns.
pub(super) struct Texts {
    metadata: Arc<ParquetMetaData>,
    schema: SchemaRef,
    /// The pages of a column of a row group, by both numbers.
    pages: Box<PagesOf>,
    /// Columns of the file that are wanted, in its order.
    wanted: Vec<usize>,
    /// The row group that is next.
    group: usize,
    /// Rows of the one before that are not decoded yet.
    coming: usize,
    /// Its wanted columns.
    decoded: Vec<Box<dyn ColumnText>>,
    /// Decoded rows that are not read yet.
    left: usize,
    text: Vec<u8>,
    /// Where the text of each column of the row ends, in the order of the file.
    ends: Vec<usize>,
}

impl Texts {
    /// Those of wanted columns, all of a readable type.
    pub(super) fn new(
        input: impl ChunkReader + 'static,
        metadata: ParquetMetaData,
        schema: SchemaRef,
        wanted: Vec<usize>,
    ) -> Self {
        let metadata = Arc::new(metadata);
        let (input, groups) = (Arc::new(input), Arc::clone(&metadata));
        let pages = move |group: usize, place: usize| {
            let group = groups.row_group(group);
            let rows = usize::try_from(group.num_rows())?;
            let pages =
                SerializedPageReader::new(Arc::clone(&input), group.column(place), rows, None)?;
            Ok(Box::new(pages) as Box<dyn PageReader>)
        };
        Self {
            metadata,
            schema,
            pages: Box::new(pages),
            wanted,
            group: 0,
            coming: 0,
            decoded: Vec::new(),
            left: 0,
            text: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Decodes the next rows; false if there are no more.
    ///
    /// # Errors
    /// The file is damaged.
    pub(super) fn more(&mut self) -> Result<bool, ParquetError> {
        while self.coming == 0 {
            if self.group == self.metadata.num_row_groups() {
                return Ok(false);
            }
            self.coming = usize::try_from(self.metadata.row_group(self.group).num_rows())?;
            self.decoded =
                self.wanted.iter().map(|at| self.column(*at)).collect::<Result<_, _>>()?;
            self.group += 1;
        }
        let rows = self.coming.min(TOGETHER);
        for column in &mut self.decoded {
            if column.decode(rows)? != rows {
                return Err(ParquetError::General("a column ends before the others".into()));
            }
        }
        self.coming -= rows;
        self.left = rows;
        Ok(true)
    }

    /// A column of the row group that is next.
    fn column(&self, at: usize) -> Result<Box<dyn ColumnText>, ParquetError> {
        let stored = self.metadata.file_metadata().schema_descr();
        // A column of the file that is of a readable type is stored as one.
        let place =
            (0..stored.num_columns()).find(|place| stored.get_column_root_idx(*place) == at);
        let place = place.ok_or_else(|| ParquetError::General("a column is not stored".into()))?;
        let pages = (self.pages)(self.group, place)?;
        column(self.schema.field(at).data_type(), &stored.column(place), pages)
    }

    /// Goes to the next row; false if no more are decoded.
    pub(super) fn next_row(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.text.clear();
        self.ends.clear();
        let mut wanted = self.wanted.iter().zip(&mut self.decoded).peekable();
        for place in 0..self.schema.fields().len() {
            if let Some((_, column)) = wanted.next_if(|(at, _)| **at == place) {
                column.write(&mut self.text);
            }
            self.ends.push(self.text.len());
        }
        self.left -= 1;
        true
    }

    /// The cells of the row, of all columns of the file; empty where one is not wanted or has no
    /// value.
    pub(super) fn cells(&self) -> Vec<&[u8]> {
        let mut from = 0;
        let cell = |end: &usize| &self.text[std::mem::replace(&mut from, *end)..*end];
        self.ends.iter().map(cell).collect()
    }
}
