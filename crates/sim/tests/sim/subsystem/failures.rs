//! Arrays at work: forks and joins, failures in mid-run, rebuilds onto spares.

use super::build::{SECTORS, mock, open, options, record, run, simple};
use platterlab_sim::array::{
    LayoutOptions, ParityOptions, ParityUpdate, ReadChoice, RebuildOptions, RebuildRate, Rotation,
    VolumeOptions,
};
use platterlab_sim::drive::{AccessLaw, Model};
use platterlab_sim::scheduler::Scheduler;
use platterlab_sim::system::{Fault, FaultOptions};
use platterlab_sim::{Report, System, SystemOptions};
use platterlab_units::{Operation, Span, Stamp};
use platterlab_workload::Record;
use proptest::prelude::*;

fn parity(parities: u32) -> LayoutOptions {
    LayoutOptions::Parity(ParityOptions {
        parities,
        rotation: Rotation::LeftSymmetric,
        unit_sectors: 16,
        parity_unit_sectors: 16,
        update: ParityUpdate::ModifyBelow { share: 0.5 },
        synch_writes: false,
    })
}

fn mirror(copies: u32) -> LayoutOptions {
    let read_choice = ReadChoice::ShortestQueueThenSeek;
    LayoutOptions::Mirror { copies, unit_sectors: Some(16), read_choice }
}

/// One volume over the first `members` of the models, the others as spares.
fn array(models: Vec<Model>, layout: LayoutOptions, members: u32) -> SystemOptions {
    let spares = (members..models.len() as u32).collect();
    let rate = RebuildRate::Unlimited;
    let rebuild = RebuildOptions { spares, rate, chunk_sectors: 4_096, delay: Span::ZERO };
    let redundant = matches!(layout, LayoutOptions::Mirror { .. } | LayoutOptions::Parity(_));
    let mut options = options(models, Scheduler::CLook { by: platterlab_sim::scheduler::Key::Lba });
    options.volumes = vec![VolumeOptions {
        layout,
        devices: (0..members).collect(),
        accept_uneven: false,
        rebuild: redundant.then_some(rebuild),
    }];
    options
}

fn constant(count: usize) -> Vec<Model> {
    (0..count).map(|_| simple(AccessLaw::Constant { time: Span::from_us(10_000) }, 1)).collect()
}

fn commands(report: &Report) -> u64 {
    report.devices.iter().map(|device| device.served).sum()
}

fn fail(at_us: u64, device: u32) -> FaultOptions {
    FaultOptions { at: Stamp::ZERO + Span::from_us(at_us), fault: Fault::Device(device) }
}

fn write(arrival_us: u64, lba: u64, sectors: u32) -> Record {
    Record { operation: Operation::Write, ..record(arrival_us, lba, sectors) }
}

#[test]
fn a_write_to_parity_is_two_rotations_of_work_and_a_full_stripe_one() {
    let response = |sectors| {
        let report = run(array(constant(5), parity(1), 5), open(vec![write(0, 0, sectors)]));
        let commands = commands(&report);
        (report.response_ms.expect("it was served").mean_ms, commands)
    };
    assert_eq!(response(16), (20.0, 4));
    assert_eq!(response(64), (10.0, 5));
}

#[test]
fn forks_and_joins_keep_to_their_bounds() {
    // Exponential servers, one request at a time: a join of n lasts the n-th harmonic number.
    let harmonic = |n: u32| (1..=n).map(|k| 1.0 / f64::from(k)).sum::<f64>();
    let law = AccessLaw::Exponential { mean: Span::from_us(1_000) };
    for n in [2, 4] {
        for (layout, sectors) in
            [(mirror(n), 8), (LayoutOptions::Stripe { unit_sectors: 16 }, 16 * n)]
        {
            let models = (0..n).map(|seed| simple(law, u64::from(seed))).collect();
            let records = (0..40_000).map(|k| write(k * 40_000, 0, sectors)).collect();
            let report = run(array(models, layout, n), open(records));
            let mean = report.response_ms.expect("requests were served").mean_ms;
            // Three standard errors: the variance of the greatest of n is the sum of 1/k².
            let error = 3.0 * (1..=n).map(|k| f64::from(k * k).recip()).sum::<f64>().sqrt() / 200.0;
            assert!((mean - harmonic(n)).abs() < error, "{n}: {mean} {}", harmonic(n));
        }
    }
}

#[test]
fn the_loss_of_a_stripe_is_told_and_counted() {
    let layout = LayoutOptions::Stripe { unit_sectors: 16 };
    let mut options = array(constant(2), layout, 2);
    options.faults = vec![fail(15_000, 1)];
    // One is under way on each device, one waits for the lost one, and two come later.
    let records = vec![
        record(0, 0, 8),
        record(12_000, 16, 8),
        record(13_000, 16, 8),
        record(30_000, 0, 8),
        record(40_000, 16, 8),
    ];
    let report = run(options, open(records));
    assert_eq!((report.served, report.lost, report.refused), (2, 3, 0));
}

#[test]
fn a_failure_in_mid_run_is_retried_on_what_is_left() {
    let mut options = array(constant(5), parity(1), 5);
    options.faults = vec![fail(5_000, 0)];
    let report = run(options, open(vec![record(0, 0, 8)]));
    // Ten milliseconds until the device would have answered, ten to read the others.
    assert_eq!((report.served, report.lost, report.retried), (1, 0, 1));
    assert_eq!(report.response_ms.as_ref().expect("it was served").mean_ms, 20.0);
    assert_eq!(commands(&report), 4);
    assert!(!report.volumes[0].whole);
}

