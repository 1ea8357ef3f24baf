//! Controllers with caches: hits go over the front buses alone, misses to the devices, and nothing
//! is lost on the way.

use super::build::{mock, on_one_bus, open, options, record, run, simple};
use platterlab_drive::{Command, Drive, NoChance};
use platterlab_profile::Profile;
use platterlab_sim::array::LayoutOptions;
use platterlab_sim::bus::{Arbitration, BusOptions};
use platterlab_sim::controller::{
    Allocation, CacheOptions, ControllerOptions, FlushOptions, Prefetch, Replacement, Store,
    WriteScheme,
};
use platterlab_sim::drive::{AccessLaw, Model};
use platterlab_sim::scheduler::{QueueOptions, Scheduler};
use platterlab_sim::system::{BusPlace, Fault, FaultOptions};
use platterlab_sim::{System, SystemOptions};
use platterlab_units::{Operation, Partial, Span, Stamp, Time};
use platterlab_workload::Record;
use proptest::prelude::*;

const BACK: WriteScheme = WriteScheme::Back;

fn cache(write: WriteScheme) -> CacheOptions {
    CacheOptions {
        buses: vec![BusPlace { bus: 0, slot: 0 }],
        sector_time: [Span::from_us(10); 2],
        queue: QueueOptions::of(Scheduler::Fcfs),
        depth: 1,
        store: Store::Memory,
        size_sectors: 1_024,
        line_sectors: 16,
        granule_sectors: 1,
        max_request_sectors: 128,
        replacement: Replacement::Lru,
        allocation: Allocation::Any,
        write,
        flush: FlushOptions { period: None, idle_delay: None, max_cluster_lines: 4 },
        read_prefetch: Prefetch::None,
        write_prefetch: Prefetch::None,
        line_by_line: false,
        max_gather_lines: None,
    }
}

/// Devices behind one controller; the driver reaches it over bus 0.
fn behind(models: Vec<Model>, cache: Option<CacheOptions>) -> SystemOptions {
    let mut options = options(models, Scheduler::Fcfs);
    let (arbitration, arbitration_time) = (Arbitration::Fcfs, Span::ZERO);
    options.buses = vec![BusOptions { arbitration, arbitration_time, interleaved: false }];
    let overhead = [Span::from_us(100), Span::from_us(200)];
    options.controllers =
        vec![ControllerOptions { overhead, max_outstanding: None, forgetful: false, cache }];
    for device in &mut options.devices {
        device.controllers = vec![0];
    }
    options
}

fn slow() -> Vec<Model> {
    vec![simple(AccessLaw::Constant { time: Span::from_us(5_000) }, 1)]
}

fn write(arrival_us: u64, lba: u64, sectors: u32) -> Record {
    Record { operation: Operation::Write, ..record(arrival_us, lba, sectors) }
}

fn mean_ms(options: SystemOptions, records: Vec<Record>) -> f64 {
    run(options, open(records)).response_ms.expect("requests were served").mean_ms
}

#[test]
fn a_miss_costs_the_device_and_a_hit_only_the_front() {
    let read = |lba| vec![record(0, lba, 8)];
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
    // Overhead 0.1, device 5, eight sectors over the front at 0.01.
    near(mean_ms(behind(slow(), Some(cache(BACK))), read(0)), 5.18);
    near(mean_ms(behind(slow(), None), read(0)), 5.1);
    let twice = vec![record(0, 0, 8), record(20_000, 4, 4)];
    near(mean_ms(behind(slow(), Some(cache(BACK))), twice), (5.18 + 0.14) / 2.0);
    // Writing: overhead 0.2, front 0.08, then the device unless the host hears before.
    let one = || vec![write(0, 0, 8)];
    near(mean_ms(behind(slow(), Some(cache(BACK))), one()), 0.28);
    near(mean_ms(behind(slow(), Some(cache(WriteScheme::ThroughEarly))), one()), 0.28);
    near(mean_ms(behind(slow(), Some(cache(WriteScheme::Through))), one()), 5.28);
}

#[test]
fn prefetch_makes_the_rest_of_the_line_a_hit() {
    let reads = || vec![record(0, 0, 4), record(20_000, 12, 4)];
    let hits = |read_prefetch| {
        let cache = CacheOptions { read_prefetch, ..cache(BACK) };
        let report = run(behind(slow(), Some(cache)), open(reads()));
        report.caches[0].as_ref().expect("there is one").read_hits
    };
    assert_eq!([hits(Prefetch::None), hits(Prefetch::Front)], [0, 0]);
    assert_eq!([hits(Prefetch::Rest), hits(Prefetch::Line)], [1, 1]);
}

