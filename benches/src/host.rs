//! A computer over a drive: how fast a whole system runs, processes and all.

use crate::cpu::CpuTime;
use crate::figures::{Figures, library};
use crate::subsystem;
use platterlab_sim::host::{Host, HostOptions};
use platterlab_sim::scheduler::{Key, Scheduler};
use platterlab_sim::{Outcome, System};
use platterlab_workload::flow::FlowRecord;
use platterlab_workload::synthetic::Task;
use std::convert::Infallible;

pub(crate) const NAMES: [&str; 1] = ["system-events"];

/// What a run told.
struct Ran {
    /// Of processes and of the storage together.
    events: u64,
    requests: u64,
    simulated_s: f64,
}

/// Runs the case; its figures, counted in system events.
pub(crate) fn run(repeats: u32) -> Result<Figures, String> {
    let drive = library("seagate/barracuda-st15150w.toml")?;
    let (header, records) = Task::Copytree.flow(1);
    let host = HostOptions::svr4_mp(&header);
    let options = subsystem::options(&drive, 1, Scheduler::CLook { by: Key::Lba });
    let mut best_s = f64::INFINITY;
    let mut last = Ran { events: 0, requests: 0, simulated_s: 0.0 };
    for _ in 0..repeats {
        let (options, host, records) = (options.clone(), host.clone(), records.clone());
        let started = CpuTime::now();
        let records = records.into_iter().map(Ok::<FlowRecord, Infallible>);
        let mut system =
            System::new(options, Host::new(host, records)).map_err(|error| error.to_string())?;
        let Ok(outcome) = system.run();
        best_s = best_s.min(started.elapsed_s());
        let report = system.report();
        if outcome != Outcome::Finished || report.refused > 0 {
            return Err(format!("{outcome:?}, {} requests refused", report.refused));
        }
        last = Ran {
            events: report.events + system.source().report().events,
            requests: report.served,
            simulated_s: report.elapsed_ms / 1e3,
        };
    }
    let Ran { events, requests, simulated_s } = last;
    let what = format!(
        "Barracuda under a computer that copies a tree, system events: {requests} requests in {simulated_s:.0} s"
    );
    Ok(Figures { what, requests: records.len(), served: events, best_s })
}
