//! What queueing theory says.

use super::build::{SECTORS, open, options, random, run, simple};
use super::networks::interval;
use platterlab_sim::drive::AccessLaw;
use platterlab_sim::scheduler::Scheduler;
use platterlab_units::Span;

/// The mean response of independent runs and half its 99 % confidence interval.
fn response(law: AccessLaw, gap_ms: f64) -> (f64, f64) {
    interval(|seed| {
        let requests = random(0.5, 50_000, SECTORS, gap_ms, seed);
        let mut options = options(vec![simple(law, seed)], Scheduler::Fcfs);
        options.warm_up = 2_000;
        run(options, open(requests)).response_ms.expect("requests were served").mean_ms
    })
}

#[test]
fn m_m_1_and_m_d_1_respond_as_theory_says() {
    let service = Span::from_us(10_000);
    for load in [0.3, 0.7] {
        // Pollaczek–Khinchine: E[R] = s + rho s (1 + c²) / (2 (1 - rho)).
        for (law, c2) in [
            (AccessLaw::Exponential { mean: service }, 1.0),
            (AccessLaw::Constant { time: service }, 0.0),
        ] {
            let expected = 10.0 + load * 10.0 * (1.0 + c2) / (2.0 * (1.0 - load));
            let (mean, half) = response(law, 10.0 / load);
            assert!(
                (mean - expected).abs() < half,
                "{law:?} at {load}: {mean} ± {half}, {expected}"
            );
            assert!(
                half < 0.05 * expected,
                "the interval is narrow enough to say something: {half}"
            );
        }
    }
}
