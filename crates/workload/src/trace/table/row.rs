//! One row of a table, made a request.

use platterlab_units::{Span, Stamp};

use super::super::blkreplay::LineKind;
use super::super::checks::extent;
use super::super::names::Names;
use super::super::operation::operation;
use super::super::text::{self, Unit};
use super::super::{Measures, Note};
use super::cells::{Cell, Cells, whole};
use super::clock::Clock;
use super::mapping::ColumnKey;
use super::split::Separator;
use crate::{Criticality, Record};
use platterlab_units::{Operation, SECTOR_BYTES_DEFAULT};

/// What became of a row.
pub(super) enum Row {
    /// A request; its arrival is still on the file's own clock.
    Data {
        /// The row's own time.
        row_ps: u128,
        record: Record,
        /// Its bytes were not whole sectors.
        widened: bool,
    },
    Other(Note),
}

/// Reads rows.
pub(super) struct Rows {
    cells: Cells,
    separator: Separator,
    /// Whether they are lines of a text.
    lines: bool,
    /// The column that takes what is left over, and how many columns there are.
    wide: Option<(usize, usize)>,
}

impl Rows {
    pub(super) fn new(
        cells: Cells,
        separator: Separator,
        wide: Option<usize>,
        columns: usize,
    ) -> Self {
        Self { cells, separator, lines: true, wide: wide.map(|at| (at, columns)) }
    }

    /// The same of rows that are not lines.
    pub(super) fn of_columns(cells: Cells) -> Self {
        Self { cells, separator: Separator::Blanks, lines: false, wide: None }
    }

    /// Whether rows are stamped with their arrival, rather than their completion.
    pub(super) fn by_arrival(&self) -> bool {
        self.cells.time.is_some()
    }

    /// How a file of such rows is put in the order of their time.
    pub(super) fn sorting(&self) -> String {
        let Cells { time, end, .. } = &self.cells;
        let stamp = time.as_ref().or(end.as_ref());
        let counted = stamp.filter(|cell| matches!(cell.unit, Clock::Count(_)));
        let Some(column) = counted.and_then(Cell::column).filter(|_| self.lines) else {
            return "sort the file by its time".into();
        };
        let by = match self.separator {
            Separator::Blanks => String::new(),
            Separator::Byte(b',') => "-t, ".into(),
            Separator::Byte(b'\t') => "-t $'\\t' ".into(),
            Separator::Byte(other) => format!("-t '{}' ", char::from(other)),
        };
        format!("sort the file by its time, as with `sort -s {by}-k{column},{column}n FILE`")
    }

    /// What the rows' times measure.
    pub(super) fn measures(&self) -> Measures {
        let Cells { service, response, queued, time, end, .. } = &self.cells;
        let whole = response.is_some() || (time.is_some() && end.is_some());
        if whole && service.is_none() && queued.is_none() {
            Measures::Response
        } else {
            Measures::Service
        }
    }

    /// The request in `line`.
    pub(super) fn read(&self, line: &[u8], names: &mut Names) -> Result<Row, String> {
        let mut columns: Vec<&[u8]> = Vec::with_capacity(32);
        self.separator.split(line, &mut columns);
        if let Some((at, expected)) = self.wide
            && columns.len() > expected
        {
            let more = columns.len() - expected;
            columns.drain(at + 1..=at + more);
        }
        self.row(&columns, names)
    }

    /// The request in the values of a row.
    pub(super) fn row(&self, columns: &[&[u8]], names: &mut Names) -> Result<Row, String> {
        let cells = &self.cells;
        let word = cells.op.of(columns, ColumnKey::Op)?;
        let (operation, criticality) = match self.operation(word)? {
            LineKind::Data(operation, criticality) => (operation, criticality),
            LineKind::Other(note) => return Ok(Row::Other(note)),
        };
        let size = bytes(&cells.size, ColumnKey::Size, columns)?;
        if size == 0 {
            return Ok(Row::Other(Note::WithoutData));
        }
        let start = bytes(&cells.lba, ColumnKey::Lba, columns)?;
        let (lba, sectors, widened) = sectors(start, size)?;
        let device = match &cells.device {
            Some(cell) => names.device(cell.of(columns, ColumnKey::Device)?)?,
            None => 0,
        };
        let Times { row_ps, arrival_ps, queued, service } = self.times(columns)?;
        let record = Record {
            arrival: Stamp::from_ps(arrival_ps),
            queued,
            service,
            think: None,
            lba,
            sectors,
            device,
            operation,
            criticality,
        };
        Ok(Row::Data { row_ps, record, widened })
    }

