//! The files of a trace that `blktrace` writes for every CPU, read as one.

use std::path::{Path, PathBuf};

use platterlab_units::SECTOR_BYTES_DEFAULT;

use super::super::{Format, Notes, Opened, Position, Source, TraceError, TraceFacts};
use super::Assembled;
use super::event::{BlktraceEvent, EventStream, Events};

/// The most CPUs of a set.
const MOST_FILES: usize = 4_096;
/// Where the number of the file stands in the place of an event.
const FILE_SHIFT: u32 = 48;

/// The set that `path` means: a file `NAME.blktrace.N` with others in its folder, or a `NAME` of
/// which there are such files and none of its own. `None` where it means one file.
pub(in crate::trace) fn set_of(path: &Path) -> Option<Vec<PathBuf>> {
    let text = path.to_str()?;
    let stem = match text.rsplit_once('.') {
        Some((stem, cpu)) if stem.ends_with(".blktrace") && cpu.parse::<usize>().is_ok() => {
            stem.to_owned()
        }
        _ if path.exists() => return None,
        _ => format!("{text}.blktrace"),
    };
    let file = |cpu: usize| PathBuf::from(format!("{stem}.{cpu}"));
    // A CPU that was off has no file: the next follows the last by no more than that.
    let mut found = Vec::new();
    let mut missing = 0;
    for cpu in 0..MOST_FILES {
        let one = file(cpu);
        match one.metadata() {
            Ok(facts) if facts.is_file() => {
                missing = 0;
                // What saw nothing is empty.
                if facts.len() > 0 {
                    found.push(one);
                }
            }
            _ => missing += 1,
        }
        if missing > 64 {
            break;
        }
    }
    (found.len() > 1 || (found.len() == 1 && !path.exists())).then_some(found)
}

/// Reads the files of a set, which goes by the name of `path`.
pub(in crate::trace) fn open_set(path: &Path, files: &[PathBuf]) -> Opened {
    let streams: Result<Vec<Events>, TraceError> = files
        .iter()
        .map(|file| {
            let mut source = Source::open(file)?;
            if !super::event::sniff(source.peek()?) {
                let what = "is not a file of blktrace, though the set's names call it one";
                return Err(source.error(Position::File, what));
            }
            Events::new(source)
        })
        .collect();
    let streams = streams?;
    if let Some(other) =
        streams.iter().position(|s| s.is_big_endian() != streams[0].is_big_endian())
    {
        let what =
            "has its bytes in another order than the first of the set: files of two machines";
        return Err(TraceError::new(&files[other], Position::File, what));
    }
    let facts = TraceFacts {
        path: path.to_owned(),
        format: Format::Blktrace,
        sector_bytes: SECTOR_BYTES_DEFAULT,
        measures: super::super::Measures::Service,
    };
    let next = streams.iter().map(|_| None).collect();
    Ok(Box::new(Assembled::new(facts, EventSet { streams, next, begun: false, latest: 0 })))
}

/// Several files' events by time.
struct EventSet {
    streams: Vec<Events>,
    /// The next event of each file.
    next: Vec<Option<(u64, BlktraceEvent)>>,
    begun: bool,
    /// The file of the event given last.
    latest: usize,
}

impl EventStream for EventSet {
    fn next(&mut self, notes: &mut Notes) -> Result<Option<(u64, BlktraceEvent)>, TraceError> {
        if !std::mem::replace(&mut self.begun, true) {
            for (stream, next) in self.streams.iter_mut().zip(&mut self.next) {
                *next = stream.next(notes)?;
            }
        }
        let waiting = self
            .next
            .iter()
            .enumerate()
            .filter_map(|(file, next)| next.as_ref().map(|(_, event)| (event.time_ns, file)));
        let Some((_, file)) = waiting.min() else { return Ok(None) };
        self.latest = file;
        let fresh = self.streams[file].next(notes)?;
        let given = std::mem::replace(&mut self.next[file], fresh);
        Ok(given.map(|(at, event)| (at | (file as u64) << FILE_SHIFT, event)))
    }

    fn error(&self, at: u64, what: String) -> TraceError {
        let (file, byte) = ((at >> FILE_SHIFT) as usize, at & ((1 << FILE_SHIFT) - 1));
        self.streams[file.min(self.streams.len() - 1)].error(byte, what)
    }

    fn order_advice(&self) -> &'static str {
        self.streams[0].order_advice()
    }

    fn bytes_read(&self) -> u64 {
        self.streams.iter().map(EventStream::bytes_read).sum()
    }

    fn bytes_total(&self) -> Option<u64> {
        self.streams.iter().map(EventStream::bytes_total).sum()
    }

    fn place(&self) -> Position {
        self.streams[self.latest].place()
    }
}
