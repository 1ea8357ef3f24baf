//! A mixture of sequential, local and random requests, open or closed.

use platterlab_units::{MAX_LBA, Operation, Span, Stamp};

use super::stream::Stream;
use crate::{Criticality, Record};

/// A mixture of sequential, local and random requests to one device.
///
/// Each request is sequential with `sequential_share`, else local with `local_share`, else uniform
/// over the device. Lengths are exponential, in whole multiples of `align_sectors`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixed {
    /// How many requests.
    pub requests: u64,
    /// Sectors of the device.
    pub capacity_sectors: u64,
    /// Share of reads, 0 to 1.
    pub read_share: f64,
    /// Share of requests that start where the previous one ended, 0 to 1.
    pub sequential_share: f64,
    /// Share of the other requests that stay near the previous one, 0 to 1.
    pub local_share: f64,
    /// How far a local request lies from the previous one at most, in sectors.
    pub local_distance_sectors: u64,
    /// Mean length in sectors, before rounding up to `align_sectors` and cutting at `max_sectors`.
    pub mean_sectors: f64,
    /// Greatest length in sectors, a multiple of `align_sectors`.
    pub max_sectors: u32,
    /// Addresses and lengths are multiples of this many sectors.
    pub align_sectors: u32,
    /// Arrivals of requests.
    pub arrival: Arrival,
    /// Seed of all random streams.
    pub seed: u64,
}

/// Arrivals of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// On their own: `gap` lies between arrivals.
    Open {
        /// Its law.
        law: ArrivalLaw,
        /// Its mean.
        gap: Span,
    },
    /// Each after the one before is done and `think` is over. Its arrival is what it would be if
    /// requests took no time; a replay goes by `think`.
    Closed {
        /// Its law.
        law: ArrivalLaw,
        /// Its mean.
        think: Span,
    },
}

/// How gaps or think times vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrivalLaw {
    /// Always the mean.
    Constant,
    /// Exponential: arrivals are a Poisson process.
    Exponential,
}

/// A parameter of [`Mixed`] that cannot be, and what can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}")]
pub struct ParameterError {
    /// The parameter's name.
    pub key: &'static str,
    /// The error and what would be right.
    pub what: String,
}

impl Mixed {
    /// The requests, in order of arrival.
    ///
    /// # Errors
    /// The first parameter out of its range.
    pub fn requests(self) -> Result<MixedRequests, ParameterError> {
        self.check()?;
        let stream = |name| Stream::new(self.seed, name);
        Ok(MixedRequests {
            address: stream("address"),
            locality: stream("locality"),
            operation: stream("operation"),
            size: stream("size"),
            gap: stream("arrival"),
            made: 0,
            now: Stamp::ZERO,
            next_lba: 0,
            parameters: self,
        })
    }

    fn check(&self) -> Result<(), ParameterError> {
        let refuse = |key, what: String| Err(ParameterError { key, what });
        for (key, share) in [
            ("read_share", self.read_share),
            ("sequential_share", self.sequential_share),
            ("local_share", self.local_share),
        ] {
            if !(0.0..=1.0).contains(&share) {
                return refuse(key, format!("{share} is not a share; it must be 0 to 1"));
            }
        }
        if self.align_sectors == 0 {
            return refuse("align_sectors", "0; it must be at least 1".into());
        }
        if self.max_sectors == 0 || !self.max_sectors.is_multiple_of(self.align_sectors) {
            let what = format!(
                "{}; it must be a multiple of align_sectors = {}, at least once",
                self.max_sectors, self.align_sectors
            );
            return refuse("max_sectors", what);
        }
        let range = u64::from(self.max_sectors)..=MAX_LBA;
        if !range.contains(&self.capacity_sectors) {
            let (least, most) = range.into_inner();
            let what = format!("{}; it must be {least} to {most}", self.capacity_sectors);
            return refuse("capacity_sectors", what);
        }
        if !(self.mean_sectors > 0.0 && self.mean_sectors.is_finite()) {
            return refuse("mean_sectors", format!("{}; it must be above 0", self.mean_sectors));
        }
        Ok(())
    }
}

