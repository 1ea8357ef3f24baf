//! The rows of a table in the order of their arrival, on the trace's own clock.

use super::super::checks::{ArrivalChecks, Completions};
use super::super::names::Names;
use super::super::{Note, Notes};
use super::order::InOrder;
use super::row::{Row, Rows};
use crate::Record;

/// Takes rows as they stand and gives requests in order.
///
/// Memory is bounded: rows stamped with their arrival are held for a second of the trace, rows
/// stamped with their completion until 131,072 are held.
pub(super) struct Arrange {
    rows: Rows,
    by_arrival: bool,
    order: InOrder,
    arrivals: ArrivalChecks,
    completions: Completions,
    names: Names,
    pub(super) notes: Notes,
    pub(super) ended: bool,
}

impl Arrange {
    pub(super) fn new(rows: Rows) -> Self {
        Self {
            by_arrival: rows.by_arrival(),
            order: InOrder::new(rows.sorting()),
            rows,
            arrivals: ArrivalChecks::default(),
            completions: Completions::default(),
            names: Names::default(),
            notes: Notes::default(),
            ended: false,
        }
    }

    /// Takes a line.
    ///
    /// # Errors
    /// It is not a request, or came too late to be put in order.
    pub(super) fn line(&mut self, line: &[u8]) -> Result<(), String> {
        let row = self.rows.read(line, &mut self.names)?;
        self.take(&row)
    }

    /// Takes the values of a row's columns.
    ///
    /// # Errors
    /// As for [`Arrange::line`].
    pub(super) fn columns(&mut self, columns: &[&[u8]]) -> Result<(), String> {
        let row = self.rows.row(columns, &mut self.names)?;
        self.take(&row)
    }

    fn take(&mut self, row: &Row) -> Result<(), String> {
        match *row {
            Row::Other(note) => self.notes.add(note),
            Row::Data { row_ps, record, widened } => {
                self.notes.count_if(Note::Widened, widened);
                let late = self.order.take(row_ps, record)?;
                self.notes.count_if(Note::PutInOrder, late);
            }
        }
        Ok(())
    }

    /// The next request, if it is known that none comes before it.
    ///
    /// # Errors
    /// Its time is none, or its device is named wrongly.
    pub(super) fn pop(&mut self) -> Result<Option<Record>, String> {
        self.order.pop(self.by_arrival, self.ended).map(|record| self.place(record)).transpose()
    }

    /// The record on the trace's own clock, with its think time.
    fn place(&mut self, record: Record) -> Result<Record, String> {
        let arrival_ps = record.arrival.as_ps();
        let think = match record.service {
            Some(service) => {
                let issue = arrival_ps + u128::from(record.queued.unwrap_or_default().as_ps());
                let completion = issue + u128::from(service.as_ps());
                self.completions.think(record.device, issue, completion)?
            }
            None => None,
        };
        Ok(Record { arrival: self.arrivals.place(arrival_ps)?, think, ..record })
    }

    /// The names of devices met so far.
    pub(super) fn names(&self) -> &[String] {
        self.names.list()
    }
}
