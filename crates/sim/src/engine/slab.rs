//! A store of what is in flight, by small numbers that are used again.

use std::ops::{Index, IndexMut};

/// Things in flight under small numbers that are used again: memory follows what is in flight, not
/// how much there ever was.
#[derive(Clone, Debug)]
pub(crate) struct Slab<T> {
    cells: Vec<T>,
    /// The number that was given back last, and in its cell the one before it.
    free: u32,
}

/// What a [`Slab`] can hold.
pub(crate) trait Cell {
    /// A part of it that means nothing once its number is given back.
    fn spare(&mut self) -> &mut u32;
}

const NONE: u32 = u32::MAX;

/// Room to ask for before something is added, if many are held and there is none: so much that it comes
/// fresh from the system, which gives memory as it is touched and takes all of it back. Grown bit by
/// bit, what holds millions would leave holes as large as itself.
pub(crate) fn room_for_more<T>(held: usize, capacity: usize) -> Option<usize> {
    const MANY: usize = 1 << 16;
    const FRESH_BYTES: usize = 64 << 20;
    (held == capacity && held >= MANY).then(|| held.max(FRESH_BYTES / size_of::<T>()))
}

impl<T: Cell> Slab<T> {
    pub(crate) fn new() -> Self {
        Self { cells: Vec::new(), free: NONE }
    }

    #[inline]
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        if let Some(cell) = self.cells.get_mut(self.free as usize) {
            let next = *cell.spare();
            *cell = value;
            std::mem::replace(&mut self.free, next)
        } else {
            let index = u32::try_from(self.cells.len()).expect("fewer than 2^32 are in flight");
            if let Some(more) = room_for_more::<T>(self.cells.len(), self.cells.capacity()) {
                self.cells.reserve_exact(more);
            }
            self.cells.push(value);
            index
        }
    }

    /// Gives the number back; what it held stays until the number is used again, but for its spare
    /// part.
    #[inline]
    pub(crate) fn remove(&mut self, index: u32) {
        *self.cells[index as usize].spare() = std::mem::replace(&mut self.free, index);
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

    impl Cell for (char, u32) {
        fn spare(&mut self) -> &mut u32 {
            &mut self.1
        }
    }

    #[test]
    fn numbers_are_used_again_the_last_first() {
        let mut slab = Slab::new();
        let [a, b, c] = ['a', 'b', 'c'].map(|name| slab.insert((name, 7)));
        slab.remove(a);
        slab.remove(c);
        assert_eq!(slab[a].0, 'a');
        let again = ['d', 'e', 'f'].map(|name| slab.insert((name, 8)));
        assert_eq!((again, slab[b], slab[c]), ([c, a, 3], ('b', 7), ('d', 8)));
    }
}
