//! Records of a run: figures of requests and of devices, what was busy when, and rows on
//! request.
//!
//! Memory does not grow with the run but for the rows, which are taken away while it continues.

mod device;
mod figures;
mod over_time;
mod report;

pub(crate) use device::DeviceTally;
pub use device::{DeviceReport, TimesReport};
pub use figures::{ClassFigures, Counts, Figures, MeanMoves, OperationFigures, StreamFigures};
pub(crate) use over_time::OverTime;
pub use report::{
    BusReport, DeviceCounts, DeviceOverTime, Histograms, Mechanics, OverTimeReport, Report,
    VolumeReport,
};

use crate::source::Request;
use figures::FigureGroup;
use platterlab_drive::CacheOutcome;
use platterlab_results::{
    Columns, Distribution, Histogram, RequestColumns, RequestRow, Row, SummaryBuilder,
};
use platterlab_units::{Lapse, Span, Stamp};
use platterlab_workload::Criticality;

/// Names of the cache outcomes, in the order of their numbers.
pub(crate) const OUTCOMES: [&str; CacheOutcome::ALL.len()] = {
    let mut names = [""; CacheOutcome::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = CacheOutcome::ALL[index].name();
        index += 1;
    }
    names
};

/// What became of requests.
#[derive(Clone, Copy, Debug, Default)]
struct Fates {
    offered: u64,
    served: u64,
    refused: u64,
    lost: u64,
}

/// What is to be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observed {
    /// Bytes in a sector of the devices.
    pub(crate) sector_bytes: u32,
    /// Requests served before figures are kept.
    pub(crate) warm_up: u64,
    /// Simulated time before figures are kept.
    pub(crate) warm_up_until: Stamp,
    /// How many streams there are.
    pub(crate) streams: u16,
    /// Whether all commands are of a stream, and none of the system's own.
    pub(crate) all_of_streams: bool,
    /// Whether rows are kept.
    pub(crate) rows: bool,
}

/// What is kept while a system runs.
#[derive(Clone, Debug)]
pub(crate) struct Observer {
    /// Requests that are left out; that of commands is in `commands`.
    warm_up: u64,
    warm_up_until: Stamp,
    all: Fates,
    retried: u64,
    /// Of reads and of writes, which together are all: as times of each are exact sums, so is that of both.
    responses: [Distribution; 2],
    /// By [`Criticality`].
    by_class: [FigureGroup; 4],
    /// By stream.
    fates: Vec<Fates>,
    /// By stream; none where there is one whose figures are those of all.
    streams: Vec<FigureGroup>,
    /// By volume, of those that are several devices where there are others, too.
    volumes: Vec<Option<Distribution>>,
    commands: SummaryBuilder,
    /// These three, and the distance, of commands that have any.
    seek: Distribution,
    rotation: Distribution,
    transfer: Distribution,
    seek_distance: Histogram,
    in_flight: OverTime,
    pub(crate) devices: Vec<DeviceTally>,
    /// Of each device, whether it is at work, and how many wait for it.
    over_time: OverTime,
    pub(crate) rows: Option<Columns>,
    pub(crate) requests: Option<RequestColumns>,
}

impl Observer {
    /// For a number of `devices` and, of each volume, whether responses are kept for it.
    pub(crate) fn new(devices: usize, volumes: &[bool], observed: Observed) -> Self {
        let Observed { sector_bytes, warm_up, warm_up_until, streams, all_of_streams, rows } =
            observed;
        let streams = usize::from(streams.max(1));
        let apart = if streams == 1 && all_of_streams { 0 } else { streams };
        Self {
            warm_up,
            warm_up_until,
            all: Fates::default(),
            retried: 0,
            responses: std::array::from_fn(|_| Distribution::new()),
            by_class: std::array::from_fn(|_| FigureGroup::default()),
            fates: vec![Fates::default(); streams],
            streams: vec![FigureGroup::default(); apart],
            volumes: volumes.iter().map(|kept| kept.then(Distribution::new)).collect(),
            commands: SummaryBuilder::new(&OUTCOMES, sector_bytes, warm_up),
            seek: Distribution::new(),
            rotation: Distribution::new(),
            transfer: Distribution::new(),
            seek_distance: Histogram::default(),
            in_flight: OverTime::new(1),
            devices: vec![DeviceTally::new(); devices],
            over_time: OverTime::new(2 * devices),
            rows: rows.then(Columns::default),
            requests: rows.then(RequestColumns::default),
        }
    }

    /// A request comes; its number.
    #[inline]
    pub(crate) fn offered(&mut self, request: &Request) -> u64 {
        self.all.offered += 1;
        self.fates[usize::from(request.stream)].offered += 1;
        self.all.offered - 1
    }

    pub(crate) fn refused(&mut self, request: &Request) {
        self.all.refused += 1;
        self.fates[usize::from(request.stream)].refused += 1;
    }

