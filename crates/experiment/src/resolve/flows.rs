//! Process flows: read once, checked against the volume, and given a computer.

use super::ms;
use super::volumes::Volumes;
use crate::options::{FlowModel, Software};
use crate::plan::{FlowPlan, FlowSource};
use platterlab_profile::file::{Fault, KeyPath};
use platterlab_sim::host::{FlowTraits, HostOptions};
use platterlab_sim::source::Label;
use platterlab_workload::flow::{FlowHeader, FlowInfo, FlowReader, Origin};
use platterlab_workload::trace::TraceError;
use std::path::Path;

/// A process flow with its place in the system. It is read once, so that what is wrong with it is
/// reported before anything runs.
pub(super) fn flow(
    file: &Path,
    model: &FlowModel,
    volume: Option<&str>,
    volumes: &Volumes,
    label: Label,
    at: &KeyPath,
) -> Result<FlowPlan, Fault> {
    let wrong = |error: TraceError| Fault::new(at.key("file"), error.to_string());
    let volume = match volume {
        None => 0,
        Some(name) => volumes.names.one(name).map_err(|what| Fault::new(at.key("volume"), what))?,
    };
    let mut reader = FlowReader::open(file).map_err(wrong)?;
    let header = reader.header().clone();
    fits(&header, volume, volumes).map_err(|what| Fault::new(at.key("file"), what))?;
    let source = match *model {
        FlowModel::System {
            software,
            speed,
            processors,
            memory_pages,
            interrupt_ms,
            context_switch_ms,
            wake_up_ms,
            issue_to_sleep_ms,
            flush_ms,
        } => {
            let mut traits = FlowTraits::default();
            for record in reader {
                traits.take(&record.map_err(wrong)?);
            }
            let own = computer(&header, &traits, software);
            FlowSource::System(Box::new(HostOptions {
                volume,
                speed,
                cpus: processors.unwrap_or(own.cpus),
                memory_pages: memory_pages.unwrap_or(own.memory_pages),
                interrupt: interrupt_ms.map_or(own.interrupt, ms),
                context_switch: context_switch_ms.map_or(own.context_switch, ms),
                wake_up: wake_up_ms.map_or(own.wake_up, ms),
                issue_to_sleep: issue_to_sleep_ms.map_or(own.issue_to_sleep, ms),
                flush: flush_ms.map_or(own.flush, ms),
                ..own
            }))
        }
        FlowModel::Open { time_scale } => {
            let delay = traced(&mut reader, at)?.delay;
            FlowSource::Open { time_scale, delay }
        }
        FlowModel::Closed { population } => {
            let info = traced(&mut reader, at)?;
            let captured = info.mean_outstanding.round().max(1.0) as u32;
            FlowSource::Closed { population: population.unwrap_or(captured), delay: info.delay }
        }
    };
    let sizes = volumes.sizes(header.device.sector_bytes);
    Ok(FlowPlan { path: file.to_owned(), volume, sizes, model: source, label })
}

/// What a flow holds; one that was not captured has no requests to replay.
fn traced(reader: &mut FlowReader, at: &KeyPath) -> Result<FlowInfo, Fault> {
    let info = FlowInfo::of(reader);
    let info = info.map_err(|error| Fault::new(at.key("file"), error.to_string()))?;
    if info.requests.sectors == 0 {
        let what = "needs the requests of the traced system, and the flow has none: it was not \
                    captured; take kind = \"system\"";
        return Err(Fault::new(at.key("model").key("kind"), what));
    }
    Ok(info)
}

/// The computer that a flow is of, or that is stated.
fn computer(header: &FlowHeader, traits: &FlowTraits, software: Option<Software>) -> HostOptions {
    let native = match header.origin {
        Origin::Captured => Software::Linux,
        Origin::Generated => Software::Svr4Mp,
    };
    match software.unwrap_or(native) {
        Software::Linux => HostOptions::of_flow(header, traits),
        Software::Svr4Mp => HostOptions::svr4_mp(header),
    }
}

/// Whether the addresses of a flow lie on the volume.
fn fits(header: &FlowHeader, volume: u32, volumes: &Volumes) -> Result<(), String> {
    let (needs, has) = (&header.device, volumes.sectors[volume as usize]);
    let bytes = |sectors: u64, each: u32| u128::from(sectors) * u128::from(each);
    let name = &volumes.names.all()[volume as usize];
    let logical = volumes.logical_sector_bytes;
    if !needs.sector_bytes.is_multiple_of(logical) {
        return Err(format!(
            "is of a device of {}-byte sectors; volume `{name}` takes only whole sectors of {logical} \
             bytes: take a drive whose logical_sector_bytes are {0} or divide it",
            needs.sector_bytes
        ));
    }
    let (needed, held) =
        (bytes(needs.sectors, needs.sector_bytes), bytes(has, volumes.sector_bytes));
    if needed <= held {
        return Ok(());
    }
    Err(format!(
        "is of a device of {} sectors of {} bytes ({:.1} MB); volume `{name}` has {has} of {} ({:.1} \
         MB): take a larger drive, or a volume of several",
        needs.sectors,
        needs.sector_bytes,
        needed as f64 / 1e6,
        volumes.sector_bytes,
        held as f64 / 1e6
    ))
}
