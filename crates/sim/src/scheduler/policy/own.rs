//! A policy that somebody else decides by, held to the contract of all.

use crate::outside::{Chooser, WaitingRequest};
use crate::scheduler::Waiting;
use platterlab_units::Stamp;
use std::collections::VecDeque;

/// The requests that wait, in the order in which they came, and who decides among them.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    waiting: VecDeque<Waiting>,
    chooser: Box<dyn Chooser>,
}

impl Chosen {
    pub(crate) fn new(chooser: Box<dyn Chooser>) -> Self {
        Self { waiting: VecDeque::new(), chooser }
    }

    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.chooser.came(WaitingRequest {
            number: waiting.sequence,
            arrival: waiting.arrival.stamp(),
            lba: waiting.lba,
            sectors: waiting.sectors,
            operation: waiting.operation,
            cylinder: waiting.cylinder(),
        });
        self.waiting.push_back(waiting);
    }

    pub(crate) fn pop(&mut self, now: Stamp) -> Option<Waiting> {
        let first = self.waiting.front()?.sequence;
        let chosen = self.chooser.choose(now);
        chosen.and_then(|sequence| self.take(sequence)).or_else(|| self.lose(first))
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        self.lose(waiting.sequence)
    }

    fn lose(&mut self, sequence: u64) -> Option<Waiting> {
        let taken = self.take(sequence)?;
        self.chooser.gone(sequence);
        Some(taken)
    }

    fn take(&mut self, sequence: u64) -> Option<Waiting> {
        let at = self.waiting.iter().position(|one| one.sequence == sequence)?;
        self.waiting.remove(at)
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_units::Operation;
    use platterlab_workload::Criticality;

    /// Says one number for ever.
    #[derive(Clone, Debug)]
    struct Says(Option<u64>, Vec<u64>);

    impl Chooser for Says {
        fn came(&mut self, _: WaitingRequest) {}

        fn choose(&mut self, _: Stamp) -> Option<u64> {
            self.0
        }

        fn gone(&mut self, sequence: u64) {
            self.1.push(sequence);
        }

        fn twin(&self) -> Box<dyn Chooser> {
            Box::new(self.clone())
        }
    }

    fn waiting(sequence: u64) -> Waiting {
        Waiting {
            id: sequence as u32,
            sequence,
            arrival: platterlab_units::Moment::from(Stamp::ZERO),
            lba: 8 * sequence,
            sectors: 8,
            operation: Operation::Read,
            criticality: Criticality::Critical,
            order: None,
            place: None,
        }
    }

    #[test]
    fn nothing_is_lost_or_comes_twice_whatever_is_said() {
        for said in [None, Some(2), Some(99)] {
            let mut own = Chosen::new(Box::new(Says(said, Vec::new())));
            (0..4).for_each(|sequence| own.push(waiting(sequence)));
            let served: Vec<u64> =
                std::iter::from_fn(|| own.pop(Stamp::ZERO)).map(|one| one.sequence).collect();
            let first = if said == Some(2) { vec![2, 0, 1, 3] } else { vec![0, 1, 2, 3] };
            assert_eq!(served, first);
            assert_eq!(own.len(), 0);
        }
    }
}
