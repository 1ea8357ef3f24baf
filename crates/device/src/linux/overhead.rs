//! The host's own time for a request, measured with reads that need no mechanism.

use super::buffer::AlignedBuffer;
use super::clock::Clock;
use platterlab_units::Span;
use rustix::io::pread;
use std::fs::File;

/// Empty calls timed.
const CALLS: usize = 1_001;

/// Reads of one sector timed.
const READS: usize = 9;

/// What the host takes for a request whatever the drive does, measured on this host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overhead {
    /// Median of a read of no bytes, clock calls included. A lower bound: it goes through the
    /// system call but not down to the driver.
    pub(super) call: Span,
    /// The fastest of several reads of the same sector: an upper bound of the host's part, as the
    /// drive's own buffer and its bus are in it, or a whole revolution if the drive has no cache.
    pub(super) repeated_read: Option<Span>,
}

impl Overhead {
    pub(super) fn measure(file: &File, sector_bytes: usize) -> Self {
        let clock = Clock::start();
        let mut buffer = AlignedBuffer::default();
        let bytes = buffer.bytes(sector_bytes);
        let mut time = |length: usize| {
            let submitted = clock.now();
            let answer = pread(file, &mut bytes[..length], 0);
            let elapsed = clock.now().since(submitted);
            (answer == Ok(length)).then_some(elapsed)
        };
        let mut calls: Vec<Span> = (0..CALLS).filter_map(|_| time(0)).collect();
        calls.sort_unstable();
        Self {
            call: calls.get(calls.len() / 2).copied().unwrap_or_default(),
            repeated_read: (0..READS).filter_map(|_| time(sector_bytes)).min(),
        }
    }

    /// The measurement for people to read.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let ns = |span: Span| (span.as_ps() / 1_000).to_string();
        let mut facts = vec![("empty_call_ns".to_owned(), ns(self.call))];
        if let Some(read) = self.repeated_read {
            facts.push(("repeated_read_ns".to_owned(), ns(read)));
        }
        facts
    }
}
