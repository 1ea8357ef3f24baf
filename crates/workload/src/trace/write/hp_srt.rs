//! Writes HP Labs SRT 1.3.

use std::io::{self, Write};

use platterlab_units::Span;

use super::super::checks::Completions;
use super::super::hp_srt::{HEADER_END, MAGIC, RECORD_BYTES, criticality, flags};
use super::{Encoder, Loss, Losses, Trouble, Written};
use crate::{Criticality, Record};

const PS_PER_US: u128 = platterlab_units::PS_PER_US as u128;
const US_PER_S: u128 = 1_000_000;
/// The record id and the bits that stand on every record of the 1992 traces.
const ID: i32 = 0x0004_0001;
const ALWAYS: u32 = 0x0a;
const DEVICE: i32 = 0x0800_0000;

/// Writes HP Labs SRT: all times to the microsecond.
pub(super) struct SrtEncode {
    sector_bytes: u32,
    completions: Completions,
}

impl SrtEncode {
    pub(super) fn new(sector_bytes: u32) -> Self {
        Self { sector_bytes, completions: Completions::default() }
    }

    /// The record's 14 words.
    fn words(&self, record: &Record) -> Result<[i32; RECORD_BYTES / 4], String> {
        let (Some(queued), Some(service)) = (record.queued, record.service) else {
            return Err("it has no queued or no service time, and hp-srt needs both".into());
        };
        if record.device > 0xff {
            return Err(format!("device {} does not fit hp-srt's 0 to 255", record.device));
        }
        let arrival = microseconds(record.arrival.as_ps());
        let start = whole_us(queued);
        let stop = start + whole_us(service);
        let bytes = u128::from(record.sectors) * u128::from(self.sector_bytes);
        Ok([
            RECORD_BYTES as i32,
            ID,
            word("arrival in seconds", arrival / US_PER_S)?,
            word("arrival in microseconds", arrival % US_PER_S)?,
            word("queued time in microseconds", start)?,
            word("response time in microseconds", stop)?,
            word("length in bytes", bytes)?,
            word("first sector", u128::from(record.lba))?,
            DEVICE | (record.device << 8) as i32,
            0,
            0,
            flags_of(record) as i32,
            0,
            0,
        ])
    }
}

impl Encoder for SrtEncode {
    fn sector_bytes(&self) -> u32 {
        self.sector_bytes
    }

    fn has_service_times(&self) -> bool {
        true
    }

    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        out.write_all(b"3 (written by Platterlab)\n\0version      = 1.3;\n")?;
        writeln!(out, "disks        = {{ all -> {{ sectorsize = {} }} }};", self.sector_bytes)?;
        out.write_all(&[HEADER_END])
    }

    fn write(&mut self, record: &Record, out: &mut dyn Write, losses: &mut Losses) -> Written {
        let words = self.words(record).map_err(Trouble::Unheld)?;
        // Think times are not written: a reader finds them from the rest, or does not.
        let arrival = microseconds(record.arrival.as_ps()) * PS_PER_US;
        let [_, _, _, _, start, stop, ..] = words.map(|word| word as u128 * PS_PER_US);
        let found = self.completions.think(record.device, arrival + start, arrival + stop);
        let exact = [record.queued, record.service]
            .into_iter()
            .flatten()
            .map(|span| u128::from(span.as_ps()))
            .chain([record.arrival.as_ps()])
            .all(|ps| ps % PS_PER_US == 0);
        losses.note(Loss::Precision, !exact);
        losses.note(Loss::Think, found.map_err(Trouble::Unheld)? != record.think && exact);
        losses.note(Loss::Criticality, criticality(flags_of(record)) != record.criticality);
        for word in words {
            out.write_all(&word.to_be_bytes())?;
        }
        Ok(())
    }
}

fn flags_of(record: &Record) -> u32 {
    let direction = if record.operation.is_read() { flags::READ } else { 0 };
    let who = match (record.operation.is_read(), record.criticality) {
        (true, Criticality::Limited) | (false, Criticality::Noncritical) => flags::ASYNC,
        (false, Criticality::Critical) => flags::SYNC_WRITE,
        _ => 0,
    };
    ALWAYS | direction | who
}

/// Picoseconds to the nearest microsecond.
fn microseconds(ps: u128) -> u128 {
    (ps + PS_PER_US / 2) / PS_PER_US
}

fn whole_us(span: Span) -> u128 {
    microseconds(u128::from(span.as_ps()))
}

fn word(name: &str, value: u128) -> Result<i32, String> {
    i32::try_from(value)
        .map_err(|_| format!("its {name}, {value}, does not fit the 31 bits of hp-srt"))
}
