//! Flows, and computers over a device of known times.

use platterlab_sim::drive::{AccessLaw, Model, SimpleDevice, SimpleParams};
use platterlab_sim::host::{FileReadAhead, Host, HostOptions, HostReport, Syncer};
use platterlab_sim::scheduler::{QueueOptions, Scheduler};
use platterlab_sim::system::DeviceOptions;
use platterlab_sim::{Outcome, Report, System, SystemOptions};
use platterlab_units::{Span, Time};
use platterlab_workload::flow::{Event, Extent, FlowRecord, Item, Process, Step};
use std::convert::Infallible;

pub(super) const SECTORS: u64 = 1_000_000;

pub(super) fn ms(ms: f64) -> Span {
    Span::from_ms(ms).expect("a time")
}

/// One device that takes 5 ms for everything.
pub(super) fn storage() -> SystemOptions {
    let params = SimpleParams {
        sectors: SECTORS,
        sector_bytes: 512,
        overhead: Span::ZERO,
        access: AccessLaw::Constant { time: ms(5.0) },
        sector_time: Span::ZERO,
    };
    let model = Model::Simple(Box::new(SimpleDevice::new(params, 1)));
    SystemOptions::of(vec![DeviceOptions::of(model)], QueueOptions::of(Scheduler::Fcfs))
}

/// A computer that does nothing of its own.
pub(super) fn plain() -> HostOptions {
    HostOptions {
        cpus: 1,
        speed: 1.0,
        quantum: ms(100.0),
        context_switch: Span::ZERO,
        wake_up: Span::ZERO,
        issue_to_sleep: Span::ZERO,
        interrupt: Span::ZERO,
        clock: None,
        tick: Span::ZERO,
        syncer_request: Span::ZERO,
        memory_pages: 1_000,
        page_sectors: 8,
        request_pages: 1,
        read_ahead: FileReadAhead::Off,
        syncer: Syncer::Burst { interval: ms(30_000.0) },
        dirty_limit_pages: None,
        sync_in_turn: false,
        journal: None,
        flush: Span::ZERO,
        volume: 0,
        unplaced_lba: 500_000,
    }
}

/// A flow of one file at sector 1000 and of processes with these steps (computation in ms).
pub(super) fn flow(processes: &[&[(f64, Event)]]) -> Vec<FlowRecord> {
    let record = |item| FlowRecord { at: Time::ZERO, item };
    let process =
        |(id, _): (u32, _)| record(Item::Process(Process { id, parent: None, name: None }));
    let mut records: Vec<FlowRecord> = (0..).zip(processes).map(process).collect();
    let extent = Extent { file: 1, page: 0, pages: 10_000, lba: 1_000 };
    records.push(record(Item::Extent(extent)));
    let longest = processes.iter().map(|steps| steps.len()).max().unwrap_or(0);
    for index in 0..longest {
        for (process, steps) in (0..).zip(processes) {
            if let Some(&(compute, event)) = steps.get(index) {
                let step = Step { process, compute: ms(compute), event };
                records.push(record(Item::Step(step)));
            }
        }
    }
    records
}

pub(super) fn read(page: u64) -> Event {
    Event::Read { file: 1, page, pages: 1 }
}

pub(super) fn write(page: u64) -> Event {
    Event::Write { file: 1, page, pages: 1 }
}

pub(super) fn run(options: HostOptions, processes: &[&[(f64, Event)]]) -> (Report, HostReport) {
    let records = flow(processes).into_iter().map(Ok::<_, Infallible>);
    let mut system = System::new(storage(), Host::new(options, records)).expect("it makes sense");
    assert_eq!(system.run().expect("the flow can be read"), Outcome::Finished);
    let report = system.report();
    assert_eq!((report.in_flight, report.refused), (0, 0), "requests are conserved");
    assert_eq!(system.source_mut().deadlock(), Ok(None));
    (report, system.source().report())
}

pub(super) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}
