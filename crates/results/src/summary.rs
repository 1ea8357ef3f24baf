//! The summary of a replay: counts, rates and distributions, collected row by row.

use crate::{Distribution, DistributionSummary, Parts, Row};
use platterlab_units::{Operation, Stamp};
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
    cache: Vec<u64>,
    read_hits: u64,
    response: Distribution,
    queue: Distribution,
    service: [Distribution; 2],
    measured: Distribution,
    parts_ps: [u128; Parts::NAMES.len()],
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
            cache: vec![0; outcomes.len()],
            read_hits: 0,
            response: Distribution::new(),
            queue: Distribution::new(),
            service: [Distribution::new(), Distribution::new()],
            measured: Distribution::new(),
            parts_ps: [0; Parts::NAMES.len()],
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

    /// Counts a served request.
    #[inline]
    pub fn add(&mut self, row: &Row) {
        const HIT: u8 = 1;
        self.served += 1;
        self.operations[row.operation.index()] += 1;
        if self.served <= self.warm_up {
            return;
        }
        self.first_issue.get_or_insert(row.issue);
        self.last_completion = self.last_completion.max(row.completion);
        self.cache[usize::from(row.cache)] += 1;
        self.read_hits += u64::from(row.cache == HIT && row.operation == Operation::Read);
        let service = row.service();
        self.response.add(row.response());
        self.queue.add(row.queue());
        self.service[row.operation.index()].add(service);
        if let Some(measured) = row.measured {
            self.measured.add(measured);
        }
        for (sum, part) in self.parts_ps.iter_mut().zip(row.parts.list()) {
            *sum += u128::from(part.as_ps());
        }
        self.seek_distance += u64::from(row.seek_distance);
        self.sectors += u64::from(row.sectors);
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
    pub fn queue(&self) -> &Distribution {
        &self.queue
    }

    /// Times from issue to completion, of reads and writes.
    #[must_use]
    pub fn service(&self) -> Distribution {
        let mut service = self.service[0].clone();
        service.merge(&self.service[1]);
        service
    }

    /// The figures.
    #[must_use]
    pub fn finish(&self) -> Summary {
        let service_all = self.service();
        let counted = service_all.count();
        let mean = |sum: f64| if counted == 0 { 0.0 } else { sum / counted as f64 };
        let started = self.first_issue.unwrap_or(Stamp::ZERO);
        let duration_ms =
            (self.last_completion.as_ps().saturating_sub(started.as_ps())) as f64 / 1e9;
        let by_time = |sum: f64| if duration_ms > 0.0 { sum / duration_ms } else { 0.0 };
        let bytes = self.sectors as f64 * f64::from(self.sector_bytes);
        let reads = self.service[0].count();
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
            throughput_mib_s: by_time(bytes * 1e3 / f64::from(1 << 20)),
            response: self.response.summary(),
            queue: self.queue.summary(),
            service: service_all.summary(),
            service_reads: self.service[0].summary(),
            service_writes: self.service[1].summary(),
            parts_mean_ms: Parts::NAMES
                .into_iter()
                .zip(self.parts_ps)
                .map(|(name, ps)| Part { name, mean_ms: mean(ps as f64 / 1e9) })
                .collect(),
            cache: self
                .outcomes
                .iter()
                .zip(&self.cache)
                .map(|(name, requests)| Count { name, requests: *requests })
                .collect(),
            read_hit_ratio: (reads > 0).then(|| self.read_hits as f64 / reads as f64),
            mean_seek_distance_cylinders: mean(self.seek_distance as f64),
            measured: self.measured.summary(),
        }
    }
}
