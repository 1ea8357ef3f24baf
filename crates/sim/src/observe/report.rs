use super::{CLASSES, DeviceReport, Observer, OverTime};
use crate::array::{RebuildReport, Volume};
use crate::bus::Bus;
use crate::controller::CacheReport;
use platterlab_results::{Distribution, DistributionSummary, Summary};
use platterlab_units::Time;
use serde::Serialize;

/// The figures of a run. `offered = served + refused + lost + in_flight` always holds.
#[derive(Clone, Debug, Serialize)]
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
    /// The same by class of criticality, for the classes there were.
    pub response_by_class_ms: Vec<(&'static str, DistributionSummary)>,
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
pub struct Mechanics {
    /// Seeks, head switches included.
    pub seek_ms: Option<DistributionSummary>,
    /// Rotational latency.
    pub rotation_ms: Option<DistributionSummary>,
    /// Media transfer.
    pub transfer_ms: Option<DistributionSummary>,
    /// Half of the commands crossed at most so many cylinders.
    pub median_seek_distance_cylinders: f64,
    /// Ninety percent crossed at most so many.
    pub p90_seek_distance_cylinders: f64,
}

/// Counts by time; bins begin at [`Histograms::from_ms`], the last has no end.
#[derive(Clone, Debug, Serialize)]
pub struct Histograms {
    /// Where each bin begins; it ends where the next begins.
    pub from_ms: Vec<f64>,
    /// Requests by response time.
    pub response: Vec<u64>,
    /// Commands by time in the queue.
    pub queue: Vec<u64>,
    /// Commands by service time.
    pub service: Vec<u64>,
}

/// The state of a volume at the end.
#[derive(Clone, Debug, Serialize)]
pub struct VolumeReport {
    /// Whether every device was there, or a spare in its place.
    pub whole: bool,
    /// The rebuilds there were.
    pub rebuilds: Vec<RebuildReport>,
}

/// The figures of one bus.
#[derive(Clone, Debug, Serialize)]
pub struct BusReport {
    /// Share of the time it was taken; above 1 where interleaved transfers share it.
    pub utilisation: f64,
    /// Transfers that had to wait for it.
    pub waited: u64,
}

/// Means over bins of equal width, from the start to the end of the run.
#[derive(Clone, Debug, Serialize)]
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
pub struct DeviceOverTime {
    /// Its place in the system.
    pub device: usize,
    /// Share of the time it was at work.
    pub utilisation: Vec<f64>,
    /// Commands waiting for it.
    pub queue: Vec<f64>,
}

impl OverTimeReport {
    /// Devices that are told about.
    pub const MOST: usize = 64;
}

impl Observer {
    pub(crate) fn report(
        &self,
        now: Time,
        events: u64,
        buses: &[Bus],
        (volumes, caches): (&[Volume], Vec<Option<CacheReport>>),
    ) -> Report {
        let elapsed_ms = now.since(Time::ZERO).as_ms();
        let classes = CLASSES.iter().zip(&self.by_class);
        let devices: Vec<_> = self.devices.iter().map(|device| device.report(elapsed_ms)).collect();
        let bus = |bus: &Bus| BusReport {
            utilisation: if elapsed_ms > 0.0 { bus.busy.as_ms() / elapsed_ms } else { 0.0 },
            waited: bus.waited,
        };
        let volume = |volume: &Volume| VolumeReport {
            whole: volume.is_whole(),
            rebuilds: volume.rebuilds().to_vec(),
        };
        Report {
            offered: self.offered,
            served: self.served,
            refused: self.refused,
            lost: self.lost,
            retried: self.retried,
            in_flight: self.offered - self.served - self.refused - self.lost,
            elapsed_ms,
            events,
            response_ms: self.responses.summary(),
            response_by_class_ms: classes
                .filter_map(|(name, times)| Some((*name, times.summary()?)))
                .collect(),
            commands: self.commands.finish(),
            mechanics: Mechanics {
                seek_ms: self.seek.summary(),
                rotation_ms: self.rotation.summary(),
                transfer_ms: self.transfer.summary(),
                median_seek_distance_cylinders: self.seek_distance.quantile(0.5),
                p90_seek_distance_cylinders: self.seek_distance.quantile(0.9),
            },
            histograms: self.histograms(),
            over_time: self.over_time(now, &devices, buses),
            devices,
            buses: buses.iter().map(bus).collect(),
            caches,
            volumes: volumes.iter().map(volume).collect(),
        }
    }

    fn histograms(&self) -> Histograms {
        // Twenty bins a decade from 10 µs to 1000 s, and one for all that is shorter.
        let steps = (0..=160).map(|step| 1e4 * libm::pow(10.0, f64::from(step) / 20.0));
        let bounds: Vec<u64> = std::iter::once(0).chain(steps.map(|ns| ns as u64)).collect();
        let counts = |times: &Distribution| times.histogram().counts_between(&bounds);
        Histograms {
            from_ms: bounds.iter().map(|ns| *ns as f64 / 1e6).collect(),
            response: counts(&self.responses),
            queue: counts(self.commands.queue()),
            service: counts(&self.commands.service()),
        }
    }

    fn over_time(&self, now: Time, devices: &[DeviceReport], buses: &[Bus]) -> OverTimeReport {
        let mut busiest: Vec<usize> = (0..devices.len()).collect();
        busiest.sort_by(|a, b| devices[*b].utilisation.total_cmp(&devices[*a].utilisation));
        busiest.truncate(OverTimeReport::MOST);
        busiest.sort_unstable();
        let device = |index: usize| DeviceOverTime {
            device: index,
            utilisation: self.over_time.means(2 * index, now),
            queue: self.over_time.means(2 * index + 1, now),
        };
        OverTimeReport {
            bin_ms: OverTime::bin_ms(now),
            in_flight: self.in_flight.means(0, now),
            devices: busiest.into_iter().map(device).collect(),
            buses: buses.iter().map(|bus| bus.taken_over_time.means(0, now)).collect(),
        }
    }
}
