//! The event calendar: ordered by time, then by sequence number.

use super::room_for_more;
use platterlab_units::Stamp;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Events to come, in the order of their times; at one time, in the order they were entered.
#[derive(Clone, Debug)]
pub(crate) struct Calendar<E: Copy> {
    heap: BinaryHeap<Entry<E>>,
    entered: u64,
    /// The number of the next event among those of its time.
    number: u32,
    /// When the event that was taken last was due: none is entered before it.
    #[cfg(debug_assertions)]
    taken: Stamp,
}

/// Time and number in one word compare in one step: 96 bits are picoseconds, two billion years.
/// Packed, as there may be one for each of very many processes.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed(8))]
struct Entry<E: Copy> {
    key: u128,
    event: E,
}

impl<E: Copy> Entry<E> {
    fn time(&self) -> Stamp {
        Stamp::from_ps(self.key >> u32::BITS)
    }
}

impl<E: Copy> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E: Copy> Eq for Entry<E> {}

impl<E: Copy> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E: Copy> Ord for Entry<E> {
    // The heap gives the greatest first, so the earliest must be the greatest.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        { other.key }.cmp(&{ self.key })
    }
}

impl<E: Copy> Calendar<E> {
    pub(crate) fn new() -> Self {
        Self {
            heap: BinaryHeap::new(),
            entered: 0,
            number: 0,
            #[cfg(debug_assertions)]
            taken: Stamp::ZERO,
        }
    }

    #[inline]
    #[track_caller]
    pub(crate) fn enter(&mut self, at: Stamp, event: E) {
        debug_assert!(at <= LAST, "{at:?} is beyond what a calendar holds");
        #[cfg(debug_assertions)]
        assert!(at >= self.taken, "an event at {at:?} is entered, and {:?} has passed", self.taken);
        if self.number == u32::MAX {
            self.renumber();
        }
        let key = (at.as_ps() << u32::BITS) | u128::from(self.number);
        self.entered += 1;
        self.number += 1;
        if let Some(more) = room_for_more::<Entry<E>>(self.heap.len(), self.heap.capacity()) {
            self.heap.reserve_exact(more);
        }
        self.heap.push(Entry { key, event });
    }

    /// Gives what is still to come the first numbers, in the same order.
    #[cold]
    fn renumber(&mut self) {
        let mut entries = std::mem::take(&mut self.heap).into_vec();
        entries.sort_unstable_by_key(|entry| entry.key);
        for (number, entry) in (0_u32..).zip(&mut entries) {
            entry.key = (entry.key >> u32::BITS << u32::BITS) | u128::from(number);
        }
        self.number = entries.len() as u32;
        self.heap = entries.into();
    }

    /// When the next event is due.
    #[inline]
    pub(crate) fn next_time(&self) -> Option<Stamp> {
        self.heap.peek().map(Entry::time)
    }

    /// Takes out the next event.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<E> {
        let entry = self.heap.pop()?;
        #[cfg(debug_assertions)]
        {
            self.taken = entry.time();
        }
        Some(entry.event)
    }

    /// Gives memory back once far fewer are to come than there were.
    #[inline]
    pub(crate) fn trim(&mut self) {
        const FEW: usize = 1 << 16;
        if self.heap.capacity() > FEW && self.heap.len() < self.heap.capacity() / 8 {
            self.heap.shrink_to(self.heap.len() * 2);
        }
    }

    /// Events entered so far.
    pub(crate) fn entered(&self) -> u64 {
        self.entered
    }
}

/// The last instant that a calendar holds.
pub(crate) const LAST: Stamp = Stamp::from_ps((1 << 96) - 1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_run_out_begin_anew_in_the_same_order() {
        let mut calendar = Calendar::new();
        calendar.number = u32::MAX - 2;
        for event in 'a'..='f' {
            calendar.enter(Stamp::from_ps(u128::from(event > 'c')), event);
        }
        calendar.enter(LAST, 'z');
        let order: String = std::iter::from_fn(|| calendar.take()).collect();
        assert_eq!((order.as_str(), calendar.entered()), ("abcdefz", 7));
    }

    #[test]
    fn events_come_by_time_and_then_in_the_order_entered() {
        let mut calendar = Calendar::new();
        for (at, event) in [(5, 'c'), (3, 'a'), (5, 'd'), (3, 'b'), (9, 'e')] {
            calendar.enter(Stamp::from_ps(at), event);
        }
        assert_eq!(calendar.next_time(), Some(Stamp::from_ps(3)));
        let order: String = std::iter::from_fn(|| calendar.take()).collect();
        assert_eq!(order, "abcde");
        assert_eq!(calendar.entered(), 5);
    }
}
