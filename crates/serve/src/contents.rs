//! Contents of the drive: the store is what is on the media, above it what is not there yet.
//!
//! Without power cuts in view there is one place for both: what was written goes to the store as it
//! comes, and outlives the server as a drive's data outlives the host.

use crate::store::Store;
use crate::volatile::{Data, Volatile};
use std::io;

/// Pieces above which those that are on the media by now are looked for.
const FEW_PIECES: usize = 4096;

/// Bytes that a request wrote.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    first: u64,
    end: u64,
    data: Data,
    /// Of what is held.
    number: u64,
}

/// What became of a request that wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Landed {
    /// Its data is on the media.
    OnMedia,
    /// The drive holds it.
    Held,
    /// It failed.
    Not,
}

/// The data of a drive as clients see it.
#[derive(Debug)]
pub(crate) struct Contents {
    store: Store,
    volatile: Option<Volatile>,
    /// The number of pieces at which they are looked through again.
    many: usize,
}

impl Contents {
    /// The data of a drive; with `cuts` the store holds no more than its media.
    pub(crate) fn new(store: Store, cuts: bool) -> Self {
        let volatile = (cuts && !store.is_read_only()).then(Volatile::default);
        Self { store, volatile, many: FEW_PIECES }
    }

    /// Whether the store holds no more than the media.
    pub(crate) fn is_media_alone(&self) -> bool {
        self.volatile.is_some()
    }

    /// Adds `length` bytes from `offset` on to `out`.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn read(&self, offset: u64, length: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let from = out.len();
        self.store.read(offset, length, out)?;
        if let Some(volatile) = &self.volatile {
            volatile.overlay(offset, &mut out[from..]);
        }
        Ok(())
    }

    /// What was said to the first write that the store did not take.
    pub(crate) fn store_failed(&self) -> Option<&str> {
        self.store.failed()
    }

    /// The runs of data and holes, see [`Store::runs`]. What is held counts as data.
    pub(crate) fn runs(&self, offset: u64, length: u32, most: usize) -> Vec<(u32, bool)> {
        let end = offset + u64::from(length);
        match &self.volatile {
            Some(volatile) if volatile.overlaps(offset, end) => vec![(length, false)],
            _ => self.store.runs(offset, length, most),
        }
    }

    /// Writes for a request; what it is to say of that when it is done.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<Option<Written>> {
        match &mut self.volatile {
            None => self.store.write(offset, bytes).map(|()| None),
            Some(volatile) => {
                let (end, data) = (offset + bytes.len() as u64, Data::Bytes(bytes.into()));
                let number = volatile.put(offset, end, data.clone());
                Ok(Some(Written { first: offset, end, data, number }))
            }
        }
    }

    /// Makes bytes read as zero, as [`Contents::write`].
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn zero(
        &mut self,
        offset: u64,
        length: u64,
        may_punch: bool,
    ) -> io::Result<Option<Written>> {
        match &mut self.volatile {
            None => self.store.zero(offset, length, may_punch).map(|()| None),
            Some(volatile) => {
                let (end, data) = (offset + length, Data::Zeros { may_punch });
                let number = volatile.put(offset, end, data.clone());
                Ok(Some(Written { first: offset, end, data, number }))
            }
        }
    }

    /// Whether it has to be known what is on the media before these bytes are written.
    pub(crate) fn holds(&self, first: u64, end: u64) -> bool {
        self.volatile.as_ref().is_some_and(|volatile| volatile.overlaps(first, end))
    }

    /// Whether so much is held that it is worth a look what of it is on the media by now.
    pub(crate) fn holds_much(&self) -> bool {
        self.volatile.as_ref().is_some_and(|volatile| volatile.len() > self.many)
    }

    /// A request that wrote is done.
    ///
    /// # Errors
    /// What the store says: the request failed.
    pub(crate) fn done(&mut self, written: &Written, landed: Landed) -> io::Result<()> {
        let Some(volatile) = &mut self.volatile else { return Ok(()) };
        let &Written { first, end, ref data, number } = written;
        match landed {
            Landed::Held => volatile.answered(number),
            Landed::Not => volatile.forget(number),
            Landed::OnMedia => {
                if let Err(error) = data.settle(&self.store, first, 0..(end - first) as usize) {
                    volatile.forget(number);
                    return Err(error);
                }
                volatile.landed(number);
            }
        }
        Ok(())
    }

    /// All but the `unwritten` runs of bytes is on the media.
    ///
    /// # Errors
    /// What the store says.
    pub(crate) fn settle(&mut self, unwritten: &mut Vec<(u64, u64)>) -> io::Result<()> {
        let Some(volatile) = &mut self.volatile else { return Ok(()) };
        let settled = volatile.settle(&self.store, unwritten);
        self.many = FEW_PIECES.max(2 * volatile.len());
        settled
    }

    /// Bytes of answered requests that are not on the media.
    pub(crate) fn held_bytes(&self) -> u64 {
        self.volatile.as_ref().map_or(0, Volatile::bytes)
    }

    /// The power goes, with all that is held.
    pub(crate) fn forget_held(&mut self) {
        self.volatile = Some(Volatile::default());
    }
}
