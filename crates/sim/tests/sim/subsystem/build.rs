//! Systems and requests for the tests.

use platterlab_drive::Drive;
use platterlab_profile::Profile;
use platterlab_sim::array::{LayoutOptions, VolumeOptions};
use platterlab_sim::bus::{Arbitration, BusOptions};
use platterlab_sim::drive::{AccessLaw, Model, SimpleDevice, SimpleParams};
use platterlab_sim::scheduler::{QueueOptions, Scheduler};
use platterlab_sim::source::{Open, Source};
use platterlab_sim::system::{BusPlace, DeviceOptions};
use platterlab_sim::{Outcome, Report, System, SystemOptions};
use platterlab_units::{Operation, Span, Stamp};
use platterlab_workload::synthetic::{Arrival, ArrivalLaw, Mixed};
use platterlab_workload::{Criticality, Record};
use std::convert::Infallible;

pub(crate) const SECTORS: u64 = 1_000_000;

pub(crate) fn simple(access: AccessLaw, seed: u64) -> Model {
    let params = SimpleParams {
        sectors: SECTORS,
        sector_bytes: 512,
        overhead: Span::ZERO,
        access,
        sector_time: Span::ZERO,
    };
    Model::Simple(Box::new(SimpleDevice::new(params, seed)))
}

/// 15 surfaces, 150 sectors a track, 7200 rpm.
pub(crate) fn mock() -> Model {
    let profile = Profile::from_library("mock").expect("the library has it");
    Model::Drive(Box::new(Drive::new(profile.params()).expect("it makes sense")))
}

/// Devices behind the driver, one volume each.
pub(crate) fn options(models: Vec<Model>, policy: Scheduler) -> SystemOptions {
    SystemOptions::of(models.into_iter().map(DeviceOptions::of).collect(), QueueOptions::of(policy))
}

/// All devices on one bus.
pub(crate) fn on_one_bus(options: &mut SystemOptions) {
    let (arbitration, arbitration_time) = (Arbitration::Fcfs, Span::ZERO);
    options.buses = vec![BusOptions { arbitration, arbitration_time, interleaved: false }];
    for (slot, device) in (0..).zip(&mut options.devices) {
        device.buses = vec![BusPlace { bus: 0, slot }];
    }
}

/// Devices one after the other.
pub(crate) fn plain(devices: Vec<u32>) -> VolumeOptions {
    VolumeOptions { layout: LayoutOptions::Concat, devices, accept_uneven: false, rebuild: None }
}

pub(crate) fn record(arrival_us: u64, lba: u64, sectors: u32) -> Record {
    Record {
        arrival: Stamp::from_us(arrival_us),
        queued: None,
        service: None,
        think: None,
        lba,
        sectors,
        device: 0,
        operation: Operation::Read,
        criticality: Criticality::Unknown,
    }
}

/// Random requests of one sector, after exponential gaps of `gap_ms` on the average.
pub(crate) fn random(
    read_share: f64,
    requests: u64,
    sectors: u64,
    gap_ms: f64,
    seed: u64,
) -> Vec<Record> {
    let gap = Span::from_ms(gap_ms).expect("a gap");
    let mixed = Mixed {
        requests,
        capacity_sectors: sectors,
        read_share,
        sequential_share: 0.0,
        local_share: 0.0,
        local_distance_sectors: 1,
        mean_sectors: 1.0,
        max_sectors: 1,
        align_sectors: 1,
        arrival: Arrival::Open { law: ArrivalLaw::Exponential, gap },
        seed,
    };
    mixed.requests().expect("parameters in range").collect()
}

pub(crate) fn open(records: Vec<Record>) -> impl Source<Error = Infallible> {
    Open::new(records.into_iter().map(Ok), 1.0)
}

pub(crate) fn run(options: SystemOptions, source: impl Source<Error = Infallible>) -> Report {
    let mut system = System::new(options, source).expect("it makes sense");
    let outcome = system.run().expect("the source cannot fail");
    assert_eq!(outcome, Outcome::Finished);
    let report = system.report();
    assert_eq!(
        report.offered,
        report.served + report.refused + report.lost,
        "requests are conserved"
    );
    assert_eq!(report.in_flight, 0);
    report
}
