//! A pilot run: predicts which drives open workloads overload, before the run.

use super::RunError;
use super::mapped::Mapped;
use super::sources::group;
use crate::options::TraceTiming;
use crate::plan::{Made, Plan, SourcePlan, TracePlan};
use platterlab_sim::System;
use platterlab_sim::source::{Closed, Gate, Processes, Source};
use platterlab_units::Stamp;
use platterlab_workload::synthetic::Law;
use platterlab_workload::trace::TraceError;
use std::sync::Arc;

/// Requests of a workload from which its service times are estimated, where there are few workloads.
const SAMPLE: u64 = 400;
/// Requests of all together: that there are many workloads does not make the estimate the run.
const SAMPLES: u64 = 100_000;
/// Records from which the rate of a trace is estimated.
const LOOKED_AT: usize = 20_000;

/// Drives that the open workloads of a plan keep busy for as long as there is, or longer, by an
/// estimate from a few requests served one at a time: the drive and its load. A scheduler that
/// shortens service may still keep up with a load a little above 1.
///
/// # Errors
/// What is wrong with a trace.
pub fn saturated(plan: &Plan) -> Result<Vec<(String, f64)>, RunError> {
    let mut load = vec![0.0; plan.drives.len()];
    let cpus = plan.processors.map_or(f64::INFINITY, |(count, _)| f64::from(count));
    for source in &plan.sources {
        match source {
            SourcePlan::Made(made) => {
                let waits = made.params.critical_share + made.params.limited_share > 0.0;
                if waits {
                    continue;
                }
                let [general, sequential, local] = made.params.interval_ms.map(|law| law.mean());
                let (at_end, near) = (made.params.sequential_share, made.params.local_share);
                let mean = general * (1.0 - at_end - near) + sequential * at_end + local * near;
                let thinking =
                    f64::from(made.count).min(if made.shared { cpus } else { f64::INFINITY });
                add(&mut load, plan, sample(made), thinking / mean)?;
            }
            // A flow's processes wait, and its requests come to an end.
            SourcePlan::Flow(_) => {}
            // What a class will ask for, nobody knows.
            SourcePlan::Outside(_) => {}
            SourcePlan::Trace(trace) => {
                let TraceTiming::Open { time_scale, .. } = trace.timing else { continue };
                let (records, rate) = beginning(trace)?;
                add(
                    &mut load,
                    plan,
                    Closed::new(records.into_iter().map(Ok), 1),
                    rate / time_scale,
                )?;
            }
        }
    }
    let full = load.into_iter().zip(&plan.drives).filter(|(load, _)| *load >= 1.0);
    Ok(full.map(|(load, drive)| (drive.clone(), load)).collect())
}

/// A workload's requests, one at a time.
fn sample(made: &Made) -> Processes<TraceError> {
    let mut one = made.clone();
    (one.count, one.requests) = (1, None);
    // The system that samples it knows of this one stream only.
    one.label.stream = 0;
    one.params.critical_share = 1.0;
    one.params.interval_ms = [Law::Constant { value: 0.0 }; 3];
    Processes::new(vec![group(&one, 0, &mut 0)], None)
}

/// The first records of a trace, and how many come in a millisecond.
fn beginning(trace: &TracePlan) -> Result<(Vec<platterlab_workload::Record>, f64), TraceError> {
    let (records, _) = Mapped::open(trace, Arc::default(), Arc::default())?;
    let records = records.take(LOOKED_AT).collect::<Result<Vec<_>, _>>()?;
    let ends = records.first().zip(records.last());
    let elapsed = ends.map_or(0.0, |(first, last)| last.arrival.since(first.arrival).as_ms());
    let rate = if elapsed > 0.0 { records.len() as f64 / elapsed } else { 0.0 };
    Ok((records, rate))
}

/// Adds to each drive's load what a workload of `rate` requests in a millisecond makes of it.
fn add(
    load: &mut [f64],
    plan: &Plan,
    source: impl Source<Error = TraceError>,
    rate: f64,
) -> Result<(), RunError> {
    let mut options = plan.system(0, false);
    (options.warm_up, options.warm_up_until) = (0, Stamp::ZERO);
    (options.faults, options.streams) = (Vec::new(), 1);
    let sample = (SAMPLES / plan.sources.len().max(1) as u64).clamp(4, SAMPLE);
    let mut system = System::new(options, Gate::new(source, sample, Stamp::MAX))?;
    system.run()?;
    let report = system.report();
    for (load, device) in load.iter_mut().zip(&report.devices) {
        let busy_ms = device.utilisation * report.elapsed_ms;
        *load += rate * busy_ms / report.served.max(1) as f64;
    }
    Ok(())
}
