//! Common code of all formats that read their records from one [`Source`].

use super::{Notes, Position, Source, TraceError, TraceFacts, TraceReader};
use crate::Record;

/// A format over one source of bytes.
pub(super) trait OverSource: Iterator<Item = Result<Record, TraceError>> {
    /// Where its bytes come from.
    fn source(&self) -> &Source;

    /// What holds for every record.
    fn own_facts(&self) -> &TraceFacts;

    /// What was skipped or is incomplete so far.
    fn own_notes(&self) -> Notes {
        Notes::default()
    }

    /// The names of devices met so far.
    fn own_names(&self) -> &[String] {
        &[]
    }
}

impl<R: OverSource> TraceReader for R {
    fn facts(&self) -> &TraceFacts {
        self.own_facts()
    }

    fn bytes_read(&self) -> u64 {
        self.source().bytes_read()
    }

    fn bytes_total(&self) -> Option<u64> {
        self.source().bytes_total()
    }

    fn place(&self) -> Position {
        self.source().place()
    }

    fn notes(&self) -> Notes {
        self.own_notes()
    }

    fn device_names(&self) -> &[String] {
        self.own_names()
    }
}
