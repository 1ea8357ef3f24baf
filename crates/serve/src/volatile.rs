//! Data that clients wrote and a power cut takes back: what is not on the media yet.

use crate::store::Store;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// What was written to some bytes.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// These.
    Bytes(Arc<[u8]>),
    /// Zeros, in whose place there may be a hole.
    Zeros {
        /// Whether there may.
        may_punch: bool,
    },
}

impl Data {
    /// Puts so many of the bytes, from `from` on, in the store.
    pub(crate) fn settle(
        &self,
        store: &Store,
        at: u64,
        (from, length): (usize, usize),
    ) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => store.write(at, &bytes[from..from + length]),
            &Self::Zeros { may_punch } => store.zero(at, length as u64, may_punch),
        }
    }
}

/// Bytes with the same history.
#[derive(Clone, Debug)]
struct Piece {
    end: u64,
    data: Data,
    /// Where in the data it begins.
    from: usize,
    /// The request that wrote it, until it is answered.
    task: Option<u64>,
}

/// What is not on the media, by the first byte of each piece; pieces do not overlap.
#[derive(Debug, Default)]
pub(crate) struct Volatile {
    pieces: BTreeMap<u64, Piece>,
}

impl Volatile {
    /// Holds what a request in flight wrote, instead of what was there.
    pub(crate) fn put(&mut self, first: u64, end: u64, data: Data, task: u64) {
        self.remove(first, end, |_| true);
        self.pieces.insert(first, Piece { end, data, from: 0, task: Some(task) });
    }

    /// Whether anything of these bytes is held.
    pub(crate) fn overlaps(&self, first: u64, end: u64) -> bool {
        self.pieces.range(..end).next_back().is_some_and(|(_, piece)| piece.end > first)
    }

    /// Puts what is held over what was read from `first` on.
    pub(crate) fn overlay(&self, first: u64, out: &mut [u8]) {
        let end = first + out.len() as u64;
        for (&at, piece) in self.pieces.range(..end).rev() {
            if piece.end <= first {
                return;
            }
            let (from, to) = (at.max(first), piece.end.min(end));
            let place = &mut out[(from - first) as usize..(to - first) as usize];
            match &piece.data {
                Data::Bytes(bytes) => {
                    let skip = piece.from + (from - at) as usize;
                    place.copy_from_slice(&bytes[skip..skip + place.len()]);
                }
                Data::Zeros { .. } => place.fill(0),
            }
        }
    }

    /// A request was answered: what it wrote is held for as long as the drive holds it.
    pub(crate) fn answered(&mut self, first: u64, end: u64, task: u64) {
        for (_, piece) in self.pieces.range_mut(first..end) {
            if piece.task == Some(task) {
                piece.task = None;
            }
        }
    }

    /// Holds no more what a request wrote to these bytes.
    pub(crate) fn forget(&mut self, first: u64, end: u64, task: u64) {
        self.remove(first, end, |piece| piece.task == Some(task));
    }

    /// Puts in the store what was answered and is in none of the `unwritten` runs of bytes, and holds
    /// it no more.
    ///
    /// # Errors
    /// What the store says: all of that piece is still held.
    pub(crate) fn settle(
        &mut self,
        store: &Store,
        unwritten: &mut Vec<(u64, u64)>,
    ) -> io::Result<()> {
        unwritten.sort_unstable();
        for &(first, end) in &*unwritten {
            self.split(first);
            self.split(end);
        }
        let waits = |at: u64| {
            // Runs may overlap, so that the last that begins before need not be the longest.
            let before = unwritten.partition_point(|&(first, _)| first <= at);
            unwritten[..before].iter().any(|&(_, end)| end > at)
        };
        let done: Vec<u64> = self
            .pieces
            .iter()
            .filter(|&(&at, piece)| piece.task.is_none() && !waits(at))
            .map(|(&at, _)| at)
            .collect();
        for at in done {
            let Some(Piece { end, data, from, .. }) = self.pieces.get(&at) else { continue };
            data.settle(store, at, (*from, (end - at) as usize))?;
            self.pieces.remove(&at);
        }
        Ok(())
    }

    /// Bytes that are held of requests that were answered.
    pub(crate) fn bytes(&self) -> u64 {
        let answered = self.pieces.iter().filter(|(_, piece)| piece.task.is_none());
        answered.map(|(at, piece)| piece.end - at).sum()
    }

    /// Pieces that are held.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    fn remove(&mut self, first: u64, end: u64, which: impl Fn(&Piece) -> bool) {
        if !self.overlaps(first, end) {
            return;
        }
        self.split(first);
        self.split(end);
        let gone: Vec<u64> = self
            .pieces
            .range(first..end)
            .filter(|(_, piece)| which(piece))
            .map(|(&at, _)| at)
            .collect();
        for at in gone {
            self.pieces.remove(&at);
        }
    }

    /// Has a piece begin at `at`, if any lies there.
    fn split(&mut self, at: u64) {
        let Some((&first, piece)) = self.pieces.range_mut(..at).next_back() else { return };
        if piece.end <= at {
            return;
        }
        let mut rest = piece.clone();
        piece.end = at;
        if let Data::Bytes(_) = rest.data {
            rest.from += (at - first) as usize;
        }
        self.pieces.insert(at, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(length: u64, value: u8) -> Data {
        Data::Bytes(vec![value; length as usize].into())
    }

    /// What a client reads.
    fn seen(store: &Store, held: &Volatile) -> Vec<u8> {
        let mut out = Vec::new();
        store.read(0, 64, &mut out).unwrap();
        held.overlay(0, &mut out);
        out
    }

    proptest! {
        /// Bytes are what was written last, wherever they are held; and what settles is what the
        /// device has, byte for byte.
        #[test]
        fn held_and_settled_are_what_was_written(
            writes in prop::collection::vec((0_u64..64, 1_u64..32, any::<bool>(), any::<bool>()), 1..40),
        ) {
            let store = Store::memory(64).unwrap();
            let mut held = Volatile::default();
            let (mut all, mut media) = ([0_u8; 64], [0_u8; 64]);
            let mut waits = [false; 64];
            for (number, &(first, length, zeros, lands)) in writes.iter().enumerate() {
                let (end, task) = ((first + length).min(64), number as u64);
                let value = if zeros { 0 } else { number as u8 + 1 };
                let data = if zeros { Data::Zeros { may_punch: false } } else { bytes(end - first, value) };
                held.put(first, end, data, task);
                held.answered(first, end, task);
                let place = first as usize..end as usize;
                all[place.clone()].fill(value);
                waits[place].fill(true);
                if lands {
                    waits[16..48].fill(false);
                    let mut unwritten: Vec<_> =
                        (0..64).filter(|&at| waits[at as usize]).map(|at| (at, at + 1)).collect();
                    held.settle(&store, &mut unwritten).unwrap();
                    media[16..48].copy_from_slice(&all[16..48]);
                }
                prop_assert_eq!(&seen(&store, &held)[..], &all[..]);
                prop_assert_eq!(&seen(&store, &Volatile::default())[..], &media[..]);
            }
        }
    }

    #[test]
    fn a_request_that_fails_leaves_what_was_there() {
        let store = Store::memory(64).unwrap();
        let mut held = Volatile::default();
        held.put(0, 32, bytes(32, 1), 1);
        held.answered(0, 32, 1);
        held.put(40, 50, bytes(10, 2), 2);
        held.forget(0, 64, 2);
        assert_eq!(held.bytes(), 32);
        held.settle(&store, &mut Vec::new()).unwrap();
        assert_eq!(seen(&store, &held), [vec![1; 32], vec![0; 32]].concat());
    }
}
