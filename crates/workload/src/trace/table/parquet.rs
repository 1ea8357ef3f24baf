//! A Parquet file as a table: its cells are read as those of a CSV would be.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Once};

use arrow_schema::Schema;
use parquet::arrow::parquet_to_arrow_schema;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::file::reader::ChunkReader;
use platterlab_units::SECTOR_BYTES_DEFAULT;

use super::super::source::Whole;
use super::super::{Format, Notes, Opened, Position, Source, TraceError, TraceFacts, TraceReader};
use super::arrange::Arrange;
use super::cells::Cells;
use super::mapping::Mapping;
use super::parquet_cells::{Texts, unit_of};
use super::parquet_column::is_readable;
use super::row::Rows;
use crate::Record;

/// What a Parquet file begins with.
const MAGIC: &[u8] = b"PAR1";
/// The most that a column of one row group may take, unpacked.
const MOST_BYTES: i64 = 1 << 30;

/// True for the beginning of a Parquet file.
pub(in crate::trace) fn is_parquet(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// A reader of a Parquet file.
struct ParquetTable {
    source: Source,
    facts: TraceFacts,
    texts: Texts,
    /// Rows of the file that are read, and that there are.
    row: u64,
    rows: u64,
    arrange: Arrange,
}

/// Reads a Parquet file by the mapping that `choose` gives for the names of its columns.
pub(in crate::trace) fn open(
    mut source: Source,
    format: Format,
    choose: impl FnOnce(&[&str]) -> Result<Mapping, String>,
) -> Opened {
    match source.whole()? {
        Some(Whole::File(file)) => begin(source, file, format, choose),
        Some(Whole::Bytes(bytes)) => begin(source, bytes::Bytes::from(bytes), format, choose),
        None => {
            let what = "is a Parquet file packed once more, and Parquet is read from its end: \
                        unpack it first";
            Err(source.error(Position::File, what))
        }
    }
}

fn begin(
    source: Source,
    input: impl ChunkReader + 'static,
    format: Format,
    choose: impl FnOnce(&[&str]) -> Result<Mapping, String>,
) -> Opened {
    let refuse = |what: String| source.error(Position::File, what);
    let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&input));
    let metadata = metadata.map_err(refuse)?;
    // Of Parquet's own types there are fewer than of Arrow's: what is a dictionary there is plain
    // words here.
    let stored = metadata.file_metadata().schema_descr();
    let schema = guarded(|| parquet_to_arrow_schema(stored, None)).map_err(refuse)?;
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let mapping = choose(&names).map_err(refuse)?;
    let heading: Vec<String> = names.into_iter().map(str::to_owned).collect();
    let mapping = with_units(mapping, &heading, &schema).map_err(refuse)?;
    let cells = Cells::bind(&mapping, &heading).map_err(refuse)?;
    let wanted = mapping.columns(&heading);
    for at in &wanted {
        let field = schema.field(*at);
        if !is_readable(field.data_type()) {
            return Err(refuse(format!(
                "column `{}` is of the type {}, and a part of a request is a number or a word",
                field.name(),
                field.data_type()
            )));
        }
    }
    let rows = u64::try_from(metadata.file_metadata().num_rows()).unwrap_or_default();
    for group in metadata.row_groups() {
        let sizes = group.columns().iter().map(|column| column.uncompressed_size());
        if sizes.into_iter().any(|bytes| bytes > MOST_BYTES) {
            let what = "has row groups too large to be held in memory: write it in smaller ones";
            return Err(source.error(Position::File, what));
        }
    }
    let texts = Texts::new(input, metadata, Arc::new(schema), wanted);
    let rows_of = Rows::of_columns(cells);
    let facts =
        TraceFacts { measures: rows_of.measures(), ..source.facts(format, SECTOR_BYTES_DEFAULT) };
    let arrange = Arrange::new(rows_of);
    Ok(Box::new(ParquetTable { source, facts, texts, row: 0, rows, arrange }))
}

/// The mapping with the units that columns of instants have by their type.
fn with_units(
    mut mapping: Mapping,
    heading: &[String],
    schema: &Schema,
) -> Result<Mapping, String> {
    for entry in &mut mapping.entries {
        let Some(place) = entry.column.place(heading) else { continue };
        let Some(unit) = unit_of(schema.field(place).data_type()) else { continue };
        if entry.unit.as_deref().is_some_and(|said| said != unit) {
            return Err(format!(
                "columns: {} counts {unit} by its type: leave the unit out",
                entry.column
            ));
        }
        entry.unit = Some(unit.to_owned());
    }
    Ok(mapping)
}

thread_local! {
    /// Whether this thread asks the library, whose panics are answers then.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}
static QUIET: Once = Once::new();

/// What the library answers, where a damaged file may make it fail in any way.
fn guarded<T>(ask: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    QUIET.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !ASKING.get() {
                told(info);
            }
        }));
    });
    let before = ASKING.replace(true);
    let answer = catch_unwind(AssertUnwindSafe(ask));
    ASKING.set(before);
    match answer {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(damaged(&error.to_string())),
        Err(_panic) => Err(damaged("its parts contradict each other")),
    }
}

fn damaged(why: &str) -> String {
    format!("cannot be read as Parquet: {}", why.lines().next().unwrap_or_default())
}

impl ParquetTable {
    fn record(&mut self) -> Result<Option<Record>, TraceError> {
        loop {
            match self.arrange.pop() {
                Ok(None) => {}
                Ok(record) => return Ok(record),
                Err(what) => return Err(self.wrong(what)),
            }
            if self.arrange.ended {
                return Ok(None);
            }
            if self.texts.next_row() {
                self.row += 1;
                let read = self.arrange.columns(&self.texts.cells());
                read.map_err(|what| self.wrong(what))?;
            } else if !self.more()? {
                self.source.unchanged()?;
                self.arrange.ended = true;
            }
        }
    }

    fn more(&mut self) -> Result<bool, TraceError> {
        match guarded(|| self.texts.more()) {
            Ok(more) => Ok(more),
            Err(what) => {
                self.source.unchanged()?;
                Err(self.wrong(what))
            }
        }
    }

    fn wrong(&self, what: String) -> TraceError {
        self.source.error(Position::Row(self.row), what)
    }
}

impl Iterator for ParquetTable {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.record();
        self.source.ended(record)
    }
}

impl TraceReader for ParquetTable {
    fn facts(&self) -> &TraceFacts {
        &self.facts
    }

    /// As many as the share of the rows that are read: the file is not read in its order.
    fn bytes_read(&self) -> u64 {
        let total = u128::from(self.bytes_total().unwrap_or_default());
        let read = total * u128::from(self.row) / u128::from(self.rows.max(1));
        u64::try_from(read.min(total)).unwrap_or_default()
    }

    fn bytes_total(&self) -> Option<u64> {
        self.source.bytes_total()
    }

    fn place(&self) -> Position {
        Position::Row(self.row)
    }

    fn notes(&self) -> Notes {
        self.arrange.notes.clone()
    }

    fn device_names(&self) -> &[String] {
        self.arrange.names()
    }
}
