//! Lets Ctrl-C end work that runs over a whole trace.

use platterlab_workload::Record;
use platterlab_workload::trace::{Notes, Position, TraceError, TraceFacts, TraceReader};
use pyo3::prelude::*;

/// Records between two looks at the signals: a fraction of a second.
const PATIENCE: u32 = 1 << 16;

/// A reader that ends with an error when Python has a signal to handle.
pub(crate) struct Interruptible {
    inner: Box<dyn TraceReader + Send>,
    read: u32,
    signal: Option<PyErr>,
}

impl Interruptible {
    pub(crate) fn new(inner: Box<dyn TraceReader + Send>) -> Self {
        Self { inner, read: 0, signal: None }
    }

    /// The signal's exception, if there was one; otherwise the trace's error as one.
    pub(crate) fn explain(&mut self, error: &TraceError) -> PyErr {
        self.signal.take().unwrap_or_else(|| crate::error::input(error.clone()))
    }

    fn interrupted(&mut self) -> bool {
        self.read = (self.read + 1) % PATIENCE;
        if self.read == 0 {
            self.signal = Python::attach(|py| py.check_signals()).err();
        }
        self.signal.is_some()
    }
}

impl Iterator for Interruptible {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.interrupted() {
            return Some(Err(TraceError::new("".as_ref(), Position::File, "interrupted")));
        }
        self.inner.next()
    }
}

impl TraceReader for Interruptible {
    fn facts(&self) -> &TraceFacts {
        self.inner.facts()
    }

    fn bytes_read(&self) -> u64 {
        self.inner.bytes_read()
    }

    fn bytes_total(&self) -> Option<u64> {
        self.inner.bytes_total()
    }

    fn place(&self) -> Position {
        self.inner.place()
    }

    fn notes(&self) -> Notes {
        self.inner.notes()
    }

    fn device_names(&self) -> &[String] {
        self.inner.device_names()
    }
}
