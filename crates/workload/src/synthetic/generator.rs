//! DiskSim's synthetic generator: the requests of one process.

use super::law::Law;
use super::stream::Stream;
use super::streams::{Choice, Streams, Whose};
use super::zipf::Zipf;
use crate::Criticality;
use platterlab_units::{Lapse, Operation};
use std::sync::Arc;

/// Requests of one process: addresses, lengths, kinds, and how long it thinks.
///
/// The parameters are those of DiskSim 4.0's synthetic generators (reference manual, `disksim_synthgen`),
/// and Zipf's law for addresses.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneratorParams {
    /// The volumes it uses, each alike.
    pub volumes: Vec<u32>,
    /// Sectors it uses of each.
    pub capacity_sectors: u64,
    /// Addresses and lengths are multiples of this many sectors, at least 1.
    pub block_sectors: u32,
    /// Greatest length in sectors.
    pub max_sectors: u32,
    /// Share of requests that start where the previous one ended, 0 to 1.
    pub sequential_share: f64,
    /// Share of requests that start near the previous one, 0 to 1; the two shares make 1 at most.
    pub local_share: f64,
    /// Addresses of the other requests.
    pub spread: Spread,
    /// Share of reads, 0 to 1.
    pub read_share: f64,
    /// Share of requests the process waits for at once, 0 to 1.
    pub critical_share: f64,
    /// Share of requests the process waits for after `limit_ms`, 0 to 1.
    pub limited_share: f64,
    /// From a local request's predecessor, in sectors.
    pub local_distance_sectors: Law,
    /// Lengths in sectors, rounded up to blocks.
    pub size_sectors: Law,
    /// Before a request of each [`Kind`], by its number, in milliseconds.
    pub interval_ms: [Law; 3],
    /// How long the process continues without a time-limited request, in milliseconds.
    pub limit_ms: Law,
}

/// Addresses of requests that are neither sequential nor local.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "file", serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields))]
pub enum Spread {
    /// Anywhere alike.
    Uniform,
    /// In parts of equal size, scattered over the volume: the k-th is asked for in proportion to
    /// `1 / k^theta`.
    Zipf {
        /// The law's exponent.
        #[cfg_attr(feature = "file", schemars(range(min = 0.01, max = 10.0)))]
        theta: f64,
        /// How many parts there are.
        #[cfg_attr(feature = "file", serde(default = "parts"))]
        #[cfg_attr(feature = "file", schemars(range(min = 1, max = 1_000_000_000)))]
        parts: u64,
    },
}

#[cfg(feature = "file")]
fn parts() -> u64 {
    10_000
}

/// How a request lies to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Neither of the others.
    General,
    /// It starts where the previous one ended.
    Sequential,
    /// It starts near the previous one.
    Local,
}

/// A request that was made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generated {
    /// How it lies to the one before.
    pub kind: Kind,
    /// How long the process thinks before it.
    pub interval: Lapse,
    /// The volume.
    pub volume: u32,
    /// First sector.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
    /// Who waits for it.
    pub criticality: Criticality,
    /// How long the process continues without it, if it is time-limited.
    pub limit: Lapse,
}

/// The rest of the request that was made up last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    /// The volume.
    pub volume: u32,
    /// First sector.
    pub lba: u64,
    /// Length in sectors.
    pub sectors: u32,
    /// Read or write.
    pub operation: Operation,
    /// Who waits for it.
    pub criticality: Criticality,
}

/// Common parameters of processes that are alike.
#[derive(Clone, Debug)]
pub(super) struct Alike {
    params: GeneratorParams,
    zipf: Option<Zipf>,
    seed: u64,
}

/// The endless requests of one process.
#[derive(Clone, Debug)]
pub struct Generator {
    alike: Arc<Alike>,
    streams: Streams,
    number: u32,
    volume: u32,
    /// The end of the last request, and its length.
    next_lba: u64,
    sectors: u32,
    operation: Operation,
    criticality: Criticality,
}

/// Scatters parts over the volume: a permutation of residues where it shares no factor with their
/// number.
const SCATTER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Alike {
    pub(super) fn new(params: GeneratorParams, seed: u64) -> Self {
        let zipf = match params.spread {
            Spread::Uniform => None,
            Spread::Zipf { theta, parts } => Some(Zipf::new(parts, theta)),
        };
        Self { params, zipf, seed }
    }
}

