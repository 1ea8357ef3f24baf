//! The kernel's ring buffer pages, as `trace_pipe_raw` gives them.
//!
//! A page begins with the time of its first event and the number of bytes used (its upper bits say
//! that events before it were lost). Each event has a word of 5 bits of type and 27 bits of time
//! since the event before; the types from 29 on are padding and large time steps
//! (`events/header_event` of the traced kernel).

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::CaptureError;

const HEADER_BYTES: usize = 16;
/// The bytes used are in the low bits of the word; the rest are flags.
const COMMIT_MASK: u64 = 0x000f_ffff;
const LOST: u64 = 1 << 31;

/// One event of a page: its time and its bytes.
#[derive(Clone, Copy, Debug)]
pub struct RawEvent {
    /// By the clock of the trace, in ns.
    pub ns: u64,
    /// Its bytes within the page.
    start: usize,
    end: usize,
}

/// The events of one CPU's buffer in order.
pub struct Ring {
    path: PathBuf,
    input: File,
    page: Vec<u8>,
    /// Where the next event begins, where the page's events end, and the time of the last one.
    next: usize,
    end: usize,
    ns: u64,
    pages: u64,
}

impl Ring {
    /// Opens the pages of one CPU; each has `page_bytes`.
    ///
    /// # Errors
    /// The file cannot be opened, or pages cannot have that size.
    pub fn open(path: &Path, page_bytes: usize) -> Result<Self, CaptureError> {
        let refuse = |what: String| CaptureError::new(path, what);
        if !(64..=1 << 20).contains(&page_bytes) {
            return Err(refuse(format!("ring buffer pages of {page_bytes} bytes")));
        }
        let input = File::open(path).map_err(|error| refuse(error.to_string()))?;
        let page = vec![0; page_bytes];
        Ok(Self { path: path.to_owned(), input, page, next: 0, end: 0, ns: 0, pages: 0 })
    }

    /// The bytes of an event that came from the current page.
    #[must_use]
    pub fn bytes(&self, event: &RawEvent) -> &[u8] {
        &self.page[event.start..event.end]
    }

    /// The next event; its bytes stay readable until the next call.
    ///
    /// # Errors
    /// Pages that are cut short, lost events or contradict themselves.
    pub fn advance(&mut self) -> Result<Option<RawEvent>, CaptureError> {
        loop {
            if self.next + 4 > self.end {
                if !self.load()? {
                    return Ok(None);
                }
                continue;
            }
            if let Some(event) = self.step()? {
                return Ok(Some(event));
            }
        }
    }

    fn step(&mut self) -> Result<Option<RawEvent>, CaptureError> {
        let word = self.word(self.next)?;
        let (kind, delta) = (word & 31, u64::from(word >> 5));
        let body = self.next + 4;
        match kind {
            30 => {
                let more = u64::from(self.word(body)?) << 27;
                self.ns = self.ns.saturating_add(more | delta);
                self.next = body + 4;
                Ok(None)
            }
            31 => {
                // An absolute time has 59 bits; the rest is as it was.
                let low = u64::from(self.word(body)?) << 27 | delta;
                let ns = self.ns >> 59 << 59 | low;
                if ns < self.ns {
                    return Err(self.backwards(ns));
                }
                self.ns = ns;
                self.next = body + 4;
                Ok(None)
            }
            29 if delta == 0 => {
                self.next = self.end;
                Ok(None)
            }
            29 => {
                self.next = body + self.word(body)? as usize;
                self.ns = self.ns.saturating_add(delta);
                Ok(None)
            }
            kind => {
                self.ns = self.ns.saturating_add(delta);
                let (start, length) = match kind {
                    0 => (body + 4, (self.word(body)? as usize).saturating_sub(4)),
                    words => (body, words as usize * 4),
                };
                let end = start + length;
                if length < 8 || end > self.end {
                    return Err(self.broken(&format!("an event of {length} bytes")));
                }
                self.next = end.next_multiple_of(4);
                Ok(Some(RawEvent { ns: self.ns, start, end }))
            }
        }
    }

    fn word(&self, at: usize) -> Result<u32, CaptureError> {
        let bytes = self.page.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_le_bytes).ok_or_else(|| self.broken("an event that continues"))
    }

    fn broken(&self, what: &str) -> CaptureError {
        let (page, byte) = (self.pages, self.next);
        CaptureError::new(&self.path, format!("page {page}, byte {byte}: {what} beyond its page"))
    }

    fn backwards(&self, now: u64) -> CaptureError {
        let (page, last) = (self.pages, self.ns);
        let what = format!("page {page}: the clock goes backwards, {now} ns after {last} ns");
        CaptureError::new(&self.path, what)
    }

    fn load(&mut self) -> Result<bool, CaptureError> {
        let mut have = 0;
        while have < self.page.len() {
            match self.input.read(&mut self.page[have..]) {
                Ok(0) => break,
                Ok(count) => have += count,
                Err(error) => return Err(CaptureError::new(&self.path, error.to_string())),
            }
        }
        if have == 0 {
            return Ok(false);
        }
        let page = self.pages;
        if have < self.page.len() {
            let whole = self.page.len();
            let what = format!("page {page} is cut short: {have} of {whole} bytes are there");
            return Err(CaptureError::new(&self.path, what));
        }
        let quad =
            |at: usize| u64::from_le_bytes(self.page[at..at + 8].try_into().unwrap_or_default());
        let (ns, commit) = (quad(0), quad(8));
        if commit & LOST != 0 {
            let what = format!("events before page {page} were lost; take a larger buffer");
            return Err(CaptureError::new(&self.path, what));
        }
        let used = HEADER_BYTES + (commit & COMMIT_MASK) as usize;
        if used > self.page.len() {
            return Err(CaptureError::new(&self.path, format!("page {page} holds {used} bytes")));
        }
        if ns < self.ns {
            return Err(self.backwards(ns));
        }
        self.pages += 1;
        (self.ns, self.next, self.end) = (ns, HEADER_BYTES, used);
        Ok(true)
    }
}
