//! A part of a trace: a window of its time, a sample of its addresses, at another speed.

use platterlab_units::{Span, Stamp};

use super::{Note, Notes, Position, TraceError, TraceFacts, TraceReader};
use crate::Record;

/// Bytes of addresses that are sampled together: neighbours stay neighbours.
const GRAIN_BYTES: u64 = 1 << 20;
/// Parts of one in a [`Part::time_scale_e9`].
const SCALE_ONE: u64 = 1_000_000_000;

/// Which part of a trace, and how fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Requests before this are left out, and time begins here.
    pub from: Stamp,
    /// Requests so long after it, or longer, are left out.
    pub length: Option<Stamp>,
    /// What times between requests are multiplied by, in parts of 10^9.
    pub time_scale_e9: u64,
    /// One in so many MiB of addresses is kept, by a hash of its number.
    pub sample_one_in: u32,
}

impl Default for Part {
    fn default() -> Self {
        Self { from: Stamp::ZERO, length: None, time_scale_e9: SCALE_ONE, sample_one_in: 1 }
    }
}

/// A reader of a part of what another reads.
pub(super) struct Parted {
    inner: Box<dyn TraceReader + Send>,
    part: Part,
    outside: u64,
    unsampled: u64,
    over: bool,
}

impl Parted {
    pub(super) fn new(inner: Box<dyn TraceReader + Send>, part: Part) -> Self {
        Self { inner, part, outside: 0, unsampled: 0, over: false }
    }

    /// The record at its time of the part; `None` if it is not of it.
    fn keep(&mut self, record: Record) -> Option<Record> {
        let part = self.part;
        let since = record.arrival.as_ps().checked_sub(part.from.as_ps());
        let Some(ps) = since else {
            self.outside += 1;
            return None;
        };
        if part.length.is_some_and(|length| ps >= length.as_ps()) {
            self.outside += 1;
            return None;
        }
        if part.sample_one_in > 1 && !self.sampled(record.lba) {
            self.unsampled += 1;
            return None;
        }
        let scale = u128::from(part.time_scale_e9);
        let scaled = |ps: u128| ps * scale / u128::from(SCALE_ONE);
        let think = record
            .think
            .map(|think| u64::try_from(scaled(think.as_ps().into())).map_or(think, Span::from_ps));
        Some(Record { arrival: Stamp::from_ps(scaled(ps)), think, ..record })
    }

    fn sampled(&self, lba: u64) -> bool {
        let sectors = GRAIN_BYTES / u64::from(self.inner.facts().sector_bytes.max(1));
        // The finalizer of splitmix64: neighbouring numbers come out far apart.
        let mut hash = lba / sectors.max(1);
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (hash ^ hash >> 31).is_multiple_of(u64::from(self.part.sample_one_in))
    }
}

impl Iterator for Parted {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.over {
            match self.inner.next()? {
                Ok(record) => {
                    if let Some(kept) = self.keep(record) {
                        return Some(Ok(kept));
                    }
                }
                Err(error) => {
                    self.over = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

impl TraceReader for Parted {
    fn facts(&self) -> &TraceFacts {
        self.inner.facts()
    }

    fn bytes_read(&self) -> u64 {
        self.inner.bytes_read()
    }

    fn bytes_total(&self) -> Option<u64> {
        self.inner.bytes_total()
    }

    fn place(&self) -> Position {
        self.inner.place()
    }

    fn notes(&self) -> Notes {
        let mut notes = self.inner.notes();
        notes.set(Note::OutsideWindow, self.outside);
        notes.set(Note::NotSampled, self.unsampled);
        notes
    }

    fn device_names(&self) -> &[String] {
        self.inner.device_names()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Options, read, testing};
    use super::*;

    fn parted(part: Part) -> (Vec<(u128, u64)>, Notes) {
        let text: String = (0..100).map(|i| format!("{i}.5 0 {} 8 1\n", i * 4096)).collect();
        let options = Options { part, ..Options::default() };
        let mut reader = read(testing::source(text), None, &options).unwrap();
        let kept = reader.by_ref().map(Result::unwrap);
        let kept = kept.map(|r| (r.arrival.as_ps() / 1_000_000, r.lba)).collect();
        (kept, reader.notes())
    }

    #[test]
    fn a_window_begins_at_its_own_zero() {
        let (from, length) = (Stamp::from_us(10_000), Some(Stamp::from_us(3_000)));
        let (kept, notes) = parted(Part { from, length, ..Part::default() });
        assert_eq!(kept, [(0, 40_960), (1_000, 45_056), (2_000, 49_152)]);
        assert_eq!(notes.count(Note::OutsideWindow), 97);
    }

    #[test]
    fn time_is_scaled_from_the_beginning_of_the_window() {
        let part =
            Part { from: Stamp::from_us(97_000), time_scale_e9: 500_000_000, ..Part::default() };
        let times: Vec<u128> = parted(part).0.into_iter().map(|(us, _)| us).collect();
        assert_eq!(times, [0, 500, 1_000]);
    }

    #[test]
    fn a_sample_is_of_addresses_and_always_the_same() {
        let part = Part { sample_one_in: 4, ..Part::default() };
        let (kept, notes) = parted(part);
        assert!((10..40).contains(&kept.len()), "{}", kept.len());
        assert_eq!(notes.count(Note::NotSampled), 100 - kept.len() as u64);
        assert_eq!(kept, parted(part).0);
        assert_eq!(parted(Part::default()).0.len(), 100);
    }
}
