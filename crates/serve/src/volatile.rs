//! Data that clients wrote and a power cut takes back: what is not on the media yet.

use crate::store::Store;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::ops::Range;
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
    /// Puts this part of the bytes in the store.
    pub(crate) fn settle(&self, store: &Store, at: u64, part: Range<usize>) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => store.write(at, &bytes[part]),
            &Self::Zeros { may_punch } => store.zero(at, part.len() as u64, may_punch),
        }
    }
}

/// What a request in flight writes.
#[derive(Clone, Debug)]
struct Flying {
    number: u64,
    first: u64,
    end: u64,
    data: Data,
}

/// Bytes with the same history.
#[derive(Clone, Debug)]
struct Piece {
    end: u64,
    data: Data,
    /// Where in the data it begins.
    from: usize,
}

/// What is not on the media: what was answered, and over it what requests in flight write.
#[derive(Debug, Default)]
pub(crate) struct Volatile {
    /// By the first byte of each; they do not overlap.
    answered: BTreeMap<u64, Piece>,
    /// In the order in which they came.
    flying: VecDeque<Flying>,
    /// Of the next that comes.
    next: u64,
}

impl Volatile {
    /// Holds what a request in flight writes, over what was there; the number of that.
    pub(crate) fn put(&mut self, first: u64, end: u64, data: Data) -> u64 {
        let number = self.next;
        self.next += 1;
        self.flying.push_back(Flying { number, first, end, data });
        number
    }

    /// Whether anything of these bytes is held.
    pub(crate) fn overlaps(&self, first: u64, end: u64) -> bool {
        let flies = self.flying.iter().any(|one| one.first < end && one.end > first);
        flies || self.overlaps_answered(first, end)
    }

    fn overlaps_answered(&self, first: u64, end: u64) -> bool {
        self.answered.range(..end).next_back().is_some_and(|(_, piece)| piece.end > first)
    }

    /// Puts what is held over what was read from `first` on.
    pub(crate) fn overlay(&self, first: u64, out: &mut [u8]) {
        let end = first + out.len() as u64;
        for (&at, piece) in self.answered.range(..end).rev() {
            if piece.end <= first {
                break;
            }
            lay(&piece.data, at..piece.end, piece.from, first, out);
        }
        for one in &self.flying {
            if one.first < end && one.end > first {
                lay(&one.data, one.first..one.end, 0, first, out);
            }
        }
    }

    /// A request was answered: what it wrote is held for as long as the drive holds it.
    pub(crate) fn answered(&mut self, number: u64) {
        if let Some(Flying { first, end, data, .. }) = self.take(number) {
            self.remove(first, end);
            self.answered.insert(first, Piece { end, data, from: 0 });
        }
    }

    /// A request failed: what it would have written is forgotten.
    pub(crate) fn forget(&mut self, number: u64) {
        self.take(number);
    }

    /// What a request wrote is on the media, and what was held beneath it is over.
    pub(crate) fn landed(&mut self, number: u64) {
        if let Some(Flying { first, end, .. }) = self.take(number) {
            self.remove(first, end);
        }
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
        let done: Vec<u64> = self.answered.keys().copied().filter(|&at| !waits(at)).collect();
        for at in done {
            let Some(Piece { end, data, from }) = self.answered.get(&at) else { continue };
            data.settle(store, at, *from..from + (end - at) as usize)?;
            self.answered.remove(&at);
        }
        Ok(())
    }

    /// Bytes that are held of requests that were answered.
    pub(crate) fn bytes(&self) -> u64 {
        self.answered.iter().map(|(at, piece)| piece.end - at).sum()
    }

    /// Pieces that are held of requests that were answered.
    pub(crate) fn len(&self) -> usize {
        self.answered.len()
    }

    fn take(&mut self, number: u64) -> Option<Flying> {
        let at = self.flying.iter().position(|one| one.number == number)?;
        self.flying.remove(at)
    }

    fn remove(&mut self, first: u64, end: u64) {
        if !self.overlaps_answered(first, end) {
            return;
        }
        self.split(first);
        self.split(end);
        let gone: Vec<u64> = self.answered.range(first..end).map(|(&at, _)| at).collect();
        for at in gone {
            self.answered.remove(&at);
        }
    }

    /// Has a piece begin at `at`, if any lies there.
    fn split(&mut self, at: u64) {
        let Some((&first, piece)) = self.answered.range_mut(..at).next_back() else { return };
        if piece.end <= at {
            return;
        }
        let mut rest = piece.clone();
        piece.end = at;
        if let Data::Bytes(_) = rest.data {
            rest.from += (at - first) as usize;
        }
        self.answered.insert(at, rest);
    }
}

/// Puts data that lies at `place`, and begins at `skip` of its bytes, over `out`, which lies from
/// `first` on.
fn lay(data: &Data, place: Range<u64>, skip: usize, first: u64, out: &mut [u8]) {
    let (from, to) = (place.start.max(first), place.end.min(first + out.len() as u64));
    let over = &mut out[(from - first) as usize..(to - first) as usize];
    match data {
        Data::Bytes(bytes) => {
            let skip = skip + (from - place.start) as usize;
            over.copy_from_slice(&bytes[skip..skip + over.len()]);
        }
        Data::Zeros { .. } => over.fill(0),
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
                let end = (first + length).min(64);
                let value = if zeros { 0 } else { number as u8 + 1 };
                let data = if zeros { Data::Zeros { may_punch: false } } else { bytes(end - first, value) };
                let flying = held.put(first, end, data);
                prop_assert_eq!(seen(&store, &held)[first as usize], value);
                held.answered(flying);
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
        let kept = held.put(0, 32, bytes(32, 1));
        held.answered(kept);
        let fails = held.put(16, 50, bytes(34, 2));
        assert_eq!(seen(&store, &held), [vec![1; 16], vec![2; 34], vec![0; 14]].concat());
        held.forget(fails);
        assert_eq!(held.bytes(), 32);
        held.settle(&store, &mut Vec::new()).unwrap();
        assert_eq!(seen(&store, &held), [vec![1; 32], vec![0; 32]].concat());
    }

    #[test]
    fn what_was_answered_lasts_beneath_what_is_in_flight() {
        let store = Store::memory(64).unwrap();
        let mut held = Volatile::default();
        let first = held.put(0, 32, bytes(32, 1));
        held.answered(first);
        let over = held.put(0, 16, bytes(16, 2));
        held.settle(&store, &mut Vec::new()).unwrap();
        assert_eq!(seen(&store, &Volatile::default()), [vec![1; 32], vec![0; 32]].concat());
        assert_eq!(seen(&store, &held), [vec![2; 16], vec![1; 16], vec![0; 32]].concat());
        held.landed(over);
        assert_eq!(held.bytes(), 0);
    }
}