#[test]
fn what_is_dirty_is_written_on_demand_by_period_or_when_idle() {
    let flushed = |period, idle_delay| {
        let flush = FlushOptions { period, idle_delay, max_cluster_lines: 4 };
        let cache = CacheOptions { flush, ..cache(BACK) };
        let records = vec![write(0, 0, 16), write(1_000, 64, 16), write(2_000, 16, 16)];
        let report = run(behind(slow(), Some(cache)), open(records));
        let cache = report.caches[0].clone().expect("there is one");
        assert_eq!(cache.dirty_sectors + cache.flushed_sectors, 48, "nothing is forgotten");
        (cache.flushed_sectors, report.devices[0].served, report.elapsed_ms)
    };
    assert_eq!(flushed(None, None), (0, 0, 2.36));
    // Lines that follow each other go in one command.
    let ms = |ms: u64| Some(Span::from_us(1_000 * ms));
    assert_eq!(flushed(ms(50), None), (48, 2, 60.0));
    assert_eq!(flushed(None, ms(30)), (48, 2, 42.36));
    // Room is wanted: 128 lines are written to a cache of 64.
    let records: Vec<_> = (0..128).map(|line| write(line * 20_000, line * 32, 16)).collect();
    let report = run(behind(slow(), Some(cache(BACK))), open(records));
    let cache = report.caches[0].clone().expect("there is one");
    assert_eq!((cache.flushed_sectors, cache.dirty_sectors), (64 * 16, 64 * 16));
}

#[test]
fn a_fast_device_caches_a_slow_one() {
    let fast = simple(AccessLaw::Constant { time: Span::from_us(500) }, 2);
    let mut models = slow();
    models.push(fast);
    let cache = CacheOptions { store: Store::Device(1), ..cache(BACK) };
    let mut options = behind(models, Some(cache));
    options.volumes.truncate(1);
    let records = vec![record(0, 0, 8), record(20_000, 0, 8), write(40_000, 0, 8)];
    let report = run(options, open(records));
    let mean = report.response_ms.expect("requests were served").mean_ms;
    assert!((mean - (5.18 + 0.68 + 0.78) / 3.0).abs() < 1e-6, "{mean}");
    assert_eq!((report.devices[0].served, report.devices[1].served), (1, 3));
}

#[test]
fn a_loss_of_memory_is_counted() {
    for (scheme, lost) in [(WriteScheme::Back, 16), (WriteScheme::BatteryBacked, 0)] {
        let mut options = behind(slow(), Some(cache(scheme)));
        let fault = Fault::CacheLoss(0);
        options.faults = vec![FaultOptions { at: Stamp::ZERO + Span::from_us(10_000), fault }];
        let report = run(options, open(vec![write(0, 0, 16), record(20_000, 900, 1)]));
        let cache = report.caches[0].clone().expect("there is one");
        assert_eq!((cache.lost_sectors, cache.dirty_sectors), (lost, 16 - lost));
    }
}

#[test]
fn a_controller_takes_no_more_than_it_may() {
    let elapsed = |max_outstanding| {
        let models =
            (0..4).map(|_| simple(AccessLaw::Constant { time: Span::from_us(5_000) }, 1)).collect();
        let mut options = behind(models, None);
        options.controllers[0].max_outstanding = max_outstanding;
        options.volumes.truncate(1);
        options.volumes[0].devices = vec![0, 1, 2, 3];
        options.volumes[0].layout = LayoutOptions::Stripe { unit_sectors: 8 };
        run(options, open((0..8).map(|unit| record(0, unit * 8, 8)).collect())).elapsed_ms
    };
    assert_eq!(elapsed(None), 10.2);
    assert_eq!(elapsed(Some(2)), 20.4);
    assert_eq!(elapsed(Some(1)), 40.8);
}

/// The controller is at work for device 0 when a request for device 1 comes; the next for device 1
/// comes at 50 ms.
#[test]
fn a_forgetful_controller_thinks_of_a_command_when_the_next_for_its_device_comes() {
    let elapsed = |forgetful| {
        let models =
            (0..2).map(|_| simple(AccessLaw::Constant { time: Span::from_us(5_000) }, 1)).collect();
        let mut options = behind(models, None);
        (options.controllers[0].max_outstanding, options.controllers[0].forgetful) =
            (Some(1), forgetful);
        let one = |at, device| Record { device, ..record(at, 0, 8) };
        let requests = vec![one(0, 0), one(1_000, 1), one(50_000, 1)];
        run(options, open(requests)).elapsed_ms
    };
    let alone = elapsed(false) - 50.0;
    assert!((5.0..6.0).contains(&alone), "{alone}");
    assert!((elapsed(true) - (50.0 + 2.0 * alone)).abs() < 1e-9, "{} {alone}", elapsed(true));
}

