//! Linux's `mq-deadline`.

use crate::scheduler::sorted::{Place, Sorted};
use crate::scheduler::{Key, Waiting};
use platterlab_units::{Operation, Span, Stamp};
use std::collections::VecDeque;

/// Linux's `mq-deadline`, after its documentation (`Documentation/block/deadline-iosched.rst`).
///
/// Requests are served in batches of reads or of writes, upwards. Deadlines are looked at between
/// batches alone. Reads go first, but waiting writes are passed over this many times and no more.
/// What the documentation leaves open is settled here: a batch continues from where the last one of
/// its kind ended, and begins with the oldest where that is late or nothing is left above; so
/// batches of one request are "first-come first-served", as it says there, among those that are
/// late. The classes of `ioprio` are not modelled.
#[derive(Clone, Debug)]
pub(crate) struct MqDeadline {
    /// Requests of a batch at most, at least 1.
    fifo_batch: u32,
    /// How many batches of reads may go before waiting writes.
    writes_starved: u32,
    reads: Way,
    writes: Way,
    /// The batch under way and what it has left.
    batch: (Operation, u32),
    /// Batches of reads that went before waiting writes.
    passed_over: u32,
}

/// What waits of one direction.
#[derive(Clone, Debug)]
struct Way {
    sorted: Sorted,
    /// With some that have left already.
    by_arrival: VecDeque<Waiting>,
    /// How long a request may wait.
    patience: Span,
    /// Where the last one served was.
    last: u64,
}

impl MqDeadline {
    /// Reads and writes wait for so long before a batch begins with them.
    pub(crate) fn new(patience: [Span; 2], fifo_batch: u32, writes_starved: u32) -> Self {
        Self {
            fifo_batch,
            writes_starved,
            reads: Way::new(patience[0]),
            writes: Way::new(patience[1]),
            batch: (Operation::Read, 0),
            passed_over: 0,
        }
    }

    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.way(waiting.operation).push(waiting);
    }

    pub(crate) fn pop(&mut self, now: Stamp) -> Option<Waiting> {
        let (operation, left) = self.batch;
        if left > 0
            && let Some(next) = self.way(operation).ahead()
        {
            self.batch = (operation, left - 1);
            return Some(self.way(operation).take(next));
        }
        if self.len() == 0 {
            return None;
        }
        let operation = self.turn();
        self.batch = (operation, self.fifo_batch - 1);
        self.way(operation).begin(now)
    }

    /// Whether reads or writes have the next batch; one of them waits.
    fn turn(&mut self) -> Operation {
        let (reads, writes) = (self.reads.sorted.len() > 0, self.writes.sorted.len() > 0);
        if reads && !(writes && self.passed_over >= self.writes_starved) {
            self.passed_over += u32::from(writes);
            return Operation::Read;
        }
        self.passed_over = 0;
        Operation::Write
    }

    fn way(&mut self, operation: Operation) -> &mut Way {
        match operation {
            Operation::Read => &mut self.reads,
            Operation::Write => &mut self.writes,
        }
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        self.way(waiting.operation).sorted.remove(waiting)
    }

    pub(crate) fn len(&self) -> usize {
        self.reads.sorted.len() + self.writes.sorted.len()
    }
}

impl Way {
    fn new(patience: Span) -> Self {
        Self { sorted: Sorted::new(Key::Lba), by_arrival: VecDeque::new(), patience, last: 0 }
    }

    fn push(&mut self, waiting: Waiting) {
        self.sorted.push(waiting);
        // What was held back comes with an earlier arrival.
        let after = self
            .by_arrival
            .iter()
            .rev()
            .take_while(|held| held.arrival.stamp() > waiting.arrival.stamp());
        let at = self.by_arrival.len() - after.count();
        self.by_arrival.insert(at, waiting);
    }

    /// The next upwards from the last one.
    fn ahead(&self) -> Option<Place> {
        self.sorted.at_or_above(self.last)
    }

    /// The first of a batch: the next upwards, or the oldest where that is late or nothing is above.
    fn begin(&mut self, now: Stamp) -> Option<Waiting> {
        while self.by_arrival.front().is_some_and(|first| !self.sorted.holds(first)) {
            self.by_arrival.pop_front();
        }
        let oldest = *self.by_arrival.front()?;
        match self.ahead() {
            Some(next) if now < oldest.arrival.stamp() + self.patience => Some(self.take(next)),
            _ => {
                self.last = oldest.lba;
                self.sorted.remove(&oldest)
            }
        }
    }

    fn take(&mut self, place: Place) -> Waiting {
        let taken = self.sorted.take(place);
        self.last = taken.lba;
        taken
    }
}
