//! What is kept of a run: figures of requests and of devices, what was busy when, and rows on
//! request.
//!
//! Memory does not grow with the run but for the rows, which are taken away while it goes on.

mod device;
mod over_time;
mod report;

pub(crate) use device::DeviceTally;
pub use device::{DeviceReport, TimesReport};
pub(crate) use over_time::OverTime;
pub use report::{
    BusReport, DeviceOverTime, Histograms, Mechanics, OverTimeReport, Report, VolumeReport,
};

use crate::source::Completion;
use platterlab_drive::CacheOutcome;
use platterlab_results::{
    Columns, Distribution, Histogram, RequestColumns, RequestRow, Row, SummaryBuilder,
};
use platterlab_units::Time;
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

/// Names of the classes of criticality, in the order of their numbers.
const CLASSES: [&str; 4] = ["unknown", "time-critical", "time-limited", "time-noncritical"];

/// What is kept while a system runs.
#[derive(Debug)]
pub(crate) struct Observer {
    warm_up: u64,
    offered: u64,
    served: u64,
    refused: u64,
    lost: u64,
    retried: u64,
    responses: Distribution,
    /// By [`Criticality`].
    by_class: [Distribution; 4],
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
    pub(crate) fn new(devices: usize, sector_bytes: u32, warm_up: u64, rows: bool) -> Self {
        Self {
            warm_up,
            offered: 0,
            served: 0,
            refused: 0,
            lost: 0,
            retried: 0,
            responses: Distribution::new(),
            by_class: std::array::from_fn(|_| Distribution::new()),
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

    #[inline]
    pub(crate) fn offered(&mut self) {
        self.offered += 1;
    }

    pub(crate) fn refused(&mut self) {
        self.refused += 1;
    }

    pub(crate) fn lost(&mut self) {
        self.lost += 1;
    }

    pub(crate) fn retried(&mut self) {
        self.retried += 1;
    }

    /// A request that came at `arrival` is served.
    #[inline]
    pub(crate) fn served(&mut self, [arrival, now]: [Time; 2], completion: &Completion) {
        self.served += 1;
        self.in_flight.add(0, arrival, now);
        let request = &completion.request;
        if self.served > self.warm_up {
            self.responses.add(completion.response);
            if request.criticality != Criticality::Unknown {
                self.by_class[request.criticality as usize].add(completion.response);
            }
        }
        if let Some(rows) = &mut self.requests {
            rows.push(&RequestRow {
                arrival,
                completion: now,
                volume: request.volume,
                lba: request.lba,
                sectors: request.sectors,
                operation: request.operation,
                class: CLASSES[request.criticality as usize],
            });
        }
    }

    pub(crate) fn served_so_far(&self) -> u64 {
        self.served
    }

    /// A command is done.
    #[inline]
    pub(crate) fn command(&mut self, row: &Row, times: [Time; 3]) {
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
        }
        if let Some(rows) = &mut self.rows {
            rows.push(row);
        }
    }
}