/// A read waits for the controller until the host has heard of a write, which takes 0.08 ms of the bus
/// and then 5 of the device.
#[test]
fn a_write_of_which_the_host_has_heard_is_at_its_device_before_what_comes_then() {
    let mut options = behind(slow(), Some(cache(WriteScheme::ThroughEarly)));
    options.controllers[0].overhead = [Span::ZERO; 2];
    options.controllers[0].max_outstanding = Some(1);
    options.keep_rows = true;
    let mut system =
        System::new(options, open(vec![write(0, 0, 8), record(50, 500, 8)])).expect("it is right");
    system.run().expect("there is nothing to go wrong");
    let rows = system.take_rows();
    let read = rows.lba.iter().position(|&lba| lba == 500).expect("it was served");
    let done_ms = rows.arrival_ms[read] + rows.response_ms[read];
    assert!((done_ms - (0.08 + 5.0 + 5.0)).abs() < 1e-9, "{done_ms}");
}

/// What a drive has looked after while it was busy it need not look after again.
#[test]
fn the_overhead_of_a_command_that_waits_in_the_drive_is_over_before_it_begins() {
    let mut params = Profile::from_library("mock").expect("the library has it").params().clone();
    params.controller.overhead = [[[Span::from_us(2_000); 2]; 2]; 2];
    let command = |lba, operation| Command {
        lba,
        sectors: 8,
        operation,
        may_report_early: false,
        partial: Partial::WHOLE,
    };
    for operation in [Operation::Read, Operation::Write] {
        let mut drive = Drive::new(&params).expect("it makes sense");
        let now = drive.serve(Time::ZERO, command(0, Operation::Read), &mut NoChance).completion;
        let overhead = |waited_us| {
            let waited = Span::from_us(waited_us);
            let next = command(40_000, operation);
            let service = drive.clone().serve_queued(now, waited, 0, next, &mut NoChance);
            assert!(service.completion > now);
            service.overhead
        };
        let whole = overhead(0);
        assert_eq!(whole - overhead(500), Span::from_us(500));
        assert_eq!(whole - overhead(9_000), Span::from_us(2_000));
    }
}

/// Two drives on one bus, a request for each: 2 ms of work of each controller, 0.8 ms of data.
#[test]
fn a_controller_at_work_may_have_the_bus() {
    let run = |hold_overhead, operation| {
        let mut params =
            Profile::from_library("mock").expect("the library has it").params().clone();
        params.controller.overhead = [[[Span::from_us(2_000); 2]; 2]; 2];
        params.controller.completion = [Span::ZERO; 2];
        (params.bus.read_sector, params.bus.write_sector) =
            (Span::from_us(100), Span::from_us(100));
        params.bus.hold_overhead = hold_overhead;
        let drive = || Model::Drive(Box::new(Drive::new(&params).expect("it makes sense")));
        let mut options = options(vec![drive(), drive()], Scheduler::Fcfs);
        on_one_bus(&mut options);
        let one = |device| Record { device, operation, ..record(0, 40_000, 8) };
        let report = run(options, open(vec![one(0), one(1)]));
        let bus = &report.buses[0];
        (bus.utilisation * report.elapsed_ms, bus.waited)
    };
    for operation in [Operation::Read, Operation::Write] {
        let ((apart, _), (together, waited)) = (run(false, operation), run(true, operation));
        assert!((apart - 1.6).abs() < 1e-6, "{apart}");
        assert!((together - 5.6).abs() < 1e-6 && waited > 0, "{together}, {waited}");
    }
}

/// A drive whose controller works for 2 ms on each command and moves data for 0.8 ms, on a bus.
fn busy_controller(depth: u32) -> SystemOptions {
    let mut params = Profile::from_library("mock").expect("the library has it").params().clone();
    params.controller.overhead = [[[Span::from_us(2_000); 2]; 2]; 2];
    params.controller.completion = [Span::ZERO; 2];
    (params.bus.read_sector, params.bus.write_sector) = (Span::from_us(100), Span::from_us(100));
    params.bus.hold_overhead = true;
    let drive = || Model::Drive(Box::new(Drive::new(&params).expect("it makes sense")));
    let mut options = options(vec![drive(), drive()], Scheduler::Fcfs);
    on_one_bus(&mut options);
    options.devices.iter_mut().for_each(|device| device.depth = depth);
    options
}

