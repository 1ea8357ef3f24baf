//! An agreement that a thread of its own keeps: what it counts in does not fit in a cache.

use crate::{Agreement, Row};
use platterlab_units::{Lapse, Operation, Span};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Requests that are handed over together.
const TOGETHER: usize = 1 << 14;
/// How many times that may wait.
const WAITING: usize = 2;

/// An [`Agreement`] that is told on one thread and kept on another: the same figures, as everything
/// is added in the same order.
#[derive(Debug, Default)]
pub struct Agreeing {
    held: Vec<Pair>,
    beside: Option<(SyncSender<Vec<Pair>>, JoinHandle<Agreement>)>,
    /// What was there when it was last asked for.
    agreement: Agreement,
}

/// Operation, simulated and measured service time.
type Pair = (Operation, Lapse, Span);

impl Agreeing {
    /// Adds a row, if its service time was measured.
    #[inline]
    pub fn add(&mut self, row: &Row) {
        if let Some(measured) = row.measured {
            self.held.push((row.operation, row.service(), measured));
            if self.held.len() >= TOGETHER {
                self.hand_over();
            }
        }
    }

    #[cold]
    fn hand_over(&mut self) {
        let pairs = std::mem::replace(&mut self.held, Vec::with_capacity(TOGETHER));
        if self.beside.is_none() {
            self.begin();
        }
        match &self.beside {
            // Only a thread that panicked takes none, which is heard when it is asked.
            Some((pieces, _)) => drop(pieces.send(pairs)),
            None => add(&mut self.agreement, &pairs),
        }
    }

    /// Where there can be no thread, this one does it.
    fn begin(&mut self) {
        let (sender, pieces) = sync_channel::<Vec<Pair>>(WAITING);
        let mut agreement = self.agreement.clone();
        let thread = std::thread::Builder::new().name("agreement".into()).spawn(move || {
            pieces.iter().for_each(|pairs| add(&mut agreement, &pairs));
            agreement
        });
        self.beside = thread.ok().map(|thread| (sender, thread));
    }

    /// What all requests so far come to.
    pub fn agreement(&mut self) -> &Agreement {
        if let Some((pieces, thread)) = self.beside.take() {
            drop(pieces);
            match thread.join() {
                Ok(agreement) => self.agreement = agreement,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        add(&mut self.agreement, &std::mem::take(&mut self.held));
        &self.agreement
    }
}

fn add(agreement: &mut Agreement, pairs: &[Pair]) {
    for (operation, simulated, measured) in pairs {
        agreement.add(*operation, simulated.as_ms(), measured.as_ms());
    }
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
    fn beside_it_is_the_same_to_the_last_bit() {
        let mut beside = Agreeing::default();
        let mut alone = Agreement::default();
        assert_eq!(beside.agreement().summary(), None);
        for number in 0..700_000 {
            let row = row(number);
            beside.add(&row);
            if let Some(measured) = row.measured {
                alone.add(row.operation, row.service().as_ms(), measured.as_ms());
            }
            // Asked on the way, it goes on.
            if number == 100_000 {
                assert_eq!(beside.agreement().summary(), alone.summary());
            }
        }
        let told = beside.agreement().summary();
        assert_eq!(told, alone.summary());
        assert!(told.is_some_and(|told| !told.all.exact && told.all.requests == 560_000));
    }
}
