//! How a run touches the media, and who watches it.

use platterlab_device::WriteConsent;
use platterlab_units::{Operation, Span};
use std::ops::ControlFlow;

/// How a run touches the media.
#[derive(Clone, Copy, Debug)]
pub enum Access<'a> {
    /// By reading.
    Read,
    /// By writing, with the proof that this is wanted.
    Write(&'a WriteConsent),
}

impl Access<'_> {
    /// Read or write.
    #[must_use]
    pub fn operation(self) -> Operation {
        match self {
            Self::Read => Operation::Read,
            Self::Write(_) => Operation::Write,
        }
    }
}

/// How far a run has come; handed out before every request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Requests answered.
    pub done: u64,
    /// Requests planned; a probe that searches may need fewer.
    pub requests: u64,
    /// Time on the device's clock since the run began.
    pub drive_time: Span,
}

/// Sees the progress and may break the run off.
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;
