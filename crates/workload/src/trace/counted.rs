//! The part of a file that has been read.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the bytes that leave the file, for a progress bar.
pub(super) struct Counted<R> {
    pub(super) input: R,
    pub(super) consumed: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.consumed.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
