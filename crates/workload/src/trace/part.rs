//! A part of a trace: a window of its time, a sample of its addresses, at another speed.

use std::collections::BTreeSet;

use platterlab_units::{Span, Stamp};

use super::names::linux_name;
use super::{Note, Notes, Position, TraceError, TraceFacts, TraceReader};
use crate::Record;

/// Bytes of addresses that are sampled together: neighbours stay neighbours.
const GRAIN_BYTES: u64 = 1 << 20;
/// Parts of one in a [`Part::time_scale_e9`].
const SCALE_ONE: u64 = 1_000_000_000;

/// Devices that a message names.
const MOST_NAMED: usize = 8;

/// Which part of a trace, and how fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Requests before this are left out, and time begins here.
    pub from: Stamp,
    /// Requests so long after it, or longer, are left out.
    pub length: Option<Stamp>,
    /// What times between requests are multiplied by, in parts of 10^9.
    pub time_scale_e9: u64,
    /// One in a number of MiB of addresses is kept, by a hash of its number.
    pub sample_one_in: u32,
    /// The only device of which requests are kept.
    pub device: Option<u32>,
}

impl Default for Part {
    fn default() -> Self {
        Self {
            from: Stamp::ZERO,
            length: None,
            time_scale_e9: SCALE_ONE,
            sample_one_in: 1,
            device: None,
        }
    }
}

/// A reader of a part of what another reads.
pub(super) struct Parted {
    inner: Box<dyn TraceReader + Send>,
    part: Part,
    outside: u64,
    unsampled: u64,
    others: u64,
    /// Some of the devices that are there.
    met: BTreeSet<u32>,
    kept: bool,
    /// When the last request of the whole trace arrives.
    last: Stamp,
    over: bool,
}

impl Parted {
    pub(super) fn new(inner: Box<dyn TraceReader + Send>, part: Part) -> Self {
        Self {
            inner,
            part,
            outside: 0,
            unsampled: 0,
            others: 0,
            met: BTreeSet::new(),
            kept: false,
            last: Stamp::ZERO,
            over: false,
        }
    }

    /// What is said at the end of a trace of which no request is in the part.
    fn nothing(&self) -> Option<TraceError> {
        if self.kept || self.outside + self.unsampled + self.others == 0 {
            return None;
        }
        let refuse =
            |what: String| Some(TraceError::new(&self.inner.facts().path, Position::File, what));
        if let Some(device) = self.part.device
            && self.outside + self.unsampled == 0
        {
            let met: Vec<_> =
                self.met.iter().take(MOST_NAMED).map(|one| linux_name(*one)).collect();
            let more = if self.met.len() > MOST_NAMED { " and more" } else { "" };
            let device = linux_name(device);
            return refuse(format!(
                "has no request for device {device}; it has {}{more}",
                met.join(", ")
            ));
        }
        let s = |stamp: Stamp| (stamp.as_ms() * 1e3).round() / 1e6;
        let (from, last) = (self.part.from, self.last);
        let what = if self.unsampled > 0 {
            let one_in = self.part.sample_one_in;
            format!(
                "holds no request of the sample of one in {one_in} MiB of its addresses; \
                 {} lie elsewhere: take more of them, as sample = 1/{}",
                self.unsampled,
                one_in.div_ceil(4)
            )
        } else {
            let window = match self.part.length {
                Some(length) => {
                    let end = Stamp::from_ps(from.as_ps().saturating_add(length.as_ps()));
                    format!("from {} s to {} s", s(from), s(end))
                }
                None => format!("from {} s on", s(from)),
            };
            format!(
                "holds no request {window}: its last arrives at {} s; name another --from or --for",
                s(last)
            )
        };
        refuse(what)
    }

    /// The record at its time of the part; `None` if it is not of it.
    fn keep(&mut self, record: Record) -> Option<Record> {
        let part = self.part;
        if part.device.is_some_and(|device| device != record.device) {
            self.others += 1;
            if self.met.len() <= MOST_NAMED {
                self.met.insert(record.device);
            }
            return None;
        }
        self.last = self.last.max(record.arrival);
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
            let Some(next) = self.inner.next() else {
                self.over = true;
                return self.nothing().map(Err);
            };
            match next {
                Ok(record) => {
                    if let Some(kept) = self.keep(record) {
                        self.kept = true;
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
        notes.set(Note::OtherDevices, self.others);
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
    fn a_part_without_a_request_says_where_the_trace_ends() {
        let said = |part: Part| {
            let text: String = (0..10).map(|i| format!("{i}.5 0 {} 8 1\n", i * 8)).collect();
            let options = Options { part, ..Options::default() };
            let mut reader = read(testing::source(text), None, &options).unwrap();
            let error = reader.next().unwrap().unwrap_err().to_string();
            assert!(reader.next().is_none(), "nothing comes after an error");
            error
        };
        let from = Stamp::from_us(4_000_000);
        assert_eq!(
            said(Part { from, ..Part::default() }),
            "t: holds no request from 4 s on: its last arrives at 0.009 s; name another --from or \
             --for"
        );
        let (from, length) = (Stamp::from_us(1_100), Some(Stamp::from_us(200)));
        let window = said(Part { from, length, ..Part::default() });
        assert!(window.contains("from 0.0011 s to 0.0013 s"), "{window}");
    }

    #[test]
    fn a_device_is_taken_alone_or_the_others_are_named() {
        let text = "0 3 0 8 1\n1 4 8 8 1\n2 3 16 8 1\n";
        let of = |device| {
            let part = Part { device: Some(device), ..Part::default() };
            let options = Options { part, ..Options::default() };
            let mut reader = read(testing::source(text), None, &options).unwrap();
            let kept: Result<Vec<_>, _> = reader.by_ref().map(|one| one.map(|r| r.lba)).collect();
            (kept.map_err(|error| error.to_string()), reader.notes().count(Note::OtherDevices))
        };
        assert_eq!(of(3), (Ok(vec![0, 16]), 1));
        assert_eq!(of(5), (Err("t: has no request for device 5; it has 3, 4".to_owned()), 3));
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