/// The requests of a [`Mixed`] workload.
#[derive(Clone, Debug)]
pub struct MixedRequests {
    parameters: Mixed,
    address: Stream,
    locality: Stream,
    operation: Stream,
    size: Stream,
    gap: Stream,
    made: u64,
    now: Stamp,
    /// The sector after the previous request.
    next_lba: u64,
}

impl MixedRequests {
    fn sectors(&mut self) -> u32 {
        let Mixed { mean_sectors, max_sectors, align_sectors, .. } = self.parameters;
        let units = (self.size.exponential(mean_sectors) / f64::from(align_sectors)).ceil();
        let most = max_sectors / align_sectors;
        (units.clamp(1.0, f64::from(most)) as u32) * align_sectors
    }

    fn lba(&mut self, sectors: u32) -> u64 {
        let Mixed { capacity_sectors, align_sectors, .. } = self.parameters;
        let align = u64::from(align_sectors);
        let last = (capacity_sectors - u64::from(sectors)) / align * align;
        // Both are drawn whether or not they are used, so that one share does not shift another.
        let sequential = self.address.chance(self.parameters.sequential_share);
        let local = self.address.chance(self.parameters.local_share);
        let anywhere = self.address.below(last / align + 1) * align;
        if sequential {
            if self.next_lba <= last { self.next_lba } else { 0 }
        } else if local {
            self.near(last / align) * align
        } else {
            anywhere
        }
    }

    /// A unit of alignment near the end of the previous request, `last_unit` at most.
    fn near(&mut self, last_unit: u64) -> u64 {
        let align = u64::from(self.parameters.align_sectors);
        let distance = self.parameters.local_distance_sectors;
        let low = self.next_lba.saturating_sub(distance).div_ceil(align).min(last_unit);
        let high = (self.next_lba.saturating_add(distance) / align).min(last_unit).max(low);
        low + self.locality.below(high - low + 1)
    }

    fn gap(&mut self) -> Span {
        let (Arrival::Open { law, gap: mean } | Arrival::Closed { law, think: mean }) =
            self.parameters.arrival;
        match law {
            ArrivalLaw::Constant => mean,
            ArrivalLaw::Exponential => {
                let ps = self.gap.exponential(mean.as_ps() as f64);
                Span::from_ps(ps as u64)
            }
        }
    }
}

