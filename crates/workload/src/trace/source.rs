//! The bytes of a trace, plain or compressed, with the place reached in them.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::counted::Counted;
use super::unread::{UNENDED, no_file, stopped, unreadable};
use super::{Format, Measures, Position, TraceError, TraceFacts, compressed, mark};

/// The longest line of a text trace, in bytes.
const MAX_LINE: usize = 64 << 10;
/// How much of a trace's beginning decides its format, in bytes.
const PEEK: usize = 64 << 10;
/// The only large allocation of a reader, made once.
const BUFFER: usize = 256 << 10;

/// The decompressed bytes of a trace, with the place reached in them.
///
/// All readers stand on this one type, so that a file, a compressed file and bytes in memory give
/// the same records and the same errors.
pub struct Source {
    path: PathBuf,
    input: Box<dyn Read + Send>,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    exhausted: bool,
    failed: bool,
    offset: u64,
    /// Where the piece taken last begins.
    taken: u64,
    line: u64,
    unended: bool,
    consumed: Arc<AtomicU64>,
    total: Option<u64>,
    /// What it is compressed with.
    packed: Option<&'static str>,
    /// A file as it was when it was opened.
    opened: Option<(File, Metadata)>,
}

/// The bytes of a source, all of them at hand.
pub(super) enum Whole {
    File(File),
    Bytes(Vec<u8>),
}

