//! Writes down what a trace was found to hold.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use platterlab_units::{Operation, Span, Time};
use platterlab_workload::flow::{FlowRecord, FlowSummary, FlowWriter, Item, Observed, PauseKind};

use crate::CaptureError;
use crate::block::{Block, Request};
use crate::conversion::Conversion;
use crate::snapshot::Snapshot;

/// Writes the flow to `out` and gives its totals.
pub(crate) fn write(
    snapshot: &Snapshot,
    mut trace: Conversion<'_>,
    out: &Path,
) -> Result<FlowSummary, CaptureError> {
    let cut_processes = trace.tasks.cut(trace.end);
    trace.block.settle_needs();
    let summary = summary(snapshot, &mut trace, cut_processes);
    let records = records(trace);
    let refuse = |error: std::io::Error| CaptureError::new(out, error.to_string());
    let file = BufWriter::new(File::create(out).map_err(refuse)?);
    let mut writer = FlowWriter::new(file, &snapshot.header).map_err(refuse)?;
    for record in &records {
        writer.write(record).map_err(refuse)?;
    }
    let buffer = writer.finish(&summary).map_err(refuse)?;
    buffer.into_inner().map_err(|error| refuse(error.into_error()))?;
    Ok(summary)
}

fn summary(snapshot: &Snapshot, trace: &mut Conversion<'_>, cut_processes: u64) -> FlowSummary {
    let requests = trace.block.requests.iter().filter(|request| !Block::is_requeued(request));
    let first = trace.tasks.first.unwrap_or(trace.end);
    FlowSummary {
        elapsed_ns: trace.tasks.last.saturating_sub(first),
        compute_ns: trace.tasks.compute_ns,
        interrupt_ns: trace.cpus.interrupt_ns,
        scheduler_ns: snapshot.accounts.scheduler_ns,
        other_cpu_ns: trace.cpus.other_ns,
        false_idle_ns: false_idle(trace),
        interrupts: trace.cpus.interrupts,
        context_switches: trace.cpus.switches,
        trace_events: trace.events,
        device_requests: snapshot.accounts.device_requests,
        unattributed_requests: requests.clone().filter(|request| !request.attributed).count()
            as u64,
        unfinished_requests: requests.filter(|request| request.completion.is_none()).count() as u64,
        empty_flushes: trace.block.empty_flushes,
        cut_processes,
        unplaced_pages: trace.cache.unplaced(),
    }
}

/// Time in which a CPU was idle while a traced process waited for storage, summed over the CPUs.
fn false_idle(trace: &Conversion<'_>) -> u64 {
    let mut waits: Vec<(u64, u64)> = Vec::new();
    for (end, item) in &trace.tasks.records {
        if let Item::Pause(pause) = item
            && pause.kind == PauseKind::Storage
        {
            waits.push((pause.start.as_ps() / 1_000, *end));
        }
    }
    waits.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (start, end) in waits {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    let overlap = |&(from, to): &(u64, u64)| {
        let first = joined.partition_point(|wait| wait.1 <= from);
        let waits = joined[first..].iter().take_while(|wait| wait.0 < to);
        waits.map(|wait| wait.1.min(to) - wait.0.max(from)).sum::<u64>()
    };
    trace.cpus.idle.iter().map(overlap).sum()
}

/// Processes, places and resident pages first, then everything in the order of its time.
fn records(trace: Conversion<'_>) -> Vec<FlowRecord> {
    let begin = |item| (0, item);
    let mut before: Vec<(u64, Item)> =
        trace.tasks.processes.iter().cloned().map(Item::Process).map(begin).collect();
    before.extend(trace.cache.extents().map(Item::Extent).map(begin));
    let residents = trace.cache.residents().into_iter();
    before.extend(residents.map(|(file, page, pages)| begin(Item::Resident { file, page, pages })));
    let mut tasks = trace.tasks;
    before.append(&mut tasks.records);
    for request in trace.block.requests.iter().filter(|request| !Block::is_requeued(request)) {
        if let Some(completion) = request.completion {
            before.push((completion, Item::Observed(observed(request, completion))));
        }
    }
    tasks.records = before;
    tasks.into_records()
}

fn observed(request: &Request, completion: u64) -> Observed {
    let time = |ns: u64| Time::from_ps(ns * 1_000);
    Observed {
        arrival: time(request.arrival),
        issue: time(request.issue),
        completion: time(completion),
        lba: if request.sectors == 0 { 0 } else { request.sector },
        sectors: request.sectors,
        operation: if request.flags.write { Operation::Write } else { Operation::Read },
        cause: request.cause,
        criticality: request.class,
        process: request.process,
        limit: request.needed.map(|ns| Span::from_ns(ns.saturating_sub(request.arrival))),
        waited: Span::from_ns(request.waited),
    }
}