impl Iterator for MixedRequests {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if self.made == self.parameters.requests {
            return None;
        }
        let gap = self.gap();
        if self.made > 0 {
            self.now += gap;
        }
        self.made += 1;
        let sectors = self.sectors();
        let lba = self.lba(sectors);
        self.next_lba = lba + u64::from(sectors);
        let read = self.operation.chance(self.parameters.read_share);
        let closed = matches!(self.parameters.arrival, Arrival::Closed { .. });
        Some(Record {
            arrival: self.now,
            queued: None,
            service: None,
            think: (closed && self.made > 1).then_some(gap),
            lba,
            sectors,
            device: 0,
            operation: if read { Operation::Read } else { Operation::Write },
            criticality: Criticality::Unknown,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mixed() -> Mixed {
        Mixed {
            requests: 20_000,
            capacity_sectors: 1_000_000,
            read_share: 0.7,
            sequential_share: 0.4,
            local_share: 0.5,
            local_distance_sectors: 2_000,
            mean_sectors: 16.0,
            max_sectors: 128,
            align_sectors: 8,
            arrival: Arrival::Open { law: ArrivalLaw::Exponential, gap: Span::from_us(500) },
            seed: 1,
        }
    }

    #[test]
    fn shares_and_means_are_those_asked_for() {
        let records: Vec<_> = mixed().requests().unwrap().collect();
        let count = records.len() as f64;
        let reads = records.iter().filter(|r| r.operation.is_read()).count() as f64;
        assert!((reads / count - 0.7).abs() < 0.02);
        let pairs = || records.windows(2).map(|w| (w[0].lba + u64::from(w[0].sectors), w[1].lba));
        let sequential = pairs().filter(|(end, lba)| end == lba).count() as f64 / count;
        assert!((sequential - 0.4).abs() < 0.02, "{sequential}");
        let near = pairs().filter(|(end, lba)| end.abs_diff(*lba) <= 2_000).count() as f64 / count;
        assert!((near - 0.7).abs() < 0.02, "{near}");
        let gap = records[records.len() - 1].arrival.as_ms() / (count - 1.0);
        assert!((gap - 0.5).abs() < 0.02, "{gap}");
    }

    #[test]
    fn the_seed_decides_everything_and_a_share_moves_only_its_own() {
        let lbas = |m: Mixed| m.requests().unwrap().map(|r| r.lba).collect::<Vec<_>>();
        assert_eq!(lbas(mixed()), lbas(mixed()));
        assert_ne!(lbas(mixed()), lbas(Mixed { seed: 2, ..mixed() }));
        assert_eq!(lbas(mixed()), lbas(Mixed { read_share: 0.1, ..mixed() }));
    }

    #[test]
    fn these_requests_stay_the_same_for_ever() {
        let first = mixed().requests().unwrap().take(3);
        let seen: Vec<_> = first.map(|r| (r.arrival.as_ps(), r.lba, r.sectors)).collect();
        let expected = [(0, 208, 8), (43_767_788, 1_192, 8), (60_749_011, 261_488, 32)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_closed_workload_thinks() {
        let arrival = Arrival::Closed { law: ArrivalLaw::Constant, think: Span::from_us(3) };
        let records = Mixed { arrival, ..mixed() }.requests().unwrap().take(2);
        let thinks: Vec<_> = records.map(|r| r.think).collect();
        assert_eq!(thinks, [None, Some(Span::from_us(3))]);
    }

    #[test]
    fn bad_parameters_are_refused_by_name() {
        for (bad, message) in [
            (
                Mixed { read_share: 1.5, ..mixed() },
                "read_share: 1.5 is not a share; it must be 0 to 1",
            ),
            (
                Mixed { local_share: f64::NAN, ..mixed() },
                "local_share: NaN is not a share; it must be 0 to 1",
            ),
            (Mixed { align_sectors: 0, ..mixed() }, "align_sectors: 0; it must be at least 1"),
            (
                Mixed { max_sectors: 12, ..mixed() },
                "max_sectors: 12; it must be a multiple of align_sectors = 8, at least once",
            ),
            (
                Mixed { capacity_sectors: 100, ..mixed() },
                "capacity_sectors: 100; it must be 128 to 9223372036854775807",
            ),
            (Mixed { mean_sectors: 0.0, ..mixed() }, "mean_sectors: 0; it must be above 0"),
        ] {
            assert_eq!(bad.requests().err().unwrap().to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn every_request_lies_on_the_device(
            capacity_sectors in 64u64..1 << 40, local_distance_sectors in 0u64..1 << 41,
            align_sectors in 1u32..32, shares in (0.0..=1.0f64, 0.0..=1.0f64), seed: u64,
        ) {
            let mixed = Mixed {
                requests: 200, capacity_sectors, local_distance_sectors, align_sectors, seed,
                max_sectors: align_sectors * 2, sequential_share: shares.0, local_share: shares.1,
                ..mixed()
            };
            for r in mixed.requests().unwrap() {
                prop_assert!(r.sectors >= 1 && r.lba + u64::from(r.sectors) <= capacity_sectors);
                prop_assert_eq!(r.lba % u64::from(align_sectors), 0);
            }
        }
    }
}
