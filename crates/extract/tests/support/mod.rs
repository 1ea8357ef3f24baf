//! A drive from a few numbers, its truth worked out from them, and its characterization.

#![allow(dead_code, reason = "each test file uses its own part")]

mod params;
pub(crate) mod random;

use platterlab_device::{BlockDevice, HostModel, Simulated, WriteConsent};
use platterlab_drive::{Drive, SeekCurve, TrackOrder, mechanism};
use platterlab_extract::{Campaign, Extraction, Goal};
use platterlab_probe::{Access, run};
use platterlab_units::Span;
use std::ops::ControlFlow;

/// Some cylinders formatted alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneSpec {
    pub(crate) cylinders: u32,
    pub(crate) sectors_per_track: u32,
    pub(crate) track_skew_sectors: u32,
    pub(crate) cylinder_skew_sectors: u32,
}

/// A drive in a few numbers.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub(crate) rotation_ms: f64,
    pub(crate) surfaces: u32,
    pub(crate) zones: Vec<ZoneSpec>,
    pub(crate) order: TrackOrder,
    pub(crate) seek: SeekCurve,
    pub(crate) head_switch_ms: f64,
    /// To the next cylinder within one transfer, where not the seek curve's.
    pub(crate) track_switch_ms: Option<f64>,
    pub(crate) settle_write_ms: f64,
    /// The controller's processor before a command and after it.
    pub(crate) overhead_ms: f64,
    pub(crate) completion_ms: f64,
    /// Interface time of one sector.
    pub(crate) bus_sector_ms: f64,
    pub(crate) phase: f64,
    /// Sectors of read-ahead; 0 is no cache.
    pub(crate) read_ahead_sectors: u32,
}

/// What an extraction of outer-zone values must find.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    pub(crate) rotation_ms: f64,
    pub(crate) surfaces: f64,
    pub(crate) sectors_per_track: f64,
    pub(crate) track_skew_ms: f64,
    pub(crate) cylinder_skew_ms: f64,
    /// A request whose sector is about to pass, less the sector itself: host, controller and the
    /// interface transfer that comes before the media.
    pub(crate) mtm_ms: f64,
    /// What a head switch adds to that: the interface transfer goes on meanwhile.
    pub(crate) head_switch_ms: f64,
    pub(crate) cylinder_switch_ms: f64,
    pub(crate) seek_min_ms: f64,
    pub(crate) seek_max_ms: f64,
    pub(crate) outer_mib_s: f64,
    pub(crate) inner_mib_s: f64,
}

pub(crate) fn ms(value: f64) -> Span {
    Span::from_ps((value * 1e9).round() as u64)
}

impl Spec {
    /// What going from the first sector to another adds to a write on the same track.
    pub(crate) fn seek_truth_ms(&self, lbas: &[u64]) -> Vec<f64> {
        let params = self.params();
        let drive = Drive::new(&params).expect("a drive");
        let cylinders = params.layout.cylinders;
        let table = mechanism::SeekTable::new("seek", &self.seek, cylinders).expect("a seek curve");
        let to = |lba: &u64| {
            let end = drive.layout().locate(*lba).expect("on the drive");
            let switch = if end.surface == 0 { 0.0 } else { self.head_switch_ms };
            let moves = (table.time(end.cylinder).as_ms() + self.settle_write_ms).max(switch);
            moves.max(self.bus_sector_ms) - self.bus_sector_ms
        };
        lbas.iter().map(to).collect()
    }

