//! The summary of a replay: counts, rates and distributions, collected row by row.

use crate::{Distribution, DistributionSummary, Parts, Row};
use platterlab_units::{Lapse, MIB, Operation, Stamp};
use serde::Serialize;

/// A run in figures. `offered = served + refused` always holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Requests the workload offered to the drive.
    pub offered: u64,
    /// Requests served.
    pub served: u64,
    /// Requests refused, by reason.
    pub refused: Vec<Count>,
    /// Reads served.
    pub reads: u64,
    /// Writes served.
    pub writes: u64,
    /// Those of them that left a part of a sector alone, which the drive had to read first.
    pub partial_writes: u64,
    /// Served requests left out of all figures below, at the start of the run.
    pub warm_up: u64,
    /// From the first issue to the last completion.
    pub duration_ms: f64,
    /// Share of that time in which the drive served a request.
    pub utilisation: f64,
    /// Served requests by time.
    pub requests_per_s: f64,
    /// Data moved by time, in 2^20 bytes.
    pub throughput_mib_s: f64,
    /// Arrival to completion.
    pub response: Option<DistributionSummary>,
    /// Arrival to issue.
    pub queue: Option<DistributionSummary>,
    /// Issue to completion.
    pub service: Option<DistributionSummary>,
    /// Service time of reads.
    pub service_reads: Option<DistributionSummary>,
    /// Service time of writes.
    pub service_writes: Option<DistributionSummary>,
    /// Mean of each part of the service time, in order; they add up to its mean.
    pub parts_mean_ms: Vec<Part>,
    /// Requests by cache outcome.
    pub cache: Vec<Count>,
    /// Share of reads that were full hits.
    pub read_hit_ratio: Option<f64>,
    /// Mean distance of the arm's moves, those of zero included.
    pub mean_seek_distance_cylinders: f64,
    /// Service time the trace recorded.
    pub measured: Option<DistributionSummary>,
}

/// A number of requests under a word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Count {
    /// The word.
    pub name: &'static str,
    /// How many.
    pub requests: u64,
}

/// A mean time under a word.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Part {
    /// The word.
    pub name: &'static str,
    /// How long.
    pub mean_ms: f64,
}

/// Collects a summary row by row, in constant memory.
#[derive(Clone, Debug)]
pub struct SummaryBuilder {
    outcomes: &'static [&'static str],
    sector_bytes: u32,
    warm_up: u64,
    served: u64,
    refused: Vec<Count>,
    operations: [u64; 2],
    partial_writes: u64,
    /// By outcome and operation.
    cache: Vec<[u64; 2]>,
    /// Of those that waited: from arrival to issue, and to completion.
    queue: Distribution,
    response: Distribution,
    /// By whether they had waited, and by operation. What did not wait took so long in all.
    service: [[Distribution; 2]; 2],
    measured: Distribution,
    /// Sums, in the order of [`Parts::NAMES`].
    parts: [Lapse; Parts::NAMES.len()],
    seek_distance: u64,
    sectors: u64,
    first_issue: Option<Stamp>,
    last_completion: Stamp,
}

