use platterlab_units::Time;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Events to come, in the order of their times; at one time, in the order they were entered.
#[derive(Clone, Debug)]
pub(crate) struct Calendar<E> {
    heap: BinaryHeap<Entry<E>>,
    entered: u64,
}

/// Time and number in one word compare in one step.
#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    key: u128,
    event: E,
}

impl<E> Entry<E> {
    fn time(&self) -> Time {
        Time::from_ps((self.key >> 64) as u64)
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    // The heap gives the greatest first, so the earliest must be the greatest.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl<E: Copy> Calendar<E> {
    pub(crate) fn new() -> Self {
        Self { heap: BinaryHeap::new(), entered: 0 }
    }

    #[inline]
    pub(crate) fn enter(&mut self, at: Time, event: E) {
        let key = (u128::from(at.as_ps()) << 64) | u128::from(self.entered);
        self.entered += 1;
        self.heap.push(Entry { key, event });
    }

    /// When the next event is due.
    #[inline]
    pub(crate) fn next_time(&self) -> Option<Time> {
        self.heap.peek().map(Entry::time)
    }

    #[inline]
    pub(crate) fn take(&mut self) -> Option<(Time, E)> {
        self.heap.pop().map(|entry| (entry.time(), entry.event))
    }

    /// Events entered so far.
    pub(crate) fn entered(&self) -> u64 {
        self.entered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_in_the_order_entered() {
        let mut calendar = Calendar::new();
        for (at, event) in [(5, 'c'), (3, 'a'), (5, 'd'), (3, 'b'), (9, 'e')] {
            calendar.enter(Time::from_ps(at), event);
        }
        assert_eq!(calendar.next_time(), Some(Time::from_ps(3)));
        let order: String =
            std::iter::from_fn(|| calendar.take()).map(|(_, event)| event).collect();
        assert_eq!(order, "abcde");
        assert_eq!(calendar.entered(), 5);
    }
}
