//! Writes a CSV with the words of blkparse.

use std::io::{self, Write};

use platterlab_units::{PS_PER_MS, Span};

use super::super::blkparse_csv::HEADING;
use super::blkreplay::letters;
use super::{Encoder, Loss, Losses, Written};
use crate::{Criticality, Record};

const PS_PER_S: u128 = 1_000 * PS_PER_MS as u128;

/// Writes a row per request: times to the picosecond.
pub(super) struct CsvEncode;

impl Encoder for CsvEncode {
    fn has_service_times(&self) -> bool {
        true
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{HEADING}")
    }

    fn write(&mut self, record: &Record, out: &mut dyn Write, losses: &mut Losses) -> Written {
        losses.note(Loss::Criticality, record.criticality == Criticality::Noncritical);
        losses.note(Loss::Think, record.think.is_some() && record.service.is_none());
        let ps = record.arrival.as_ps();
        let Record { device, lba, sectors, .. } = record;
        writeln!(
            out,
            "{}.{:012},{device},{},{lba},{sectors},{},{}",
            ps / PS_PER_S,
            ps % PS_PER_S,
            letters(record),
            ms(record.queued),
            ms(record.service)
        )?;
        Ok(())
    }
}

fn ms(span: Option<Span>) -> String {
    span.map_or_else(String::new, |span| {
        let ps = span.as_ps();
        format!("{}.{:09}", ps / PS_PER_MS, ps % PS_PER_MS)
    })
}
