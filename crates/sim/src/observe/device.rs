//! Figures of one device: queue, service, idle and response times, and utilization.

use super::figures::{Bins, Counts, MeanMoves, Moves};
use platterlab_drive::CacheOutcome;
use platterlab_results::{Histogram, Row, ns_of};
use platterlab_units::{Lapse, Span, Stamp};
use serde::Serialize;

/// How many commands back a command may continue another one and still be of its stream.
const STREAMS: usize = 8;

/// Percentiles to 3 %, in little memory, as there may be many devices.
type Coarse = Histogram<4>;

/// The kinds of times of a device.
const QUEUE: usize = 0;
const SERVICE: usize = 1;
const IDLE: usize = 2;
/// The first two together.
const RESPONSE: usize = 3;

/// Times of each kind. What is counted at one time lies side by side.
#[derive(Clone, Debug, Default)]
struct Times {
    /// Many can wait at a time: their times add up to more than a run lasts.
    sum_ps: [u128; RESPONSE],
    /// The others are in `long`.
    longest: [Span; 4],
    /// Longest of what no span holds, if there is any.
    long: Option<Box<[Lapse; 4]>>,
    /// By step of [`Coarse`], in as little memory as can be; those of 0 are left out. Of what has not
    /// waited the service is the response: of responses it is how many more there are than services.
    steps: Vec<[u32; 4]>,
}

/// What is kept of one device, over the whole run. It fills whole lines of a processor's cache: all of
/// it is used with each command.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct DeviceTally {
    pub(crate) longest_queue: u32,
    served: u64,
    times: Times,
    /// In the device's own queue, kept apart as most have none.
    inside: Option<Box<Times>>,
    moves: Moves,
    free_since: Stamp,
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
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
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
    /// The part of that in the device's own queue, of the commands that found it at work; `None` if
    /// none did.
    pub own_queue: Option<TimesReport>,
    /// From when it began to the end.
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
            served: 0,
            times: Times::default(),
            inside: None,
            moves: Moves::default(),
            free_since: Stamp::ZERO,
            ends: [u64::MAX; STREAMS],
            last: 0,
            continued: 0,
            interrupted: 0,
            after_read_hit: false,
            writes_after_hits: 0,
        }
    }

    /// Counts a command by its times in the queue, at the device and in all.
    #[inline(always)]
    pub(super) fn add<T: Into<Lapse> + Copy>(&mut self, row: &Row, [queue, service, all]: [T; 3]) {
        self.writes_after_hits += u64::from(self.after_read_hit && !row.operation.is_read());
        self.after_read_hit = row.operation.is_read() && row.cache == CacheOutcome::Hit as u8;
        self.served += 1;
        let step = self.times.add(SERVICE, service);
        if queue.into() > Lapse::ZERO {
            self.times.add(QUEUE, queue);
            self.times.add(RESPONSE, all);
            self.times.not_response(step);
        }
        self.moves.add(row);
        if row.issue > self.free_since {
            self.times.add(IDLE, row.issue - self.free_since);
        }
        self.free_since = row.completion;
        if self.ends[usize::from(self.last)] == row.lba {
            self.continued += 1;
        } else if self.ends.contains(&row.lba) {
            self.interrupted += 1;
        }
        self.last = (self.last + 1) % STREAMS as u8;
        self.ends[usize::from(self.last)] = row.lba + u64::from(row.sectors);
    }

    /// A command has waited in the device's own queue.
    pub(super) fn waited_inside(&mut self, time: Lapse) {
        self.inside.get_or_insert_default().add(QUEUE, time);
    }

    pub(super) fn report(&self, elapsed_ms: f64) -> DeviceReport {
        let share = |kind| {
            let sum_ms = self.times.sum_ms(kind);
            if elapsed_ms > 0.0 { sum_ms / elapsed_ms } else { 0.0 }
        };
        let times = |kind| self.times.report(kind, self.served);
        DeviceReport {
            served: self.served,
            utilisation: share(SERVICE),
            mean_queue_length: share(QUEUE),
            longest_queue: self.longest_queue as usize,
            response: times(RESPONSE),
            queue: times(QUEUE),
            own_queue: self.inside.as_ref().map(|inside| inside.report(QUEUE, 0)),
            service: times(SERVICE),
            moves: self.moves.means(self.served),
            idle: self.times.report(IDLE, 0),
            continued: self.continued,
            interrupted: self.interrupted,
            writes_after_hits: self.writes_after_hits,
        }
    }

    pub(super) fn counts(&self, bins: &Bins) -> Counts {
        let [response, queue, service] =
            [RESPONSE, QUEUE, SERVICE].map(|kind| self.times.histogram(kind, self.served));
        bins.counts([&response, &queue, &service])
    }
}

