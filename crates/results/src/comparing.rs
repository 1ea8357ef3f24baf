//! The agreement of a replay, which a thread of its own keeps: the bins of its times do not fit in a
//! cache beside the drive.

use crate::{Agreement, Row};
use platterlab_units::{Lapse, Operation, Span};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// A request whose time was measured.
#[derive(Clone, Copy, Debug)]
struct Compared {
    simulated: Lapse,
    measured: Span,
    operation: Operation,
}

/// What is handed over together: 128 KiB, which stay in a cache until then.
type Piece = Vec<Compared>;

/// Requests in a piece.
const TOGETHER: usize = 1 << 12;
/// How many pieces may wait.
const WAITING: usize = 4;

/// An [`Agreement`] that is told on one thread and kept on another: the same to the last bit, as
/// all reads are added in the same order, and all writes.
#[derive(Debug, Default)]
pub struct Comparing {
    piece: Piece,
    kept: Arc<Mutex<Agreement>>,
    beside: Option<Beside>,
    /// Whether what was measured are response times.
    responses: bool,
}

/// The thread, and the ways there and back: memory that is new costs more than to fill it.
#[derive(Debug)]
struct Beside {
    pieces: SyncSender<Piece>,
    spent: Receiver<Piece>,
    thread: JoinHandle<()>,
}

impl Comparing {
    /// Of measured response times, which are held against response times; else they are service
    /// times.
    #[must_use]
    pub fn of_responses() -> Self {
        Self { responses: true, ..Self::default() }
    }

    /// Whether what was measured are response times.
    #[must_use]
    pub const fn has_responses(&self) -> bool {
        self.responses
    }

    /// Adds a request, if its time was measured.
    #[inline]
    pub fn add(&mut self, row: &Row) {
        let Some(measured) = row.measured else { return };
        if self.piece.len() == self.piece.capacity() {
            self.hand_over();
        }
        let simulated = if self.responses { row.response() } else { row.service() };
        self.piece.push(Compared { simulated, measured, operation: row.operation });
    }

    /// Begins a piece; one that is full goes on its way.
    #[cold]
    fn hand_over(&mut self) {
        let full = std::mem::take(&mut self.piece);
        if !full.is_empty() {
            self.piece = self.compared(full);
            self.piece.clear();
        }
        self.piece.reserve_exact(TOGETHER);
    }

    /// Sends a piece on its way, for one that has been there. Where there can be no thread, this one
    /// does its work.
    fn compared(&mut self, piece: Piece) -> Piece {
        if self.beside.is_none() {
            self.beside = Beside::begin(&self.kept);
        }
        let Some(Beside { pieces, spent, .. }) = &self.beside else {
            compare(&self.kept, &piece);
            return piece;
        };
        // Only a thread that panicked takes none, which is heard when it is asked.
        let _panicked = pieces.send(piece);
        spent.try_recv().unwrap_or_default()
    }

    /// What all requests so far come to.
    pub fn agreement(&mut self) -> MutexGuard<'_, Agreement> {
        if let Some(Beside { pieces, thread, .. }) = self.beside.take() {
            drop(pieces);
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        compare(&self.kept, &self.piece);
        self.piece.clear();
        locked(&self.kept)
    }
}

impl Beside {
    fn begin(kept: &Arc<Mutex<Agreement>>) -> Option<Self> {
        let (pieces, come) = sync_channel::<Piece>(WAITING);
        let (back, spent) = sync_channel(WAITING);
        let kept = Arc::clone(kept);
        let thread = std::thread::Builder::new().name("agreement".into());
        let thread = thread.spawn(move || {
            for piece in come {
                compare(&kept, &piece);
                // Where enough is on its way back, this is let go.
                let _kept = back.try_send(piece);
            }
        });
        Some(Self { pieces, spent, thread: thread.ok()? })
    }
}

fn compare(kept: &Mutex<Agreement>, piece: &[Compared]) {
    let in_ms = |one: &Compared| (one.operation, one.simulated.as_ms(), one.measured.as_ms());
    locked(kept).extend(piece.iter().map(in_ms));
}

/// A panic while it was locked has been passed on.
fn locked(agreement: &Mutex<Agreement>) -> MutexGuard<'_, Agreement> {
    agreement.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parts;
    use platterlab_units::Stamp;

    fn row(number: u64) -> Row {
        let issue = Stamp::from_ps(u128::from(number) << 40);
        Row {
            arrival: issue,
            issue,
            completion: issue + Span::from_us(500 + number * 7_919 % 30_011),
            parts: Parts::default(),
            lba: 0,
            sectors: 1,
            device: 0,
            request: number,
            stream: 0,
            operation: if number.is_multiple_of(3) { Operation::Write } else { Operation::Read },
            cache: 0,
            cylinder: 0,
            seek_distance: 0,
            measured: (!number.is_multiple_of(5))
                .then(|| Span::from_us(300 + number * 104_729 % 29_989)),
        }
    }

    #[test]
    fn measured_responses_are_held_against_responses() {
        let late = Row { issue: row(1).issue + Span::from_us(400), ..row(1) };
        let mean_ms = |mut comparing: Comparing| {
            comparing.add(&late);
            comparing.agreement().summary().map(|told| told.all.simulated_mean_ms)
        };
        assert_eq!(mean_ms(Comparing::default()), Some(late.service().as_ms()));
        assert_eq!(mean_ms(Comparing::of_responses()), Some(late.response().as_ms()));
    }

    #[test]
    fn beside_it_is_the_same_to_the_last_bit() {
        let (mut beside, mut alone) = (Comparing::default(), Agreement::default());
        assert_eq!(beside.agreement().summary(), None);
        for row in (0..700_000).map(row) {
            beside.add(&row);
            if let Some(measured) = row.measured {
                let times = (row.operation, row.service().as_ms(), measured.as_ms());
                alone.extend([times]);
            }
            // Asked on the way, it goes on.
            if row.request == 100_000 {
                assert_eq!(beside.agreement().summary(), alone.summary());
            }
        }
        let told = beside.agreement().summary();
        assert_eq!(told, alone.summary());
        assert!(told.is_some_and(|told| !told.all.exact && told.all.requests == 560_000));
    }
}
