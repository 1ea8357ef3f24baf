//! Puts requests that a file has in another order in that of their arrival, within bounds.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::Record;

/// The most requests held back.
const MOST_HELD: usize = 1 << 17;
/// How far a row's own time may lie before that of a row above it, in picoseconds.
const DISORDER_PS: u128 = 1_000_000_000_000;

/// Requests on their way, the first to have arrived on top.
#[derive(Default)]
pub(super) struct InOrder {
    held: BinaryHeap<Held>,
    /// Rows taken.
    taken: u64,
    /// How the file is put in order.
    advice: String,
    /// The latest time of a row, and of an arrival.
    clock_ps: u128,
    latest_ps: u128,
    /// The arrival let go last.
    let_go_ps: u128,
}

struct Held {
    number: u64,
    record: Record,
}

impl InOrder {
    /// Without a row yet. `advice` says how a file is put in order.
    pub(super) fn new(advice: String) -> Self {
        Self { advice, ..Self::default() }
    }

    /// Takes a row stamped `row_ps`; true if it arrived before one above it.
    ///
    /// # Errors
    /// It came too late to be put in its place.
    pub(super) fn take(&mut self, row_ps: u128, record: Record) -> Result<bool, String> {
        let back_ps = self.clock_ps.saturating_sub(row_ps);
        if back_ps > DISORDER_PS {
            let back_ms = back_ps as f64 / 1e9;
            return Err(format!(
                "time runs backwards: this row is {back_ms} ms before one above it; {}",
                self.advice
            ));
        }
        let arrival_ps = record.arrival.as_ps();
        if arrival_ps < self.let_go_ps {
            return Err(format!(
                "this request came before one that {MOST_HELD} rows separate from it; sort the file \
                 by the time of arrival"
            ));
        }
        self.clock_ps = self.clock_ps.max(row_ps);
        let late = arrival_ps < self.latest_ps;
        self.latest_ps = self.latest_ps.max(arrival_ps);
        self.held.push(Held { number: self.taken, record });
        self.taken += 1;
        Ok(late)
    }

    /// The next in order of arrival. With `by_arrival` rows are stamped with their arrival, so that
    /// one can go once the clock is far enough ahead; at the `end` all can.
    pub(super) fn pop(&mut self, by_arrival: bool, end: bool) -> Option<Record> {
        let first_ps = self.held.peek()?.record.arrival.as_ps();
        let due = by_arrival && first_ps + DISORDER_PS < self.clock_ps;
        if !(end || due || self.held.len() > MOST_HELD) {
            return None;
        }
        self.let_go_ps = first_ps;
        self.held.pop().map(|held| held.record)
    }
}

impl Ord for Held {
    /// The earlier, and of two at once the one above, is the greater: a heap gives the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |held: &Self| (held.record.arrival, held.number);
        key(other).cmp(&key(self))
    }
}

impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Held {}
