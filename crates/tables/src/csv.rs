//! Batches as lines of CSV: names and words in quotes, numbers in the fewest digits that give the
//! same number back, nothing where there is no value.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{ArrowError, DataType, Schema};
use std::fs::File;
use std::io::{self, Write};

/// Bytes held before they are written.
const HELD: usize = 1 << 18;

/// A CSV file that is being written.
pub(crate) struct CsvFile {
    file: File,
    text: Vec<u8>,
}

/// A column of a batch and how a value of it is written; a row without one has none.
enum Cells<'a> {
    Doubles(&'a [f64], &'a dyn Array),
    Whole16(&'a [u16], &'a dyn Array),
    Whole32(&'a [u32], &'a dyn Array),
    Whole64(&'a [u64], &'a dyn Array),
    Words(&'a [u8], Vec<String>),
}

impl CsvFile {
    /// Begins it with the names of the columns.
    pub(crate) fn new(file: File, schema: &Schema) -> Self {
        let names = schema.fields().iter().map(|field| quoted(field.name()));
        let heading = names.collect::<Vec<_>>().join(",") + "\n";
        Self { file, text: heading.into_bytes() }
    }

    /// Appends the rows of a batch.
    ///
    /// # Errors
    /// It cannot be written, or a column is of a type that no table here has.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let columns = batch.columns().iter().map(|column| Cells::of(column.as_ref()));
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            for (place, column) in columns.iter().enumerate() {
                if place > 0 {
                    self.text.push(b',');
                }
                column.write(row, &mut self.text);
            }
            self.text.push(b'\n');
            if self.text.len() >= HELD {
                self.put()?;
            }
        }
        Ok(())
    }

    /// Writes what is still held.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.put()
    }

    fn put(&mut self) -> io::Result<()> {
        self.file.write_all(&self.text)?;
        self.text.clear();
        Ok(())
    }
}

impl<'a> Cells<'a> {
    fn of(column: &'a dyn Array) -> Result<Self, ArrowError> {
        Ok(match column.data_type() {
            DataType::Float64 => {
                Self::Doubles(column.as_primitive::<Float64Type>().values(), column)
            }
            DataType::UInt16 => Self::Whole16(column.as_primitive::<UInt16Type>().values(), column),
            DataType::UInt32 => Self::Whole32(column.as_primitive::<UInt32Type>().values(), column),
            DataType::UInt64 => Self::Whole64(column.as_primitive::<UInt64Type>().values(), column),
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
            Self::Doubles(values, column) if column.is_valid(row) => double(values[row], text),
            Self::Whole16(values, column) if column.is_valid(row) => {
                text.extend_from_slice(whole.format(values[row]).as_bytes());
            }
            Self::Whole32(values, column) if column.is_valid(row) => {
                text.extend_from_slice(whole.format(values[row]).as_bytes());
            }
            Self::Whole64(values, column) if column.is_valid(row) => {
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
fn double(value: f64, text: &mut Vec<u8>) {
    if value == 0.0 {
        // Half of the parts of a service are nothing.
        text.push(b'0');
    } else {
        let mut digits = zmij::Buffer::new();
        let digits = digits.format(value);
        text.extend_from_slice(digits.strip_suffix(".0").unwrap_or(digits).as_bytes());
    }
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}
