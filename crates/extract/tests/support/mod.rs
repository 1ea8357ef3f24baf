//! A drive from a few numbers, its truth worked out from them, and its characterization.

#![allow(dead_code, reason = "each test file uses its own part")]

pub mod random;

use platterlab_device::{BlockDevice, HostModel, Simulated, WriteConsent};
use platterlab_drive::*;
use platterlab_extract::{Campaign, Extraction, Goal};
use platterlab_probe::{Access, run};
use platterlab_units::{Angle, Span};
use std::ops::ControlFlow;

/// Some cylinders formatted alike.
#[derive(Clone, Copy, Debug)]
pub struct ZoneSpec {
    pub cylinders: u32,
    pub sectors_per_track: u32,
    pub track_skew_sectors: u32,
    pub cylinder_skew_sectors: u32,
}

/// A drive in a few numbers.
#[derive(Clone, Debug)]
pub struct Spec {
    pub rotation_ms: f64,
    pub surfaces: u32,
    pub zones: Vec<ZoneSpec>,
    pub order: TrackOrder,
    pub seek: SeekCurve,
    pub head_switch_ms: f64,
    pub settle_write_ms: f64,
    /// The controller's processor before a command and after it.
    pub overhead_ms: f64,
    pub completion_ms: f64,
    /// Interface time of one sector.
    pub bus_sector_ms: f64,
    pub phase: f64,
    /// Sectors of read-ahead; 0 is no cache.
    pub read_ahead_sectors: u32,
}

/// What an extraction of outer-zone values must find.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    pub rotation_ms: f64,
    pub surfaces: f64,
    pub sectors_per_track: f64,
    pub track_skew_ms: f64,
    pub cylinder_skew_ms: f64,
    /// A request whose sector is about to pass, less the sector itself: host, controller and the
    /// interface transfer that comes before the media.
    pub mtm_ms: f64,
    /// What a head switch adds to that: the interface transfer goes on meanwhile.
    pub head_switch_ms: f64,
    pub cylinder_switch_ms: f64,
    pub seek_min_ms: f64,
    pub seek_max_ms: f64,
    pub outer_mib_s: f64,
    pub inner_mib_s: f64,
}

pub fn ms(value: f64) -> Span {
    Span::from_ps((value * 1e9).round() as u64)
}

impl Spec {
    pub fn params(&self) -> DriveParams {
        let mut first = 0;
        let zones: Vec<ZoneParams> = self
            .zones
            .iter()
            .map(|zone| {
                let cylinders = [first, first + zone.cylinders - 1];
                first += zone.cylinders;
                ZoneParams {
                    cylinders,
                    sectors_per_track: zone.sectors_per_track,
                    order: self.order,
                    track_skew: Skew::Sectors(zone.track_skew_sectors),
                    cylinder_skew: Skew::Sectors(zone.cylinder_skew_sectors),
                    first_track_skew: Skew::Sectors(0),
                    sparing: Sparing::None,
                    skip_first_sectors: 0,
                    skip_last_sectors: 0,
                }
            })
            .collect();
        let overhead = ms(self.overhead_ms);
        DriveParams {
            layout: LayoutParams {
                sector_bytes: 512,
                surfaces: self.surfaces,
                cylinders: first,
                zones,
                spare_regions: vec![],
                defects: vec![],
            },
            mechanism: MechanismParams {
                rotation: ms(self.rotation_ms),
                phase: Angle::of_turns(self.phase),
                latency: Latency::Tracked,
                seek: self.seek.clone(),
                seek_back: None,
                resettle: [Span::ZERO; 2],
                head_switch: [ms(self.head_switch_ms); 2],
                track_switch: None,
                settle: [Span::ZERO, ms(self.settle_write_ms)],
                media_transfer: true,
            },
            controller: ControllerParams {
                overhead: [[[overhead; 2]; 2]; 2],
                completion: [ms(self.completion_ms); 2],
            },
            cache: CacheParams {
                buffer_sectors: 1024,
                read_fence_sectors: 1,
                write_fence_sectors: 1,
                segments: u32::from(self.read_ahead_sectors > 0),
                segment_sectors: self.read_ahead_sectors,
                read_ahead: if self.read_ahead_sectors > 0 {
                    ReadAhead::Aggressive
                } else {
                    ReadAhead::None
                },
                keep_after_hit: false,
                partial_hits: true,
                write_report: WriteReport::Media,
                hits_on_written: false,
            },
            bus: BusParams {
                read_sector: ms(self.bus_sector_ms),
                write_sector: ms(self.bus_sector_ms),
                reconnect: Span::ZERO,
                write_delay: Span::ZERO,
                overlap: true,
                release_at_track_end: false,
            },
        }
    }

