//! Process flows on a computer over a device without mechanics.

use crate::error::{input, json};
use platterlab_sim::array::{Concat, Volume};
use platterlab_sim::drive::{AccessLaw, Model, SimpleDevice, SimpleParams};
use platterlab_sim::host::{FlowTraits, Host, HostOptions, HostReport};
use platterlab_sim::scheduler::{PolicyKind, QueueOptions};
use platterlab_sim::system::{DeviceOptions, DriverOptions};
use platterlab_sim::{Report, System, SystemOptions};
use platterlab_units::Span;
use platterlab_workload::flow::{FlowHeader, FlowReader};
use pyo3::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What computer and storage did.
#[derive(Serialize)]
struct Ran {
    host: HostReport,
    storage: Report,
}

#[pyfunction]
#[pyo3(signature = (path, access_ms, sector_ms, settings = None))]
pub(crate) fn flow_run(
    py: Python<'_>,
    path: PathBuf,
    access_ms: f64,
    sector_ms: f64,
    settings: Option<BTreeMap<String, f64>>,
) -> PyResult<String> {
    let access = span("access_ms", access_ms)?;
    let sector_time = span("sector_ms", sector_ms)?;
    let settings = settings.unwrap_or_default();
    let ran = py.detach(|| {
        let mut traits = FlowTraits::default();
        for record in FlowReader::open(&path).map_err(input)? {
            traits.take(&record.map_err(input)?);
        }
        let flow = FlowReader::open(&path).map_err(input)?;
        let header = flow.header().clone();
        let options = with_settings(HostOptions::of_flow(&header, &traits), &settings)?;
        let storage = storage(&header, access, sector_time);
        let mut system = System::new(storage, Host::new(options, flow));
        system.run().map_err(input)?;
        if let Some(stuck) = system.source_mut().deadlock().map_err(input)? {
            return Err(input(format!("{}: the flow stops: {stuck}", path.display())));
        }
        PyResult::Ok(Ran { host: system.source().report(), storage: system.report() })
    })?;
    json(&ran)
}

fn span(name: &str, ms: f64) -> PyResult<Span> {
    Span::from_ms(ms).ok_or_else(|| input(format!("{name} = {ms}: a time in ms is not negative")))
}

fn with_settings(
    mut options: HostOptions,
    settings: &BTreeMap<String, f64>,
) -> PyResult<HostOptions> {
    for (name, &value) in settings {
        match name.as_str() {
            "speed" if value > 0.0 && value.is_finite() => options.speed = value,
            "speed" => return Err(input(format!("speed = {value}: it is above 0"))),
            "interrupt_ms" => options.interrupt = span(name, value)?,
            "context_switch_ms" => options.context_switch = span(name, value)?,
            _ => return Err(input(format!("`{name}` is no setting of a computer"))),
        }
    }
    Ok(options)
}

/// One device, one queue in the order of arrival.
fn storage(header: &FlowHeader, access: Span, sector_time: Span) -> SystemOptions {
    let device = &header.device;
    let params = SimpleParams {
        sectors: device.sectors,
        sector_bytes: device.sector_bytes,
        overhead: Span::ZERO,
        access: AccessLaw::Constant(access),
        sector_time,
    };
    let fcfs = QueueOptions::of(PolicyKind::Fcfs);
    SystemOptions {
        volumes: vec![Volume::Concat(Concat::new(&[(0, device.sectors)]))],
        driver: DriverOptions { queue: fcfs, initiation: [Span::ZERO; 2] },
        buses: Vec::new(),
        devices: vec![DeviceOptions {
            model: Model::Simple(Box::new(SimpleDevice::new(params, 1))),
            queue: fcfs,
            depth: 1,
            buses: Vec::new(),
        }],
        warm_up: 0,
        seed: 1,
        queue_limit: usize::MAX,
        keep_rows: false,
    }
}
