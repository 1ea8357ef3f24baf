//! A copy of the data as clients see it.

use crate::contents::Contents;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

/// So much is copied at a time.
const PIECE: u32 = 4 << 20;

/// Copies all `bytes` of the data to a new file, which takes no room for what was never written.
///
/// # Errors
/// The file is there or cannot be written; the store cannot be read.
pub(crate) fn copy(contents: &Contents, bytes: u64, path: &Path) -> io::Result<()> {
    let mut how = OpenOptions::new();
    let file = how.write(true).create_new(true).mode(0o600).open(path)?;
    file.set_len(bytes)?;
    let mut piece = Vec::new();
    let mut at = 0;
    while at < bytes {
        // No more than a piece.
        let length = u64::from(PIECE).min(bytes - at) as u32;
        for (run, is_hole) in contents.runs(at, length, usize::MAX) {
            if !is_hole {
                piece.clear();
                contents.read(at, run as usize, &mut piece)?;
                file.write_all_at(&piece, at)?;
            }
            at += u64::from(run);
        }
    }
    file.sync_data()
}
