//! What is kept of a run: figures of requests and of devices, what was busy when, and rows on
//! request.
//!
//! Memory does not grow with the run but for the rows, which are taken away while it goes on.

mod device;
mod figures;
mod over_time;
mod report;

pub(crate) use device::DeviceTally;
pub use device::{DeviceReport, TimesReport};
pub use figures::{ClassFigures, Counts, Figures, MeanMoves, StreamFigures};
pub(crate) use over_time::OverTime;
pub use report::{
    BusReport, DeviceCounts, DeviceOverTime, Histograms, Mechanics, OverTimeReport, Report,
    VolumeReport,
};

use crate::source::{Completion, Request};
use figures::FigureGroup;
use platterlab_drive::CacheOutcome;
use platterlab_results::{
    Columns, Distribution, Histogram, RequestColumns, RequestRow, Row, SummaryBuilder,
};
use platterlab_units::Stamp;
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
    warm_up: u64,
    all: Fates,
    retried: u64,
    responses: Distribution,
    /// By [`Criticality`].
    by_class: [FigureGroup; 4],
    /// By stream.
    fates: Vec<Fates>,
    /// By stream; none where there is one whose figures are those of all.
    streams: Vec<FigureGroup>,
    /// By volume, of those that are several devices where there are others beside them.
    volumes: Vec<Option<Distribution>>,
    commands: SummaryBuilder,
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
    /// For so many `devices` and, of each volume, whether responses are kept for it.
    pub(crate) fn new(devices: usize, volumes: &[bool], observed: Observed) -> Self {
        let Observed { sector_bytes, warm_up, streams, all_of_streams, rows } = observed;
        let streams = usize::from(streams.max(1));
        let apart = if streams == 1 && all_of_streams { 0 } else { streams };
        Self {
            warm_up,
            all: Fates::default(),
            retried: 0,
            responses: Distribution::new(),
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
    #[inline]
    pub(crate) fn served(&mut self, number: u64, arrival: Stamp, completion: &Completion) {
        let now = arrival + completion.response;
        self.all.served += 1;
        self.in_flight.add(0, arrival, now);
        let request = &completion.request;
        self.fates[usize::from(request.stream)].served += 1;
        if self.all.served > self.warm_up {
            self.responses.add(completion.response);
            if request.criticality != Criticality::Unknown {
                self.by_class[request.criticality as usize].response.add(completion.response);
            }
            if let Some(stream) = self.streams.get_mut(usize::from(request.stream)) {
                stream.response.add(completion.response);
            }
            if let Some(Some(volume)) = self.volumes.get_mut(request.volume as usize) {
                volume.add(completion.response);
            }
        }
        if let Some(rows) = &mut self.requests {
            rows.push(&RequestRow {
                arrival,
                completion: now,
                request: number,
                stream: request.stream,
                volume: request.volume,
                lba: request.lba,
                sectors: request.sectors,
                operation: request.operation,
                class: request.criticality as u8,
            });
        }
    }

    /// The command that was last done wrote a part of a sector.
    pub(crate) fn partial_write(&mut self) {
        self.commands.partial_write();
    }

    pub(crate) fn served_so_far(&self) -> u64 {
        self.all.served
    }

    /// Responses after the warm-up: how many, and their sum in milliseconds.
    pub(crate) fn responses(&self) -> (u64, f64) {
        (self.responses.count(), self.responses.sum_ms())
    }

    /// A command is done, of a request of this class if it is one of a stream.
    #[inline]
    pub(crate) fn command(&mut self, row: &Row, times: [Stamp; 3], class: Criticality) {
        let device = &mut self.devices[row.device as usize];
        device.add(row, times);
        let [arrival, issue, now] = times;
        let at_work = 2 * row.device as usize;
        self.over_time.add(at_work, issue, now);
        if issue > arrival {
            self.over_time.add(at_work + 1, arrival, issue);
        }
        self.commands.add(row);
        if self.commands.served() > self.warm_up {
            self.seek.add(row.parts.seek);
            self.rotation.add(row.parts.rotation);
            self.transfer.add(row.parts.transfer);
            self.seek_distance.add(u64::from(row.seek_distance));
            if let Some(stream) = self.streams.get_mut(usize::from(row.stream)) {
                stream.command(row, times);
            }
            if class != Criticality::Unknown && row.stream != Row::OWN_STREAM {
                self.by_class[class as usize].command(row, times);
            }
        }
        if let Some(rows) = &mut self.rows {
            rows.push(row);
        }
    }
}
