//! Experiments at work: theory, conservation, and the same bits on any number of threads.

use platterlab_experiment::{Experiment, Job, JobReport, saturated};
use std::path::Path;
use toml::Value;

fn experiment(text: &str, overrides: &[(&str, Value)]) -> Experiment {
    Experiment::parse(text.as_bytes(), "e.toml", Path::new(""), overrides).expect("it is right")
}

fn run(experiment: Experiment, threads: usize) -> JobReport {
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
