//! A hash table of fixed size from cache keys to slots.

/// A line of a device: the device and the line's number on it.
pub(super) type LineKey = (u32, u64);

const EMPTY: u32 = u32::MAX;

/// Finds things by their keys; open addressing in cells that are there from the start.
#[derive(Clone, Debug)]
pub(super) struct Table {
    cells: Vec<(LineKey, u32)>,
}

impl Table {
    /// For up to `count` keys.
    pub(super) fn new(count: usize) -> Self {
        Self { cells: vec![((0, 0), EMPTY); (2 * count + 2).next_power_of_two()] }
    }

    fn home(&self, (device, number): LineKey) -> usize {
        let mixed = (number ^ (u64::from(device) << 40)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.cells.len() - 1)
    }

    fn find(&self, key: LineKey) -> usize {
        let mut at = self.home(key);
        while self.cells[at].1 != EMPTY && self.cells[at].0 != key {
            at = (at + 1) & (self.cells.len() - 1);
        }
        at
    }

    pub(super) fn get(&self, key: LineKey) -> Option<u32> {
        let (_, value) = self.cells[self.find(key)];
        (value != EMPTY).then_some(value)
    }

    pub(super) fn insert(&mut self, key: LineKey, value: u32) {
        let at = self.find(key);
        self.cells[at] = (key, value);
    }

    pub(super) fn remove(&mut self, key: LineKey) {
        let mask = self.cells.len() - 1;
        let mut hole = self.find(key);
        self.cells[hole].1 = EMPTY;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let (key, value) = self.cells[at];
            if value == EMPTY {
                return;
            }
            // What would not be found any more over the hole moves into it.
            let from_home = at.wrapping_sub(self.home(key)) & mask;
            if from_home >= (at.wrapping_sub(hole) & mask) {
                self.cells[hole] = self.cells[at];
                self.cells[at].1 = EMPTY;
                hole = at;
            }
        }
    }
}
