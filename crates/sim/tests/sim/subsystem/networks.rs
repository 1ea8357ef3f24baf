//! What theory says of drives, networks, arrays and buses; intervals are of 99 %.

use super::build::{SECTORS, mock, on_one_bus, open, options, plain, random, run, simple};
use platterlab_sim::array::{LayoutOptions, ReadChoice};
use platterlab_sim::drive::{AccessLaw, Model, SimpleDevice, SimpleParams};
use platterlab_sim::scheduler::Scheduler;
use platterlab_sim::source::Closed;
use platterlab_sim::{Report, SystemOptions};
use platterlab_units::{Operation, Span};
use platterlab_workload::Record;
use std::convert::Infallible;

const RUNS: u32 = 20;
/// Student's t for 19 degrees of freedom, 99 %.
const T: f64 = 2.861;
const MEAN: Span = Span::from_us(10_000);

/// Random reads of one sector, `gap_ms` apart on the average.
fn reads(requests: u64, sectors: u64, gap_ms: f64, seed: u64) -> Vec<Record> {
    random(1.0, requests, sectors, gap_ms, seed)
}

fn served(options: SystemOptions, records: Vec<Record>) -> Report {
    run(options, open(records))
}

fn closed(options: SystemOptions, records: Vec<Record>, population: u32) -> Report {
    run(options, Closed::new(records.into_iter().map(Ok::<_, Infallible>), population))
}

fn mean_response(report: &Report) -> f64 {
    report.response_ms.as_ref().expect("requests were served").mean_ms
}

/// The mean of independent runs and half its confidence interval.
pub(super) fn interval(one: impl Fn(u64) -> f64) -> (f64, f64) {
    let values: Vec<f64> = (1..=RUNS).map(|seed| one(u64::from(seed))).collect();
    let n = f64::from(RUNS);
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
    (mean, T * (variance / n).sqrt())
}

fn agrees(what: &str, one: impl Fn(u64) -> f64, expected: f64) {
    let (mean, half) = interval(one);
    assert!((mean - expected).abs() < half, "{what}: {mean} ± {half}, theory {expected}");
    assert!(half < 0.03 * expected, "{what}: ± {half} says too little of {expected}");
}

/// A drive behind a queue is M/G/1 with the drive's own moments: at random places one service says
/// nothing of the next but through the arm, which is where the one before left it.
#[test]
fn a_drive_under_random_reads_is_m_g_1_with_its_own_moments() {
    let sectors = mock().sectors();
    for load in [0.2, 0.5] {
        let excess = |seed| {
            let alone = served(
                options(vec![mock()], Scheduler::Fcfs),
                reads(4_000, sectors, 1_000.0, seed + 100),
            );
            let service = alone.commands.service.expect("commands were served");
            let (mean, sd) = (service.mean_ms, service.sd_ms.expect("many were"));
            let gap = mean / load;
            let queued =
                served(options(vec![mock()], Scheduler::Fcfs), reads(40_000, sectors, gap, seed));
            // Pollaczek–Khinchine: W = λ E[S²] / (2 (1 - ρ)).
            let wait = (mean * mean + sd * sd) / gap / (2.0 * (1.0 - load));
            mean_response(&queued) / (mean + wait)
        };
        agrees("M/G/1", excess, 1.0);
    }
}

/// Mean-value analysis (Reiser–Lavenberg 1980) of customers who go to one of several exponential
/// devices at random, again and again: response and throughput by population.
fn mean_value(devices: u32, population: u32, service_ms: f64) -> (f64, f64) {
    let (mut queue, mut response) = (0.0, 0.0);
    for customers in 1..=population {
        response = service_ms * (1.0 + queue);
        // Each device is visited once in so many requests.
        queue = f64::from(customers) / f64::from(devices);
    }
    (response, f64::from(population) / response)
}

#[test]
fn closed_networks_are_as_mean_value_analysis_has_them() {
    for (devices, population) in [(1, 5), (3, 4), (4, 16)] {
        let one = |seed| {
            let model = |index| simple(AccessLaw::Exponential { mean: MEAN }, seed * 100 + index);
            let mut options =
                options((0..u64::from(devices)).map(model).collect(), Scheduler::Fcfs);
            // One volume over all devices: a random sector is a random device.
            options.volumes = vec![plain((0..devices).collect())];
            options.warm_up = 1_000;
            closed(options, reads(20_000, SECTORS * u64::from(devices), 1.0, seed), population)
        };
        let (response, throughput) = mean_value(devices, population, 10.0);
        let name = format!("{population} on {devices}");
        agrees(&name, |seed| mean_response(&one(seed)), response);
        let rate = |seed| {
            let report = one(seed);
            report.served as f64 / report.elapsed_ms
        };
        agrees(&name, rate, throughput);
    }
}

