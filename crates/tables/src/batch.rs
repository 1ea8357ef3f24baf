//! Rows as the columns of their table: views of their numbers, nothing is copied.

use crate::columns::{COMMANDS, REQUESTS, TRACE, TRACE_OF_RESPONSES, TableColumn};
use crate::error::TableError;
use crate::trace_columns::TraceColumns;
use platterlab_results::{Columns, RequestColumns, RequestRow, Row};
use platterlab_units::Operation;

/// The words of the columns of words, in the order of their codes.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    operation: Vec<String>,
    cache: Vec<String>,
    class: Vec<String>,
}

impl Labels {
    pub(crate) fn new(cache: &[&str]) -> Self {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let operations = [Operation::Read, Operation::Write].map(|operation| operation.to_string());
        Self {
            operation: operations.into(),
            cache: owned(cache),
            class: owned(&RequestRow::CLASSES),
        }
    }
}

/// The values of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values<'a> {
    Doubles(&'a [f64]),
    Whole16(&'a [u16]),
    Whole32(&'a [u32]),
    Whole64(&'a [u64]),
    /// Codes of words, and the words.
    Words(&'a [u8], &'a [String]),
}

/// A column, and what the table says of it.
pub(crate) type Column<'a> = (&'static TableColumn, Values<'a>);

/// A number of which one value stands for none, in a column in which a row may have none.
pub(crate) trait Number: Copy {
    fn is_none(self) -> bool;
}

/// Only a time that the trace does not record is not a number.
impl Number for f64 {
    #[inline]
    fn is_none(self) -> bool {
        self.is_nan()
    }
}

impl Number for u16 {
    #[inline]
    fn is_none(self) -> bool {
        self == Row::OWN_STREAM
    }
}

impl Number for u32 {
    #[inline]
    fn is_none(self) -> bool {
        false
    }
}

impl Number for u64 {
    #[inline]
    fn is_none(self) -> bool {
        self == Row::OWN
    }
}

/// The columns of [`COMMANDS`].
///
/// # Errors
/// A code has no word.
pub(crate) fn commands<'a>(
    rows: &'a Columns,
    labels: &'a Labels,
) -> Result<Vec<Column<'a>>, TableError> {
    let times = [
        &rows.arrival_ms,
        &rows.issue_ms,
        &rows.completion_ms,
        &rows.response_ms,
        &rows.queue_ms,
        &rows.service_ms,
    ];
    let mut columns: Vec<_> =
        times.into_iter().chain(&rows.parts_ms).map(|times| Values::Doubles(times)).collect();
    columns.extend([
        Values::Whole64(&rows.lba),
        Values::Whole32(&rows.sectors),
        Values::Whole32(&rows.device),
        Values::Whole64(&rows.request),
        Values::Whole16(&rows.stream),
        words(&rows.operation, &labels.operation)?,
        words(&rows.cache, &labels.cache)?,
        Values::Whole32(&rows.cylinder),
        Values::Whole32(&rows.seek_distance_cylinders),
        Values::Doubles(&rows.measured_ms),
    ]);
    Ok(COMMANDS.iter().zip(columns).collect())
}

/// The columns of [`REQUESTS`].
///
/// # Errors
/// A code has no word.
pub(crate) fn requests<'a>(
    rows: &'a RequestColumns,
    labels: &'a Labels,
) -> Result<Vec<Column<'a>>, TableError> {
    let columns = [
        Values::Doubles(&rows.arrival_ms),
        Values::Doubles(&rows.completion_ms),
        Values::Doubles(&rows.response_ms),
        Values::Whole64(&rows.request),
        Values::Whole16(&rows.stream),
        Values::Whole32(&rows.volume),
        Values::Whole64(&rows.lba),
        Values::Whole32(&rows.sectors),
        words(&rows.operation, &labels.operation)?,
        words(&rows.class, &labels.class)?,
    ];
    Ok(REQUESTS.iter().zip(columns).collect())
}

/// The columns of [`TRACE`], or of [`TRACE_OF_RESPONSES`].
///
/// # Errors
/// A code has no word.
pub(crate) fn trace<'a>(
    rows: &'a TraceColumns,
    labels: &'a Labels,
    responses: bool,
) -> Result<Vec<Column<'a>>, TableError> {
    let mut columns = vec![Values::Doubles(&rows.arrival_ms)];
    if !responses {
        columns.push(Values::Doubles(&rows.queue_ms));
    }
    columns.extend([
        Values::Doubles(&rows.time_ms),
        Values::Whole64(&rows.lba),
        Values::Whole32(&rows.sectors),
        Values::Whole32(&rows.device),
        words(&rows.operation, &labels.operation)?,
        words(&rows.class, &labels.class)?,
    ]);
    let table = if responses { &TRACE_OF_RESPONSES[..] } else { &TRACE[..] };
    Ok(table.iter().zip(columns).collect())
}

fn words<'a>(codes: &'a [u8], words: &'a [String]) -> Result<Values<'a>, TableError> {
    match codes.iter().max() {
        Some(most) if usize::from(*most) >= words.len() => {
            Err(TableError::Table(format!("there is no word for the code {most}")))
        }
        _ => Ok(Values::Words(codes, words)),
    }
}
