use super::{Key, Waiting};

/// Requests in one chunk at most: a binary search in one and a short move, both in near memory.
const CHUNK: usize = 32;

/// Waiting requests in the order of their addresses or cylinders; at one place, by arrival.
///
/// They are kept in short sorted chunks, so that little moves when one comes or goes, and nothing is
/// allocated once the queue has had its length.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    key: Key,
    /// None is empty but where nothing waits: then there is one at most.
    chunks: Vec<Vec<Waiting>>,
    /// Chunks that were emptied, for use again.
    spare: Vec<Vec<Waiting>>,
    length: usize,
}

/// A place between requests: chunk and index in it, never past the end of a chunk but the last's.
type Place = (usize, usize);

impl Sorted {
    pub(crate) fn new(key: Key) -> Self {
        Self { key, chunks: Vec::new(), spare: Vec::new(), length: 0 }
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
        if self.chunks.is_empty() {
            self.chunks.push(Vec::new());
        }
        let rank = self.rank(&waiting);
        // What is past every other goes into the last chunk.
        let chunk = self.chunk_of(rank).min(self.chunks.len() - 1);
        let chunk = if self.chunks[chunk].len() < CHUNK { chunk } else { self.split(chunk, rank) };
        let index = self.index_in(chunk, rank);
        self.chunks[chunk].insert(index, waiting);
    }

    /// Makes two of a full chunk; the one that `rank` belongs to.
    fn split(&mut self, chunk: usize, rank: (u64, u64)) -> usize {
        let mut upper = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(CHUNK));
        upper.extend(self.chunks[chunk].drain(CHUNK / 2..));
        let goes_up = self.rank(&upper[0]) < rank;
        self.chunks.insert(chunk + 1, upper);
        chunk + usize::from(goes_up)
    }

    #[inline]
    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let rank = self.rank(waiting);
        let place = self.place_of(rank);
        if self.rank(self.get(place)?) != rank {
            return None;
        }
        let (chunk, index) = place;
        let removed = self.chunks[chunk].remove(index);
        self.length -= 1;
        if self.chunks[chunk].is_empty() && self.chunks.len() > 1 {
            let emptied = self.chunks.remove(chunk);
            self.spare.push(emptied);
        }
        Some(removed)
    }

    /// The first request at or above `key`.
    #[inline]
    pub(crate) fn at_or_above(&self, key: u64) -> Option<&Waiting> {
        self.get(self.place_of((key, 0)))
    }

    /// The earliest of those at the highest place at or below `key`.
    #[inline]
    pub(crate) fn at_or_below(&self, key: u64) -> Option<&Waiting> {
        let above = match key.checked_add(1) {
            Some(next) => self.place_of((next, 0)),
            None => (self.chunks.len(), 0),
        };
        let (chunk, index) = self.before(above)?;
        self.at_or_above(self.key_of(&self.chunks[chunk][index]))
    }

    /// The lowest.
    pub(crate) fn lowest(&self) -> Option<&Waiting> {
        self.get((0, 0))
    }

    /// All at or above `key`, upwards.
    pub(crate) fn upwards(&self, key: u64) -> impl Iterator<Item = &Waiting> {
        let (chunk, index) = self.place_of((key, 0));
        let first = self.chunks.get(chunk).map_or(&[][..], |held| &held[index..]);
        let rest = self.chunks.get(chunk + 1..).unwrap_or_default();
        first.iter().chain(rest.iter().flatten())
    }

    /// All below `key`, downwards.
    pub(crate) fn downwards(&self, key: u64) -> impl Iterator<Item = &Waiting> {
        let (chunk, index) = self.place_of((key, 0));
        let first = self.chunks.get(chunk).map_or(&[][..], |held| &held[..index]);
        let below = self.chunks[..chunk].iter().rev().flat_map(|held| held.iter().rev());
        first.iter().rev().chain(below)
    }

    /// The chunk that holds the first request not below `rank`, or the number of chunks.
    #[inline]
    fn chunk_of(&self, rank: (u64, u64)) -> usize {
        let below = |held: &Vec<Waiting>| held.last().is_none_or(|last| self.rank(last) < rank);
        self.chunks.partition_point(below)
    }

    /// The place of the first request not below `rank`.
    #[inline]
    fn place_of(&self, rank: (u64, u64)) -> Place {
        let chunk = self.chunk_of(rank);
        (chunk, if chunk < self.chunks.len() { self.index_in(chunk, rank) } else { 0 })
    }

    #[inline]
    fn index_in(&self, chunk: usize, rank: (u64, u64)) -> usize {
        self.chunks[chunk].partition_point(|held| self.rank(held) < rank)
    }

    fn before(&self, (chunk, index): Place) -> Option<Place> {
        match index.checked_sub(1) {
            Some(index) => Some((chunk, index)),
            None => {
                let chunk = chunk.checked_sub(1)?;
                Some((chunk, self.chunks[chunk].len().checked_sub(1)?))
            }
        }
    }

    #[inline]
    fn get(&self, (chunk, index): Place) -> Option<&Waiting> {
        self.chunks.get(chunk)?.get(index)
    }
}
