//! A file that is written in large pieces which begin and end with its blocks.

use std::io::{self, Write};

/// Bytes of a piece: whole blocks of any file system, and they stay in a cache until the system has
/// copied them.
const PIECE: usize = 256 << 10;

/// A file to which bytes are appended. Of a block that a piece fills in part the system first clears the
/// rest, which takes as long as to write it.
pub(crate) struct Blocks {
    file: Box<dyn Write + Send>,
    piece: Vec<u8>,
}

impl Blocks {
    /// Appends to `file`, which is empty.
    pub(crate) fn new(file: Box<dyn Write + Send>) -> Self {
        Self { file, piece: Vec::with_capacity(PIECE) }
    }
}

impl Write for Blocks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() == PIECE {
            self.flush()?;
        }
        let taken = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(&self.piece)?;
        self.piece.clear();
        Ok(())
    }
}
