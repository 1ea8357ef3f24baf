//! Experiments at work: theory, conservation, and the same bits on any number of threads.

use platterlab_experiment::{Experiment, Job, JobReport, saturated};
use std::path::Path;
use toml::Value;

pub(crate) fn experiment(text: &str, overrides: &[(&str, Value)]) -> Experiment {
    Experiment::parse(text.as_bytes(), "e.toml", Path::new(""), overrides).expect("it is right")
}

pub(crate) fn run(experiment: Experiment, threads: usize) -> JobReport {
    let report = Job::start(experiment.plan, threads, false).finish().expect("no trace to fail");
    assert_eq!(report.offered, report.served + report.refused + report.in_flight);
    report
}

const MM1: &str = r#"
replications = 12
[stop]
requests = 40_000
warm_up_requests = 2_000
[[drive]]
simple = { size = "1G", access = { kind = "exponential", mean_ms = 10.0 } }
[[workload]]
kind = "open"
interval_ms = { kind = "exponential", mean = 20.0 }
"#;

#[test]
fn m_m_1_is_within_the_interval_on_any_number_of_threads() {
    let one = run(experiment(MM1, &[]), 1);
    let three = run(experiment(MM1, &[]), 3);
    let interval = one.mean_response_ms.expect("requests were served");
    assert_eq!(Some(interval), three.mean_response_ms);
    let half = interval.half_width_95.expect("twelve runs");
    // E[R] = s / (1 - rho).
    assert!((interval.mean - 20.0).abs() < 1.5 * half && half < 1.0, "{interval:?}");
}

#[test]
fn a_closed_system_keeps_its_population() {
    let closed = MM1.replace("kind = \"open\"", "kind = \"closed\"\npopulation = 5");
    let closed = closed.replace("interval_ms = { kind = \"exponential\", mean = 20.0 }", "");
    let report = run(experiment(&closed, &[("replications", Value::Integer(4))]), 2);
    // One server that never rests: R = N s.
    let interval = report.mean_response_ms.expect("requests were served");
    assert!((interval.mean - 50.0).abs() < 1.0, "{interval:?}");
    assert!(report.runs[0].report.devices[0].utilisation > 0.999);
}

#[test]
fn precision_ends_a_run_and_only_then() {
    let text = MM1.replace("requests = 40_000\n", "precision_percent = 2.0\n");
    let report = run(experiment(&text, &[("replications", Value::Integer(8))]), 2);
    for run in &report.runs {
        let mean = run.report.response_ms.as_ref().expect("requests were served").mean_ms;
        assert!((mean - 20.0).abs() < 1.5, "{mean}");
        assert!(run.report.served > 12_000, "{}", run.report.served);
    }
}

#[test]
fn too_much_is_said_before_and_ends_at_the_limit() {
    let overrides = [
        ("workload[0].interval_ms.mean", Value::Float(8.0)),
        ("stop.queue_limit", Value::Integer(500)),
        ("replications", Value::Integer(1)),
    ];
    let overloaded = experiment(MM1, &overrides);
    let told = saturated(&overloaded.plan).expect("no trace to fail");
    assert_eq!(told.len(), 1);
    assert!(told[0].0 == "drive" && (told[0].1 - 1.25).abs() < 0.2, "{told:?}");
    let report = run(overloaded, 1);
    assert_eq!(report.runs[0].queue_full.as_deref(), Some("drive"));
    assert!(report.in_flight > 500 && report.served > 0);
    assert!(saturated(&experiment(MM1, &[]).plan).expect("no trace to fail").is_empty());
}

#[test]
fn every_one_of_several_workloads_has_its_part_in_the_overload() {
    let drive =
        "[[drive]]\nsimple = { size = \"1G\", access = { kind = \"constant\", time_ms = 10 } }\n";
    let load = "[[workload]]\nkind = \"open\"\nrequests = 10\n\
                interval_ms = { kind = \"constant\", value = 40 }\n";
    let told = |count| {
        let plan = experiment(&format!("{drive}{}", load.repeat(count)), &[]).plan;
        saturated(&plan).expect("no trace to fail")
    };
    assert!(told(3).is_empty());
    let five = told(5);
    assert!(five.len() == 1 && (five[0].1 - 1.25).abs() < 0.01, "{five:?}");
}

const STREAMS: &str = r#"
[host]
processors = 1
[[drive]]
profile = "mock"
count = 2
depth = 8
scheduler = { kind = "sptf" }
[[workload]]
kind = "processes"
name = "scan"
count = 2
interval_ms = { kind = "exponential", mean = 20.0 }
critical_share = 1.0
requests = 700
[[workload]]
kind = "processes"
count = 3
interval_ms = { kind = "exponential", mean = 10.0 }
limited_share = 0.5
limit_ms = { kind = "constant", value = 5.0 }
requests = 900
tags = { critical = "head-of-queue" }
[[workload]]
kind = "open"
interval_ms = { kind = "exponential", mean = 12.0 }
requests = 1_100
"#;

