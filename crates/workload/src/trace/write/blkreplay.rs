//! Writes blkreplay's loads.

use std::io::{self, Write};

use platterlab_units::Span;

use super::super::blkreplay::{LineKind, kind};
use super::{Encoder, Loss, Losses, Written};
use crate::{Criticality, Record};

const PS_PER_S: u128 = 1_000_000_000_000;
const HEADING: &str = "start ; sector; length ; op ;  replay_delay=0 ; replay_duration=0";

/// Writes blkreplay's loads; where there are service times, as the log of a replay has them.
pub(super) struct BlkreplayEncode;

impl Encoder for BlkreplayEncode {
    fn has_service_times(&self) -> bool {
        true
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{HEADING}")
    }

    fn write(&mut self, record: &Record, out: &mut dyn Write, losses: &mut Losses) -> Written {
        let letters = letters(record);
        let service = record.service.unwrap_or_default();
        let queued = record.queued.filter(|_| service != Span::ZERO).unwrap_or_default();
        let kept = matches!(kind(letters.as_bytes()),
            Ok(LineKind::Data(_, criticality)) if criticality == record.criticality);
        losses.note(Loss::Criticality, !kept);
        // Zero in the last column says that there is no time, and the queued time goes with it.
        losses.note(Loss::Service, record.service == Some(Span::ZERO));
        losses.note(Loss::Queued, record.queued.is_some() && service == Span::ZERO);
        losses.note(Loss::QueuedUnknown, record.queued.is_none() && service != Span::ZERO);
        losses.note(Loss::Think, record.think.is_some());
        losses.note(Loss::Device, record.device != 0);
        writeln!(
            out,
            "{} ; {} ; {} ; {letters} ; {} ; {}",
            seconds(record.arrival.as_ps()),
            record.lba,
            record.sectors,
            seconds(u128::from(queued.as_ps())),
            seconds(u128::from(service.as_ps()))
        )?;
        Ok(())
    }
}

/// The letters of blktrace for what a request does and who waits for it.
pub(super) fn letters(record: &Record) -> &'static str {
    match (record.operation.is_read(), record.criticality) {
        (true, Criticality::Limited) => "RA",
        (true, Criticality::Critical) => "RS",
        (true, _) => "R",
        (false, Criticality::Limited) => "WA",
        (false, Criticality::Critical) => "WS",
        (false, _) => "W",
    }
}

fn seconds(ps: u128) -> String {
    let (whole, rest) = (ps / PS_PER_S, ps % PS_PER_S);
    if rest % 1_000 == 0 {
        format!("{whole}.{:09}", rest / 1_000)
    } else {
        format!("{whole}.{rest:012}")
    }
}
