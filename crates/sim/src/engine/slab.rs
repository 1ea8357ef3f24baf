//! A store of what is in flight, by small numbers that are used again.

use std::ops::{Index, IndexMut};

/// Things in flight under small numbers that are used again: memory follows what is in flight, not
/// how much there ever was.
#[derive(Clone, Debug)]
pub(crate) struct Slab<T> {
    cells: Vec<T>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(crate) fn new() -> Self {
        Self { cells: Vec::new(), free: Vec::new() }
    }

    #[inline]
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        if let Some(index) = self.free.pop() {
            self.cells[index as usize] = value;
            index
        } else {
            let index = u32::try_from(self.cells.len()).expect("fewer than 2^32 are in flight");
            self.cells.push(value);
            index
        }
    }

    /// Gives the number back; what it held stays until the number is used again.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32) {
        self.free.push(index);
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: u32) -> &T {
        &self.cells[index as usize]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.cells[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again() {
        let mut slab = Slab::new();
        let (a, b) = (slab.insert('a'), slab.insert('b'));
        slab.remove(a);
        assert_eq!(slab.insert('c'), a);
        assert_eq!((slab[a], slab[b]), ('c', 'b'));
    }
}
