//! Experiments over simulated years: no clock wraps, and none is passed over in silence.

use platterlab_experiment::{Experiment, Job, JobReport, Replication};
use std::path::Path;
use toml::Value;

const YEAR_MS: f64 = 365.25 * 86_400e3;

fn try_run(folder: &Path, text: &str) -> Result<Replication, String> {
    let none: [(&str, Value); 0] = [];
    let experiment =
        Experiment::parse(text.as_bytes(), "e.toml", folder, &none).expect("it is right");
    let report: Result<JobReport, _> = Job::start(experiment.plan, 1, false).finish();
    let mut report = report.map_err(|error| error.to_string())?;
    Ok(report.runs.swap_remove(0))
}

fn run(text: &str) -> Replication {
    try_run(Path::new(""), text).expect("no trace to fail")
}

/// What becomes of a trace of this format.
fn run_trace(format: &str, lines: &str) -> Result<Replication, String> {
    let name = format!("platterlab-years-{format}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("there is room for it");
    std::fs::write(folder.join("t"), lines).expect("there is room for it");
    let text = format!(
        "[[drive]]\nprofile = \"mock\"\n[[workload]]\nkind = \"trace\"\n\
         file = \"t\"\nformat = \"{format}\"\n"
    );
    let run = try_run(&folder, &text);
    std::fs::remove_dir_all(&folder).expect("it was there");
    run
}

fn open(law: &str, requests: u64) -> String {
    format!(
        "[[drive]]\nprofile = \"mock\"\n[[workload]]\nkind = \"open\"\n\
         interval_ms = {law}\nrequests = {requests}\n"
    )
}

fn near(found: f64, wanted: f64, share: f64) {
    assert!((found / wanted - 1.0).abs() <= share, "{found} instead of {wanted}");
}

#[test]
fn a_request_an_hour_for_a_year_is_served_like_one_a_second() {
    let hourly = run(&open("{ kind = \"exponential\", mean = 3_600_000.0 }", 10_000)).report;
    let quick = run(&open("{ kind = \"exponential\", mean = 1_000.0 }", 10_000)).report;
    near(hourly.elapsed_ms, 3.6e10, 0.03);
    let mean = |report: &platterlab_sim::Report| {
        report.response_ms.as_ref().expect("requests were served").mean_ms
    };
    near(mean(&hourly), mean(&quick), 0.02);
    let device = &hourly.devices[0];
    near(device.utilisation * hourly.elapsed_ms, device.service.mean_ms * 10_000.0, 1e-6);
    near(device.idle.mean_ms, 3.6e6, 0.03);
}

#[test]
fn requests_come_at_their_intervals_however_long_these_are() {
    for interval_ms in [1e10, 1.9e10, 1e12] {
        let law = format!("{{ kind = \"constant\", value = {interval_ms:?} }}");
        let report = run(&open(&law, 200)).report;
        near(report.elapsed_ms, 200.0 * interval_ms, 1e-6);
        assert!(report.devices[0].utilisation < 1e-6, "{}", report.devices[0].utilisation);
        near(report.devices[0].idle.max_ms, interval_ms, 1e-6);
    }
}

#[test]
fn a_client_thinks_for_as_long_as_it_is_told_to() {
    for think_ms in [1e9, 1e10, 1e12] {
        let text = open("{ kind = \"constant\", value = 1.0 }", 200)
            .replace("\"open\"", "\"closed\"\npopulation = 1")
            .replace("interval_ms", "think_ms")
            .replace("value = 1.0", &format!("value = {think_ms:?}"));
        near(run(&text).report.elapsed_ms, 200.0 * think_ms, 1e-6);
    }
}

#[test]
fn what_a_trace_has_years_apart_is_served_years_apart() {
    let lines = "100 0 10 8 1\n1.9e10 0 1000 8 1\n";
    let report = run_trace("disksim-ascii", lines).expect("it can be read").report;
    assert_eq!(report.served, 2);
    near(report.elapsed_ms, 1.9e10, 1e-6);
}

#[test]
fn what_no_clock_can_show_ends_with_a_message() {
    let lines =
        |start_s: &str| format!("0.0 ; 10 ; 8 ; R ; 0 ; 0\n{start_s} ; 1000 ; 8 ; R ; 0 ; 0\n");
    let late = run_trace("blkreplay", &lines("39e15")).expect("a billion years can be told").report;
    near(late.elapsed_ms, 39e18, 1e-6);
    let error = run_trace("blkreplay", &lines("40e15")).map(|run| run.report.elapsed_ms);
    let error = error.expect_err("more cannot be told");
    assert!(error.contains("beyond the range of times"), "{error}");
}

#[test]
fn figures_over_time_add_up_over_centuries() {
    let text = open("{ kind = \"exponential\", mean = 3.15576e9 }", 5_000);
    let report = run(&text).report;
    near(report.elapsed_ms, 500.0 * YEAR_MS, 0.05);
    let over_time = &report.over_time;
    let bins = over_time.in_flight.len();
    near(over_time.bin_ms * bins as f64, report.elapsed_ms, 0.02);
    let sum = |means: &[f64]| {
        let (last, whole) = means.split_last().expect("there are bins");
        let rest = report.elapsed_ms - over_time.bin_ms * whole.len() as f64;
        whole.iter().sum::<f64>() * over_time.bin_ms + last * rest
    };
    let response_ms = report.response_ms.as_ref().expect("requests were served").mean_ms * 5_000.0;
    near(sum(&over_time.in_flight), response_ms, 1e-6);
    let device = &report.devices[0];
    near(sum(&over_time.devices[0].utilisation), device.service.mean_ms * 5_000.0, 1e-6);
}

#[test]
fn processes_and_their_limits_outlast_the_clock_of_a_drive() {
    let text = "[[drive]]\nprofile = \"mock\"\n[[workload]]\nkind = \"processes\"\ncount = 3\n\
                requests = 300\ninterval_ms = { kind = \"constant\", value = 1e12 }\n\
                limited_share = 1.0\nlimit_ms = { kind = \"constant\", value = 5e11 }\n";
    near(run(text).report.elapsed_ms, 1e14, 1e-6);
}
