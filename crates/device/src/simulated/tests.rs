//! The simulated device: what each part of its host does to the times of requests.

use super::*;
use crate::testing::drive;
use platterlab_units::{Partial, Span};

fn simulated(host: HostModel, seed: u64) -> Simulated {
    Simulated::new(drive(), "test drive", host, seed).unwrap()
}

fn run(mut device: Simulated) -> Vec<Span> {
    let mut lba = 0;
    let request = |step: u64| {
        lba += step;
        device.read(lba, 1).unwrap().elapsed()
    };
    (0..200).map(request).collect()
}

#[test]
fn a_quiet_host_leaves_the_drive_alone() {
    let mut device = simulated(HostModel::default(), 1);
    let mut bare = drive();
    for lba in [0, 7, 7_000, 400] {
        let issue = device.now();
        let command = Command {
            lba,
            sectors: 2,
            operation: Operation::Read,
            may_report_early: true,
            partial: Partial::WHOLE,
        };
        let service = bare.serve(issue, command, &mut platterlab_drive::NoChance);
        let completion = device.read(lba, 2).unwrap();
        assert_eq!((completion.submitted, completion.completed), (issue, service.completion));
    }
}

#[test]
fn same_seed_same_times_other_seed_other_times() {
    let noisy = |seed| run(simulated(HostModel::typical(), seed));
    assert_eq!(noisy(1), noisy(1));
    assert_ne!(noisy(1), noisy(2));
}

#[test]
fn one_disturbance_leaves_the_draws_of_the_others() {
    let jitter = HostModel { jitter: Span::from_us(5), ..HostModel::default() };
    let both = HostModel { extra_revolution: 0.5, ..jitter.clone() };
    let turn = drive().mechanism().rotation().period();
    let once = |host| simulated(host, 9).read(0, 1).unwrap().elapsed();
    let (alone, with) = (once(jitter), once(both));
    assert!(with == alone || with == alone + turn);
}

#[test]
fn each_disturbance_does_what_its_name_says() {
    let quiet = || HostModel::default();
    let once = |host| simulated(host, 1).read(40, 1).unwrap().elapsed();
    let base = once(quiet());
    let turn = drive().mechanism().rotation().period();
    assert_eq!(once(HostModel { extra_revolution: 1.0, ..quiet() }), base + turn);
    let late = HostModel { complete: Span::from_us(12), ..quiet() };
    assert_eq!(once(late), base + Span::from_us(12));
    let mut hit = quiet();
    hit.prefetch_hit.probability = 1.0;
    assert_eq!(once(hit.clone()), hit.prefetch_hit.time);
    let mut busy = quiet();
    busy.recalibration.probability = 1.0;
    assert!(once(busy) >= Span::from_us(10_000));
    let mut slow = quiet();
    slow.tail.probability = 1.0;
    assert!(once(slow) > base);
}

#[test]
fn overhead_and_thinking_take_their_time() {
    let host = HostModel {
        submit: Span::from_us(8),
        complete: Span::from_us(12),
        think: Span::from_us(3),
        ..HostModel::default()
    };
    let mut device = simulated(host, 1);
    assert_eq!(device.overhead(), Span::from_us(20));
    let first = device.read(0, 1).unwrap();
    let second = device.read(1, 1).unwrap();
    assert_eq!(second.submitted - first.completed, Span::from_us(3));
}

#[test]
fn a_host_model_out_of_range_is_refused() {
    for host in [
        HostModel { extra_revolution: 1.5, ..HostModel::default() },
        HostModel { extra_revolution: f64::NAN, ..HostModel::default() },
        HostModel { think: Span::MAX, ..HostModel::default() },
    ] {
        assert!(Simulated::new(drive(), "x", host.clone(), 1).is_err(), "{host:?}");
    }
}

#[test]
fn the_virtual_clock_ends_with_an_error() {
    let mut device = simulated(HostModel::default(), 1);
    device.idle(Span::MAX);
    assert!(matches!(device.read(0, 1), Err(DeviceError::Other { .. })));
}
