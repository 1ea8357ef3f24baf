//! The writer of process flows.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use platterlab_units::Time;

use super::header::{FlowHeader, FlowSummary};
use super::record::{FlowRecord, Item};
use super::wire::{self, BLOCK_BYTES, MAGIC, TEXT_BYTES};
use super::{VERSION, check::Checks};

/// Writes a flow, compressed with gzip, and refuses what a reader would refuse.
pub struct FlowWriter<W: Write> {
    out: GzEncoder<W>,
    block: Vec<u8>,
    record: Vec<u8>,
    at: Time,
    records: u64,
    checks: Checks,
}

impl<W: Write> FlowWriter<W> {
    /// Begins a flow.
    ///
    /// # Errors
    /// The header is not legal, or the output cannot be written.
    pub fn new(out: W, header: &FlowHeader) -> io::Result<Self> {
        let mut out = GzEncoder::new(out, Compression::default());
        let checks = Checks::new(header).map_err(refused)?;
        let text = serde_json::to_vec(header)?;
        if text.len() > TEXT_BYTES {
            return Err(refused(format!("the header has more than {TEXT_BYTES} bytes")));
        }
        out.write_all(&MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&(text.len() as u16).to_le_bytes())?;
        out.write_all(&text)?;
        let block = Vec::with_capacity(BLOCK_BYTES);
        Ok(Self { out, block, record: Vec::new(), at: Time::ZERO, records: 0, checks })
    }

    /// Appends a record.
    ///
    /// # Errors
    /// The record contradicts an earlier one, or the output cannot be written.
    pub fn write(&mut self, record: &FlowRecord) -> io::Result<()> {
        if record.at < self.at {
            return Err(refused(wire_backwards(self.at, record.at)));
        }
        self.checks.take(&record.item).map_err(refused)?;
        self.record.clear();
        wire::put(&mut self.record, record.at.since(self.at).as_ps() / 1_000);
        // The file has whole nanoseconds: what was cut off must not add up.
        self.at = Time::from_ps(record.at.as_ps() / 1_000 * 1_000);
        wire::encode(&mut self.record, self.at, &record.item);
        self.append()
    }

    /// A step or fact of a flow that has no clock.
    ///
    /// # Errors
    /// As [`FlowWriter::write`].
    pub fn put(&mut self, item: Item) -> io::Result<()> {
        self.write(&FlowRecord { at: self.at, item })
    }

    /// Ends the flow; without it the file counts as cut short.
    ///
    /// # Errors
    /// A process never ends or waits for what nothing wakes, or the output cannot be written.
    pub fn finish(mut self, summary: &FlowSummary) -> io::Result<W> {
        self.checks.end().map_err(refused)?;
        let text = serde_json::to_vec(summary)?;
        self.record.clear();
        wire::put(&mut self.record, 0);
        self.record.push(wire::END);
        wire::put(&mut self.record, self.records);
        wire::put(&mut self.record, text.len() as u64);
        self.record.extend_from_slice(&text);
        self.append()?;
        self.flush_block()?;
        self.out.finish()
    }

    fn append(&mut self) -> io::Result<()> {
        if self.block.len() + self.record.len() > BLOCK_BYTES {
            self.flush_block()?;
        }
        self.block.extend_from_slice(&self.record);
        self.records += 1;
        Ok(())
    }

    fn flush_block(&mut self) -> io::Result<()> {
        self.out.write_all(&(self.block.len() as u16).to_le_bytes())?;
        self.out.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }
}

/// The message for a clock that goes back from `last` to `now`.
pub(super) fn wire_backwards(last: Time, now: Time) -> String {
    format!("the clock goes backwards: {} ms after {} ms", now.as_ms(), last.as_ms())
}

fn refused(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
