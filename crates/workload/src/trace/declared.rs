//! What a format says of itself, in its own file and nowhere else: name, columns, how it is told,
//! read and written.

use super::write::Encoder;
use super::{Options, Source, TraceError, TraceReader};

/// A reader, boxed.
pub type Opened = Result<Box<dyn TraceReader + Send>, TraceError>;

/// Makes an encoder from the bytes in a sector of the trace that is read.
pub(super) type Encode = fn(u32, &Options) -> Box<dyn Encoder>;

/// One trace format, declared.
pub struct Declared {
    /// The word that names it on the command line and in experiments.
    pub name: &'static str,
    /// What it is, for people: who writes it.
    pub title: &'static str,
    /// Its columns or fields: name, unit, meaning.
    pub columns: &'static [[&'static str; 3]],
    /// What it cannot tell, and how that is taken.
    pub silent: &'static str,
    /// True if a trace that starts so looks like it, right or wrong within it.
    pub(super) sniff: fn(&[u8]) -> bool,
    /// Reads it.
    pub(super) open: fn(Source, &Options) -> Opened,
    /// Writes it; `None`: it is only read.
    pub(super) encode: Option<Encode>,
}

impl Declared {
    /// Whether traces can be written in it.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.encode.is_some()
    }
}

/// What the measured times of a trace are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measures {
    /// From the issue to the device until completion.
    #[default]
    Service,
    /// From the request's own time until completion: the wait for the device, if any, is in it.
    Response,
}

impl Measures {
    /// The word for it in `trace info`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Response => "response",
        }
    }
}
