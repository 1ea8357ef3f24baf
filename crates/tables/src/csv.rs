//! Batches as lines of CSV: names and words in quotes, numbers in the fewest digits that give the
//! same number back, nothing where there is no value.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Schema};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;

/// Rows that one thread makes text of at once: half a megabyte of it.
const TOGETHER: usize = 1 << 12;

/// A CSV file that is being written.
pub(crate) struct CsvFile {
    file: File,
    heading: String,
    /// Of [`TOGETHER`] rows each; kept, as memory that is new costs more than to fill it.
    texts: Vec<Vec<u8>>,
}

/// A column of a batch and how a value of it is written; where not every row has one, with the column
/// that knows.
enum Cells<'a> {
    Doubles(&'a [f64], Option<&'a dyn Array>),
    Whole16(&'a [u16], Option<&'a dyn Array>),
    Whole32(&'a [u32], Option<&'a dyn Array>),
    Whole64(&'a [u64], Option<&'a dyn Array>),
    Words(&'a [u8], Vec<String>),
}

impl CsvFile {
    /// Begins it with the names of the columns.
    pub(crate) fn new(file: File, schema: &Schema) -> Self {
        let names = schema.fields().iter().map(|field| quoted(field.name()));
        let heading = names.collect::<Vec<_>>().join(",") + "\n";
        Self { file, heading, texts: Vec::new() }
    }

    /// Appends the rows of a batch, of which as many threads make text as there are processors.
    ///
    /// # Errors
    /// It cannot be written, or a column is of a type that no table here has.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let columns = batch.columns().iter().map(|column| Cells::of(column.as_ref()));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let (rows, parts) = (batch.num_rows(), batch.num_rows().div_ceil(TOGETHER));
        if self.texts.len() < parts {
            self.texts.resize_with(parts, Vec::new);
        }
        let texts = &mut self.texts[..parts];
        texts.par_iter_mut().enumerate().for_each(|(part, text)| {
            let from = part * TOGETHER;
            text.clear();
            lines(&columns, from..rows.min(from + TOGETHER), text);
        });
        self.file.write_all(std::mem::take(&mut self.heading).as_bytes())?;
        texts.iter().try_for_each(|text| self.file.write_all(text))?;
        Ok(())
    }

    /// Writes the heading, if there was no row to write it before.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.write_all(self.heading.as_bytes())
    }
}

/// A number that was written: its bits, and where its text stands.
#[derive(Clone, Copy, Default)]
struct Written {
    bits: u64,
    from: usize,
    to: usize,
}

fn lines(columns: &[Cells<'_>], rows: Range<usize>, text: &mut Vec<u8>) {
    // Of each column, in the row above until it is written: that nothing waited makes times equal,
    // and the controller takes the same again and again.
    let mut written = vec![Written::default(); columns.len()];
    for row in rows {
        for (place, column) in columns.iter().enumerate() {
            if place > 0 {
                text.push(b',');
            }
            match column {
                Cells::Doubles(values, some) if has(*some, row) => {
                    let near = place.saturating_sub(2)..=place;
                    written[place] = double(values[row], &written[near], text);
                }
                _ => column.write(row, text),
            }
        }
        text.push(b'\n');
    }
}

impl<'a> Cells<'a> {
    fn of(column: &'a dyn Array) -> Result<Self, ArrowError> {
        let some = (column.null_count() > 0).then_some(column);
        Ok(match column.data_type() {
            DataType::Float64 => Self::Doubles(column.as_primitive::<Float64Type>().values(), some),
            DataType::UInt16 => Self::Whole16(column.as_primitive::<UInt16Type>().values(), some),
            DataType::UInt32 => Self::Whole32(column.as_primitive::<UInt32Type>().values(), some),
            DataType::UInt64 => Self::Whole64(column.as_primitive::<UInt64Type>().values(), some),
            DataType::Dictionary(..) => {
                let labels = column.as_dictionary::<UInt8Type>();
                let words = labels.values().as_string::<i32>();
                let words = words.iter().map(|word| quoted(word.unwrap_or_default()));
                Self::Words(labels.keys().values(), words.collect())
            }
            other => return Err(ArrowError::CsvError(format!("a column of {other}"))),
        })
    }

    #[inline]
    fn write(&self, row: usize, text: &mut Vec<u8>) {
        let mut whole = itoa::Buffer::new();
        match self {
            Self::Whole16(values, some) if has(*some, row) => {
                text.extend_from_slice(whole.format(values[row]).as_bytes());
            }
            Self::Whole32(values, some) if has(*some, row) => {
                text.extend_from_slice(whole.format(values[row]).as_bytes());
            }
            Self::Whole64(values, some) if has(*some, row) => {
                text.extend_from_slice(whole.format(values[row]).as_bytes());
            }
            Self::Words(codes, words) => {
                text.extend_from_slice(words[usize::from(codes[row])].as_bytes());
            }
            _ => {}
        }
    }
}

#[inline]
fn has(some: Option<&dyn Array>, row: usize) -> bool {
    some.is_none_or(|column| column.is_valid(row))
}

/// Appends a number, from where it was written before if it is one of those `near`.
#[inline]
fn double(value: f64, near: &[Written], text: &mut Vec<u8>) -> Written {
    let (bits, from) = (value.to_bits(), text.len());
    if value == 0.0 {
        // Half of the parts of a service are nothing.
        text.push(b'0');
    } else if let Some(same) = near.iter().find(|one| one.bits == bits) {
        text.extend_from_within(same.from..same.to);
    } else {
        let mut digits = zmij::Buffer::new();
        let digits = digits.format(value);
        text.extend_from_slice(digits.strip_suffix(".0").unwrap_or(digits).as_bytes());
    }
    Written { bits, from, to: text.len() }
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}
