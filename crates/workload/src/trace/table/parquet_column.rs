//! A column of Parquet's as text, in as many digits as give the same number back.
//!
//! Parquet stores eight types of values. Arrow's readers make some fifty types of arrays of them, of
//! which one cell after the other would be read here, and are a seventh of the core.

use std::io::Write;

use arrow_schema::DataType;
use parquet::basic::Type;
use parquet::column::page::PageReader;
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{
    BoolType, ByteArrayType, DataType as Stored, DoubleType, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::schema::types::ColumnDescPtr;

/// The most bytes of a whole number of a decimal one.
const DECIMAL_BYTES: usize = 16;

/// A column of a row group, cell by cell.
pub(super) trait ColumnText: Send {
    /// Decodes the next cells in the place of those before, and says how many there are.
    ///
    /// # Errors
    /// The file is damaged.
    fn decode(&mut self, most: usize) -> Result<usize, ParquetError>;

    /// Appends the text of the next cell; nothing for one without a value.
    fn write(&mut self, text: &mut Vec<u8>);
}

/// True for the types that a part of a request may have.
pub(super) fn is_readable(kind: &DataType) -> bool {
    match kind {
        DataType::Decimal128(_, scale) => *scale >= 0,
        DataType::Timestamp(..) | DataType::Boolean => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary | DataType::LargeBinary => true,
        DataType::Float32 | DataType::Float64 => true,
        other => other.is_integer(),
    }
}

/// The column of these pages, whose values are of this type once they are read.
///
/// # Errors
/// They are not stored as values of that type are.
pub(super) fn column(
    kind: &DataType,
    described: &ColumnDescPtr,
    pages: Box<dyn PageReader>,
) -> Result<Box<dyn ColumnText>, ParquetError> {
    let of = ColumnPages { described, pages };
    Ok(match (described.physical_type(), kind) {
        (Type::BOOLEAN, DataType::Boolean) => of.shown::<BoolType>(),
        (Type::FLOAT, DataType::Float32) => of.shown::<FloatType>(),
        (Type::DOUBLE, DataType::Float64) => of.shown::<DoubleType>(),
        (Type::INT32, DataType::Decimal128(_, scale)) => {
            let scale = *scale;
            of.written::<Int32Type>(all, move |value, text| decimal((*value).into(), scale, text))
        }
        (Type::INT64, DataType::Decimal128(_, scale)) => {
            let scale = *scale;
            of.written::<Int64Type>(all, move |value, text| decimal((*value).into(), scale, text))
        }
        (Type::FIXED_LEN_BYTE_ARRAY, DataType::Decimal128(_, scale)) => {
            let scale = *scale;
            of.written::<FixedLenByteArrayType>(
                |value| value.len() <= DECIMAL_BYTES,
                move |value, text| decimal(whole(value.data()), scale, text),
            )
        }
        (Type::BYTE_ARRAY, DataType::Decimal128(_, scale)) => {
            let scale = *scale;
            of.written::<ByteArrayType>(
                |value| value.len() <= DECIMAL_BYTES,
                move |value, text| decimal(whole(value.data()), scale, text),
            )
        }
        (Type::INT32, DataType::UInt32) => {
            of.written::<Int32Type>(all, |value, text| put(value.cast_unsigned(), text))
        }
        (Type::INT32, other) if other.is_integer() => of.shown::<Int32Type>(),
        (Type::INT64, DataType::UInt64) => {
            of.written::<Int64Type>(all, |value, text| put(value.cast_unsigned(), text))
        }
        (Type::INT64, DataType::Int64 | DataType::Timestamp(..)) => of.shown::<Int64Type>(),
        (Type::INT96, DataType::Timestamp(..)) => {
            of.written::<Int96Type>(all, |value, text| put(value.to_nanos(), text))
        }
        (Type::BYTE_ARRAY, DataType::Utf8 | DataType::LargeUtf8) => of.written::<ByteArrayType>(
            |value| value.as_utf8().is_ok(),
            |value, text| text.extend_from_slice(value.data()),
        ),
        (Type::BYTE_ARRAY, DataType::Binary | DataType::LargeBinary) => {
            of.written::<ByteArrayType>(all, |value, text| text.extend_from_slice(value.data()))
        }
        (stored, _) => {
            return Err(ParquetError::General(format!("{stored} does not store a {kind}")));
        }
    })
}

/// The pages of a column, and what the file states of it.
struct ColumnPages<'a> {
    described: &'a ColumnDescPtr,
    pages: Box<dyn PageReader>,
}

impl ColumnPages<'_> {
    /// Numbers as they are shown: of floating-point ones that is the shortest text that gives them
    /// back, without an exponent.
    fn shown<S: Stored>(self) -> Box<dyn ColumnText> {
        self.written::<S>(all, |value, text| put(value, text))
    }

    fn written<S: Stored>(
        self,
        is_right: fn(&S::T) -> bool,
        write: impl Fn(&S::T, &mut Vec<u8>) + Send + 'static,
    ) -> Box<dyn ColumnText> {
        Box::new(DecodedColumn::<S, _> {
            reader: ColumnReaderImpl::new(self.described.clone(), self.pages),
            there: self.described.max_def_level(),
            values: Vec::new(),
            value: 0,
            levels: Vec::new(),
            level: 0,
            is_right,
            write,
        })
    }
}

/// Some values of a column, and where the reading of them is.
struct DecodedColumn<S: Stored, W> {
    reader: ColumnReaderImpl<S>,
    /// The level of a cell that has a value; 0 where all have.
    there: i16,
    values: Vec<S::T>,
    value: usize,
    levels: Vec<i16>,
    level: usize,
    is_right: fn(&S::T) -> bool,
    write: W,
}

impl<S: Stored, W: Fn(&S::T, &mut Vec<u8>) + Send> ColumnText for DecodedColumn<S, W> {
    fn decode(&mut self, most: usize) -> Result<usize, ParquetError> {
        self.values.clear();
        self.levels.clear();
        (self.value, self.level) = (0, 0);
        let levels = (self.there > 0).then_some(&mut self.levels);
        let (cells, _, _) = self.reader.read_records(most, levels, None, &mut self.values)?;
        if !self.values.iter().all(self.is_right) {
            return Err(ParquetError::General("a value is not of its column's type".into()));
        }
        Ok(cells)
    }

    fn write(&mut self, text: &mut Vec<u8>) {
        let level = self.levels.get(self.level).copied().unwrap_or_default();
        self.level += 1;
        if level < self.there {
            return;
        }
        if let Some(value) = self.values.get(self.value) {
            (self.write)(value, text);
        }
        self.value += 1;
    }
}

fn all<T>(_value: &T) -> bool {
    true
}

fn put(value: impl std::fmt::Display, text: &mut Vec<u8>) {
    // To write to memory does not fail.
    let _written = write!(text, "{value}");
}

/// The whole number of these bytes, the largest first.
fn whole(bytes: &[u8]) -> i128 {
    let negative = bytes.first().is_some_and(|byte| *byte >= 0x80);
    bytes.iter().fold(if negative { -1 } else { 0 }, |sum, byte| sum << 8 | i128::from(*byte))
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
