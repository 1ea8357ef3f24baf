//! The report of a run.

use super::figures::Bins;
use super::{
    ClassFigures, Counts, DeviceReport, Fates, Figures, MeanMoves, Observer, OperationFigures,
    StreamFigures,
};
use crate::array::{RebuildReport, Volume};
use crate::bus::Bus;
use crate::controller::CacheReport;
use platterlab_results::{Distribution, DistributionSummary, RequestRow, Summary};
use platterlab_units::Stamp;
use serde::Serialize;

/// The figures of a run. `offered = served + refused + lost + in_flight` always holds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Report {
    /// Requests that came.
    pub offered: u64,
    /// Requests that were served.
    pub served: u64,
    /// Requests that did not fit their volume.
    pub refused: u64,
    /// Requests whose data no device holds any more.
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
    /// Reads and writes, where there were any.
    pub operations: Vec<OperationFigures>,
    /// Each class of criticality that there was.
    pub classes: Vec<ClassFigures>,
    /// Each stream.
    pub streams: Vec<StreamFigures>,
    /// Commands at the devices.
    pub commands: Summary,
    /// The mechanics' part of commands.
    pub mechanics: Mechanics,
    /// How many requests and commands took how long.
    pub histograms: Histograms,
    /// Each device.
    pub devices: Vec<DeviceReport>,
    /// Each bus.
    pub buses: Vec<BusReport>,
    /// The cache of each controller.
    pub caches: Vec<Option<CacheReport>>,
    /// Each volume.
    pub volumes: Vec<VolumeReport>,
    /// What was busy when.
    pub over_time: OverTimeReport,
}

/// The mechanics' part of commands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Mechanics {
    /// Seeks, head switches included.
    pub seek_ms: Option<DistributionSummary>,
    /// Rotational latency.
    pub rotation_ms: Option<DistributionSummary>,
    /// Media transfer.
    pub transfer_ms: Option<DistributionSummary>,
    /// Half of the commands crossed at most this number of cylinders.
    pub median_seek_distance_cylinders: f64,
    /// Ninety percent crossed at most this number.
    pub p90_seek_distance_cylinders: f64,
}

/// Counts by time; bins begin at [`Histograms::from_ms`], the last has no end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct Histograms {
    /// Where each bin begins; it ends where the next begins.
    pub from_ms: Vec<f64>,
    /// All requests and commands.
    #[serde(flatten)]
    pub all: Counts,
    /// The commands of the busiest devices, [`OverTimeReport::MOST`] at most, over the whole run.
    pub devices: Vec<DeviceCounts>,
}

/// How long the commands of a device took.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct DeviceCounts {
    /// Its place in the system.
    pub device: usize,
    /// Its commands.
    #[serde(flatten)]
    pub counts: Counts,
}

/// The figures of a volume, and its state at the end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct VolumeReport {
    /// Whether every device was there, or a spare in its place.
    pub whole: bool,
    /// Responses of its requests after the warm-up; `None` if it had none, or where it is one of several
    /// volumes and a single device, whose figures are its own.
    pub response_ms: Option<DistributionSummary>,
    /// The rebuilds there were.
    pub rebuilds: Vec<RebuildReport>,
}

/// The figures of one bus.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct BusReport {
    /// Share of the time it was taken; above 1 where interleaved transfers share it.
    pub utilisation: f64,
    /// Transfers that had to wait for it.
    pub waited: u64,
    /// From asking for it to having it; `None` where nothing did, or where transfers share it.
    pub wait_ms: Option<DistributionSummary>,
    /// Times when nobody had it, each until somebody did; `None` alike.
    pub idle_ms: Option<DistributionSummary>,
}

/// Means over bins of equal width, from the start to the end of the run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct OverTimeReport {
    /// Width of a bin.
    pub bin_ms: f64,
    /// Requests under way.
    pub in_flight: Vec<f64>,
    /// The busiest devices, [`OverTimeReport::MOST`] at most, in their order in the system.
    pub devices: Vec<DeviceOverTime>,
    /// Share of each bus that was taken.
    pub buses: Vec<Vec<f64>>,
}

/// One device over time.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct DeviceOverTime {
    /// Its place in the system.
    pub device: usize,
    /// Share of the time it was at work.
    pub utilisation: Vec<f64>,
    /// Commands waiting for it.
    pub queue: Vec<f64>,
}

impl OverTimeReport {
    /// Devices that are reported.
    pub const MOST: usize = 64;
}

