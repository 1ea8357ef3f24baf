//! Writes DiskSim's `ascii` format.

use std::io::Write;

use super::super::disksim_ascii::{criticality, flags};
use super::{Encoder, Loss, Losses, Written};
use crate::{Criticality, Record};

const PS_PER_MS: u128 = platterlab_units::PS_PER_MS as u128;

/// Writes DiskSim's `ascii`: no times but the arrival, which is exact.
pub(super) struct AsciiEncode;

impl Encoder for AsciiEncode {
    fn has_service_times(&self) -> bool {
        false
    }

    fn write(&mut self, record: &Record, out: &mut dyn Write, losses: &mut Losses) -> Written {
        let direction = if record.operation.is_read() { flags::READ } else { 0 };
        let flags = direction
            | match record.criticality {
                Criticality::Unknown => 0,
                Criticality::Critical => flags::TIME_CRITICAL,
                Criticality::Limited => flags::TIME_LIMITED,
                Criticality::Noncritical => flags::ASYNC,
            };
        losses.note(Loss::Queued, record.queued.is_some());
        losses.note(Loss::Service, record.service.is_some());
        losses.note(Loss::Think, record.think.is_some());
        losses.note(Loss::Criticality, criticality(flags) != record.criticality);
        let ps = record.arrival.as_ps();
        let (ms, rest) = (ps / PS_PER_MS, ps % PS_PER_MS);
        let Record { device, lba, sectors, .. } = record;
        writeln!(out, "{ms}.{rest:09}\t{device}\t{lba}\t{sectors}\t{flags:x}")?;
        Ok(())
    }
}
