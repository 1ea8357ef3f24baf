//! The cells of Parquet's columns as text, in as many digits as give the same number back.

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};

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

/// The rows of a batch, one after the other, as the text of the wanted columns.
pub(super) struct Texts {
    /// Columns of the file.
    columns: usize,
    /// Those that are wanted, in the order of the file.
    wanted: Vec<usize>,
    batch: Option<RecordBatch>,
    /// The row that is next.
    next: usize,
    text: Vec<u8>,
    /// Where the text of each column of the row ends, in the order of the file.
    ends: Vec<usize>,
}

impl Texts {
    pub(super) fn new(columns: usize, wanted: Vec<usize>) -> Self {
        Self { columns, wanted, batch: None, next: 0, text: Vec::new(), ends: Vec::new() }
    }

    /// Takes a batch of the wanted columns.
    ///
    /// # Errors
    /// A column is of a type that no part of a request has.
    pub(super) fn take(&mut self, batch: RecordBatch) -> Result<(), String> {
        for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            if !is_readable(column.data_type()) {
                return Err(format!(
                    "column `{}` is of the type {}, and a part of a request is a number or a word",
                    field.name(),
                    column.data_type()
                ));
            }
        }
        self.batch = Some(batch);
        self.next = 0;
        Ok(())
    }

    /// Goes to the next row; false if the batch has no more.
    pub(super) fn next_row(&mut self) -> bool {
        let Some(batch) = self.batch.as_ref().filter(|batch| self.next < batch.num_rows()) else {
            return false;
        };
        self.text.clear();
        self.ends.clear();
        let mut wanted = self.wanted.iter().zip(batch.columns()).peekable();
        for place in 0..self.columns {
            if let Some((_, column)) = wanted.next_if(|(at, _)| **at == place) {
                write(column, self.next, &mut self.text);
            }
            self.ends.push(self.text.len());
        }
        self.next += 1;
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

fn is_readable(kind: &DataType) -> bool {
    match kind {
        DataType::Decimal128(_, scale) => *scale >= 0,
        DataType::Timestamp(..) | DataType::Boolean => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary | DataType::LargeBinary => true,
        DataType::Float32 | DataType::Float64 => true,
        other => other.is_integer(),
    }
}

/// Appends the text of a cell; nothing for one without a value.
fn write(column: &ArrayRef, row: usize, text: &mut Vec<u8>) {
    if column.is_null(row) {
        return;
    }
    match column.data_type() {
        DataType::Int8 => put(number::<Int8Type>(column, row), text),
        DataType::Int16 => put(number::<Int16Type>(column, row), text),
        DataType::Int32 => put(number::<Int32Type>(column, row), text),
        DataType::Int64 => put(number::<Int64Type>(column, row), text),
        DataType::UInt8 => put(number::<UInt8Type>(column, row), text),
        DataType::UInt16 => put(number::<UInt16Type>(column, row), text),
        DataType::UInt32 => put(number::<UInt32Type>(column, row), text),
        DataType::UInt64 => put(number::<UInt64Type>(column, row), text),
        DataType::Float32 => put(number::<Float32Type>(column, row), text),
        DataType::Float64 => put(number::<Float64Type>(column, row), text),
        DataType::Timestamp(unit, _) => put(instant(*unit, column, row), text),
        DataType::Decimal128(_, scale) => {
            decimal(number::<Decimal128Type>(column, row), *scale, text);
        }
        DataType::Boolean => put(column.as_boolean().value(row), text),
        DataType::Utf8 => text.extend_from_slice(column.as_string::<i32>().value(row).as_bytes()),
        DataType::LargeUtf8 => {
            text.extend_from_slice(column.as_string::<i64>().value(row).as_bytes());
        }
        DataType::Binary => text.extend_from_slice(column.as_binary::<i32>().value(row)),
        DataType::LargeBinary => text.extend_from_slice(column.as_binary::<i64>().value(row)),
        _ => {}
    }
}

fn number<T: ArrowPrimitiveType>(column: &ArrayRef, row: usize) -> T::Native {
    column.as_primitive::<T>().value(row)
}

fn instant(unit: TimeUnit, column: &ArrayRef, row: usize) -> i64 {
    match unit {
        TimeUnit::Second => number::<TimestampSecondType>(column, row),
        TimeUnit::Millisecond => number::<TimestampMillisecondType>(column, row),
        TimeUnit::Microsecond => number::<TimestampMicrosecondType>(column, row),
        TimeUnit::Nanosecond => number::<TimestampNanosecondType>(column, row),
    }
}

/// The display of a floating-point number is the shortest that gives it back, without an exponent.
fn put(value: impl std::fmt::Display, text: &mut Vec<u8>) {
    // To write to memory does not fail.
    let _written = write!(text, "{value}");
}

fn decimal(value: i128, scale: i8, text: &mut Vec<u8>) {
    let scale = usize::try_from(scale).unwrap_or_default();
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if value < 0 { "-" } else { "" };
    put(format_args!("{sign}{whole}"), text);
    if scale > 0 {
        put(format_args!(".{fraction}"), text);
    }
}
