//! Waiting requests, sorted by address or cylinder.

use super::{Key, Waiting};

/// Requests in one chunk at most: a binary search in one and a short move, both in near memory.
const CHUNK: usize = 32;

/// Waiting requests in the order of their addresses or cylinders; at one place, by arrival.
///
/// They are kept in short sorted chunks, so that little moves when one comes or goes, and nothing is
/// allocated once the queue has had its length. The first chunk is at hand without going through a
/// list of them, as it is all there is of most queues.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    key: Key,
    /// The lowest; empty only where nothing waits.
    first: Vec<Waiting>,
    /// The others. None is empty.
    others: Vec<Vec<Waiting>>,
    /// Chunks that were emptied, for use again.
    spare: Vec<Vec<Waiting>>,
    length: usize,
}

/// A place between requests: chunk and index in it, never past the end of a chunk but the last's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    chunk: usize,
    index: usize,
}

impl Sorted {
    pub(crate) fn new(key: Key) -> Self {
        let (first, others, spare) = (Vec::new(), Vec::new(), Vec::new());
        Self { key, first, others, spare, length: 0 }
    }

    #[inline]
    fn chunk(&self, chunk: usize) -> &Vec<Waiting> {
        if chunk == 0 { &self.first } else { &self.others[chunk - 1] }
    }

    #[inline]
    fn chunk_mut(&mut self, chunk: usize) -> &mut Vec<Waiting> {
        if chunk == 0 { &mut self.first } else { &mut self.others[chunk - 1] }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    #[inline]
    pub(crate) fn key_of(&self, waiting: &Waiting) -> u64 {
        match self.key {
            Key::Lba => waiting.lba,
            Key::Cylinder => u64::from(waiting.cylinder()),
        }
    }

    #[inline]
    fn rank(&self, waiting: &Waiting) -> (u64, u64) {
        (self.key_of(waiting), waiting.sequence)
    }

    #[inline]
    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.length += 1;
        let rank = self.rank(&waiting);
        let chunk = self.chunk_of(rank);
        let chunk = if self.chunk(chunk).len() < CHUNK { chunk } else { self.split(chunk, rank) };
        let index = self.index_in(chunk, rank);
        self.chunk_mut(chunk).insert(index, waiting);
    }

    /// Makes two of a full chunk; the one that `rank` belongs to.
    fn split(&mut self, chunk: usize, rank: (u64, u64)) -> usize {
        let mut upper = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(CHUNK));
        upper.extend(self.chunk_mut(chunk).drain(CHUNK / 2..));
        let goes_up = self.rank(&upper[0]) < rank;
        self.others.insert(chunk, upper);
        chunk + usize::from(goes_up)
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let rank = self.rank(waiting);
        let place = self.place_of(rank);
        (self.rank(self.get(place)?) == rank).then(|| self.take(place))
    }

    /// Whether a request is here.
    #[inline]
    pub(crate) fn holds(&self, waiting: &Waiting) -> bool {
        let rank = self.rank(waiting);
        self.get(self.place_of(rank)).is_some_and(|held| self.rank(held) == rank)
    }

    /// Takes out the request at a place where there is one.
    #[inline]
    pub(crate) fn take(&mut self, Place { chunk, index }: Place) -> Waiting {
        self.length -= 1;
        let taken = self.chunk_mut(chunk).remove(index);
        if !self.others.is_empty() && self.chunk(chunk).is_empty() {
            let next = self.others.remove(chunk.saturating_sub(1));
            let emptied = if chunk == 0 { std::mem::replace(&mut self.first, next) } else { next };
            self.spare.push(emptied);
        }
        taken
    }

    /// The first request at or above `key`.
    #[inline]
    pub(crate) fn at_or_above(&self, key: u64) -> Option<Place> {
        let place = self.place_of((key, 0));
        self.get(place).map(|_| place)
    }

    /// The earliest of those at the highest place at or below `key`.
    #[inline]
    pub(crate) fn at_or_below(&self, key: u64) -> Option<Place> {
        let above = match key.checked_add(1) {
            Some(next) => self.place_of((next, 0)),
            None => Place { chunk: self.others.len() + 1, index: 0 },
        };
        let last = self.before(above)?;
        let key = self.key_at(last);
        match self.before(last) {
            Some(earlier) if self.key_at(earlier) == key => Some(self.place_of((key, 0))),
            _ => Some(last),
        }
    }

    /// The lowest.
    #[inline]
    pub(crate) fn lowest(&self) -> Option<Place> {
        (self.length > 0).then_some(Place { chunk: 0, index: 0 })
    }

    /// The key of the request at a place where there is one.
    #[inline]
    pub(crate) fn key_at(&self, Place { chunk, index }: Place) -> u64 {
        self.key_of(&self.chunk(chunk)[index])
    }

    /// All at or above `key`, upwards.
    pub(crate) fn upwards(&self, key: u64) -> impl Iterator<Item = &Waiting> {
        let Place { chunk, index } = self.place_of((key, 0));
        self.chunk(chunk)[index..].iter().chain(self.others[chunk..].iter().flatten())
    }

    /// All below `key`, downwards.
    pub(crate) fn downwards(&self, key: u64) -> impl Iterator<Item = &Waiting> {
        let Place { chunk, index } = self.place_of((key, 0));
        let below = (0..chunk).rev().flat_map(|chunk| self.chunk(chunk).iter().rev());
        self.chunk(chunk)[..index].iter().rev().chain(below)
    }

    /// The chunk that holds the first request not below `rank`, or the last one.
    #[inline]
    fn chunk_of(&self, rank: (u64, u64)) -> usize {
        let below = |held: &Vec<Waiting>| held.last().is_none_or(|last| self.rank(last) < rank);
        match self.others.as_slice() {
            // What is past every other belongs to the last chunk.
            [between @ .., _] if below(&self.first) => 1 + between.partition_point(below),
            _ => 0,
        }
    }

    /// The place of the first request not below `rank`.
    #[inline]
    fn place_of(&self, rank: (u64, u64)) -> Place {
        let chunk = self.chunk_of(rank);
        Place { chunk, index: self.index_in(chunk, rank) }
    }

    #[inline]
    fn index_in(&self, chunk: usize, rank: (u64, u64)) -> usize {
        self.chunk(chunk).partition_point(|held| self.rank(held) < rank)
    }

    #[inline]
    fn before(&self, Place { chunk, index }: Place) -> Option<Place> {
        if let Some(index) = index.checked_sub(1) {
            return Some(Place { chunk, index });
        }
        let chunk = chunk.checked_sub(1)?;
        Some(Place { chunk, index: self.chunk(chunk).len().checked_sub(1)? })
    }

    #[inline]
    fn get(&self, Place { chunk, index }: Place) -> Option<&Waiting> {
        self.chunk(chunk).get(index)
    }
}
