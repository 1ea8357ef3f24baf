use super::{Key, Waiting};

/// Entries in one chunk at most: a binary search in one and a short move, both in near memory.
const CHUNK: usize = 64;

/// Waiting requests in the order of their addresses or cylinders; at one place, by arrival.
///
/// The order is kept in short sorted chunks that point to the requests, so that little moves when
/// one comes or goes, and nothing is allocated once the queue has had its length.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    key: Key,
    chunks: Vec<Vec<Entry>>,
    /// Chunks that were emptied, for use again.
    spare: Vec<Vec<Entry>>,
    held: Vec<Waiting>,
    free: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    sequence: u64,
    at: u32,
}

impl Entry {
    #[inline]
    fn rank(&self) -> (u64, u64) {
        (self.key, self.sequence)
    }
}

/// A place between entries: chunk and index in it, never past the end of a chunk but the last's.
type Place = (usize, usize);

impl Sorted {
    pub(crate) fn new(key: Key) -> Self {
        Self { key, chunks: Vec::new(), spare: Vec::new(), held: Vec::new(), free: Vec::new() }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.held.len() - self.free.len()
    }

    #[inline]
    pub(crate) fn key_of(&self, waiting: &Waiting) -> u64 {
        match self.key {
            Key::Lba => waiting.lba,
            Key::Cylinder => u64::from(waiting.cylinder()),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, waiting: Waiting) {
        let (key, sequence) = (self.key_of(&waiting), waiting.sequence);
        let at = if let Some(at) = self.free.pop() {
            self.held[at as usize] = waiting;
            at
        } else {
            self.held.push(waiting);
            self.held.len() as u32 - 1
        };
        let entry = Entry { key, sequence, at };
        if self.chunks.is_empty() {
            self.chunks.push(Vec::new());
        }
        // What is past every entry goes into the last chunk.
        let chunk = self.chunk_of(entry.rank()).min(self.chunks.len() - 1);
        let chunk = if self.chunks[chunk].len() < CHUNK { chunk } else { self.split(chunk, entry) };
        let entries = &mut self.chunks[chunk];
        let index = entries.partition_point(|held| held.rank() < entry.rank());
        entries.insert(index, entry);
    }

    /// Makes two of a full chunk; the one that `entry` belongs to.
    fn split(&mut self, chunk: usize, entry: Entry) -> usize {
        let mut upper = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(CHUNK));
        upper.extend(self.chunks[chunk].drain(CHUNK / 2..));
        let goes_up = upper[0].rank() < entry.rank();
        self.chunks.insert(chunk + 1, upper);
        chunk + usize::from(goes_up)
    }

    #[inline]
    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let rank = (self.key_of(waiting), waiting.sequence);
        let (chunk, index) = self.place_of(rank);
        let entry = *self.chunks.get(chunk)?.get(index)?;
        if entry.rank() != rank {
            return None;
        }
        let entries = &mut self.chunks[chunk];
        entries.remove(index);
        if entries.is_empty() && self.chunks.len() > 1 {
            let emptied = self.chunks.remove(chunk);
            self.spare.push(emptied);
        }
        if entry.at as usize + 1 == self.held.len() {
            return self.held.pop();
        }
        self.free.push(entry.at);
        Some(self.held[entry.at as usize])
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
        self.at_or_above(self.chunks[chunk][index].key)
    }

    /// The lowest.
    pub(crate) fn lowest(&self) -> Option<&Waiting> {
        self.get((0, 0))
    }

    /// All at or above `key`, upwards.
    pub(crate) fn upwards(&self, key: u64) -> impl Iterator<Item = &Waiting> {
        let (chunk, index) = self.place_of((key, 0));
        let first = self.chunks.get(chunk).map_or(&[][..], |entries| &entries[index..]);
        let rest = self.chunks.get(chunk + 1..).unwrap_or_default();
        first.iter().chain(rest.iter().flatten()).map(|entry| &self.held[entry.at as usize])
    }

    /// All below `key`, downwards.
    pub(crate) fn downwards(&self, key: u64) -> impl Iterator<Item = &Waiting> {
        let (chunk, index) = self.place_of((key, 0));
        let first = self.chunks.get(chunk).map_or(&[][..], |entries| &entries[..index]);
        let below = self.chunks[..chunk].iter().rev().flat_map(|entries| entries.iter().rev());
        first.iter().rev().chain(below).map(|entry| &self.held[entry.at as usize])
    }

    /// The chunk that holds the first entry not below `rank`, or the number of chunks.
    #[inline]
    fn chunk_of(&self, rank: (u64, u64)) -> usize {
        self.chunks.partition_point(|entries| entries.last().is_none_or(|last| last.rank() < rank))
    }

    /// The place of the first entry not below `rank`.
    #[inline]
    fn place_of(&self, rank: (u64, u64)) -> Place {
        let chunk = self.chunk_of(rank);
        let index = self
            .chunks
            .get(chunk)
            .map_or(0, |entries| entries.partition_point(|held| held.rank() < rank));
        (chunk, index)
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
        let entry = self.chunks.get(chunk)?.get(index)?;
        Some(&self.held[entry.at as usize])
    }
}
