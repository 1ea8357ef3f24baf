//! Writes a CSV with the words of blkparse.

use std::io::Write;

use platterlab_units::{PS_PER_MS, SECTOR_BYTES_DEFAULT, Span};

use super::super::blkparse_csv::HEADING;
use super::blkreplay::letters;
use super::{Encoder, Loss, Losses, Trouble};
use crate::{Criticality, Record};

const PS_PER_S: u128 = 1_000 * PS_PER_MS as u128;

/// Writes a row per request: times to the picosecond.
#[derive(Default)]
pub(super) struct CsvEncode {
    begun: bool,
}

impl Encoder for CsvEncode {
    fn sector_bytes(&self) -> u32 {
        SECTOR_BYTES_DEFAULT
    }

    fn has_service_times(&self) -> bool {
        true
    }

    fn write(
        &mut self,
        record: &Record,
        out: &mut dyn Write,
        losses: &mut Losses,
    ) -> Result<(), Trouble> {
        if !std::mem::replace(&mut self.begun, true) {
            writeln!(out, "{HEADING}")?;
        }
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