    fn operation(&self, word: &[u8]) -> Result<LineKind, String> {
        match &self.cells.op.unit {
            Some(read) => {
                let operation =
                    if word == read.as_slice() { Operation::Read } else { Operation::Write };
                Ok(LineKind::Data(operation, Criticality::Unknown))
            }
            None => operation(word),
        }
    }

    fn times(&self, columns: &[&[u8]]) -> Result<Times, String> {
        let cells = &self.cells;
        let time = stamp(cells.time.as_ref(), ColumnKey::Time, columns)?;
        let end = stamp(cells.end.as_ref(), ColumnKey::End, columns)?;
        let queued = lapse(cells.queued.as_ref(), ColumnKey::Queued, columns)?;
        let service = lapse(cells.service.as_ref(), ColumnKey::Service, columns)?;
        let mut response = lapse(cells.response.as_ref(), ColumnKey::Response, columns)?;
        if let (None, Some(time), Some(end)) = (response, time, end) {
            let lasted = end.checked_sub(time).ok_or("end lies before time")?;
            response = Some(span(lasted)?);
        }
        // Of wait, service and both together two determine the third.
        let (queued, service) = match (queued, service, response) {
            (None, Some(service), Some(response)) => (Some(rest(response, service)), Some(service)),
            (Some(queued), None, Some(response)) => (Some(queued), Some(rest(response, queued))),
            (queued, None, response) => (queued, response),
            (queued, service, _) => (queued, service),
        };
        let ps = |span: Option<Span>| u128::from(span.unwrap_or_default().as_ps());
        let lasted = ps(queued) + ps(service);
        let row_ps = time.or(end).ok_or("the row has no time")?;
        let arrival_ps = match time {
            Some(time) => time,
            // A clock that began with the trace is younger than what was then under way.
            None => row_ps.saturating_sub(lasted),
        };
        Ok(Times { row_ps, arrival_ps, queued, service })
    }
}

struct Times {
    row_ps: u128,
    arrival_ps: u128,
    queued: Option<Span>,
    service: Option<Span>,
}

fn stamp(
    cell: Option<&Cell<Clock>>,
    key: ColumnKey,
    columns: &[&[u8]],
) -> Result<Option<u128>, String> {
    cell.map(|cell| cell.unit.instant_ps(cell.of(columns, key)?, key)).transpose()
}

/// A time that may be left out.
fn lapse(
    cell: Option<&Cell<Unit>>,
    key: ColumnKey,
    columns: &[&[u8]],
) -> Result<Option<Span>, String> {
    let Some(cell) = cell else { return Ok(None) };
    let field = cell.of(columns, key)?;
    if matches!(field, b"" | b"-" | b"nan" | b"NaN" | b"null") {
        return Ok(None);
    }
    text::span(field, key.name(), cell.unit).map(Some)
}

/// What a time is longer than its part; a clock that rounds may make the part the longer.
fn rest(whole: Span, part: Span) -> Span {
    Span::from_ps(whole.as_ps().saturating_sub(part.as_ps()))
}

fn span(ps: u128) -> Result<Span, String> {
    let ps = u64::try_from(ps).map_err(|_| "a request that lasts longer than 213 days")?;
    Ok(Span::from_ps(ps))
}

fn bytes(cell: &Cell<u64>, key: ColumnKey, columns: &[&[u8]]) -> Result<u128, String> {
    let count = whole(cell.of(columns, key)?, key)?;
    Ok(u128::from(count) * u128::from(cell.unit))
}

/// The sectors that `size` bytes from `start` touch, and whether they are more than those bytes.
fn sectors(start: u128, size: u128) -> Result<(u64, u32, bool), String> {
    let sector = u128::from(SECTOR_BYTES_DEFAULT);
    let end = start + size;
    let (first, past) = (start / sector, end.div_ceil(sector));
    let fits = |count: u128| u64::try_from(count).map_err(|_| format!("{end} bytes are too many"));
    let (lba, sectors) = extent(fits(first)?, fits(past - first)?)?;
    Ok((lba, sectors, !start.is_multiple_of(sector) || !end.is_multiple_of(sector)))
}