impl Generator {
    /// The requests of process `number` under `seed`. All of `params` has been checked.
    #[must_use]
    pub fn new(params: GeneratorParams, seed: u64, number: u32) -> Self {
        Self::of(&Arc::new(Alike::new(params, seed)), number, true)
    }

    pub(super) fn of(alike: &Arc<Alike>, number: u32, at_work: bool) -> Self {
        Self {
            streams: Streams::new(Whose { seed: alike.seed, number }, at_work),
            number,
            volume: alike.params.volumes.first().copied().unwrap_or(0),
            next_lba: 0,
            sectors: 0,
            operation: Operation::Read,
            criticality: Criticality::Unknown,
            alike: Arc::clone(alike),
        }
    }

    fn draw<T>(&mut self, choice: Choice, by: impl FnOnce(&mut Stream) -> T) -> T {
        let whose = Whose { seed: self.alike.seed, number: self.number };
        self.streams.draw(whose, choice, by)
    }

    fn vary(&mut self, law: Law, choice: Choice) -> f64 {
        match law {
            Law::Constant { value } => value,
            _ => self.draw(choice, |stream| law.draw(stream)),
        }
    }

    /// The next request.
    pub fn next_request(&mut self) -> Generated {
        let sectors = self.sectors();
        let kind = self.kind(sectors);
        let lba = match kind {
            Kind::Sequential => self.next_lba,
            Kind::Local => self.near(sectors),
            Kind::General => self.anywhere(sectors),
        };
        (self.next_lba, self.sectors) = (lba + u64::from(sectors), sectors);
        let read_share = self.alike.params.read_share;
        let read = self.draw(Choice::Operation, |stream| stream.chance(read_share));
        let criticality = self.criticality();
        let limit = match criticality {
            Criticality::Limited => time(self.vary(self.alike.params.limit_ms, Choice::Limit)),
            _ => Lapse::ZERO,
        };
        let interval = self.alike.params.interval_ms[kind as usize];
        self.operation = if read { Operation::Read } else { Operation::Write };
        self.criticality = criticality;
        Generated {
            kind,
            interval: time(self.vary(interval, Choice::Interval)),
            volume: self.volume,
            lba,
            sectors,
            operation: self.operation,
            criticality,
            limit,
        }
    }

    /// The request that was made up last.
    #[must_use]
    pub fn last(&self) -> Last {
        let &Self { volume, sectors, operation, criticality, .. } = self;
        Last { volume, lba: self.last_lba(), sectors, operation, criticality }
    }

    fn last_lba(&self) -> u64 {
        self.next_lba - u64::from(self.sectors)
    }

    fn sectors(&mut self) -> u32 {
        let law = self.alike.params.size_sectors;
        let drawn = libm::ceil(self.vary(law, Choice::Size)) as u64;
        let params = &self.alike.params;
        let block = u64::from(params.block_sectors);
        let most = u64::from(params.max_sectors).min(params.capacity_sectors);
        let whole = drawn.div_ceil(block).max(1) * block;
        whole.min((most / block).max(1) * block) as u32
    }

    /// A sequential request that no longer fits lies somewhere else.
    fn kind(&mut self, sectors: u32) -> Kind {
        let draw = self.draw(Choice::Kind, Stream::unit);
        let &GeneratorParams { sequential_share, local_share, capacity_sectors, .. } =
            &self.alike.params;
        if draw < sequential_share && self.next_lba + u64::from(sectors) <= capacity_sectors {
            Kind::Sequential
        } else if (sequential_share..sequential_share + local_share).contains(&draw) {
            Kind::Local
        } else {
            Kind::General
        }
    }

    /// An address near the previous one, held within the volume.
    fn near(&mut self, sectors: u32) -> u64 {
        let distance = self.vary(self.alike.params.local_distance_sectors, Choice::Address);
        let wanted = (self.last_lba() as f64 + distance).max(0.0) as u64;
        self.aligned(wanted, sectors)
    }

    fn anywhere(&mut self, sectors: u32) -> u64 {
        let Alike { params, zipf, seed } = &*self.alike;
        let whose = Whose { seed: *seed, number: self.number };
        let (volume, wanted) = self.streams.draw(whose, Choice::Address, |address| {
            let volumes = params.volumes.len() as u64;
            let volume = (volumes > 1).then(|| params.volumes[address.below(volumes) as usize]);
            let wanted = match (zipf, params.spread) {
                (Some(zipf), Spread::Zipf { parts, .. }) => {
                    let part = u128::from(zipf.draw(address)) * u128::from(SCATTER | 1);
                    let part = (part % u128::from(parts)) as u64;
                    let size = (params.capacity_sectors / parts).max(1);
                    part * size + address.below(size)
                }
                _ => address.below(params.capacity_sectors),
            };
            (volume, wanted)
        });
        self.volume = volume.unwrap_or(self.volume);
        self.aligned(wanted, sectors)
    }

