//! What is told of parts: arrays, and the queue in a drive.

use super::build::{mock, open, options, plain, record, simple};
use platterlab_sim::array::VolumeOptions;
use platterlab_sim::drive::AccessLaw;
use platterlab_sim::scheduler::Scheduler;
use platterlab_sim::{Report, System, SystemOptions};
use platterlab_units::Span;
use platterlab_workload::Record;

/// Two arrays of two devices each, and one device more that is a volume of its own.
fn three_volumes() -> SystemOptions {
    let access = |us| AccessLaw::Constant { time: Span::from_us(us) };
    let models = [1_000, 1_000, 3_000, 3_000, 5_000].map(|us| simple(access(us), 1));
    let mut options = options(models.into(), Scheduler::Fcfs);
    let arrays: Vec<VolumeOptions> = [vec![0, 1], vec![2, 3], vec![4]].map(plain).into();
    options.volumes = arrays;
    options
}

fn report(options: SystemOptions, records: Vec<Record>) -> Report {
    let mut system = System::new(options, open(records)).expect("it makes sense");
    system.run().expect("there is nothing to go wrong");
    system.report()
}

#[test]
fn responses_are_told_by_array_and_not_twice_of_a_single_device() {
    let records = (0..30).map(|at| {
        let mut one = record(at * 10_000, 100 * at, 8);
        one.device = (at % 3) as u32;
        one
    });
    let report = report(three_volumes(), records.collect());
    let told: Vec<_> = report.volumes.iter().map(|one| one.response_ms.as_ref()).collect();
    let [Some(fast), Some(slow), None] = told.as_slice() else {
        panic!("two arrays and a device: {told:?}")
    };
    assert_eq!((fast.count, fast.mean_ms, fast.max_ms), (10, 1.0, 1.0));
    assert_eq!((slow.count, slow.mean_ms, slow.max_ms), (10, 3.0, 3.0));
}

#[test]
fn a_system_of_one_array_has_its_responses() {
    let mut options = options(vec![mock(), mock()], Scheduler::Fcfs);
    options.volumes = vec![plain(vec![0, 1])];
    let report = report(options, (0..20).map(|at| record(at * 5_000, 7_000 * at, 8)).collect());
    assert_eq!(report.volumes[0].response_ms, report.response_ms);
}

#[test]
fn the_wait_in_a_drive_is_told_apart_from_the_wait_before_it() {
    let at_depth = |depth| {
        let access = AccessLaw::Constant { time: Span::from_us(2_000) };
        let mut options = options(vec![simple(access, 1)], Scheduler::Fcfs);
        options.devices[0].depth = depth;
        // All come at once: the first begins, the others wait 2, 4 and 6 ms.
        report(options, (0..4).map(|at| record(0, 100 * at, 8)).collect()).devices.remove(0)
    };
    assert!(at_depth(1).own_queue.is_none(), "it takes one at a time");
    let all = at_depth(4);
    let inside = all.own_queue.expect("three waited in it");
    assert_eq!((inside.count, inside.mean_ms, inside.max_ms), (3, 4.0, 6.0));
    assert_eq!((all.queue.count, all.queue.mean_ms), (4, 3.0));
    let responses = &all.response;
    assert_eq!((responses.count, responses.mean_ms, responses.max_ms), (4, 5.0, 8.0));
    assert!((responses.p50_ms - 4.0).abs() < 0.12 && (responses.p95_ms - 8.0).abs() < 0.24);
    let two = at_depth(2).own_queue.expect("there is always one in it but for the last");
    assert_eq!((two.count, two.mean_ms, two.max_ms), (3, 2.0, 2.0), "and in the driver before");
}
