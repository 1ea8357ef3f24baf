//! Means that follow from the geometry alone.

use crate::dice::Dice;
use crate::round::{PER_TRACK, SURFACES, drive, read};
use platterlab_drive::{Drive, SeekCurve};
use platterlab_units::{Span, Time};

/// A drive of 1,000 cylinders with a square-root seek curve.
fn random_reads(count: usize) -> (Drive, Vec<platterlab_drive::Service>) {
    let mut params = drive();
    params.layout.cylinders = 1_000;
    params.layout.zones = vec![crate::round::zone([0, 999], PER_TRACK)];
    params.mechanism.seek = SeekCurve::TwoPiece {
        short_ms: [3.24, 0.4],
        long_ms: [8.0, 0.008],
        boundary_cylinders: 383,
        first: vec![],
    };
    params.mechanism.rotation = Span::from_ps(14_992_503_748);
    let mut drive = Drive::new(&params).expect("the drive is legal");
    let mut dice = Dice(1994);
    let capacity = drive.layout().capacity();
    let mut now = Time::ZERO;
    let services = (0..count)
        .map(|_| {
            // Independent of the platter: up to ten turns between requests.
            now += Span::from_ps(dice.next() % 150_000_000_000);
            let lba = dice.next() % capacity;
            let service = drive.serve(now, read(lba, 1), &mut platterlab_drive::NoChance);
            now = service.completion;
            service
        })
        .collect();
    (drive, services)
}

fn squared(value: f64) -> f64 {
    value * value
}

/// The mean, and four standard errors of it.
fn mean(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| squared(value - mean)).sum::<f64>() / (count - 1.0);
    (mean, 4.0 * (variance / count).sqrt())
}

#[test]
fn the_mean_latency_of_random_reads_is_half_a_turn() {
    let (drive, services) = random_reads(40_000);
    let latencies = services.iter().map(|service| service.rotation.as_ms());
    let (mean, error) = mean(latencies.clone());
    let turn = drive.mechanism().rotation().period().as_ms();
    assert!((mean - turn / 2.0).abs() < error, "{mean} ms, not {} ± {error}", turn / 2.0);
    // Evenly spread: a twelfth of the turn squared, to three percent.
    let variance = latencies.map(|ms| squared(ms - mean)).sum::<f64>() / 40_000.0;
    assert!((variance / (turn * turn / 12.0) - 1.0).abs() < 0.03, "variance {variance}");
}

#[test]
fn the_mean_seek_of_random_reads_is_the_sum_over_all_distances() {
    let (_, services) = random_reads(40_000);
    let (mean, error) = mean(services.iter().skip(1).map(|service| service.seek.as_ms()));
    let cylinders = 1_000_u32;
    let time = |distance: u32| match distance {
        0 => 0.0,
        1..383 => 3.24 + 0.4 * f64::from(distance).sqrt(),
        _ => 8.0 + 0.008 * f64::from(distance),
    };
    let pairs = squared(f64::from(cylinders));
    let seeks: f64 = (1..cylinders)
        .map(|distance| 2.0 * f64::from(cylinders - distance) / pairs * time(distance))
        .sum();
    // On the same cylinder, every second request needs a head switch of 1 ms.
    let same_cylinder = 1.0 / f64::from(cylinders);
    let switches = same_cylinder * (1.0 - 1.0 / f64::from(SURFACES));
    let expected = seeks + switches;
    assert!((mean - expected).abs() < error, "{mean} ms, not {expected} ± {error}");
}

#[test]
fn a_sequential_read_of_the_whole_drive_takes_its_turns_and_switches() {
    let params = drive();
    let capacity = Drive::new(&params).expect("the drive is legal").layout().capacity();
    let service = crate::round::once(&params, read(0, capacity as u32));
    let tracks = capacity / u64::from(PER_TRACK);
    assert_eq!(service.transfer, Span::from_us(tracks * 10_000 + (tracks - 1) * 1_000));
}
