//! Reads a trace on a thread of its own, a little ahead of who serves it.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use super::{TraceError, TraceReader, Within};
use crate::Record;

/// Records that are handed over together.
const TOGETHER: usize = 4096;
/// How many times that may wait.
const WAITING: usize = 3;

/// A reader that another thread runs: the same records, the same error, in the same order.
pub struct Ahead {
    total: Option<u64>,
    records: Vec<Record>,
    /// How many of them have been handed out.
    out: usize,
    error: Option<TraceError>,
    read: u64,
    wrapped: u64,
    from: From,
}

/// Where pieces come from.
enum From {
    Thread {
        pieces: Receiver<Piece>,
        spent: SyncSender<Vec<Record>>,
        thread: JoinHandle<()>,
    },
    /// Where there can be no thread.
    Here(Reading),
    /// There are no more.
    Nowhere,
}

/// A reader, and where its requests have to lie.
type Reading = (Box<dyn TraceReader + Send>, Within);

/// Records, and what the reader says after them.
struct Piece {
    records: Vec<Record>,
    error: Option<TraceError>,
    read: u64,
    wrapped: u64,
    last: bool,
}

impl Piece {
    /// In place of those that were `spent`: memory that is new costs more than to fill it.
    fn of((reader, within): &mut Reading, mut spent: Vec<Record>) -> Self {
        spent.clear();
        spent.reserve_exact(TOGETHER);
        let mut records = spent;
        let error = reader.read_within(within, &mut records).err();
        let last = error.is_some() || records.len() < TOGETHER;
        Self { records, error, read: reader.bytes_read(), wrapped: within.wrapped(), last }
    }
}

impl Ahead {
    /// `reader` on a thread of its own, up to a request that is not `within` the drive.
    #[must_use]
    pub fn of(reader: Box<dyn TraceReader + Send>, within: Within) -> Self {
        let (total, read, wrapped) = (reader.bytes_total(), reader.bytes_read(), within.wrapped());
        let from = From::thread((reader, within));
        Self { total, records: Vec::new(), out: 0, error: None, read, wrapped, from }
    }

    /// Bytes of the file (compressed as it is) read so far.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.read
    }

    /// Bytes of the file (compressed as it is); `None` for a pipe.
    #[must_use]
    pub fn bytes_total(&self) -> Option<u64> {
        self.total
    }

    /// How many requests were given another place, see [`Within`].
    #[must_use]
    pub fn wrapped(&self) -> u64 {
        self.wrapped
    }

    /// The first record of the next piece, or the error after the last.
    #[cold]
    fn refill(&mut self) -> Option<Result<Record, TraceError>> {
        loop {
            if let Some(record) = self.records.get(self.out) {
                self.out += 1;
                return Some(Ok(*record));
            }
            if let Some(error) = self.error.take() {
                return Some(Err(error));
            }
            let piece = self.from.piece(std::mem::take(&mut self.records))?;
            (self.records, self.out) = (piece.records, 0);
            self.error = piece.error;
            (self.read, self.wrapped) = (piece.read, piece.wrapped);
        }
    }
}

impl From {
    fn thread(reading: Reading) -> Self {
        let (sender, pieces) = sync_channel(WAITING);
        let (spent, free) = sync_channel(WAITING);
        let (hand_over, handed) = sync_channel(1);
        let thread = std::thread::Builder::new().name("trace".into());
        let thread = thread.spawn(move || {
            if let Ok(reading) = handed.recv() {
                read(reading, &sender, &free);
            }
        });
        let Ok(thread) = thread else { return Self::Here(reading) };
        match hand_over.send(reading) {
            Ok(()) => Self::Thread { pieces, spent, thread },
            Err(given_back) => Self::Here(given_back.0),
        }
    }

    /// The next piece, for the memory of the one before.
    fn piece(&mut self, records: Vec<Record>) -> Option<Piece> {
        let piece = match self {
            Self::Thread { pieces, spent, .. } => {
                // Where enough is on its way back, this is let go.
                let _kept = spent.try_send(records);
                pieces.recv().ok()
            }
            Self::Here(reading) => Some(Piece::of(reading, records)),
            Self::Nowhere => None,
        };
        if piece.as_ref().is_none_or(|piece| piece.last) {
            self.end();
        }
        piece
    }

    /// Lets the thread end, and ends as it did.
    fn end(&mut self) {
        if let Self::Thread { pieces, thread, .. } = std::mem::replace(self, Self::Nowhere) {
            drop(pieces);
            if let Err(panic) = thread.join()
                && !std::thread::panicking()
            {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

fn read(mut reading: Reading, pieces: &SyncSender<Piece>, free: &Receiver<Vec<Record>>) {
    loop {
        let piece = Piece::of(&mut reading, free.try_recv().unwrap_or_default());
        let last = piece.last;
        if pieces.send(piece).is_err() || last {
            return;
        }
    }
}

impl Iterator for Ahead {
    type Item = Result<Record, TraceError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.records.get(self.out) {
            Some(record) => {
                self.out += 1;
                Some(Ok(*record))
            }
            None => self.refill(),
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.from.end();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Beyond, Options, read as open, testing};
    use super::*;

    fn opened(text: &str) -> Box<dyn TraceReader + Send> {
        open(testing::source(text), None, &Options::default()).unwrap()
    }

    fn ahead(text: &str) -> Ahead {
        let reader = opened(text);
        let within = Within::new(reader.facts().sector_bytes, None, u128::MAX, Beyond::Stop);
        Ahead::of(reader, within)
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
                let mut beside = ahead(&text);
                let read: Vec<_> = beside.by_ref().collect();
                assert_eq!(read, plain, "{count} {end:?}");
                assert!(beside.next().is_none());
                let mut whole = opened(&text);
                whole.by_ref().for_each(drop);
                assert_eq!(beside.bytes_read(), whole.bytes_read());
            }
        }
    }

    #[test]
    fn one_that_is_given_up_lets_its_thread_end() {
        let mut ahead = ahead(&lines(20 * TOGETHER));
        assert!(ahead.next().is_some());
        drop(ahead);
    }
}