#[test]
fn a_rebuild_keeps_to_its_rate_and_says_when_it_is_done() {
    let finished = |rate| {
        let mut options = array(constant(6), parity(1), 5);
        let rebuild = options.volumes[0].rebuild.as_mut().expect("there are spares");
        (rebuild.rate, rebuild.chunk_sectors) = (rate, 10_000);
        options.faults = vec![fail(1_000, 2)];
        let report = run(options, open(vec![record(0, 0, 8), record(2_000, 999, 8)]));
        assert!(report.volumes[0].whole);
        let rebuild = report.volumes[0].rebuilds[0].clone();
        assert_eq!((rebuild.member, rebuild.spare), (2, 5));
        assert_eq!(rebuild.rebuilt_sectors, SECTORS / 16 * 16);
        rebuild.finished_ms.expect("it was finished") - rebuild.begun_ms
    };
    // A hundred chunks of 20 ms, and up to a little more for the two requests.
    let alone = finished(RebuildRate::Unlimited);
    assert!((2_000.0..2_040.0).contains(&alone), "{alone}");
    let half = finished(RebuildRate::Share(0.5));
    assert!((half / (2.0 * alone) - 1.0).abs() < 0.02, "{half} {alone}");
    let rate = finished(RebuildRate::MibPerSecond(10.0));
    let expected = (SECTORS * 512) as f64 / 1_048_576.0 / 10.0 * 1_000.0;
    assert!((rate / expected - 1.0).abs() < 0.02, "{rate} {expected}");
}

#[test]
fn a_second_spare_takes_over_when_the_first_fails() {
    let mut options = array(constant(7), parity(1), 5);
    options.faults = vec![fail(1_000, 4), fail(500_000, 5)];
    let report = run(options, open(vec![record(0, 0, 8), record(2_000, 0, 8)]));
    let rebuilds = &report.volumes[0].rebuilds;
    assert_eq!(rebuilds.iter().map(|one| one.spare).collect::<Vec<_>>(), [5, 6]);
    assert!(rebuilds[0].finished_ms.is_none() && rebuilds[0].rebuilt_sectors < SECTORS);
    assert!(rebuilds[1].finished_ms.is_some() && report.volumes[0].whole);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let refused = |change: &dyn Fn(&mut SystemOptions)| {
        let mut options = array(constant(6), parity(1), 5);
        change(&mut options);
        System::new(options, open(Vec::new())).err().expect("it makes no sense").to_string()
    };
    assert!(
        refused(&|one| one.volumes[0].devices[1] = 9).contains("volume 0: there is no device 9")
    );
    assert!(refused(&|one| one.faults = vec![fail(0, 9)]).contains("a fault names device 9"));
    assert!(refused(&|one| one.devices[2].depth = 0).contains("device 2 takes 0"));
    assert!(refused(&|one| one.devices[2].controllers = vec![3]).contains("controller 3"));
    let shared = refused(&|one| {
        let mut other = one.volumes[0].clone();
        other.devices = vec![0, 1, 2];
        one.volumes.push(other);
    });
    assert!(shared.contains("spare 5"), "{shared}");
}

fn layouts() -> impl Strategy<Value = (LayoutOptions, u32)> {
    prop_oneof![
        Just((LayoutOptions::Concat, 3)),
        Just((LayoutOptions::Stripe { unit_sectors: 16 }, 4)),
        Just((mirror(2), 4)),
        Just((mirror(3), 3)),
        Just((parity(1), 5)),
        Just((parity(2), 6)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn requests_are_conserved_whatever_fails(
        (layout, members) in layouts(),
        arrivals in prop::collection::vec(
            (0_u64..1_000_000, any::<u64>(), 1_u32..200, any::<bool>()), 1..100),
        spares in 0..3_u32,
        faults in prop::collection::vec((0_u64..1_000_000, 0..8_u32), 0..4),
    ) {
        let tolerance = match &layout {
            LayoutOptions::Mirror { copies, .. } => *copies as usize - 1,
            LayoutOptions::Parity(parity) => parity.parities as usize,
            _ => 0,
        };
        let models = (0..members + spares).map(|_| mock()).collect();
        let mut options = array(models, layout, members);
        if let Some(rebuild) = &mut options.volumes[0].rebuild {
            // Large steps: a drive of the mock has some 100,000 of these sectors.
            rebuild.chunk_sectors = 1 << 16;
        }
        options.faults = faults
            .iter()
            .filter(|(_, device)| *device < members + spares)
            .map(|&(at, device)| fail(at, device))
            .collect();
        let down = options.faults.len();
        let mut records: Vec<Record> = arrivals
            .iter()
            .map(|&(at, lba, sectors, read)| {
                let operation = if read { Operation::Read } else { Operation::Write };
                Record { operation, ..record(at, lba % 100_000, sectors) }
            })
            .collect();
        records.sort_by_key(|record| record.arrival);
        let report = run(options, open(records));
        prop_assert_eq!(report.offered, arrivals.len() as u64);
        if down <= tolerance {
            prop_assert_eq!(report.lost, 0);
        }
    }
}