impl Observer {
    pub(crate) fn report(
        &self,
        now: Stamp,
        events: u64,
        buses: &[Bus],
        volumes: &[Volume],
        caches: Vec<Option<CacheReport>>,
    ) -> Report {
        let elapsed_ms = now.since(Stamp::ZERO).as_ms();
        let bins = Bins::new();
        let responses = self.all_responses();
        let Fates { offered, served, refused, lost } = self.all;
        let devices: Vec<_> = self.devices.iter().map(|device| device.report(elapsed_ms)).collect();
        let busiest = busiest(&devices);
        let [seek, rotation, transfer] =
            [&self.seek, &self.rotation, &self.transfer].map(|times| self.with_none(times));
        let mut seek_distance = self.seek_distance.clone();
        seek_distance.add_zeros(self.counted() - seek_distance.total());
        let bus = |bus: &Bus| BusReport {
            utilisation: if elapsed_ms > 0.0 { bus.busy.as_ms() / elapsed_ms } else { 0.0 },
            waited: bus.waited,
            wait_ms: bus.waits.summary(),
            idle_ms: bus.idle.summary(),
        };
        let volume = |(index, volume): (usize, &Volume)| VolumeReport {
            whole: volume.is_consistent(),
            response_ms: match volumes {
                [_] => responses.summary(),
                _ => self.volumes[index].as_ref().and_then(Distribution::summary),
            },
            rebuilds: volume.rebuilds().to_vec(),
        };
        Report {
            offered,
            served,
            refused,
            lost,
            retried: self.retried,
            in_flight: self.all.in_flight(),
            elapsed_ms,
            events,
            response_ms: responses.summary(),
            operations: self.operations(),
            classes: self.classes(&bins),
            streams: self.streams(&bins),
            commands: self.commands.finish(),
            mechanics: Mechanics {
                seek_ms: seek.summary(),
                rotation_ms: rotation.summary(),
                transfer_ms: transfer.summary(),
                median_seek_distance_cylinders: seek_distance.quantile(0.5),
                p90_seek_distance_cylinders: seek_distance.quantile(0.9),
            },
            histograms: self.histograms(&bins, &busiest),
            over_time: self.over_time(now, &busiest, buses),
            devices,
            buses: buses.iter().map(bus).collect(),
            caches,
            volumes: volumes.iter().enumerate().map(volume).collect(),
        }
    }

    /// Commands that figures are kept of.
    fn counted(&self) -> u64 {
        self.commands.served().saturating_sub(self.commands.warm_up())
    }

    /// The times of commands with those that had none.
    fn with_none(&self, times: &Distribution) -> Distribution {
        let mut all = times.clone();
        all.add_zeros(self.counted() - times.count());
        all
    }

    fn operations(&self) -> Vec<OperationFigures> {
        let times = ["reads", "writes"].into_iter().zip(&self.responses);
        let seen = times.filter(|(_, times)| times.count() > 0);
        seen.map(|(name, times)| OperationFigures { name, response_ms: times.summary() }).collect()
    }

    fn classes(&self, bins: &Bins) -> Vec<ClassFigures> {
        let classes = RequestRow::CLASSES.iter().zip(&self.by_class);
        let seen = classes.filter(|(_, group)| group.response.count() > 0);
        seen.map(|(name, group)| ClassFigures { name, figures: group.figures(bins) }).collect()
    }

    fn streams(&self, bins: &Bins) -> Vec<StreamFigures> {
        let of_all = || {
            let summary = self.commands.finish();
            Figures {
                response_ms: self.all_responses().summary(),
                queue_ms: summary.queue,
                service_ms: summary.service,
                moves: self.moves(),
                histograms: self.counts(bins),
            }
        };
        let stream = |(index, fates): (usize, &Fates)| StreamFigures {
            offered: fates.offered,
            served: fates.served,
            refused: fates.refused,
            lost: fates.lost,
            in_flight: fates.in_flight(),
            figures: self.streams.get(index).map_or_else(of_all, |group| group.figures(bins)),
        };
        self.fates.iter().enumerate().map(stream).collect()
    }

    fn counts(&self, bins: &Bins) -> Counts {
        let service = self.commands.service();
        let queue = self.commands.queue();
        let times = [&self.all_responses(), &queue, &service];
        bins.counts(times.map(Distribution::histogram))
    }

    fn moves(&self) -> MeanMoves {
        let mean = |times: &Distribution| times.sum_ms() / self.counted().max(1) as f64;
        MeanMoves {
            mean_seek_ms: mean(&self.seek),
            mean_rotation_ms: mean(&self.rotation),
            mean_transfer_ms: mean(&self.transfer),
            mean_seek_distance_cylinders: self.commands.finish().mean_seek_distance_cylinders,
        }
    }

    fn histograms(&self, bins: &Bins, busiest: &[usize]) -> Histograms {
        let device =
            |&device: &usize| DeviceCounts { device, counts: self.devices[device].counts(bins) };
        Histograms {
            from_ms: bins.begin_ms(),
            all: self.counts(bins),
            devices: busiest.iter().map(device).collect(),
        }
    }

    fn over_time(&self, now: Stamp, busiest: &[usize], buses: &[Bus]) -> OverTimeReport {
        // That of the most quantities has the widest bins.
        let shift = self.over_time.told_in(now);
        let device = |&index: &usize| DeviceOverTime {
            device: index,
            utilisation: self.over_time.means(2 * index, now, shift),
            queue: self.over_time.means(2 * index + 1, now, shift),
        };
        OverTimeReport {
            bin_ms: (1_u128 << shift) as f64 / 1e9,
            in_flight: self.in_flight.means(0, now, shift),
            devices: busiest.iter().map(device).collect(),
            buses: buses.iter().map(|bus| bus.taken_over_time.means(0, now, shift)).collect(),
        }
    }
}

/// The busiest devices in their order in the system.
fn busiest(devices: &[DeviceReport]) -> Vec<usize> {
    let mut busiest: Vec<usize> = (0..devices.len()).collect();
    busiest.sort_by(|a, b| devices[*b].utilisation.total_cmp(&devices[*a].utilisation));
    busiest.truncate(OverTimeReport::MOST);
    busiest.sort_unstable();
    busiest
}

impl Fates {
    fn in_flight(&self) -> u64 {
        self.offered - self.served - self.refused - self.lost
    }
}