impl Times {
    /// Counts a time, and gives the step it is in.
    #[inline(always)]
    fn add(&mut self, kind: usize, time: impl Into<Lapse>) -> Option<usize> {
        let time: Lapse = time.into();
        if time == Lapse::ZERO {
            return None;
        }
        if let Some(sum) = self.sum_ps.get_mut(kind) {
            *sum += time.as_ps();
        }
        let step = match time.span() {
            Some(span) => {
                if span > self.longest[kind] {
                    self.longest[kind] = span;
                }
                Coarse::step_of(span.as_ps() / 1_000)
            }
            None => self.long_step(kind, time),
        };
        let counts = match self.steps.get_mut(step) {
            Some(counts) => counts,
            None => self.grow(step),
        };
        counts[kind] = counts[kind].wrapping_add(1);
        Some(step)
    }

    /// A service that was in this step was a part of a response.
    #[inline]
    fn not_response(&mut self, step: Option<usize>) {
        if let Some(step) = step {
            let count = &mut self.steps[step][RESPONSE];
            *count = count.wrapping_sub(1);
        }
    }

    #[cold]
    fn long_step(&mut self, kind: usize, time: Lapse) -> usize {
        let longest = &mut self.long.get_or_insert_default()[kind];
        *longest = (*longest).max(time);
        Coarse::step_of(ns_of(time))
    }

    #[cold]
    fn grow(&mut self, step: usize) -> &mut [u32; 4] {
        // A whole doubling at a time.
        self.steps.resize((step | 15) + 1, [0; 4]);
        &mut self.steps[step]
    }

    fn sum_ms(&self, kind: usize) -> f64 {
        let both = || self.sum_ps[QUEUE] + self.sum_ps[SERVICE];
        self.sum_ps.get(kind).copied().unwrap_or_else(both) as f64 / 1e9
    }

    /// The times of a kind, those of 0 made up to `least` in all.
    fn histogram(&self, kind: usize, least: u64) -> Coarse {
        let count = |step: &[u32; 4]| match kind {
            RESPONSE => u64::from(step[SERVICE].wrapping_add(step[RESPONSE])),
            kind => u64::from(step[kind]),
        };
        let mut counts: Vec<u64> = self.steps.iter().map(count).collect();
        let zeros = least.saturating_sub(counts.iter().sum());
        if zeros > 0 {
            counts.resize(counts.len().max(1), 0);
            counts[0] += zeros;
        }
        Coarse::of_steps(counts)
    }

    fn report(&self, kind: usize, least: u64) -> TimesReport {
        let histogram = self.histogram(kind, least);
        let longest = |kind: usize| {
            let long = self.long.as_ref().map_or(Lapse::ZERO, |long| long[kind]);
            long.max(self.longest[kind].into())
        };
        let longest_ms = match kind {
            RESPONSE => longest(RESPONSE).max(longest(SERVICE)),
            kind => longest(kind),
        };
        let longest_ms = longest_ms.as_ms();
        let quantiles = histogram.quantiles([0.5, 0.95, 0.99]);
        let [p50_ms, p95_ms, p99_ms] = quantiles.map(|ns| (ns / 1e6).min(longest_ms));
        let count = histogram.total();
        TimesReport {
            count,
            mean_ms: self.sum_ms(kind) / count.max(1) as f64,
            p50_ms,
            p95_ms,
            p99_ms,
            max_ms: longest_ms,
        }
    }
}
