//! Reads a trace on a thread of its own, a little ahead of who serves it.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::vec::IntoIter;

use super::{Notes, Position, TraceError, TraceFacts, TraceReader};
use crate::Record;

/// Records that are handed over together.
const TOGETHER: usize = 4096;
/// How many times that may wait.
const WAITING: usize = 3;

/// A reader that another thread runs: the same records, the same errors, in the same order.
pub struct Ahead {
    facts: TraceFacts,
    total: Option<u64>,
    records: IntoIter<Record>,
    /// Of all records of the piece; only who asks for a place looks at one.
    places: Vec<Position>,
    error: Option<TraceError>,
    reached: Reached,
    pieces: Option<Receiver<Piece>>,
    thread: Option<JoinHandle<()>>,
}

/// Records, and what the reader says after them.
struct Piece {
    records: Vec<Record>,
    /// Where each stands: the reader itself is further on by the time it is asked.
    places: Vec<Position>,
    error: Option<TraceError>,
    reached: Reached,
}

struct Reached {
    read: u64,
    place: Position,
    notes: Notes,
    names: Vec<String>,
    wrapped: u64,
}

impl Reached {
    fn by(reader: &dyn TraceReader) -> Self {
        Self {
            read: reader.bytes_read(),
            place: reader.place(),
            notes: reader.notes(),
            names: reader.device_names().to_vec(),
            wrapped: reader.wrapped(),
        }
    }
}

impl Ahead {
    /// `reader` on a thread of its own; where there can be none, the reader is given back.
    #[must_use]
    pub fn of(reader: Box<dyn TraceReader + Send>) -> Box<dyn TraceReader + Send> {
        let (facts, total) = (reader.facts().clone(), reader.bytes_total());
        let reached = Reached::by(reader.as_ref());
        let (sender, pieces) = sync_channel(WAITING);
        let (hand_over, handed) = sync_channel(1);
        let thread = std::thread::Builder::new().name("trace".into());
        let thread = thread.spawn(move || {
            if let Ok(reader) = handed.recv() {
                read(reader, &sender);
            }
        });
        let Ok(thread) = thread else { return reader };
        if let Err(given_back) = hand_over.send(reader) {
            return given_back.0;
        }
        Box::new(Self {
            facts,
            total,
            records: Vec::new().into_iter(),
            places: Vec::new(),
            error: None,
            reached,
            pieces: Some(pieces),
            thread: Some(thread),
        })
    }

    /// The next piece, if there is one.
    fn refill(&mut self) -> bool {
        let piece = self.pieces.as_ref().and_then(|pieces| pieces.recv().ok());
        let Some(piece) = piece else {
            self.end();
            return false;
        };
        self.records = piece.records.into_iter();
        self.places = piece.places;
        self.error = piece.error;
        self.reached = piece.reached;
        true
    }

    /// Lets the thread end, and ends as it did.
    fn end(&mut self) {
        self.pieces = None;
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join)
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panic);
        }
    }
}

fn read(mut reader: Box<dyn TraceReader + Send>, pieces: &SyncSender<Piece>) {
    loop {
        let mut records = Vec::with_capacity(TOGETHER);
        let mut places = Vec::with_capacity(TOGETHER);
        let mut error = None;
        while records.len() < TOGETHER && error.is_none() {
            match reader.next() {
                Some(Ok(record)) => {
                    records.push(record);
                    places.push(reader.place());
                }
                Some(Err(wrong)) => error = Some(wrong),
                None => break,
            }
        }
        let more = records.len() == TOGETHER && error.is_none();
        let piece = Piece { records, places, error, reached: Reached::by(reader.as_ref()) };
        if pieces.send(piece).is_err() || !more {
            return;
        }
    }
}

impl Iterator for Ahead {
    type Item = Result<Record, TraceError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.records.next() {
                return Some(Ok(record));
            }
            self.places.clear();
            if let Some(error) = self.error.take() {
                self.end();
                return Some(Err(error));
            }
            if !self.refill() {
                return None;
            }
        }
    }
}

impl TraceReader for Ahead {
    fn facts(&self) -> &TraceFacts {
        &self.facts
    }

    fn bytes_read(&self) -> u64 {
        self.reached.read
    }

    fn bytes_total(&self) -> Option<u64> {
        self.total
    }

    fn place(&self) -> Position {
        let handed_out = self.places.len() - self.records.len().min(self.places.len());
        let last = handed_out.checked_sub(1).and_then(|at| self.places.get(at));
        last.copied().unwrap_or(self.reached.place)
    }

    fn notes(&self) -> Notes {
        self.reached.notes.clone()
    }

    fn wrapped(&self) -> u64 {
        self.reached.wrapped
    }

    fn device_names(&self) -> &[String] {
        &self.reached.names
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Options, read as open, testing};
    use super::*;

    fn opened(text: &str) -> Box<dyn TraceReader + Send> {
        open(testing::source(text), None, &Options::default()).unwrap()
    }

    fn lines(count: usize) -> String {
        (0..count).map(|i| format!("{i}.5 {} {} 8 1\n", i % 2, i * 16)).collect()
    }

    #[test]
    fn the_same_records_and_the_same_error_come() {
        for count in [1, TOGETHER - 1, TOGETHER, 5 * TOGETHER + 3] {
            for end in ["", "0.1 0 8 8 1\n"] {
                let text = lines(count) + end;
                let plain: Vec<_> = opened(&text).collect();
                let mut ahead = Ahead::of(opened(&text));
                let read: Vec<_> = ahead.by_ref().collect();
                assert_eq!(read, plain, "{count} {end:?}");
                assert!(ahead.next().is_none());
                let mut whole = opened(&text);
                whole.by_ref().for_each(drop);
                assert_eq!(ahead.bytes_read(), whole.bytes_read());
                assert_eq!(ahead.notes(), whole.notes());
            }
        }
    }

    #[test]
    fn each_record_is_where_the_reader_said() {
        let text = lines(TOGETHER + 2) + "no record\n";
        let places = |mut reader: Box<dyn TraceReader + Send>| {
            let mut places = vec![reader.place()];
            while let Some(record) = reader.next() {
                places.push(reader.place());
                if record.is_err() {
                    break;
                }
            }
            places
        };
        let plain = places(opened(&text));
        assert_eq!(plain.last(), Some(&Position::Line(TOGETHER as u64 + 3)));
        assert_eq!(places(Ahead::of(opened(&text))), plain);
    }

    #[test]
    fn one_that_is_given_up_lets_its_thread_end() {
        let mut ahead = Ahead::of(opened(&lines(20 * TOGETHER)));
        assert!(ahead.next().is_some());
        drop(ahead);
    }
}
