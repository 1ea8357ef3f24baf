//! A process flow on a computer with one drive, and what that drive alone makes of its requests.

use crate::scheduler_named;
use platterlab_drive::Drive;
use platterlab_sim::drive::Model;
use platterlab_sim::host::{Host, HostOptions, HostReport, Syncer};
use platterlab_sim::scheduler::QueueOptions;
use platterlab_sim::source::{Recorded, Source};
use platterlab_sim::system::DeviceOptions;
use platterlab_sim::{Report, System, SystemOptions};
use platterlab_units::Span;
use platterlab_workload::Record;
use platterlab_workload::flow::{FlowHeader, FlowRecord};
use platterlab_workload::synthetic::Placing;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;

/// What a caller sets apart from the rest, by name.
pub type Settings = BTreeMap<String, f64>;

/// What computer and storage did.
#[derive(JsonSchema, Serialize)]
pub struct Ran {
    host: HostReport,
    storage: Report,
}

/// A run of a computer.
pub struct Computed {
    /// What computer and storage did.
    pub ran: Ran,
    /// The requests that the computer made.
    pub requests: Vec<Record>,
    /// What a tracer saw of it, if it was to be observed.
    pub observed: Vec<FlowRecord>,
}

/// A disk and the driver's queue for it.
pub struct Storage {
    model: Model,
    queue: QueueOptions,
}

impl Storage {
    /// A drive, and the scheduler of the driver by its word; two lists serve what is critical first.
    ///
    /// # Errors
    /// An unknown scheduler, or a time that is none.
    pub fn new(
        drive: &Drive,
        scheduler: &str,
        two_lists: bool,
        settings: &mut Settings,
    ) -> Result<Self, String> {
        let model = Model::Drive(Box::new(drive.clone()));
        let policy = scheduler_named(scheduler)?;
        let promote = settings.remove("promote").is_some_and(|value| value != 0.0);
        let anticipate_ms = settings.remove("anticipate_ms").unwrap_or(0.0);
        let queue = QueueOptions {
            critical: two_lists.then_some(policy),
            promote,
            anticipate: span("anticipate_ms", anticipate_ms)?,
            ..QueueOptions::of(policy)
        };
        Ok(Self { model, queue })
    }

    /// What the storage makes of a source that no computer stands behind.
    ///
    /// # Errors
    /// What the source cannot read.
    pub fn alone<S: Source<Error: Display>>(self, source: S) -> Result<Report, String> {
        let mut system = System::new(self.options(), source).map_err(text)?;
        system.run().map_err(text)?;
        Ok(system.report())
    }

    /// The storage under a computer with a flow; `name` is what the flow is called in errors.
    ///
    /// # Errors
    /// A flow that cannot be read, or that stops.
    pub fn computer<I, E: Display>(
        self,
        options: HostOptions,
        flow: I,
        name: &str,
        observes: bool,
    ) -> Result<Computed, String>
    where
        I: Iterator<Item = Result<FlowRecord, E>>,
    {
        let host = Host::new(options, flow);
        let host = if observes { host.observed() } else { host };
        let mut system = System::new(self.options(), Recorded::new(host)).map_err(text)?;
        system.run().map_err(text)?;
        if let Some(stuck) = system.source_mut().source_mut().deadlock().map_err(text)? {
            return Err(format!("{name}: the flow stops: {stuck}"));
        }
        Ok(Computed {
            ran: Ran { host: system.source().source().report(), storage: system.report() },
            observed: system.source_mut().source_mut().take_observed(),
            requests: system.source_mut().take_records(),
        })
    }

    /// The disk alone, all of it one volume.
    fn options(self) -> SystemOptions {
        SystemOptions::of(vec![DeviceOptions::of(self.model)], self.queue)
    }
}

/// Refuses a drive that is too small for a flow's addresses.
///
/// # Errors
/// What the flow needs, and what the drive has.
pub fn fits(header: &FlowHeader, drive: &Drive) -> Result<(), String> {
    let layout = drive.layout();
    let (has, needs) = (layout.capacity(), header.device.sectors);
    if layout.sector_bytes() != header.device.sector_bytes || has < needs {
        return Err(format!(
            "{}: the flow needs {needs} sectors of {} bytes, the drive has {has} of {}",
            header.title,
            header.device.sector_bytes,
            layout.sector_bytes()
        ));
    }
    Ok(())
}

fn span(name: &str, ms: f64) -> Result<Span, String> {
    Span::from_ms(ms).ok_or_else(|| format!("{name} = {ms}: a time in ms is not negative"))
}

/// Where files lie, as far as it is set; what says so leaves the settings.
///
/// # Errors
/// A number out of range.
pub fn placing(settings: &mut Settings) -> Result<Placing, String> {
    let usual = Placing::default();
    let mut begin = |name: &str| match settings.remove(name) {
        Some(value) if !(0.0..1e6).contains(&value) => {
            Err(format!("{name} = {value}: it is 0 to below 1000000"))
        }
        value => Ok(value.map(|value| value as u64)),
    };
    let begins = [begin("first_begin_millionths")?, begin("second_begin_millionths")?];
    let mut whole = |name: &str, usual: u64, least: u64| match settings.remove(name) {
        None => Ok(usual),
        Some(value) if value >= least as f64 && value <= 1e6 => Ok(value as u64),
        Some(value) => Err(format!("{name} = {value}: it is {least} to 1000000")),
    };
    Ok(Placing {
        gap_sectors: whole("gap_sectors", usual.gap_sectors, 0)?,
        inodes_per_block: whole("inodes_per_block", usual.inodes_per_block, 1)?,
        begins,
    })
}

/// A computer with what is set apart from the rest.
///
/// # Errors
/// A setting that no computer has, or a value out of range.
pub fn with_settings(mut options: HostOptions, settings: &Settings) -> Result<HostOptions, String> {
    for (name, &value) in settings {
        match name.as_str() {
            "speed" if value > 0.0 && value.is_finite() => options.speed = value,
            "speed" => return Err(format!("speed = {value}: it is above 0")),
            "interrupt_ms" => options.interrupt = span(name, value)?,
            "wake_up_ms" => options.wake_up = span(name, value)?,
            "stride_thousandths" if (0.0..=1_000.0).contains(&value) => {
                if let Syncer::Sweep { stride_thousandths, .. } = &mut options.syncer {
                    *stride_thousandths = value as u32;
                }
            }
            "stride_thousandths" => {
                return Err(format!("stride_thousandths = {value}: it is 0 to 1000"));
            }
            "clock_hz" if (0.0..=1e5).contains(&value) => {
                options.clock = (value > 0.0).then(|| Span::from_ms(1e3 / value)).flatten();
            }
            "clock_hz" => return Err(format!("clock_hz = {value}: it is 0 to 100000")),
            "tick_ms" => options.tick = span(name, value)?,
            "context_switch_ms" => options.context_switch = span(name, value)?,
            _ => return Err(format!("`{name}` is not a setting of a computer")),
        }
    }
    Ok(options)
}

fn text(error: impl Display) -> String {
    error.to_string()
}