/// A request that goes to two exponential queues at once and is done when both are: exactly
/// (12 - ρ) / 8 of the response of one (Nelson–Tantawi 1988, after Flatto and Hahn).
#[test]
fn writes_to_a_mirror_fork_and_join() {
    for load in [0.3, 0.6] {
        let one = |seed| {
            let model = |index| simple(AccessLaw::Exponential { mean: MEAN }, seed * 100 + index);
            let mut options = options((0..2).map(model).collect(), Scheduler::Fcfs);
            let layout = LayoutOptions::Mirror {
                copies: 2,
                unit_sectors: None,
                read_choice: ReadChoice::Primary,
            };
            options.volumes[0].layout = layout;
            options.volumes[0].devices = vec![0, 1];
            options.volumes.truncate(1);
            options.warm_up = 1_000;
            let mut records = reads(30_000, SECTORS, 10.0 / load, seed);
            records.iter_mut().for_each(|record| record.operation = Operation::Write);
            mean_response(&served(options, records))
        };
        let single = 10.0 / (1.0 - load);
        agrees("fork and join", one, (12.0 - load) / 8.0 * single);
    }
}

/// Of more than two queues only bounds are known: one queue alone, and the slowest of as many
/// independent ones (Nelson–Tantawi 1988; the harmonic number for exponential responses).
#[test]
fn a_stripe_lies_between_the_bounds_of_fork_and_join() {
    const WIDTH: u32 = 5;
    let load = 0.5;
    let one = |seed| {
        let model = |index| simple(AccessLaw::Exponential { mean: MEAN }, seed * 100 + index);
        let mut options = options((0..u64::from(WIDTH)).map(model).collect(), Scheduler::Fcfs);
        options.volumes[0].layout = LayoutOptions::Stripe { unit_sectors: 1 };
        options.volumes[0].devices = (0..WIDTH).collect();
        options.volumes.truncate(1);
        let mut records = reads(20_000, SECTORS - 8, 10.0 / load, seed);
        records.iter_mut().for_each(|record| record.sectors = WIDTH);
        mean_response(&served(options, records))
    };
    let (mean, half) = interval(one);
    let single = 10.0 / (1.0 - load);
    let slowest: f64 = single * (1..=WIDTH).map(|n| 1.0 / f64::from(n)).sum::<f64>();
    assert!(mean - half > single, "{mean} ± {half} is above one queue's {single}");
    assert!(mean + half < slowest, "{mean} ± {half} is below {slowest} of independent queues");
}

/// Many devices that answer at once and share one bus: the bus is M/D/1.
#[test]
fn a_shared_bus_is_a_queue_of_constant_service() {
    const DEVICES: u64 = 40;
    let transfer = Span::from_us(1_000);
    for load in [0.4, 0.8] {
        let one = |seed| {
            let device = |index| bus_device(transfer, index);
            let mut options = options((0..DEVICES).map(device).collect(), Scheduler::Fcfs);
            on_one_bus(&mut options);
            for device in &mut options.devices {
                // No command waits for its device: the bus alone has a queue.
                device.depth = 1;
            }
            let mut records = reads(40_000, SECTORS, 1.0 / load, seed);
            for (index, record) in records.iter_mut().enumerate() {
                record.device = (index as u64 % DEVICES) as u32;
            }
            let report = served(options, records);
            let utilisation = report.buses[0].utilisation;
            assert!((utilisation - load).abs() < 0.03, "{utilisation}");
            mean_response(&report)
        };
        agrees("M/D/1", one, 1.0 + load / (2.0 * (1.0 - load)));
    }
}

fn bus_device(transfer: Span, seed: u64) -> Model {
    let params = SimpleParams {
        sectors: SECTORS,
        sector_bytes: 512,
        overhead: Span::ZERO,
        access: AccessLaw::Constant { time: Span::ZERO },
        sector_time: transfer,
    };
    Model::Simple(Box::new(SimpleDevice::new(params, seed)))
}

/// Little's law, exactly, for the requests and for each queue; and what is told over time adds up
/// to what is told at the end.
#[test]
fn littles_law_holds_and_time_adds_up() {
    let models = vec![mock(), mock(), mock()];
    let sectors = models.iter().map(Model::sectors).sum();
    let mut options = options(models, Scheduler::Sptf);
    options.volumes = vec![plain(vec![0, 1, 2])];
    let report = served(options, reads(20_000, sectors, 5.0, 3));
    let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-6 * b.abs().max(1e-9), "{a}, {b}");
    // Over equal bins but for the last, which the end cuts short.
    let bin = report.over_time.bin_ms;
    let mean = |series: &[f64]| {
        let whole = series.len() - 1;
        let rest = report.elapsed_ms - whole as f64 * bin;
        (series[..whole].iter().sum::<f64>() * bin + series[whole] * rest) / report.elapsed_ms
    };
    let rate = report.served as f64 / report.elapsed_ms;
    close(mean(&report.over_time.in_flight), rate * mean_response(&report));
    for (device, series) in report.devices.iter().zip(&report.over_time.devices) {
        let rate = device.served as f64 / report.elapsed_ms;
        close(mean(&series.queue), rate * device.queue.mean_ms);
        close(mean(&series.utilisation), rate * device.service.mean_ms);
        close(device.mean_queue_length, mean(&series.queue));
        let idle = device.idle.mean_ms * device.idle.count as f64;
        assert!(idle + device.service.mean_ms * device.served as f64 <= report.elapsed_ms + 1e-6);
    }
    let counted: u64 = report.histograms.all.response.iter().sum();
    assert_eq!(counted, report.served);
    assert_eq!(
        report.devices.iter().map(|device| device.served).sum::<u64>(),
        report.commands.served
    );
}
