//! What is kept of a run: figures of requests and of devices, and rows on request.

use crate::array::{RebuildReport, Volume};
use crate::source::Completion;
use platterlab_drive::CacheOutcome;
use platterlab_results::{
    Columns, Distribution, DistributionSummary, Row, Summary, SummaryBuilder,
};
use platterlab_units::{Span, Time};
use platterlab_workload::Criticality;
use serde::Serialize;

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

/// Figures of one device.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeviceTally {
    pub(crate) served: u64,
    pub(crate) busy: Span,
    pub(crate) waited: Span,
    pub(crate) longest_queue: usize,
}

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
    pub(crate) devices: Vec<DeviceTally>,
    pub(crate) rows: Option<Columns>,
}

/// The figures of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Requests that came.
    pub offered: u64,
    /// Requests that were served.
    pub served: u64,
    /// Requests that did not fit their volume.
    pub refused: u64,
    /// Requests for data that was lost with its devices.
    pub lost: u64,
    /// Times a request was begun anew because a device failed under it.
    pub retried: u64,
    /// Requests still under way, if the run was broken off.
    pub in_flight: u64,
    /// The simulated time.
    pub elapsed_ms: f64,
    /// Events, those of the source included.
    pub events: u64,
    /// From arrival to completion.
    pub response_ms: Option<DistributionSummary>,
    /// The same by class of criticality, for the classes there were.
    pub response_by_class_ms: Vec<(&'static str, DistributionSummary)>,
    /// Commands at the devices.
    pub commands: Summary,
    /// Each device.
    pub devices: Vec<DeviceReport>,
    /// Each bus.
    pub buses: Vec<BusReport>,
    /// Each volume.
    pub volumes: Vec<VolumeReport>,
}

/// The state of a volume at the end.
#[derive(Clone, Debug, Serialize)]
pub struct VolumeReport {
    /// Whether every device was there, or a spare in its place.
    pub whole: bool,
    /// The rebuilds there were.
    pub rebuilds: Vec<RebuildReport>,
}

/// The figures of one device.
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
}

/// The figures of one bus.
#[derive(Clone, Debug, Serialize)]
pub struct BusReport {
    /// Share of the time it was taken.
    pub utilisation: f64,
    /// Transfers that had to wait for it.
    pub waited: u64,
}

const CLASSES: [&str; 4] = ["unknown", "time-critical", "time-limited", "time-noncritical"];

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
            devices: vec![DeviceTally::default(); devices],
            rows: rows.then(Columns::default),
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

    #[inline]
    pub(crate) fn served(&mut self, completion: &Completion) {
        self.served += 1;
        if self.served > self.warm_up {
            self.responses.add(completion.response);
            let class = completion.request.criticality;
            if class != Criticality::Unknown {
                self.by_class[class as usize].add(completion.response);
            }
        }
    }

    pub(crate) fn served_so_far(&self) -> u64 {
        self.served
    }

    /// A command is done; it was waiting before its issue.
    #[inline]
    pub(crate) fn command(&mut self, row: &Row) {
        let device = &mut self.devices[row.device as usize];
        device.served += 1;
        device.busy += row.service();
        device.waited += row.queue();
        self.commands.add(row);
        if let Some(rows) = &mut self.rows {
            rows.push(row);
        }
    }

    pub(crate) fn report(
        &self,
        now: Time,
        events: u64,
        buses: &[(Span, u64)],
        volumes: &[Volume],
    ) -> Report {
        let elapsed = now.since(Time::ZERO).as_ms();
        let share = |time: Span| if elapsed > 0.0 { time.as_ms() / elapsed } else { 0.0 };
        let classes = CLASSES.iter().zip(&self.by_class);
        Report {
            offered: self.offered,
            served: self.served,
            refused: self.refused,
            lost: self.lost,
            retried: self.retried,
            in_flight: self.offered - self.served - self.refused - self.lost,
            elapsed_ms: elapsed,
            events,
            response_ms: self.responses.summary(),
            response_by_class_ms: classes
                .filter_map(|(name, times)| Some((*name, times.summary()?)))
                .collect(),
            commands: self.commands.finish(),
            devices: self
                .devices
                .iter()
                .map(|device| DeviceReport {
                    served: device.served,
                    utilisation: share(device.busy),
                    mean_queue_length: share(device.waited),
                    longest_queue: device.longest_queue,
                })
                .collect(),
            buses: buses
                .iter()
                .map(|&(busy, waited)| BusReport { utilisation: share(busy), waited })
                .collect(),
            volumes: volumes
                .iter()
                .map(|volume| VolumeReport {
                    whole: volume.is_whole(),
                    rebuilds: volume.rebuilds().to_vec(),
                })
                .collect(),
        }
    }
}
