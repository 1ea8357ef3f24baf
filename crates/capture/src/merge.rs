//! The events of all CPUs and buffers in the order of their time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

use crate::CaptureError;
use crate::ring::{RawEvent, Ring};

/// The time, CPU and bytes of an event.
pub type Stamped<'a> = (u64, u32, &'a [u8]);

/// Every ring of a raw capture, read together. Files are named `BUFFER.cpuN`.
pub struct Merge {
    rings: Vec<(u32, Ring)>,
    /// The next event of each ring, by time; at equal times the ring that stands first.
    heads: BinaryHeap<Reverse<(u64, usize)>>,
    pending: Vec<Option<RawEvent>>,
    last: Option<usize>,
}

impl Merge {
    /// Opens every ring of `folder`.
    ///
    /// # Errors
    /// There are none, or the first page of one is broken.
    pub fn open(folder: &Path, page_bytes: usize) -> Result<Self, CaptureError> {
        let mut merge =
            Self { rings: Vec::new(), heads: BinaryHeap::new(), pending: Vec::new(), last: None };
        for (cpu, path) in ring_files(folder)? {
            let mut ring = Ring::open(&path, page_bytes)?;
            let first = ring.advance()?;
            if let Some(event) = first {
                merge.heads.push(Reverse((event.ns, merge.rings.len())));
            }
            merge.pending.push(first);
            merge.rings.push((cpu, ring));
        }
        if merge.rings.is_empty() {
            return Err(CaptureError::new(folder, "holds no ring buffer"));
        }
        Ok(merge)
    }

    /// The next event.
    ///
    /// # Errors
    /// A broken page.
    pub fn advance(&mut self) -> Result<Option<Stamped<'_>>, CaptureError> {
        // The bytes handed out last are the ring's own: it moves on only now.
        if let Some(index) = self.last.take() {
            self.pending[index] = self.rings[index].1.advance()?;
            if let Some(event) = self.pending[index] {
                self.heads.push(Reverse((event.ns, index)));
            }
        }
        let Some(Reverse((ns, index))) = self.heads.pop() else {
            return Ok(None);
        };
        self.last = Some(index);
        let (cpu, ring) = &self.rings[index];
        Ok(self.pending[index].as_ref().map(|event| (ns, *cpu, ring.bytes(event))))
    }
}

fn ring_files(folder: &Path) -> Result<Vec<(u32, PathBuf)>, CaptureError> {
    let refuse = |error: std::io::Error| CaptureError::new(folder, error.to_string());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refuse)? {
        let path = entry.map_err(refuse)?.path();
        let cpu =
            path.extension().and_then(|end| end.to_str()).and_then(|end| end.strip_prefix("cpu"));
        if let Some(cpu) = cpu.and_then(|number| number.parse().ok()) {
            files.push((cpu, path));
        }
    }
    files.sort();
    Ok(files)
}