    /// The multiple of the block at or below `wanted` from which `sectors` fit.
    fn aligned(&self, wanted: u64, sectors: u32) -> u64 {
        let block = u64::from(self.alike.params.block_sectors);
        let room = self.alike.params.capacity_sectors.saturating_sub(u64::from(sectors));
        wanted.min(room) / block * block
    }

    fn criticality(&mut self) -> Criticality {
        let draw = self.draw(Choice::Class, Stream::unit);
        let &GeneratorParams { critical_share, limited_share, .. } = &self.alike.params;
        if draw < critical_share {
            Criticality::Critical
        } else if draw < critical_share + limited_share {
            Criticality::Limited
        } else {
            Criticality::Noncritical
        }
    }
}

/// A drawn time; there are none below 0.
fn time(ms: f64) -> Lapse {
    Lapse::from_ms(ms.max(0.0)).expect("laws of times stay far below 39 million years")
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_units::Span;

    fn params() -> GeneratorParams {
        GeneratorParams {
            volumes: vec![3, 5],
            capacity_sectors: 10_000,
            block_sectors: 8,
            max_sectors: 64,
            sequential_share: 0.2,
            local_share: 0.3,
            spread: Spread::Uniform,
            read_share: 0.66,
            critical_share: 0.2,
            limited_share: 0.3,
            local_distance_sectors: Law::Normal { mean: 0.0, variance: 40_000.0 },
            size_sectors: Law::Exponential { base: 0.0, mean: 8.0 },
            interval_ms: [
                Law::Constant { value: 1.0 },
                Law::Constant { value: 2.0 },
                Law::Constant { value: 3.0 },
            ],
            limit_ms: Law::Normal { mean: 30.0, variance: 100.0 },
        }
    }

    #[test]
    fn requests_stay_on_the_volume_and_on_their_grid() {
        for spread in [Spread::Uniform, Spread::Zipf { theta: 0.9, parts: 100 }] {
            let mut generator = Generator::new(GeneratorParams { spread, ..params() }, 1, 0);
            for _ in 0..20_000 {
                let request = generator.next_request();
                assert!(request.lba + u64::from(request.sectors) <= 10_000, "{request:?}");
                assert!(
                    request.lba.is_multiple_of(8) && request.sectors.is_multiple_of(8),
                    "{request:?}"
                );
                assert!((8..=64).contains(&request.sectors) && [3, 5].contains(&request.volume));
                let thought = Lapse::from(Span::from_us(1_000 * (request.kind as u64 + 1)));
                assert_eq!(request.interval, thought);
                let limited = request.criticality == Criticality::Limited;
                assert!(limited || request.limit == Lapse::ZERO, "{request:?}");
            }
        }
    }

    #[test]
    fn shares_are_as_asked() {
        let mut generator = Generator::new(params(), 7, 2);
        let n = 50_000;
        let all: Vec<Generated> = (0..n).map(|_| generator.next_request()).collect();
        let share = |holds: &dyn Fn(&Generated) -> bool| {
            all.iter().filter(|request| holds(request)).count() as f64 / f64::from(n)
        };
        let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 0.01, "{found}");
        near(share(&|r| r.kind == Kind::Sequential), 0.2);
        near(share(&|r| r.kind == Kind::Local), 0.3);
        near(share(&|r| r.operation.is_read()), 0.66);
        near(share(&|r| r.criticality == Criticality::Critical), 0.2);
        near(share(&|r| r.criticality == Criticality::Limited), 0.3);
        near(share(&|r| r.volume == 3), 0.5);
    }

    #[test]
    fn processes_differ_and_seeds_repeat() {
        let take = |seed, number| {
            let mut generator = Generator::new(params(), seed, number);
            (0..50).map(|_| generator.next_request()).collect::<Vec<_>>()
        };
        assert_eq!(take(1, 0), take(1, 0));
        assert_ne!(take(1, 0), take(1, 1));
        assert_ne!(take(1, 0), take(2, 0));
    }
}
