//! A server's report of itself: how late it was, what the host was good for, whether to trust it.

use crate::pace::Measured;
use platterlab_results::Histogram;
use schemars::JsonSchema;
use serde::Serialize;

/// Of a service time, an answer may be late by this share without changing what is measured.
const TOLERATED_SHARE: f64 = 0.02;
/// And by no more than this at 99 % of the answers.
const TOLERATED_US: f64 = 100.0;
/// Per mille of the requests that may be later than a millisecond.
const TOLERATED_OF_1000: f64 = 1.0;
/// Multiple of the floor below which the drive is not distinguished from the host.
const FLOORS: f64 = 3.0;

/// The steps of a histogram of lateness begin here, in microseconds, and end where the next begins.
const STEPS_FROM_US: [u64; 14] =
    [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 10_000, 100_000];

/// A step of a histogram of lateness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct LatenessStep {
    /// From here on, in microseconds, up to where the next step begins; the last has no end.
    pub from_us: u64,
    /// Requests that were so late.
    pub requests: u64,
}

/// How late something was, over all requests.
#[derive(Clone, Debug, Default, JsonSchema, Serialize)]
pub struct Lateness {
    /// The median.
    pub p50: f64,
    /// At 90 % of the requests.
    pub p90: f64,
    /// At 99 % of the requests.
    pub p99: f64,
    /// At 99.9 % of the requests.
    pub p999: f64,
    /// The worst.
    pub max: f64,
    /// Requests that were later than 100 us.
    pub over_100us: u64,
    /// Requests that were later than 1 ms.
    pub over_1ms: u64,
    /// How many were how late, to a sixty-fourth of where a step begins.
    pub histogram: Vec<LatenessStep>,
}

/// What the host is good for, measured at start.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "each says of one thing whether it was granted")]
#[schemars(rename = "ServeHostReport")]
pub struct HostReport {
    /// A byte to another thread and back.
    pub floor_us: f64,
    /// Gaps of more than 20 us in which a busy thread did not run.
    pub tick_gaps_per_s: f64,
    /// The longest of them.
    pub longest_tick_gap_us: f64,
    /// The share of time that went into them.
    pub lost_share: f64,
    /// Processors.
    pub processors: usize,
    /// Whether the server had `SCHED_FIFO`.
    pub real_time: bool,
    /// Whether its memory was locked.
    pub memory_locked: bool,
    /// Whether its timers were exact.
    pub exact_timers: bool,
}

/// Whether the times that clients saw were the drive's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// They were.
    Trusted,
    /// Some were the host's.
    Degraded,
    /// Nothing was paced.
    Unpaced,
    /// Nothing was asked.
    Idle,
}

/// What a power cut took.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct PowerCut {
    /// When, by the drive's own clock.
    pub at_ms: f64,
    /// Bytes of answered writes that were neither on the media nor in memory that outlives it.
    pub lost_bytes: u64,
    /// Bytes of answered writes that were not on the media and outlived it.
    pub kept_bytes: u64,
    /// Requests that were not answered.
    pub unanswered: u64,
}

/// What was served, and how well.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(rename = "ServeReport")]
pub struct Report {
    /// Requests answered, refused ones included.
    pub requests: u64,
    /// Of those: reads.
    pub reads: u64,
    /// Writes, of zeros too.
    pub writes: u64,
    /// Flushes.
    pub flushes: u64,
    /// Sectors forgotten.
    pub trims: u64,
    /// Questions where data is.
    pub block_status: u64,
    /// Answered with an error: it did not fit, or the store failed.
    pub errors: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Connections so far.
    pub connections: u64,
    /// Answers that waited for the host's own disk: their lateness is not counted.
    pub waited_for_sync: u64,
    /// Requests that are being served.
    pub in_flight: u64,
    /// How long it has served.
    pub served_ms: f64,
    /// How much faster than the host's time the model's passes; null where nothing is paced.
    pub speed: Option<f64>,
    /// From the model's completion to the answer.
    pub lateness_us: Lateness,
    /// From the model's completion to the thread that was woken for it.
    pub wake_us: Lateness,
    /// The model's service times: the median, in the host's time.
    pub median_service_us: f64,
    /// Requests that the model served in less than three times the floor.
    pub faster_than_floor: u64,
    /// Revolutions that a client lost because the answer before was late.
    pub slipped_revolutions: u64,
    /// What the host is good for.
    pub host: HostReport,
    /// The power cut, if there was one.
    pub power_cut: Option<PowerCut>,
    /// What the host said to the first write that the store could not take, as where its disk is full; to
    /// the client such a write failed.
    pub store_error: Option<String>,
    /// Whether to trust the times.
    pub verdict: Verdict,
    /// Why not.
    pub reasons: Vec<String>,
}

/// What is counted while it serves.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) reads: u64,
    pub(crate) writes: u64,
    pub(crate) flushes: u64,
    pub(crate) trims: u64,
    pub(crate) block_status: u64,
    pub(crate) errors: u64,
    pub(crate) read_bytes: u64,
    pub(crate) written_bytes: u64,
    pub(crate) connections: u64,
    pub(crate) in_flight: u64,
    pub(crate) waited_for_sync: u64,
    pub(crate) answered: u64,
    pub(crate) late_ns: Worst,
    pub(crate) wake_ns: Worst,
    pub(crate) service_ns: Worst,
    pub(crate) faster_than_floor: u64,
    pub(crate) slipped: u64,
    pub(crate) power_cut: Option<PowerCut>,
}

