//! Writes fio's iolog, version 3, for a replay with fio (`read_iolog`).

use std::collections::BTreeSet;
use std::io::{self, Write};

use platterlab_units::SECTOR_BYTES_DEFAULT;

use super::super::fio_iolog::FIRST_3;
use super::{Encoder, Loss, Losses, Trouble, Written};
use crate::{Criticality, Record};

const PS_PER_US: u128 = platterlab_units::PS_PER_US as u128;

/// Writes version 3: arrivals to the microsecond, devices as `device0`, `device1`, ...
#[derive(Default)]
pub(super) struct IologEncode {
    open: BTreeSet<u32>,
    last_us: u128,
}

impl Encoder for IologEncode {
    fn has_service_times(&self) -> bool {
        false
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(FIRST_3)?;
        writeln!(out)
    }

    fn write(&mut self, record: &Record, out: &mut dyn Write, losses: &mut Losses) -> Written {
        let ps = record.arrival.as_ps();
        self.last_us = ps / PS_PER_US;
        let (us, device) = (self.last_us, record.device);
        if self.open.insert(device) {
            writeln!(out, "{us} device{device} add\n{us} device{device} open")?;
        }
        losses.note(Loss::Queued, record.queued.is_some());
        losses.note(Loss::Service, record.service.is_some());
        losses.note(Loss::Think, record.think.is_some());
        losses.note(Loss::Criticality, record.criticality != Criticality::Unknown);
        losses.note(Loss::Precision, !ps.is_multiple_of(PS_PER_US));
        let action = if record.operation.is_read() { "read" } else { "write" };
        let bytes = |sectors: u64| u128::from(sectors) * u128::from(SECTOR_BYTES_DEFAULT);
        let (offset, length) = (bytes(record.lba), bytes(record.sectors.into()));
        if offset + length > i64::MAX as u128 {
            let what = format!("it ends at byte {}, which fio cannot count", offset + length);
            return Err(Trouble::Unheld(what));
        }
        writeln!(out, "{us} device{device} {action} {offset} {length}")?;
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> io::Result<()> {
        for device in &self.open {
            writeln!(out, "{} device{device} close", self.last_us)?;
        }
        Ok(())
    }
}
