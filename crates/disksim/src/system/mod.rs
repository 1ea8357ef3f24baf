//! DiskSim 4.0's whole-system parameter files as experiments.
//!
//! What a file says is said again in the experiment's terms: `components` the blocks by name,
//! `topology` the tree of buses and controllers, `drives` what is attached to it, `queue` the schedulers,
//! `cache` the controllers' caches, `logorg` the logical organizations, `synthio` the generators and
//! `trace` how a trace is mapped. Each parameter is mapped, noted, or refused with its place.

mod cache;
mod components;
mod drives;
mod logorg;
mod queue;
mod synthio;
mod topology;
mod trace;

use crate::syntax::{DiskSimError, Fields, Resolver, Spot, Value, beside, parse};
use components::Components;
use platterlab_experiment::Experiment;
use platterlab_experiment::options::{Beyond, ExperimentOptions, Stop, TraceTiming, Workload};
use platterlab_profile::Profile;
use std::collections::BTreeMap;
use std::path::Path;

/// A system that was imported.
#[derive(Clone, Debug)]
pub struct ImportedSystem {
    /// The system and its workload.
    pub experiment: Experiment,
    /// What a reader should know: parameters that make no difference here, or a different one.
    pub notes: Vec<String>,
}

/// How to import.
#[derive(Clone, Debug, Default)]
pub struct SystemImportOptions {
    /// A trace to be replayed instead of the file's generators.
    pub trace: Option<String>,
    /// The trace's format; recognized by its content where it is not given.
    pub format: Option<String>,
    /// The seed; DiskSim's own where it is not given.
    pub seed: Option<u32>,
    /// How many times the whole is run.
    pub replications: u32,
    /// Numbers and words that replace those of the components' blocks: component, parameter and value,
    /// as on DiskSim's command line.
    pub overrides: Vec<(String, String, Value)>,
}

/// What has been found so far.
#[derive(Debug, Default)]
pub(crate) struct ExperimentSheet {
    pub(crate) options: ExperimentOptions,
    pub(crate) profiles: BTreeMap<String, Profile>,
    pub(crate) notes: Vec<String>,
}

impl ExperimentSheet {
    /// Notes what a parameter does not do here.
    pub(crate) fn note(&mut self, at: &Spot, what: &str) {
        let note = format!("{}, line {}: {what}", at.file, at.line);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Reads the system of a file; the files it names are looked for in its folder.
///
/// # Errors
/// The first thing that is wrong or cannot be honoured.
pub fn load(path: &Path, options: &SystemImportOptions) -> Result<ImportedSystem, DiskSimError> {
    let (name, mut resolver) = beside(path);
    import(&name, &mut resolver, options)
}

/// Reads the system of the file called `name`; `resolver` gives the text of a file by its name.
///
/// # Errors
/// As [`load`].
pub fn import(
    name: &str,
    resolver: &mut Resolver<'_>,
    options: &SystemImportOptions,
) -> Result<ImportedSystem, DiskSimError> {
    let mut system = parse(name, resolver)?;
    components::apply(&mut system, &options.overrides, name)?;
    let components = Components::of(&system, name)?;
    let mut sheet = ExperimentSheet::default();
    sheet.options.name = Some(name.to_owned());
    sheet.options.replications = options.replications.max(1);
    sheet.options.stop = Stop { queue_limit: 10_000_000, ..Stop::default() };
    global(&components, options, &mut sheet)?;
    components.check_kinds()?;
    topology::map(&components, &mut sheet)?;
    drives::in_step(&components, &mut sheet)?;
    // Whether they form a set or not: its answers to traces say so, and its figures of generators.
    sheet.options.drive.iter_mut().for_each(|drive| drive.at_index = true);
    drives::map(&components, &system, name, resolver, &mut sheet)?;
    topology::answered_by_driver(&components, &mut sheet)?;
    let orgs = logorg::map(&components, &mut sheet)?;
    match &options.trace {
        Some(file) => {
            let (scale, map) = trace::map(&components, &orgs, &mut sheet)?;
            sheet.options.workload.push(Workload::Trace {
                name: None,
                tags: None,
                file: file.clone(),
                format: options.format.clone(),
                columns: None,
                timing: TraceTiming::Open { time_scale: scale, own_clock: true },
                map,
                requests: None,
                beyond: Beyond::Stop,
            });
        }
        None => synthio::map(&components, &orgs, name, &mut sheet)?,
    }
    let ExperimentSheet { mut options, profiles, mut notes } = sheet;
    let mut find =
        |id: &str| profiles.get(id).cloned().ok_or_else(|| format!("the file has no drive `{id}`"));
    let mut build = |options: ExperimentOptions| {
        let experiment = Experiment::of(options, &mut find, Path::new(""));
        experiment
            .map_err(|fault| DiskSimError::of_file(name, format!("{}: {}", fault.key, fault.what)))
    };
    // How much there is of a volume is known only when it is built.
    let spans = synthio::take_spans(&mut options);
    let plan = build(options.clone())?.plan;
    notes.extend(synthio::put_spans(&mut options, &spans, &plan));
    Ok(ImportedSystem { experiment: build(options)?, notes })
}

/// `disksim_global` and the blocks that only say what is printed.
fn global(
    components: &Components<'_>,
    options: &SystemImportOptions,
    sheet: &mut ExperimentSheet,
) -> Result<(), DiskSimError> {
    const GLOBAL: &[&str] = &[
        "Init Seed",
        "Init Seed with time",
        "Real Seed",
        "Real Seed with time",
        "Statistic warm-up period",
        "Statistic warm-up time",
        "Statistic warm-up IOs",
        "Stat definition file",
        "Output file for trace of I/O requests simulated",
        "Detailed execution trace",
    ];
    let Some(block) = components.block_of_kind("disksim_global")? else {
        sheet.options.seed = options.seed.unwrap_or(0);
        return Ok(());
    };
    let fields = Fields::check(block, GLOBAL)?;
    let own = fields.number_if("Real Seed", 0.0, f64::from(u32::MAX))?;
    let init = fields.number_if("Init Seed", 0.0, f64::from(u32::MAX))?;
    sheet.options.seed = options.seed.unwrap_or(own.or(init).unwrap_or(0.0) as u32);
    for name in ["Statistic warm-up period", "Statistic warm-up time"] {
        let ms = fields.number_if(name, 0.0, 1e12)?.unwrap_or(0.0);
        if ms > 0.0 {
            sheet.options.stop.warm_up_s = Some(ms / 1e3);
        }
    }
    let warm_up = fields.number_if("Statistic warm-up IOs", 0.0, 1e9)?.unwrap_or(0.0);
    sheet.options.stop.warm_up_requests = warm_up as u64;
    for name in ["Output file for trace of I/O requests simulated", "Detailed execution trace"] {
        if fields.get(name).is_some() {
            let what = format!("`{name}` is not written; ask for rows per request instead");
            sheet.note(fields.place(name), &what);
        }
    }
    Ok(())
}