#[test]
fn each_stream_has_its_requests_and_all_figures_are_the_sum_of_theirs() {
    let report = run(experiment(STREAMS, &[]), 1);
    assert_eq!(report.streams, ["scan", "processes", "open"]);
    let all = &report.runs[0].report;
    let counts: Vec<u64> = all.streams.iter().map(|stream| stream.offered).collect();
    assert_eq!(counts, [700, 900, 1_100]);
    let figures = || all.streams.iter().map(|stream| &stream.figures);
    let sum = |mean: fn(&platterlab_sim::Figures) -> (u64, f64)| {
        let (count, sum) = figures().map(mean).fold((0, 0.0), |(counts, sum), (count, mean)| {
            (counts + count, sum + mean * count as f64)
        });
        (count, sum / count as f64)
    };
    let part = |times: &Option<platterlab_results::DistributionSummary>| {
        times.as_ref().map_or((0, 0.0), |times| (times.count, times.mean_ms))
    };
    let close = |a: (u64, f64), b: (u64, f64)| a.0 == b.0 && (a.1 - b.1).abs() < 1e-9 * b.1;
    let response = |one: &platterlab_sim::Figures| {
        one.response_ms.as_ref().map_or((0, 0.0), |times| (times.count, times.mean_ms))
    };
    let service = |one: &platterlab_sim::Figures| {
        one.service_ms.as_ref().map_or((0, 0.0), |times| (times.count, times.mean_ms))
    };
    assert!(close(sum(response), part(&all.response_ms)));
    assert!(close(sum(service), part(&all.commands.service)));
    for (kind, whole) in [(0, &all.histograms.all.response), (1, &all.histograms.all.service)] {
        let counts = |at: usize| {
            figures().map(|one| [&one.histograms.response, &one.histograms.service][kind][at]).sum()
        };
        assert_eq!((0..whole.len()).map(counts).collect::<Vec<u64>>(), *whole);
    }
    let devices: u64 = all.devices.iter().map(|device| device.served).sum();
    assert_eq!(devices, all.commands.served);
    for (device, counts) in all.devices.iter().zip(&all.histograms.devices) {
        assert_eq!(counts.counts.queue.iter().sum::<u64>(), device.served);
        let service = &device.service;
        assert!(service.p50_ms < service.p95_ms && service.p95_ms <= service.max_ms);
    }
}

#[test]
fn head_of_queue_helps_the_stream_that_asks_for_it() {
    let plain = STREAMS.replace("tags = { critical = \"head-of-queue\" }\n", "");
    let queued = |text: &str| {
        let faster = text.replace("mean = 12.0", "mean = 7.0").replace("1_100", "4_000");
        let report = run(experiment(&faster, &[]), 1);
        let mean = |class: &platterlab_sim::ClassFigures| {
            let times = class.figures.response_ms.as_ref().map(|times| times.mean_ms);
            (class.name == "time-limited").then_some(times)?
        };
        report.runs[0].report.classes.iter().find_map(mean).expect("there are some")
    };
    let (with, without) = (queued(STREAMS), queued(&plain));
    assert!(with < 0.9 * without, "{with} {without}");
}

#[test]
fn platters_turn_in_step_only_where_the_file_says_so() {
    let text = |in_step: &str| {
        format!(
            "[[drive]]\nprofile = \"mock\"\nname = \"d\"\ncount = 2\n{in_step}\n[[volume]]\n\
             name = \"v\"\ndrives = [\"d\"]\nlayout = {{ kind = \"mirror\" }}\n[[workload]]\n\
             kind = \"closed\"\npopulation = 1\nrequests = 2_000\npattern = {{ read_share = 0.0 }}"
        )
    };
    let rotation = |text: &str| {
        let report = run(experiment(text, &[]), 1).runs.remove(0).report;
        let [one, other] = &report.devices[..] else { panic!("two drives") };
        let response = report.response_ms.expect("requests were served").mean_ms;
        (one.service.mean_ms == other.service.mean_ms, response)
    };
    let (same, together) = rotation(&text("in_step = \"set\""));
    let (other, apart) = rotation(&text(""));
    // The later of two latencies is two thirds of a turn on the average, one alone half of it.
    assert!(same && !other && apart > together, "{together} {apart}");
}

#[test]
fn arrays_go_by_their_numbers_too() {
    let array = |layout: &str| {
        let text = format!(
            "[stop]\nrequests = 200\n[[drive]]\nname = \"d\"\nprofile = \"mock\"\ncount = 4\n\
             [[volume]]\nname = \"v\"\ndrives = [\"d\"]\nlayout = {{ {layout} }}\n\
             [[workload]]\nkind = \"open\"\ninterval_ms = {{ kind = \"exponential\", mean = 20.0 }}\n"
        );
        run(experiment(&text, &[]), 1).mean_response_ms
    };
    for (number, words) in [
        ("kind = \"raid0\", unit = \"64k\"", "kind = \"stripe\", unit = \"64k\""),
        ("kind = \"raid1\"", "kind = \"mirror\", copies = 4"),
        ("kind = \"raid1\", copies = 2", "kind = \"mirror\""),
        ("kind = \"raid10\", unit = \"64k\"", "kind = \"mirror\", unit = \"64k\""),
    ] {
        assert_eq!(array(number), array(words), "{number}");
    }
}