    pub(crate) fn lost(&mut self, request: &Request) {
        self.all.lost += 1;
        self.fates[usize::from(request.stream)].lost += 1;
    }

    pub(crate) fn retried(&mut self) {
        self.retried += 1;
    }

    /// A request that came at `arrival` is served.
    #[inline(always)]
    pub(crate) fn served(&mut self, number: u64, arrival: Stamp, now: Stamp, request: &Request) {
        let response = now - arrival;
        self.all.served += 1;
        self.in_flight.add(0, arrival, now);
        self.fates[usize::from(request.stream)].served += 1;
        if now < self.warm_up_until {
            self.warm_up = self.warm_up.max(self.all.served);
        }
        if self.all.served > self.warm_up {
            let write = usize::from(!request.operation.is_read());
            self.responses[write].add(response);
            if request.criticality != Criticality::Unknown {
                self.by_class[request.criticality as usize].response.add(response);
            }
            if let Some(stream) = self.streams.get_mut(usize::from(request.stream)) {
                stream.response.add(response);
            }
            if let Some(Some(volume)) = self.volumes.get_mut(request.volume as usize) {
                volume.add(response);
            }
        }
        if self.requests.is_some() {
            self.keep_request(number, arrival, now, request);
        }
    }

    #[cold]
    fn keep_request(&mut self, number: u64, arrival: Stamp, completion: Stamp, request: &Request) {
        let Some(rows) = &mut self.requests else { return };
        rows.push(&RequestRow {
            arrival,
            completion,
            request: number,
            stream: request.stream,
            volume: request.volume,
            lba: request.lba,
            sectors: request.sectors,
            operation: request.operation,
            class: request.criticality as u8,
        });
    }

    /// The command that was last done wrote a part of a sector.
    pub(crate) fn partial_write(&mut self) {
        self.commands.partial_write();
    }

    pub(crate) fn served_so_far(&self) -> u64 {
        self.all.served
    }

    /// Of all requests after the warm-up.
    fn all_responses(&self) -> Distribution {
        let [reads, writes] = &self.responses;
        let mut all = reads.clone();
        all.merge(writes);
        all
    }

    /// Responses after the warm-up: how many, and their sum in milliseconds.
    pub(crate) fn responses(&self) -> (u64, f64) {
        let all = self.all_responses();
        (all.count(), all.sum_ms())
    }

    /// A command is done, of a request of this class if it is one of a stream, having waited so long in
    /// its device. In the one place where commands are done, the row need never be put together.
    #[inline(always)]
    pub(crate) fn command(&mut self, row: &Row, class: Criticality, inside: Lapse) {
        let at_work = 2 * row.device as usize;
        self.over_time.add(at_work, row.issue, row.completion);
        if row.issue > row.arrival {
            self.over_time.add(at_work + 1, row.arrival, row.issue);
        }
        if row.completion < self.warm_up_until {
            self.commands.warm_up_through_next();
        }
        match row.spans() {
            Some(times) => self.count(row, times),
            None => self.count_long(*row),
        }
        if inside > Lapse::ZERO {
            self.devices[row.device as usize].waited_inside(inside);
        }
        if self.commands.served() > self.commands.warm_up() {
            if row.parts.has_moved() {
                self.moved(row);
            }
            // Of a write that was reported at once, the arm's way is not a part.
            if row.seek_distance > 0 {
                self.seek_distance.add(row.seek_distance.into());
            }
            if !self.streams.is_empty() || class != Criticality::Unknown {
                self.count_apart(*row, class);
            }
        }
        if self.rows.is_some() {
            self.keep(*row);
        }
    }

    /// Counts a command by its times in the queue, at the device and in all.
    #[inline(always)]
    fn count<T: Into<Lapse> + Copy>(&mut self, row: &Row, times: [T; 3]) {
        self.devices[row.device as usize].add(row, times);
        self.commands.add_timed(row, times);
    }

    #[cold]
    fn count_long(&mut self, row: Row) {
        self.count(&row, [row.queue(), row.service(), row.response()]);
    }

    /// Counts a command with those of its stream and its class.
    #[inline(never)]
    fn count_apart(&mut self, row: Row, class: Criticality) {
        if let Some(stream) = self.streams.get_mut(usize::from(row.stream)) {
            stream.command(&row);
        }
        if class != Criticality::Unknown && row.stream != Row::OWN_STREAM {
            self.by_class[class as usize].command(&row);
        }
    }

    /// Mechanics had a part in a command. What has none of these is made up for in the end.
    #[inline(always)]
    fn moved(&mut self, row: &Row) {
        let parts = &row.parts;
        let times = [&mut self.seek, &mut self.rotation, &mut self.transfer];
        for (times, part) in times.into_iter().zip([parts.seek, parts.rotation, parts.transfer]) {
            if part > Span::ZERO {
                times.add(part);
            }
        }
    }

    #[cold]
    fn keep(&mut self, row: Row) {
        if let Some(rows) = &mut self.rows {
            rows.push(&row);
        }
    }
}