    /// What going from the first sector to another adds to a write on the same track.
    pub fn seek_truth_ms(&self, lbas: &[u64]) -> Vec<f64> {
        let params = self.params();
        let drive = Drive::new(&params).unwrap();
        let cylinders = params.layout.cylinders;
        let table = mechanism::SeekTable::new("seek", &self.seek, cylinders).unwrap();
        let to = |lba: &u64| {
            let end = drive.layout().locate(*lba).unwrap();
            let switch = if end.surface == 0 { 0.0 } else { self.head_switch_ms };
            let moves = table.time(end.cylinder).as_ms().max(switch) + self.settle_write_ms;
            moves.max(self.bus_sector_ms) - self.bus_sector_ms
        };
        lbas.iter().map(to).collect()
    }

    pub fn truth(&self, host: &HostModel) -> Truth {
        let params = self.params();
        let drive = Drive::new(&params).unwrap();
        let (first, last) = (self.zones[0], self.zones[self.zones.len() - 1]);
        let tau = self.rotation_ms / f64::from(first.sectors_per_track);
        let bus = self.bus_sector_ms;
        // The data of a write arrives while the arm moves.
        let added = |moves: f64| moves.max(bus) - bus;
        let cylinders = params.layout.cylinders;
        let table = mechanism::SeekTable::new("seek", &self.seek, cylinders).unwrap();
        let seek = |distance: u32, switches: bool| {
            let switch = if switches { self.head_switch_ms } else { 0.0 };
            added(table.time(distance).as_ms().max(switch) + self.settle_write_ms)
        };
        let end = drive.layout().locate(drive.layout().capacity() - 1).unwrap();
        Truth {
            rotation_ms: self.rotation_ms,
            surfaces: f64::from(self.surfaces),
            sectors_per_track: f64::from(first.sectors_per_track),
            track_skew_ms: f64::from(first.track_skew_sectors) * tau,
            cylinder_skew_ms: f64::from(first.cylinder_skew_sectors) * tau,
            mtm_ms: host.submit.as_ms()
                + self.overhead_ms
                + bus
                + self.completion_ms
                + host.complete.as_ms(),
            head_switch_ms: added(self.head_switch_ms),
            cylinder_switch_ms: seek(1, self.order == TrackOrder::Traditional),
            seek_min_ms: seek(1, false),
            seek_max_ms: seek(cylinders - 1, end.surface != 0),
            outer_mib_s: self.streaming(&first),
            inner_mib_s: self.streaming(&last),
        }
    }

    /// Reading whole cylinders one after the other.
    fn streaming(&self, zone: &ZoneSpec) -> f64 {
        let surfaces = f64::from(self.surfaces);
        let per_track = f64::from(zone.sectors_per_track);
        let skews = (surfaces - 1.0) * f64::from(zone.track_skew_sectors)
            + f64::from(zone.cylinder_skew_sectors);
        let time_ms = self.rotation_ms * (surfaces + skews / per_track);
        let media = surfaces * per_track / time_ms;
        media.min(1.0 / self.bus_sector_ms) * 512.0 * 1000.0 / 1_048_576.0
    }

    pub fn device(&self, host: HostModel, seed: u64) -> Simulated {
        Simulated::new(Drive::new(&self.params()).unwrap(), "drive", host, seed).unwrap()
    }
}

/// What each kind of probe took: name, runs, requests, milliseconds of drive time.
pub type Ledger = Vec<(&'static str, u32, usize, f64)>;

/// Runs a whole campaign on a device.
pub fn characterize(
    device: &mut impl BlockDevice,
    writes: bool,
    whole: bool,
) -> (Extraction, Ledger) {
    let info = device.info();
    let mut campaign = Campaign::new(Goal {
        region_lba: 0,
        region_sectors: info.capacity_sectors,
        unit_sectors: info.physical_sector_bytes / info.logical_sector_bytes,
        sector_bytes: info.logical_sector_bytes,
        writes,
        whole,
    });
    let consent = WriteConsent::for_simulation();
    let access = if writes { Access::Write(&consent) } else { Access::Read };
    let mut ledger = Ledger::new();
    while let Some(plan) = campaign.next_plan() {
        assert!(ledger.iter().map(|entry| entry.1).sum::<u32>() < 2_000, "no end: {plan:?}");
        let began = device.now();
        let samples = run(device, &plan, access, &mut |_| ControlFlow::Continue(()));
        assert_eq!(samples.end, platterlab_probe::End::Complete, "{plan:?}");
        let took = device.now().since(began).as_ms();
        match ledger.iter_mut().find(|entry| entry.0 == plan.name()) {
            Some(entry) => {
                entry.1 += 1;
                entry.2 += samples.samples.len();
                entry.3 += took;
            }
            None => ledger.push((plan.name(), 1, samples.samples.len(), took)),
        }
        campaign.add(&samples);
    }
    (campaign.extraction(), ledger)
}
