//! The declaration of a format, in its own file and nowhere else: name, columns, how it is
//! recognized, read and written.

use super::{Options, Source, TraceError, TraceReader};

/// A reader, boxed.
pub type Opened = Result<Box<dyn TraceReader + Send>, TraceError>;

/// One trace format, declared.
pub struct Declared {
    /// The word that names it on the command line and in experiments.
    pub name: &'static str,
    /// What it is, for people: who writes it.
    pub title: &'static str,
    /// Its columns or fields: name, unit, meaning.
    pub columns: &'static [[&'static str; 3]],
    /// What it does not record, and how that is taken.
    pub silent: &'static str,
    /// True if a trace that starts so looks like it, right or wrong within it.
    pub(super) sniff: fn(&[u8]) -> bool,
    /// Reads it.
    pub(super) open: fn(Source, &Options) -> Opened,
}