/// A histogram that knows its greatest value exactly.
#[derive(Debug, Default)]
pub(crate) struct Worst {
    counts: Histogram<6>,
    max: u64,
}

impl Worst {
    pub(crate) fn add(&mut self, ns: u64) {
        self.counts.add(ns);
        self.max = self.max.max(ns);
    }

    fn median_us(&self) -> f64 {
        self.at(0.5)
    }

    fn at(&self, share: f64) -> f64 {
        // The middle of a step may lie above all that is in it.
        self.counts.quantile(share).min(self.max as f64) / 1e3
    }

    fn lateness(&self) -> Lateness {
        let over = self.counts.counts_between(&[0, 100_000, 1_000_000]);
        Lateness {
            p50: self.at(0.5),
            p90: self.at(0.9),
            p99: self.at(0.99),
            p999: self.at(0.999),
            max: self.max as f64 / 1e3,
            over_100us: over[1] + over[2],
            over_1ms: over[2],
            histogram: self.histogram(),
        }
    }

    fn histogram(&self) -> Vec<LatenessStep> {
        let counts = self.counts.counts_between(&STEPS_FROM_US.map(|us| us * 1_000));
        let steps = STEPS_FROM_US.into_iter().zip(counts);
        steps.map(|(from_us, requests)| LatenessStep { from_us, requests }).collect()
    }
}

impl Tally {
    /// The report, after `served_ns` of the host's time, at a `speed` if it is paced.
    pub(crate) fn report(&self, host: HostReport, served_ns: u64, speed: Option<f64>) -> Report {
        let (lateness, wake) = (self.late_ns.lateness(), self.wake_ns.lateness());
        let median_service_us = self.service_ns.median_us();
        let reasons = if speed.is_some() {
            self.reasons(&lateness, median_service_us, &host)
        } else {
            Vec::new()
        };
        let verdict = match (speed, self.answered) {
            (None, _) => Verdict::Unpaced,
            (_, 0) => Verdict::Idle,
            _ if reasons.is_empty() => Verdict::Trusted,
            _ => Verdict::Degraded,
        };
        Report {
            requests: self.answered,
            reads: self.reads,
            writes: self.writes,
            flushes: self.flushes,
            trims: self.trims,
            block_status: self.block_status,
            errors: self.errors,
            read_bytes: self.read_bytes,
            written_bytes: self.written_bytes,
            connections: self.connections,
            waited_for_sync: self.waited_for_sync,
            in_flight: self.in_flight,
            served_ms: served_ns as f64 / 1e6,
            speed,
            lateness_us: lateness,
            wake_us: wake,
            median_service_us,
            faster_than_floor: self.faster_than_floor,
            slipped_revolutions: self.slipped,
            host,
            power_cut: self.power_cut,
            store_error: None,
            verdict,
            reasons,
        }
    }

    fn reasons(&self, late: &Lateness, median_service_us: f64, host: &HostReport) -> Vec<String> {
        let mut reasons = Vec::new();
        let most_us = TOLERATED_US.min(TOLERATED_SHARE * median_service_us);
        if late.p99 > most_us {
            let p99 = late.p99;
            reasons.push(format!(
                "1 % of the answers were later than {p99:.0} us; {most_us:.0} are tolerated"
            ));
        }
        let of_1000 = late.over_1ms as f64 / self.answered.max(1) as f64 * 1e3;
        if of_1000 >= TOLERATED_OF_1000 {
            reasons.push(format!("{} answers were later than 1 ms", late.over_1ms));
        }
        if self.faster_than_floor * 100 > self.answered {
            reasons.push(format!(
                "{} requests took the drive less than {FLOORS:.0} times the {:.1} us of the host",
                self.faster_than_floor, host.floor_us
            ));
        }
        reasons
    }
}

impl HostReport {
    pub(crate) fn new(measured: &Measured, favours: &crate::pace::Favours) -> Self {
        Self {
            floor_us: measured.floor_us,
            tick_gaps_per_s: measured.gaps_per_s,
            longest_tick_gap_us: measured.longest_gap_us,
            lost_share: measured.lost_share,
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            real_time: favours.real_time.is_some(),
            memory_locked: favours.locked,
            exact_timers: favours.exact_timers,
        }
    }

    /// What a request has to take to be distinguished from the host, in nanoseconds.
    pub(crate) fn least_ns(&self) -> u64 {
        (self.floor_us * FLOORS * 1e3) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_has_each_where_it_belongs() {
        let mut late = Worst::default();
        for ns in [0, 80, 7_000, 7_500, 150_000, 3_000_000, 2_000_000_000] {
            late.add(ns);
        }
        let seen: Vec<(u64, u64)> = late
            .lateness()
            .histogram
            .iter()
            .filter(|step| step.requests > 0)
            .map(|step| (step.from_us, step.requests))
            .collect();
        assert_eq!(seen, [(0, 2), (5, 2), (100, 1), (2_000, 1), (100_000, 1)]);
    }
}
