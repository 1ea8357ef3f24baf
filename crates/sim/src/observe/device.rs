use platterlab_drive::CacheOutcome;
use platterlab_results::Row;
use platterlab_units::{Span, Time};
use serde::Serialize;

/// How many commands back a command may continue another one and still be of its stream.
const STREAMS: usize = 8;

/// What is kept of one device, over the whole run.
#[derive(Clone, Debug)]
pub(crate) struct DeviceTally {
    served: u64,
    pub(crate) longest_queue: u32,
    service: Span,
    longest_service: Span,
    /// Many can wait at a time: their times add up to more than a run lasts.
    queue_ps: u128,
    longest_wait: Span,
    longest_response: Span,
    seek: Span,
    rotation: Span,
    transfer: Span,
    seek_distance: u64,
    idles: u64,
    idle: Span,
    longest_idle: Span,
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
    /// Mean seek, head switches included.
    pub mean_seek_ms: f64,
    /// Mean rotational latency.
    pub mean_rotation_ms: f64,
    /// Mean media transfer.
    pub mean_transfer_ms: f64,
    /// Mean distance of the arm's moves, those of zero included.
    pub mean_seek_distance_cylinders: f64,
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
            served: 0,
            longest_queue: 0,
            service: Span::ZERO,
            longest_service: Span::ZERO,
            queue_ps: 0,
            longest_wait: Span::ZERO,
            longest_response: Span::ZERO,
            seek: Span::ZERO,
            rotation: Span::ZERO,
            transfer: Span::ZERO,
            seek_distance: 0,
            idles: 0,
            idle: Span::ZERO,
            longest_idle: Span::ZERO,
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
        self.served += 1;
        self.writes_after_hits += u64::from(self.after_read_hit && !row.operation.is_read());
        self.after_read_hit = row.operation.is_read() && row.cache == CacheOutcome::Hit as u8;
        self.service += now.since(issue);
        self.longest_service = self.longest_service.max(now.since(issue));
        self.queue_ps += u128::from(issue.since(arrival).as_ps());
        self.longest_wait = self.longest_wait.max(issue.since(arrival));
        self.longest_response = self.longest_response.max(now.since(arrival));
        self.seek += row.parts.seek;
        self.rotation += row.parts.rotation;
        self.transfer += row.parts.transfer;
        self.seek_distance += u64::from(row.seek_distance);
        if issue > self.free_since {
            let idle = issue.since(self.free_since);
            self.idles += 1;
            self.idle += idle;
            self.longest_idle = self.longest_idle.max(idle);
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
            |sum_ps: u128| if elapsed_ms > 0.0 { sum_ps as f64 / 1e9 / elapsed_ms } else { 0.0 };
        let mean = |sum: f64| if self.served > 0 { sum / self.served as f64 } else { 0.0 };
        let service_ps = u128::from(self.service.as_ps());
        let times = |sum_ps, longest| report(self.served, sum_ps, longest);
        DeviceReport {
            served: self.served,
            utilisation: share(service_ps),
            mean_queue_length: share(self.queue_ps),
            longest_queue: self.longest_queue as usize,
            response: times(service_ps + self.queue_ps, self.longest_response),
            queue: times(self.queue_ps, self.longest_wait),
            service: times(service_ps, self.longest_service),
            mean_seek_ms: mean(self.seek.as_ms()),
            mean_rotation_ms: mean(self.rotation.as_ms()),
            mean_transfer_ms: mean(self.transfer.as_ms()),
            mean_seek_distance_cylinders: mean(self.seek_distance as f64),
            idle: report(self.idles, u128::from(self.idle.as_ps()), self.longest_idle),
            continued: self.continued,
            interrupted: self.interrupted,
            writes_after_hits: self.writes_after_hits,
        }
    }
}

fn report(count: u64, sum_ps: u128, longest: Span) -> TimesReport {
    let mean_ms = sum_ps as f64 / 1e9 / count.max(1) as f64;
    TimesReport { count, mean_ms, max_ms: longest.as_ms() }
}
