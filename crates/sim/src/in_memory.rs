//! Replays of requests in memory.
//!
//! Compiled here and not by who calls it: elsewhere the same may be made small instead of quick.

use crate::{Replay, ReplayError, ReplayOptions};
use platterlab_drive::Drive;
use platterlab_results::Columns;
use platterlab_workload::Record;
use platterlab_workload::trace::TraceError;
use std::slice::Iter;

/// Rows that become columns together: column by column is quicker than row by row.
const TOGETHER: usize = 128;

/// Requests in memory, as a source.
#[derive(Clone, Debug)]
pub struct InMemory<'a>(Iter<'a, Record>);

impl Iterator for InMemory<'_> {
    type Item = Result<Record, TraceError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|record| Ok(*record))
    }
}

impl<'a> Replay<InMemory<'a>> {
    /// A replay of requests in memory.
    ///
    /// # Errors
    /// As [`Replay::new`].
    pub fn in_memory(
        records: &'a [Record],
        drive: Drive,
        options: ReplayOptions,
    ) -> Result<Self, ReplayError> {
        Self::new(InMemory(records.iter()), drive, options)
    }

    /// Serves up to `count` requests into `columns`; fewer only at the end.
    ///
    /// # Errors
    /// As [`Replay::next_row`].
    pub fn fill(&mut self, columns: &mut Columns, count: usize) -> Result<(), ReplayError> {
        let mut rows = Vec::with_capacity(count.min(TOGETHER));
        for _ in 0..count {
            let Some(row) = self.next_row()? else { break };
            rows.push(row);
            if rows.len() == TOGETHER {
                columns.extend(&rows);
                rows.clear();
            }
        }
        columns.extend(&rows);
        Ok(())
    }

    /// The same without the rows.
    ///
    /// # Errors
    /// As [`Replay::next_row`].
    pub fn pass(&mut self, count: usize) -> Result<(), ReplayError> {
        for _ in 0..count {
            if self.next_row()?.is_none() {
                break;
            }
        }
        Ok(())
    }
}
