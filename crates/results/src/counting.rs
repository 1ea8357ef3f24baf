//! The figures of a replay, which a thread of their own keeps: what they are counted in does not fit
//! in a cache beside the drive.

use crate::{Agreement, Row, SummaryBuilder};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Rows that are handed over together, to this thread and to others.
type Piece = Arc<Vec<Row>>;

/// How many pieces may wait.
const WAITING: usize = 4;

/// What rows come to.
#[derive(Clone, Debug)]
pub struct Figures {
    /// Of all of them.
    pub summary: SummaryBuilder,
    /// Of those after the warm-up whose service was measured.
    pub agreement: Agreement,
    /// Rows of the warm-up that are still to come.
    warming: u64,
}

impl Figures {
    /// Of no rows yet; `summary` has none either, and the first `warm_up` are left out.
    #[must_use]
    pub fn new(summary: SummaryBuilder, warm_up: u64) -> Self {
        Self { summary, agreement: Agreement::default(), warming: warm_up }
    }

    fn add(&mut self, rows: &[Row]) {
        rows.iter().for_each(|row| self.summary.add(row));
        let warming = usize::try_from(self.warming).map_or(rows.len(), |some| some.min(rows.len()));
        self.warming -= warming as u64;
        for row in &rows[warming..] {
            if let Some(measured) = row.measured {
                self.agreement.add(row.operation, row.service().as_ms(), measured.as_ms());
            }
        }
    }
}

/// [`Figures`] that are told on one thread and kept on another: the same to the last bit, as
/// everything is added in the same order.
#[derive(Debug)]
pub struct Counting {
    kept: Arc<Mutex<Figures>>,
    beside: Option<(SyncSender<Piece>, JoinHandle<()>)>,
}

impl Counting {
    /// Goes on from there.
    #[must_use]
    pub fn new(figures: Figures) -> Self {
        Self { kept: Arc::new(Mutex::new(figures)), beside: None }
    }

    /// Adds rows.
    pub fn add(&mut self, rows: &Arc<Vec<Row>>) {
        if self.beside.is_none() {
            self.begin();
        }
        match &self.beside {
            // Only a thread that panicked takes none, which is heard when it is asked.
            Some((pieces, _)) => drop(pieces.send(Arc::clone(rows))),
            None => locked(&self.kept).add(rows),
        }
    }

    /// Where there can be no thread, this one does it.
    fn begin(&mut self) {
        let (sender, pieces) = sync_channel::<Piece>(WAITING);
        let kept = Arc::clone(&self.kept);
        let thread = std::thread::Builder::new().name("figures".into());
        let thread = thread.spawn(move || pieces.iter().for_each(|rows| locked(&kept).add(&rows)));
        self.beside = thread.ok().map(|thread| (sender, thread));
    }

    /// What all rows so far come to.
    pub fn figures(&mut self) -> MutexGuard<'_, Figures> {
        if let Some((pieces, thread)) = self.beside.take() {
            drop(pieces);
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
        locked(&self.kept)
    }
}

/// A panic while it was locked has been passed on.
fn locked(figures: &Mutex<Figures>) -> MutexGuard<'_, Figures> {
    figures.lock().unwrap_or_else(PoisonError::into_inner)
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

    #[test]
    fn beside_it_is_the_same_to_the_last_bit() {
        const WARM_UP: u64 = 1_000;
        let summary = || SummaryBuilder::new(&["miss"], 512, WARM_UP);
        let mut beside = Counting::new(Figures::new(summary(), WARM_UP));
        let (mut alone, mut agreement) = (summary(), Agreement::default());
        assert_eq!(beside.figures().agreement.summary(), None);
        for piece in 0..700 {
            let rows: Vec<Row> = (1_000 * piece..1_000 * (piece + 1)).map(row).collect();
            for row in &rows {
                alone.add(row);
                if let Some(measured) = row.measured.filter(|_| row.request >= WARM_UP) {
                    agreement.add(row.operation, row.service().as_ms(), measured.as_ms());
                }
            }
            beside.add(&Arc::new(rows));
            // Asked on the way, it goes on.
            if piece == 100 {
                assert_eq!(beside.figures().agreement.summary(), agreement.summary());
            }
        }
        let told = beside.figures();
        assert_eq!(told.summary.finish(), alone.finish());
        assert_eq!(told.agreement.summary(), agreement.summary());
        let told = told.agreement.summary();
        assert!(told.is_some_and(|told| !told.all.exact && told.all.requests == 559_200));
    }
}
