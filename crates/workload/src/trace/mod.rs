//! Trace files: one streaming reader per format, one error type, one way to open them.
//!
//! To add a format: declare it in a file of its own ([`Declared`]: name, columns, how it is
//! recognized and read; a table needs no more than a line that says which column is what), and add
//! one line to `format.rs` and to `registry.rs`; its encoder, if it has one, to `write`.

mod alibaba;
mod biosnoop;
mod blkparse;
mod blkparse_csv;
mod blkreplay;
mod blktrace;
mod diskmon;
mod disksim_ascii;
mod disksim_validate;
mod etw;
mod fio_iolog;
mod fio_log;
mod hp_srt;
mod incoming;
mod msr_cambridge;
mod oracle_general;
mod rows;
mod rows_parquet;
mod spc;
mod systor17;
mod table;
mod tencent;
pub mod write;

mod ahead;
mod beyond;
mod checks;
mod compressed;
mod counted;
mod declared;
mod error;
mod format;
mod looks;
mod mark;
mod measures;
mod names;
mod notes;
mod open;
mod operation;
mod options;
mod over_source;
mod part;
mod registry;
mod source;
mod text;
mod unknown;
mod unread;
mod within;

#[cfg(test)]
mod testing;

pub use ahead::Ahead;
pub use beyond::Beyond;
pub use declared::{Declared, Opened};
pub use error::{Position, TraceError};
pub use format::Format;
pub use incoming::{Incoming, Listed};
pub use measures::Measures;
pub use names::{linux_name, linux_number};
pub use notes::{Note, Notes};
pub use open::{detect, open, read};
pub use options::{GapMeaning, LogValue, Options};
pub use part::Part;
pub use registry::UnknownFormat;
pub use source::Source;
pub use table::Mapping;
pub use within::Within;

use std::path::PathBuf;

use crate::Record;

/// What is true of a whole trace before its first record is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFacts {
    /// The file, for messages.
    pub path: PathBuf,
    /// How the file is written.
    pub format: Format,
    /// Bytes in one sector of the trace's addresses and lengths.
    pub sector_bytes: u32,
    /// What the measured times of its requests are.
    pub measures: Measures,
}

/// A streaming reader: constant memory, records in arrival order, the first error ends it.
///
/// Contract: a reader checks everything a format can get wrong on its own (numbers, signs, lengths
/// of at least one sector, time that does not run backwards, truncation) and reports the line or
/// byte offset. Whether an address lies on the drive is the replay's question, not the reader's.
/// Arrivals are counted from the first record, whatever clock the file has, unless
/// [`Options::own_clock`] says otherwise. Nothing is skipped
/// silently: what became no record is in [`TraceReader::notes`].
pub trait TraceReader: Iterator<Item = Result<Record, TraceError>> {
    /// Reads as many records as there is room for in `records`, without an allocation, or all that
    /// are left.
    ///
    /// # Errors
    /// The first one, of the trace or of a request that is not `within` the drive, after the records
    /// before it.
    fn read_within(
        &mut self,
        within: &mut Within,
        records: &mut Vec<Record>,
    ) -> Result<(), TraceError> {
        while records.len() < records.capacity() {
            let Some(record) = self.next() else { break };
            let mut record = record?;
            let refuse = |what| TraceError::new(&self.facts().path, self.place(), what);
            within.place(&mut record).map_err(refuse)?;
            records.push(record);
        }
        Ok(())
    }

    /// What holds for every record.
    fn facts(&self) -> &TraceFacts;

    /// Bytes of the file (compressed as it is) read so far.
    fn bytes_read(&self) -> u64;

    /// Bytes of the file (compressed as it is); `None` for a pipe.
    fn bytes_total(&self) -> Option<u64>;

    /// The place of the record read last; of a format that puts records together from several
    /// pieces, the place of the piece read last.
    fn place(&self) -> Position;

    /// What was skipped or is incomplete so far; complete once the iterator has ended.
    fn notes(&self) -> Notes {
        Notes::default()
    }

    /// The names of devices 0, 1, ... met so far, where the trace has names and not numbers.
    fn device_names(&self) -> &[String] {
        &[]
    }
}
