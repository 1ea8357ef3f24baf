//! The reader of process flows.

use std::path::{Path, PathBuf};

use platterlab_units::Time;

use super::check::Checks;
use super::header::{FlowHeader, FlowSummary};
use super::record::FlowRecord;
use super::wire::{BLOCK_BYTES, Cursor, END, MAGIC, TEXT_BYTES};
use super::{VERSION, write::wire_backwards};
use crate::trace::{Position, Source, TraceError};

/// Reads a flow record by record in constant memory; the first error ends it.
pub struct FlowReader {
    path: PathBuf,
    source: Source,
    header: FlowHeader,
    summary: Option<FlowSummary>,
    checks: Checks,
    block: Vec<u8>,
    /// The next byte of the block, and where the block begins in the file.
    next: usize,
    origin: u64,
    at: Time,
    records: u64,
    failed: bool,
}

impl FlowReader {
    /// Whether a file begins as a flow does.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_flow(path: &Path) -> Result<bool, TraceError> {
        Source::open(path)?.peek().map(|bytes| bytes.starts_with(&MAGIC))
    }

    /// Opens a flow, plain or compressed.
    ///
    /// # Errors
    /// The file cannot be read, is not a flow, has another version or a header that is not legal.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        Self::new(path, Source::open(path)?)
    }

    /// The same from bytes in memory; `path` appears in messages only.
    ///
    /// # Errors
    /// As [`FlowReader::open`].
    pub fn from_bytes(path: &Path, bytes: impl Into<Vec<u8>>) -> Result<Self, TraceError> {
        Self::new(path, Source::from_bytes(path, bytes)?)
    }

    fn new(path: &Path, mut source: Source) -> Result<Self, TraceError> {
        let refuse = |byte, what: String| Err(TraceError::new(path, Position::Byte(byte), what));
        let begin = match source.take(12, "the beginning of a process flow")? {
            Some(begin) => <[u8; 12]>::try_from(begin).unwrap_or_default(),
            None => [0; 12],
        };
        if !begin.starts_with(&MAGIC) {
            return refuse(0, "is not a process flow: it does not begin with `platflow`".into());
        }
        let version = u16::from_le_bytes([begin[8], begin[9]]);
        if version != VERSION {
            return refuse(
                8,
                format!("is a process flow of version {version}; this reads {VERSION}"),
            );
        }
        let length = usize::from(u16::from_le_bytes([begin[10], begin[11]]));
        if length == 0 || length > TEXT_BYTES {
            return refuse(10, format!("a header of {length} bytes; there are 1 to {TEXT_BYTES}"));
        }
        let Some(text) = source.take(length, "the header")? else {
            return refuse(12, "the file ends before its header".into());
        };
        let header: FlowHeader = match serde_json::from_slice(text) {
            Ok(header) => header,
            Err(error) => return refuse(12, format!("the header is not legal: {error}")),
        };
        let checks = match Checks::new(&header) {
            Ok(checks) => checks,
            Err(what) => return refuse(12, format!("the header is not legal: {what}")),
        };
        Ok(Self {
            path: path.to_owned(),
            source,
            header,
            summary: None,
            checks,
            block: Vec::with_capacity(BLOCK_BYTES),
            next: 0,
            origin: 0,
            at: Time::ZERO,
            records: 0,
            failed: false,
        })
    }

    /// The system the flow belongs to.
    #[must_use]
    pub fn header(&self) -> &FlowHeader {
        &self.header
    }

    /// The totals at the end; `None` before the last record is read.
    #[must_use]
    pub fn summary(&self) -> Option<&FlowSummary> {
        self.summary.as_ref()
    }

    /// Bytes of the file, compressed as it is, read so far.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    fn error(&self, byte: usize, what: String) -> TraceError {
        TraceError::new(&self.path, Position::Byte(self.origin + byte as u64), what)
    }

    /// An error at the next record.
    pub(super) fn wrong(&self, what: &str) -> TraceError {
        self.error(self.next, what.to_owned())
    }

    /// The next block into memory.
    fn load(&mut self) -> Result<(), TraceError> {
        self.origin = self.source.offset();
        self.next = 0;
        let cut = |from: u64| {
            let what =
                format!("the file ends after {} records, before its end record", self.records);
            TraceError::new(&self.path, Position::Byte(from), what)
        };
        let Some(length) = self.source.take(2, "the length of a block")? else {
            return Err(cut(self.origin));
        };
        let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
        if length == 0 || length > BLOCK_BYTES {
            let what = format!("a block of {length} bytes; there are 1 to {BLOCK_BYTES}");
            return Err(self.error(0, what));
        }
        self.origin += 2;
        let Some(bytes) = self.source.take(length, "a block of records")? else {
            return Err(cut(self.origin));
        };
        self.block.clear();
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    fn record(&mut self) -> Result<Option<FlowRecord>, TraceError> {
        if self.summary.is_some() {
            return Ok(None);
        }
        if self.next == self.block.len() {
            self.load()?;
        }
        let begin = self.next;
        let mut cursor = Cursor { bytes: &self.block, at: begin };
        let record = decode(&mut cursor, self.at, self.records);
        let end = cursor.at;
        match record {
            Err(what) => Err(self.error(begin, what)),
            Ok(Decoded::End(summary)) => {
                self.checks.end().map_err(|what| self.error(begin, what))?;
                if end != self.block.len() || self.source.take(1, "nothing")?.is_some() {
                    return Err(self.error(end, "there are bytes after the end record".into()));
                }
                self.summary = Some(*summary);
                Ok(None)
            }
            Ok(Decoded::Record(record)) => {
                self.checks.take(&record.item).map_err(|what| self.error(begin, what))?;
                self.next = end;
                self.at = record.at;
                self.records += 1;
                Ok(Some(record))
            }
        }
    }
}

enum Decoded {
    Record(FlowRecord),
    End(Box<FlowSummary>),
}

fn decode(cursor: &mut Cursor<'_>, last: Time, records: u64) -> Result<Decoded, String> {
    let after = cursor.span("a time")?;
    let at = last.as_ps().checked_add(after.as_ps()).map(Time::from_ps);
    let at = at.ok_or_else(|| wire_backwards(last, Time::from_ps(after.as_ps())))?;
    let Some(&tag) = cursor.bytes.get(cursor.at) else {
        return Err("the block ends within a record".into());
    };
    cursor.at += 1;
    if tag != END {
        return Ok(Decoded::Record(FlowRecord { at, item: cursor.item(tag, at)? }));
    }
    let wanted = cursor.number("the number of records")?;
    if wanted != records {
        return Err(format!("{records} records were read and {wanted} were written"));
    }
    let text = cursor.text("the summary")?;
    serde_json::from_str(&text)
        .map(|summary| Decoded::End(Box::new(summary)))
        .map_err(|error| format!("the summary is not legal: {error}"))
}

impl Iterator for FlowReader {
    type Item = Result<FlowRecord, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let record = self.record();
        self.failed = record.is_err();
        record.transpose()
    }
}
