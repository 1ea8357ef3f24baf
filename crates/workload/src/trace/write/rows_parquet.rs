//! Writes Parquet with the names of our own rows.

use std::io::{self, Write};

use platterlab_tables::{TableError, TraceTable};
use platterlab_units::Span;

use super::super::Measures;
use super::super::text::{self, Unit};
use super::{Encoder, Loss, Losses, Written};
use crate::{Criticality, Record};

/// Writes a row per request: times as numbers of 64 bits, in milliseconds.
pub(super) struct ParquetEncode {
    /// The times are from arrival to completion.
    responses: bool,
    /// Of what came so far, once something did.
    table: Option<TraceTable>,
}

impl ParquetEncode {
    pub(super) fn new(measures: Measures) -> Self {
        Self { responses: measures == Measures::Response, table: None }
    }
}

impl Encoder for ParquetEncode {
    fn has_service_times(&self) -> bool {
        !self.responses
    }

    fn write(&mut self, record: &Record, out: &mut dyn Write, losses: &mut Losses) -> Written {
        let table = match &mut self.table {
            Some(table) => table,
            none => none.insert(TraceTable::new(self.responses).map_err(io_error)?),
        };
        let ms = |span: Option<Span>| span.map_or(f64::NAN, Span::as_ms);
        let arrival_ms = record.arrival.as_ms();
        let rows = table.rows();
        rows.arrival_ms.push(arrival_ms);
        rows.queue_ms.push(ms(record.queued));
        rows.time_ms.push(ms(record.service));
        rows.lba.push(record.lba);
        rows.sectors.push(record.sectors);
        rows.device.push(record.device);
        rows.operation.push(record.operation.index() as u8);
        rows.class.push(record.criticality as u8);
        let spans = [record.queued, record.service].into_iter().flatten();
        let exact = is_exact(arrival_ms, record.arrival.as_ps())
            && spans.into_iter().all(|span| is_exact(span.as_ms(), span.as_ps().into()));
        losses.note(Loss::Precision, !exact);
        losses.note(Loss::Criticality, record.criticality != Criticality::Unknown);
        losses.note(Loss::Think, record.think.is_some() && record.service.is_none());
        out.write_all(&table.bytes().map_err(io_error)?)?;
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.table.take() {
            Some(table) => out.write_all(&table.finish().map_err(io_error)?),
            None => Ok(()),
        }
    }
}

/// Whether a reader makes the same picoseconds of the milliseconds.
fn is_exact(ms: f64, ps: u128) -> bool {
    text::time(ms.to_string().as_bytes(), "time", Unit::Millisecond) == Ok(ps)
}

fn io_error(error: TableError) -> io::Error {
    match error {
        TableError::File(error) => error,
        TableError::Table(what) => io::Error::other(what),
    }
}