impl Source {
    /// Opens a trace file, plain or compressed with gzip, Zstandard or xz.
    ///
    /// # Errors
    /// The path is missing, unreadable, a directory or an empty file.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        let refuse = |what: String| TraceError::new(path, Position::File, what);
        // Asked before it is opened: opening a pipe would wait for somebody to write to it.
        let facts = std::fs::metadata(path).map_err(|error| refuse(unreadable(&error)))?;
        if facts.is_dir() {
            return Err(refuse("is a directory; name a trace file".into()));
        }
        if !facts.is_file() {
            return Err(refuse(no_file(facts.file_type()).into()));
        }
        let file = File::open(path).map_err(|error| refuse(unreadable(&error)))?;
        let opened = file.try_clone().and_then(|copy| Ok((copy, file.metadata()?)));
        Self::build(path, file, Some(facts.len()), opened.ok())
    }

    /// The same from bytes already in memory; `path` appears in messages only.
    ///
    /// # Errors
    /// There are no bytes, or they start a compressed stream that is broken.
    pub fn from_bytes(path: &Path, bytes: impl Into<Vec<u8>>) -> Result<Self, TraceError> {
        let bytes = bytes.into();
        let total = bytes.len() as u64;
        Self::build(path, io::Cursor::new(bytes), Some(total), None)
    }

    fn build(
        path: &Path,
        input: impl Read + Send + 'static,
        total: Option<u64>,
        opened: Option<(File, Metadata)>,
    ) -> Result<Self, TraceError> {
        let consumed = Arc::new(AtomicU64::new(0));
        let counted = Counted { input, consumed: Arc::clone(&consumed) };
        let refuse = |error: io::Error| TraceError::new(path, Position::File, unreadable(&error));
        let (input, packed) = compressed::decompress(counted).map_err(refuse)?;
        let mut source = Self {
            path: path.to_owned(),
            input,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            start: 0,
            end: 0,
            exhausted: false,
            failed: false,
            offset: 0,
            taken: 0,
            line: 0,
            unended: false,
            consumed,
            total,
            packed,
            opened,
        };
        let have = source.fill(mark::UTF_8.len())?;
        source.start = mark::length(&source.buffer[..have]);
        source.offset = source.start as u64;
        if source.fill(1)? == 0 {
            return Err(source.error(Position::File, "is empty; a trace has at least one request"));
        }
        Ok(source)
    }

    /// Bytes of the file (compressed as it is) read so far.
    pub fn bytes_read(&self) -> u64 {
        self.consumed.load(Ordering::Relaxed)
    }

    /// Bytes of the file (compressed as it is); `None` for a pipe.
    pub fn bytes_total(&self) -> Option<u64> {
        self.total
    }

    /// The facts of the trace read from here.
    pub(super) fn facts(&self, format: Format, sector_bytes: u32) -> TraceFacts {
        TraceFacts { path: self.path.clone(), format, sector_bytes, measures: Measures::Service }
    }

    /// The first bytes of what is left, at most 64 KiB, without consuming them.
    pub(crate) fn peek(&mut self) -> Result<&[u8], TraceError> {
        let have = self.fill(PEEK)?.min(PEEK);
        Ok(&self.buffer[self.start..self.start + have])
    }

    /// The next `length` bytes, at most 64 KiB; `None` at the end.
    ///
    /// `name` says what they are, for the message when the file stops among them.
    #[inline]
    pub(crate) fn take(&mut self, length: usize, name: &str) -> Result<Option<&[u8]>, TraceError> {
        if self.end - self.start < length {
            let have = self.fill(length)?;
            if have < length {
                return self.cut_short(have, length, name);
            }
        }
        let from = self.start;
        self.start += length;
        self.taken = self.offset;
        self.offset += length as u64;
        Ok(Some(&self.buffer[from..from + length]))
    }

    fn cut_short(
        &self,
        have: usize,
        length: usize,
        name: &str,
    ) -> Result<Option<&[u8]>, TraceError> {
        if have == 0 {
            return Ok(None);
        }
        let what = format!("the file ends within {name}: {have} of {length} bytes are there");
        Err(self.error_at_byte(self.offset, what))
    }

    /// The next line without its end; `None` at the end of the file.
    pub(super) fn line(&mut self) -> Result<Option<&[u8]>, TraceError> {
        let mut seen = 0;
        let length = loop {
            let fresh = &self.buffer[self.start + seen..self.end];
            if let Some(place) = memchr::memchr(b'\n', fresh) {
                break seen + place;
            }
            seen = self.end - self.start;
            if seen > MAX_LINE || self.fill(seen + 1)? == seen {
                break seen;
            }
        };
        if length == 0 && self.start == self.end {
            return Ok(None);
        }
        self.line += 1;
        if length > MAX_LINE {
            return Err(self.error_at_line(format!("a line of more than {MAX_LINE} bytes")));
        }
        let from = self.start;
        let past = (from + length + 1).min(self.end);
        self.unended = past == from + length;
        self.offset += (past - from) as u64;
        self.start = past;
        let line = &self.buffer[from..from + length];
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// What the bytes come from, for who does not read them in their order: the file, or all bytes of
    /// a source that is in memory anyway. `None` if the file has other bytes: it is compressed.
    pub(super) fn whole(&mut self) -> Result<Option<Whole>, TraceError> {
        let Some((file, _)) = &self.opened else {
            let mut bytes = Vec::new();
            while self.fill(1)? > 0 {
                bytes.extend_from_slice(&self.buffer[self.start..self.end]);
                self.start = self.end;
            }
            return Ok(Some(Whole::Bytes(bytes)));
        };
        let mut first = [0; 4];
        let have = self.end.min(first.len());
        let read = file.read_exact_at(&mut first[..have], 0).and_then(|()| file.try_clone());
        let refuse = |error: io::Error| self.error(Position::File, unreadable(&error));
        let file = read.map_err(refuse)?;
        Ok((first[..have] == self.buffer[..have]).then_some(Whole::File(file)))
    }

    /// The offset of the next byte, in the decompressed bytes.
    #[inline]
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The place of what was read last: a line of a text, the offset of a piece of bytes.
    pub(super) fn place(&self) -> Position {
        if self.line > 0 { Position::Line(self.line) } else { Position::Byte(self.taken) }
    }

    /// An error at the line read last.
    pub(super) fn error_at_line(&self, what: impl Into<String>) -> TraceError {
        let mut what = what.into();
        if self.unended && self.line > 1 {
            what += UNENDED;
        }
        self.error(Position::Line(self.line), what)
    }

    /// An error at `byte`.
    pub(super) fn error_at_byte(&self, byte: u64, what: impl Into<String>) -> TraceError {
        self.error(Position::Byte(byte), what)
    }

    /// An error at `position`.
    pub(super) fn error(&self, position: Position, what: impl Into<String>) -> TraceError {
        TraceError::new(&self.path, position, what)
    }

    /// Makes a reader's answer an iterator's: after the first error there is nothing more to read.
    #[inline]
    pub(super) fn ended<T>(
        &mut self,
        answer: Result<Option<T>, TraceError>,
    ) -> Option<Result<T, TraceError>> {
        if self.failed {
            return None;
        }
        self.failed = answer.is_err();
        answer.transpose()
    }

    /// At its end, or where it cannot be read on: that nobody has written to the file meanwhile.
    pub(super) fn unchanged(&self) -> Result<(), TraceError> {
        let Some((file, before)) = &self.opened else { return Ok(()) };
        let Ok(now) = file.metadata() else { return Ok(()) };
        if now.len() == before.len() && now.modified().ok() == before.modified().ok() {
            return Ok(());
        }
        let what = format!(
            "changed while it was read: it had {} bytes and has {}; try again when nobody writes to it",
            before.len(),
            now.len()
        );
        Err(self.error(Position::File, what))
    }

    /// Tries to have `wanted` bytes in the buffer; says how many there are, fewer only at the end.
    fn fill(&mut self, wanted: usize) -> Result<usize, TraceError> {
        debug_assert!(wanted <= BUFFER, "no caller asks for more than the buffer holds");
        if self.start == self.end || self.start + wanted > BUFFER {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.end - self.start < wanted && !self.exhausted {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.unchanged()?;
                    self.exhausted = true;
                }
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.unchanged()?;
                    let reached = self.offset + (self.end - self.start) as u64;
                    return Err(self.error_at_byte(reached, stopped(self.packed, &error)));
                }
            }
        }
        Ok(self.end - self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(bytes: &[u8]) -> Source {
        Source::from_bytes(Path::new("t"), bytes).unwrap()
    }

    #[test]
    fn lines_are_counted_and_bounded() {
        let mut text = b"a\r\n\nlast".to_vec();
        let mut lines = source(&text);
        for expected in [&b"a"[..], b"", b"last"] {
            assert_eq!(lines.line().unwrap().unwrap(), expected);
        }
        assert_eq!(lines.line().unwrap(), None);
        assert_eq!(lines.offset(), 8);
        text.extend(vec![b'x'; MAX_LINE]);
        let mut lines = source(&text);
        lines.line().unwrap();
        lines.line().unwrap();
        let error = lines.line().unwrap_err().to_string();
        assert_eq!(error, "t, line 3: a line of more than 65536 bytes");
    }

    #[test]
    fn long_inputs_pass_through_the_buffer() {
        let bytes: Vec<u8> = (0..BUFFER * 3).map(|i| (i / 7) as u8).collect();
        let mut stream = source(&bytes);
        let mut seen = Vec::new();
        while seen.len() + 1_000 <= bytes.len() {
            seen.extend_from_slice(stream.take(1_000, "a block").unwrap().unwrap());
        }
        assert_eq!(seen, bytes[..seen.len()]);
        let error = stream.take(1_000, "a block").unwrap_err().to_string();
        assert_eq!(
            error,
            "t, byte 786000: the file ends within a block: 432 of 1000 bytes are there"
        );
    }

    /// What reading a file says that `change` happens to after it was opened.
    fn read_while(name: &str, change: impl Fn(&Path)) -> Result<usize, String> {
        let path = std::env::temp_dir().join(format!("platterlab-{name}-{}", std::process::id()));
        std::fs::write(&path, b"0 0 8 8 1\n".repeat(BUFFER / 2)).unwrap();
        let mut lines = Source::open(&path).unwrap();
        change(&path);
        let mut count = 0;
        let said = loop {
            match lines.line() {
                Ok(Some(_)) => count += 1,
                Ok(None) => break Ok(count),
                Err(error) => break Err(error.what.clone()),
            }
        };
        std::fs::remove_file(&path).unwrap();
        said
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_an_error() {
        let open = |path: &Path| std::fs::OpenOptions::new().append(true).open(path).unwrap();
        let bytes = BUFFER / 2 * 10;
        let said = |now: usize| {
            Err(format!(
                "changed while it was read: it had {bytes} bytes and has {now}; try again when \
                 nobody writes to it"
            ))
        };
        assert_eq!(read_while("same", |_| ()), Ok(BUFFER / 2));
        assert_eq!(
            read_while("less", |path| open(path).set_len(BUFFER as u64).unwrap()),
            said(BUFFER)
        );
        let grows = |path: &Path| io::Write::write_all(&mut open(path), b"0 0 8 8 1\n").unwrap();
        assert_eq!(read_while("more", grows), said(bytes + 10));
        let later = std::time::SystemTime::UNIX_EPOCH;
        let touched = |path: &Path| open(path).set_modified(later).unwrap();
        assert_eq!(read_while("again", touched), said(bytes), "of the same size, and another");
        // One that is put in its place is not the one that is read.
        let replaced = |path: &Path| {
            std::fs::remove_file(path).unwrap();
            std::fs::write(path, b"other").unwrap();
        };
        assert_eq!(read_while("other", replaced), Ok(BUFFER / 2));
    }

    #[test]
    fn nothing_is_not_a_trace() {
        let error = Source::from_bytes(Path::new("t"), b"").err().unwrap();
        assert_eq!(error.to_string(), "t: is empty; a trace has at least one request");
        let error = Source::open(Path::new("/")).err().unwrap();
        assert_eq!(error.to_string(), "/: is a directory; name a trace file");
        let error = Source::open(Path::new("/no/such")).err().unwrap();
        assert_eq!(error.to_string(), "/no/such: there is no such file");
    }
}