    pub(crate) fn truth(&self, host: &HostModel) -> Truth {
        let params = self.params();
        let drive = Drive::new(&params).expect("a drive");
        let (first, last) = (self.zones[0], self.zones[self.zones.len() - 1]);
        let tau = self.rotation_ms / f64::from(first.sectors_per_track);
        let bus = self.bus_sector_ms;
        // The data of a write arrives while the arm moves.
        let added = |moves: f64| moves.max(bus) - bus;
        let cylinders = params.layout.cylinders;
        let table = mechanism::SeekTable::new("seek", &self.seek, cylinders).expect("a seek curve");
        let seek = |distance: u32, switches: bool| {
            let switch = if switches { self.head_switch_ms } else { 0.0 };
            added((table.time(distance).as_ms() + self.settle_write_ms).max(switch))
        };
        let end = drive.layout().locate(drive.layout().capacity() - 1).expect("not empty");
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

    /// The same where movements are timed by reading: data comes after the movement and hides
    /// nothing of it, and there is no settling to write.
    pub(crate) fn truth_reading(&self, host: &HostModel) -> Truth {
        let cylinders = self.params().layout.cylinders;
        let table = mechanism::SeekTable::new("seek", &self.seek, cylinders).expect("a seek curve");
        Truth {
            head_switch_ms: self.head_switch_ms,
            cylinder_switch_ms: table.time(1).as_ms().max(self.head_switch_ms),
            seek_min_ms: table.time(1).as_ms(),
            seek_max_ms: table.time(cylinders - 1).as_ms(),
            ..self.truth(host)
        }
    }

    /// Reading whole cylinders one after the other.
    pub(crate) fn streaming(&self, zone: &ZoneSpec) -> f64 {
        let surfaces = f64::from(self.surfaces);
        let per_track = f64::from(zone.sectors_per_track);
        let table = mechanism::SeekTable::new("seek", &self.seek, 2).expect("a seek curve");
        let arm = self.track_switch_ms.unwrap_or(table.time(1).as_ms());
        let serpentine = self.order == TrackOrder::CylinderSerpentine;
        let arm = if serpentine { arm } else { arm.max(self.head_switch_ms) };
        // A switch that takes longer than the skew costs a revolution.
        let turns = |skew: u32, switch_ms: f64| {
            let skew = f64::from(skew) / per_track;
            skew + (switch_ms / self.rotation_ms - skew).ceil().max(0.0)
        };
        let skews = (surfaces - 1.0) * turns(zone.track_skew_sectors, self.head_switch_ms)
            + turns(zone.cylinder_skew_sectors, arm);
        let time_ms = self.rotation_ms * (surfaces + skews);
        let media = surfaces * per_track / time_ms;
        media.min(1.0 / self.bus_sector_ms) * 512.0 * 1000.0 / 1_048_576.0
    }

    pub(crate) fn device(&self, host: HostModel, seed: u64) -> Simulated {
        let drive = Drive::new(&self.params()).expect("a drive");
        Simulated::new(drive, "drive", host, seed).expect("a host")
    }
}

/// What each kind of probe took: name, runs, requests, milliseconds of drive time.
pub(crate) type Ledger = Vec<(&'static str, u32, usize, f64)>;

/// Runs a whole campaign on a device.
pub(crate) fn characterize(
    device: &mut impl BlockDevice,
    writes: bool,
    whole: bool,
) -> (Extraction, Ledger) {
    let info = device.info();
    let goal = Goal {
        region_lba: 0,
        region_sectors: info.capacity_sectors,
        to_drive_end: true,
        unit_sectors: info.physical_sector_bytes / info.logical_sector_bytes,
        sector_bytes: info.logical_sector_bytes,
        writes,
        whole,
    };
    carry_out(goal, device)
}

/// The same for any goal.
pub(crate) fn carry_out(goal: Goal, device: &mut impl BlockDevice) -> (Extraction, Ledger) {
    let writes = goal.writes;
    let mut campaign = Campaign::new(goal);
    let consent = WriteConsent::for_simulation();
    let access = if writes { Access::Write(&consent) } else { Access::Read };
    let mut ledger = Ledger::new();
    while let Some(plan) = campaign.next_plan() {
        assert!(ledger.iter().map(|entry| entry.1).sum::<u32>() < 2_000, "no end: {plan:?}");
        let began = device.now();
        let samples = run(device, &plan, access, &mut |_| ControlFlow::Continue(()));
        assert_eq!(samples.end, platterlab_probe::End::Complete, "{plan:?}");
        let took = device.now().since(began).as_ms();
        // The SKIPPY that finds the geometry, and those in the zones that are known then.
        let zones_known = ledger.iter().any(|entry| entry.0 == "zoned");
        let name = match plan.name() {
            "skippy" if zones_known => "skippy in zones",
            name => name,
        };
        match ledger.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => {
                entry.1 += 1;
                entry.2 += samples.samples.len();
                entry.3 += took;
            }
            None => ledger.push((name, 1, samples.samples.len(), took)),
        }
        campaign.add(&samples);
    }
    (campaign.extraction(), ledger)
}