impl SummaryBuilder {
    /// For a drive of `sector_bytes`, cache outcomes named in the order of their numbers (the
    /// second is the full hit); the first `warm_up` requests are served but not counted.
    #[must_use]
    pub fn new(outcomes: &'static [&'static str], sector_bytes: u32, warm_up: u64) -> Self {
        Self {
            outcomes,
            sector_bytes,
            warm_up,
            served: 0,
            refused: Vec::new(),
            operations: [0; 2],
            partial_writes: 0,
            cache: vec![[0; 2]; outcomes.len()],
            queue: Distribution::new(),
            response: Distribution::new(),
            service: Default::default(),
            measured: Distribution::new(),
            parts: [Lapse::ZERO; Parts::NAMES.len()],
            seek_distance: 0,
            sectors: 0,
            first_issue: None,
            last_completion: Stamp::ZERO,
        }
    }

    /// Counts a refused request.
    pub fn refuse(&mut self, reason: &'static str) {
        match self.refused.iter_mut().find(|count| count.name == reason) {
            Some(count) => count.requests += 1,
            None => self.refused.push(Count { name: reason, requests: 1 }),
        }
    }

    /// Counts a served request as a write that left a part of a sector alone.
    pub fn partial_write(&mut self) {
        self.partial_writes += 1;
    }

    /// Counts a served request. A call would cost as much as some of the figures.
    #[inline(always)]
    pub fn add(&mut self, row: &Row) {
        match row.spans() {
            Some(times) => self.add_timed(row, times),
            None => self.add_long(*row),
        }
    }

    #[cold]
    fn add_long(&mut self, row: Row) {
        self.add_timed(&row, [row.queue(), row.service(), row.response()]);
    }

    /// The same where its times in the queue, at the device and in all are known already.
    #[inline(always)]
    pub fn add_timed<T: Into<Lapse> + Copy>(&mut self, row: &Row, [queue, service, all]: [T; 3]) {
        let operation = row.operation.index();
        self.served += 1;
        self.operations[operation] += 1;
        if self.served <= self.warm_up {
            return;
        }
        self.first_issue.get_or_insert(row.issue);
        self.last_completion = self.last_completion.max(row.completion);
        self.cache[usize::from(row.cache)][operation] += 1;
        let waited = queue.into() > Lapse::ZERO;
        if waited {
            self.queue.add(queue);
            self.response.add(all);
        }
        self.service[usize::from(waited)][operation].add(service);
        if let Some(measured) = row.measured {
            self.measured.add(measured);
        }
        let [overhead, wait, seek, rotation, transfer, bus] = &mut self.parts;
        *overhead += row.parts.overhead;
        *wait += row.parts.wait;
        *bus += row.parts.bus;
        if row.parts.has_moved() {
            *seek += row.parts.seek;
            *rotation += row.parts.rotation;
            *transfer += row.parts.transfer;
        }
        self.seek_distance += u64::from(row.seek_distance);
        self.sectors += u64::from(row.sectors);
    }

    /// How many served requests at the start are not counted.
    #[must_use]
    pub fn warm_up(&self) -> u64 {
        self.warm_up
    }

    /// The next row, too, is served but not counted.
    pub fn warm_up_through_next(&mut self) {
        self.warm_up = self.warm_up.max(self.served + 1);
    }

    /// The same rows, with the requests refused and the writes in part that another has counted.
    #[must_use]
    pub fn beside(&self, other: &Self) -> Self {
        let (refused, partial_writes) = (other.refused.clone(), other.partial_writes);
        Self { refused, partial_writes, ..self.clone() }
    }

    /// Requests served so far, warm-up included.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.served
    }

    /// Requests refused so far.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refused.iter().map(|count| count.requests).sum()
    }

    /// Times from arrival to issue.
    #[must_use]
    pub fn queue(&self) -> Distribution {
        let mut queue = self.queue.clone();
        queue.add_zeros(self.service[0].iter().map(Distribution::count).sum());
        queue
    }

    /// Times from issue to completion, of reads and writes.
    #[must_use]
    pub fn service(&self) -> Distribution {
        merged(self.service.as_flattened())
    }

    /// Times from arrival to completion.
    fn response(&self) -> Distribution {
        let mut response = merged(&self.service[0]);
        response.merge(&self.response);
        response
    }

    /// The figures.
    #[must_use]
    pub fn finish(&self) -> Summary {
        const HIT: usize = 1;
        let service_all = self.service();
        let [service_reads, service_writes] =
            [0, 1].map(|operation| merged(self.service.iter().map(|waited| &waited[operation])));
        let counted = service_all.count();
        let mean = |sum: f64| if counted == 0 { 0.0 } else { sum / counted as f64 };
        let started = self.first_issue.unwrap_or(Stamp::ZERO);
        let duration_ms =
            (self.last_completion.as_ps().saturating_sub(started.as_ps())) as f64 / 1e9;
        let by_time = |sum: f64| if duration_ms > 0.0 { sum / duration_ms } else { 0.0 };
        let bytes = self.sectors as f64 * f64::from(self.sector_bytes);
        let reads = service_reads.count();
        let read_hits = self.cache.get(HIT).map_or(0, |hits| hits[Operation::Read.index()]);
        Summary {
            offered: self.served + self.refused(),
            served: self.served,
            refused: self.refused.clone(),
            reads: self.operations[0],
            writes: self.operations[1],
            partial_writes: self.partial_writes,
            warm_up: self.warm_up.min(self.served),
            duration_ms,
            utilisation: by_time(service_all.sum_ms()),
            requests_per_s: by_time(counted as f64 * 1e3),
            throughput_mib_s: by_time(bytes * 1e3 / MIB),
            response: self.response().summary(),
            queue: self.queue().summary(),
            service: service_all.summary(),
            service_reads: service_reads.summary(),
            service_writes: service_writes.summary(),
            parts_mean_ms: Parts::NAMES
                .into_iter()
                .zip(self.parts)
                .map(|(name, sum)| Part { name, mean_ms: mean(sum.as_ms()) })
                .collect(),
            cache: self
                .outcomes
                .iter()
                .zip(&self.cache)
                .map(|(name, requests)| Count { name, requests: requests.iter().sum() })
                .collect(),
            read_hit_ratio: (reads > 0).then(|| read_hits as f64 / reads as f64),
            mean_seek_distance_cylinders: mean(self.seek_distance as f64),
            measured: self.measured.summary(),
        }
    }
}

/// The times of all of them.
fn merged<'a>(all: impl IntoIterator<Item = &'a Distribution>) -> Distribution {
    let mut merged = Distribution::new();
    all.into_iter().for_each(|one| merged.merge(one));
    merged
}
