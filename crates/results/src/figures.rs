//! The figures of a replay, which a thread of its own keeps: the counts and bins of its times do not fit
//! in a cache outside the drive.

use crate::{Agreement, Row, SummaryBuilder};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// How many pieces may wait.
const WAITING: usize = 4;

/// A summary and an agreement that are computed on one thread and kept on another: the same to the
/// last bit, as all rows are added in the same order.
#[derive(Debug)]
pub struct Figures {
    kept: Arc<Mutex<Kept>>,
    beside: Option<Beside>,
}

/// What rows come to.
#[derive(Debug)]
pub struct Kept {
    /// In figures of their own.
    pub summary: SummaryBuilder,
    /// Against what was measured, but for those of the warm-up.
    pub agreement: Agreement,
    /// Whether what was measured are response times.
    responses: bool,
}

impl Kept {
    fn add_all(&mut self, rows: &[Row]) {
        rows.iter().for_each(|row| self.add(row));
    }

    /// Adds a row.
    #[inline]
    pub fn add(&mut self, row: &Row) {
        let is_warm = self.summary.served() >= self.summary.warm_up();
        self.summary.add(row);
        if let Some(measured) = row.measured.filter(|_| is_warm) {
            let simulated = if self.responses { row.response() } else { row.service() };
            self.agreement.extend([(row.operation, simulated.as_ms(), measured.as_ms())]);
        }
    }
}

/// The thread, and the way there.
#[derive(Debug)]
struct Beside {
    pieces: SyncSender<Arc<Vec<Row>>>,
    thread: JoinHandle<()>,
}

impl Figures {
    /// None yet; `summary` counts the rows to come. Measured times are compared with service times,
    /// or against response times where `responses` is what was measured.
    #[must_use]
    pub fn new(summary: SummaryBuilder, responses: bool) -> Self {
        let kept = Kept { summary, agreement: Agreement::default(), responses };
        Self { kept: Arc::new(Mutex::new(kept)), beside: None }
    }

    /// Adds rows. Where there can be no thread, this one does its work.
    pub fn add(&mut self, rows: &Arc<Vec<Row>>) {
        if self.beside.is_none() {
            self.beside = Beside::begin(&self.kept);
        }
        match &self.beside {
            // Only a thread that panicked takes none, which is heard when it is asked.
            Some(Beside { pieces, .. }) => drop(pieces.send(Arc::clone(rows))),
            None => locked(&self.kept).add_all(rows),
        }
    }

    /// What all rows so far come to.
    pub fn kept(&mut self) -> MutexGuard<'_, Kept> {
        if let Some(Beside { pieces, thread }) = self.beside.take() {
            drop(pieces);
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        locked(&self.kept)
    }
}

impl Beside {
    fn begin(kept: &Arc<Mutex<Kept>>) -> Option<Self> {
        let (pieces, come) = sync_channel::<Arc<Vec<Row>>>(WAITING);
        let kept = Arc::clone(kept);
        let thread = std::thread::Builder::new().name("figures".into());
        let thread =
            thread.spawn(move || come.iter().for_each(|rows| locked(&kept).add_all(&rows)));
        Some(Self { pieces, thread: thread.ok()? })
    }
}

/// A panic while it was locked has been passed on.
fn locked(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parts;
    use platterlab_units::{Operation, Span, Stamp};

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

    fn builder(warm_up: u64) -> SummaryBuilder {
        SummaryBuilder::new(&["miss", "hit"], 512, warm_up)
    }

    #[test]
    fn measured_responses_are_held_against_responses() {
        let late = Row { issue: row(1).issue + Span::from_us(400), ..row(1) };
        let mean_ms = |responses| {
            let mut figures = Figures::new(builder(0), responses);
            figures.add(&Arc::new(vec![late]));
            figures.kept().agreement.summary().map(|told| told.all.simulated_mean_ms)
        };
        assert_eq!(mean_ms(false), Some(late.service().as_ms()));
        assert_eq!(mean_ms(true), Some(late.response().as_ms()));
    }

    #[test]
    fn beside_it_is_the_same_to_the_last_bit() {
        const WARM_UP: u64 = 2_500;
        let mut beside = Figures::new(builder(WARM_UP), false);
        let (mut summary, mut agreement) = (builder(WARM_UP), Agreement::default());
        assert_eq!(beside.kept().agreement.summary(), None);
        let rows: Vec<Row> = (0..700_000).map(row).collect();
        for piece in rows.chunks(1_700) {
            beside.add(&Arc::new(piece.to_vec()));
            for row in piece {
                summary.add(row);
                if row.request >= WARM_UP
                    && let Some(measured) = row.measured
                {
                    agreement.extend([(row.operation, row.service().as_ms(), measured.as_ms())]);
                }
            }
            // Asked on the way, it continues.
            if piece[0].request == 100_300 {
                assert_eq!(beside.kept().agreement.summary(), agreement.summary());
                assert_eq!(beside.kept().summary.finish(), summary.finish());
            }
        }
        let told = beside.kept();
        assert_eq!(told.summary.finish(), summary.finish());
        let told = told.agreement.summary();
        assert_eq!(told, agreement.summary());
        assert!(told.is_some_and(|told| !told.all.exact && told.all.requests == 558_000));
    }
}