/// The first request's data is wanted while the controller takes in another: it is later by what is
/// left of that.
#[test]
fn a_command_that_comes_keeps_data_off_the_bus_while_the_controller_takes_it_in() {
    let first_ms = |depth, others: Vec<Record>| {
        let mut records = vec![record(0, 40_000, 8)];
        records.extend(others);
        let mut system =
            System::new(SystemOptions { keep_rows: true, ..busy_controller(depth) }, open(records))
                .expect("it makes sense");
        system.run().expect("there is nothing to go wrong");
        system.take_rows().response_ms[0]
    };
    let alone_ms = first_ms(2, vec![]);
    let wanted_us = ((alone_ms - 0.8) * 1e3).round() as u64;
    let second = |before_us| vec![record(wanted_us - before_us, 80_000, 8)];
    for (before_us, later_ms) in [(500, 1.5), (1_500, 0.5), (2_500, 0.0)] {
        let met_ms = first_ms(2, second(before_us));
        assert!((met_ms - alone_ms - later_ms).abs() < 2e-3, "{before_us}: {met_ms} {alone_ms}");
        assert!((first_ms(1, second(before_us)) - alone_ms).abs() < 1e-9, "it is not in the drive");
    }
}

proptest! {
    #[test]
    fn commands_in_a_drive_that_is_at_work_are_all_served(
        arrivals in prop::collection::vec(
            (0_u64..300_000, 0_u64..3_000, 1_u32..200, any::<bool>(), 0..2_u32), 1..100),
        depth in 1_u32..9,
        failure in prop::option::of((0_u64..300_000, 0..2_u32)),
    ) {
        let mut options = busy_controller(depth);
        let fault = |(at, device)| FaultOptions {
            at: Stamp::ZERO + Span::from_us(at),
            fault: Fault::Device(device),
        };
        options.faults = failure.map(fault).into_iter().collect();
        let mut records: Vec<Record> = arrivals
            .iter()
            .map(|&(at, lba, sectors, read, device)| {
                let operation = if read { Operation::Read } else { Operation::Write };
                Record { operation, device, ..record(at, lba, sectors) }
            })
            .collect();
        records.sort_by_key(|record| record.arrival);
        let report = run(options, open(records));
        prop_assert_eq!(report.offered, arrivals.len() as u64);
        prop_assert_eq!(report.in_flight, 0);
        if failure.is_none() {
            prop_assert_eq!(report.served, report.offered);
        }
    }

    #[test]
    fn every_request_is_served_once(
        arrivals in prop::collection::vec(
            (0_u64..2_000_000, 0_u64..3_000, 1_u32..200, any::<bool>()), 1..150),
        scheme in 0..3_usize,
        replacement in 0..6_usize,
        max_outstanding in prop::option::of(1_u32..8),
        (period, idle) in (any::<bool>(), any::<bool>()),
        store in any::<bool>(),
        failure in prop::option::of((0_u64..2_000_000, 0..2_u32)),
    ) {
        let mut kind = cache([WriteScheme::Through, WriteScheme::ThroughEarly, BACK][scheme]);
        kind.replacement = [
            Replacement::Fifo,
            Replacement::Lifo,
            Replacement::Random,
            Replacement::Lru,
            Replacement::SegmentedLru { shares: vec![0.5, 0.3, 0.2] },
            Replacement::Arc,
        ][replacement].clone();
        kind.size_sectors = 16 * 12;
        kind.flush.period = period.then_some(Span::from_us(30_000));
        kind.flush.idle_delay = idle.then_some(Span::from_us(5_000));
        let models = if store {
            kind.store = Store::Device(1);
            vec![mock(), simple(AccessLaw::Constant { time: Span::from_us(500) }, 2)]
        } else {
            vec![mock(), mock()]
        };
        let mut options = behind(models, Some(kind));
        options.volumes.truncate(1);
        options.controllers[0].max_outstanding = max_outstanding;
        options.faults = failure
            .map(|(at, device)| FaultOptions {
                at: Stamp::ZERO + Span::from_us(at),
                fault: Fault::Device(device),
            })
            .into_iter()
            .collect();
        let mut records: Vec<Record> = arrivals
            .iter()
            .map(|&(at, lba, sectors, read)| {
                let operation = if read { Operation::Read } else { Operation::Write };
                Record { operation, ..record(at, lba, sectors) }
            })
            .collect();
        records.sort_by_key(|record| record.arrival);
        let report = run(options, open(records));
        prop_assert_eq!(report.offered, arrivals.len() as u64);
        if failure.is_none() {
            prop_assert_eq!(report.served, report.offered);
        }
    }
}
