use super::figures::{Bins, Counts, MeanMoves, Moves};
use platterlab_drive::CacheOutcome;
use platterlab_results::{Distribution, DistributionSummary, Row};
use platterlab_units::Time;
use serde::Serialize;

/// How many commands back a command may continue another one and still be of its stream.
const STREAMS: usize = 8;

/// Times of one device: percentiles to 3 %, in little memory, as there may be many devices.
type Times = Distribution<4>;

/// What is kept of one device, over the whole run.
#[derive(Clone, Debug)]
pub(crate) struct DeviceTally {
    pub(crate) longest_queue: u32,
    response: Times,
    queue: Times,
    service: Times,
    moves: Moves,
    idle: Times,
    free_since: Time,
    /// Where the last commands ended, and which of them is the last.
    ends: [u64; STREAMS],
    last: u8,
    continued: u64,
    interrupted: u64,
    after_read_hit: bool,
    writes_after_hits: u64,
}

/// The figures of some times.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TimesReport {
    /// How many.
    pub count: u64,
    /// Mean, 0 if there are none.
    pub mean_ms: f64,
    /// Median, to 3 %.
    pub p50_ms: f64,
    /// 95th percentile, to 3 %.
    pub p95_ms: f64,
    /// 99th percentile, to 3 %.
    pub p99_ms: f64,
    /// Longest.
    pub max_ms: f64,
}

/// The figures of one device, over the whole run.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceReport {
    /// Commands served.
    pub served: u64,
    /// Share of the time it was at work.
    pub utilisation: f64,
    /// Commands waiting for it, on the average.
    pub mean_queue_length: f64,
    /// The most that waited.
    pub longest_queue: usize,
    /// Of its commands, from the driver to the end.
    pub response: TimesReport,
    /// From the driver until it began.
    pub queue: TimesReport,
    /// From there to the end.
    pub service: TimesReport,
    /// The mechanics' part of its commands.
    #[serde(flatten)]
    pub moves: MeanMoves,
    /// Times with nothing to do between commands.
    pub idle: TimesReport,
    /// Commands that began where the one before them ended.
    pub continued: u64,
    /// Commands that began where one of the seven before that ended: another stream came between.
    pub interrupted: u64,
    /// Writes right after a read from the cache: each breaks off the read-ahead the hit had begun.
    pub writes_after_hits: u64,
}

impl DeviceTally {
    pub(super) fn new() -> Self {
        Self {
            longest_queue: 0,
            response: Times::default(),
            queue: Times::default(),
            service: Times::default(),
            moves: Moves::default(),
            idle: Times::default(),
            free_since: Time::ZERO,
            ends: [u64::MAX; STREAMS],
            last: 0,
            continued: 0,
            interrupted: 0,
            after_read_hit: false,
            writes_after_hits: 0,
        }
    }

    /// Counts a command that came at `arrival`, was begun at `issue` and is done at `now`.
    #[inline]
    pub(super) fn add(&mut self, row: &Row, [arrival, issue, now]: [Time; 3]) {
        self.writes_after_hits += u64::from(self.after_read_hit && !row.operation.is_read());
        self.after_read_hit = row.operation.is_read() && row.cache == CacheOutcome::Hit as u8;
        self.response.add(now.since(arrival));
        self.queue.add(issue.since(arrival));
        self.service.add(now.since(issue));
        self.moves.add(row);
        if issue > self.free_since {
            self.idle.add(issue.since(self.free_since));
        }
        self.free_since = now;
        if self.ends[usize::from(self.last)] == row.lba {
            self.continued += 1;
        } else if self.ends.contains(&row.lba) {
            self.interrupted += 1;
        }
        self.last = (self.last + 1) % STREAMS as u8;
        self.ends[usize::from(self.last)] = row.lba + u64::from(row.sectors);
    }

    pub(super) fn report(&self, elapsed_ms: f64) -> DeviceReport {
        let share =
            |times: &Times| if elapsed_ms > 0.0 { times.sum_ms() / elapsed_ms } else { 0.0 };
        DeviceReport {
            served: self.service.count(),
            utilisation: share(&self.service),
            mean_queue_length: share(&self.queue),
            longest_queue: self.longest_queue as usize,
            response: report(&self.response),
            queue: report(&self.queue),
            service: report(&self.service),
            moves: self.moves.means(),
            idle: report(&self.idle),
            continued: self.continued,
            interrupted: self.interrupted,
            writes_after_hits: self.writes_after_hits,
        }
    }

    pub(super) fn counts(&self, bins: &Bins) -> Counts {
        bins.counts(&self.response, &self.queue, &self.service)
    }
}

fn report(times: &Times) -> TimesReport {
    let summary = times.summary();
    let of = |figure: fn(&DistributionSummary) -> f64| summary.as_ref().map_or(0.0, figure);
    TimesReport {
        count: times.count(),
        mean_ms: of(|times| times.mean_ms),
        p50_ms: of(|times| times.p50_ms),
        p95_ms: of(|times| times.p95_ms),
        p99_ms: of(|times| times.p99_ms),
        max_ms: of(|times| times.max_ms),
    }
}
