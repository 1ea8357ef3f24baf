//! Writes DiskSim's `validate` format.

use std::io::{self, Write};

use platterlab_units::{PS_PER_US, Span, Stamp};

use super::super::GapMeaning;
use super::{Encoder, Loss, Losses, Trouble, Written};
use crate::{Criticality, Record};

/// Writes DiskSim's `validate`: service times and gaps, one request at a time.
pub(super) struct ValidateEncode {
    gap: GapMeaning,
    /// Where gaps lie after: the latest row, whose gap is the next record's think time.
    held: Option<String>,
    /// What a reader will take for the latest completion.
    completion: Option<Stamp>,
}

impl ValidateEncode {
    pub(super) fn new(gap: GapMeaning) -> Self {
        Self { gap, held: None, completion: None }
    }
}

impl Encoder for ValidateEncode {
    fn has_service_times(&self) -> bool {
        true
    }

    fn write(&mut self, record: &Record, out: &mut dyn Write, losses: &mut Losses) -> Written {
        let Some(service) = record.service else {
            let what = "it has no service time, which disksim-validate needs";
            return Err(Trouble::Unheld(what.into()));
        };
        let think = match (record.think, self.completion) {
            (Some(think), _) => think,
            (None, None) => Span::ZERO,
            (None, Some(_)) => {
                let what = "it has no think time, which disksim-validate needs: the device was \
                            not idle before it";
                return Err(Trouble::Unheld(what.into()));
            }
        };
        let first_after = self.completion.is_none() && self.gap == GapMeaning::After;
        let arrival = self.completion.map_or(Stamp::ZERO, |completion| completion + think);
        self.completion = Some(arrival + service);
        losses.note(Loss::Arrival, record.arrival != arrival);
        losses.note(Loss::Queued, record.queued.is_some_and(|queued| queued != Span::ZERO));
        losses.note(Loss::QueuedUnknown, record.queued.is_none());
        losses.note(Loss::Think, first_after && record.think.is_some());
        losses.note(Loss::Device, record.device != 0);
        losses.note(Loss::Criticality, record.criticality != Criticality::Unknown);
        let operation = if record.operation.is_read() { 'R' } else { 'W' };
        let row =
            format!("{operation} Hit {} {} {}", record.lba, record.sectors, microseconds(service));
        let think = microseconds(think);
        match self.gap {
            GapMeaning::Before => writeln!(out, "{row} {think}")?,
            GapMeaning::After => {
                if let Some(held) = self.held.replace(row) {
                    writeln!(out, "{held} {think}")?;
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.held.take() {
            Some(held) => writeln!(out, "{held} {}", microseconds(Span::ZERO)),
            None => Ok(()),
        }
    }
}

fn microseconds(span: Span) -> String {
    format!("{}.{:06}", span.as_ps() / PS_PER_US, span.as_ps() % PS_PER_US)
}
