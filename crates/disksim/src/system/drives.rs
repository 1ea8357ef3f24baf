//! Disks and simple disks.

use super::components::Components;
use super::queue::Owner;
use super::{ExperimentSheet, queue};
use crate::drive::{DriveImportOptions, ImportError, NOT_OF_A_PROFILE, import_from};
use crate::syntax::{Block, DiskSimError, Fields, Node, Resolver, System, Value};
use platterlab_drive::{Latency, ReadAhead};
use platterlab_experiment::ms;
use platterlab_experiment::options::{AccessLaw, DriveOptions, Scheduler, Simple};
use platterlab_profile::{Profile, ProfileError, Size};
use platterlab_sim::scheduler::QueueOptions;
use platterlab_units::SECTOR_BYTES_DEFAULT;
use std::collections::BTreeMap;

const SIMPLE: &[&str] = &[
    "Scheduler",
    "Max queue length",
    "Block count",
    "Bus transaction latency",
    "Bulk sector transfer time",
    "Never disconnect",
    "Print stats",
    "Command overhead",
    "Constant access time",
    "Access time",
];

/// Puts a disk of the topology on its bus; its profile follows in [`map`].
pub(crate) fn place(
    components: &Components<'_>,
    node: &Node,
    bus: Option<&str>,
    sheet: &mut ExperimentSheet,
) -> Result<(), DiskSimError> {
    let block = components.block(&node.name, &node.spot)?;
    let scheduler = block.fields.iter().find(|field| field.name == "Scheduler");
    let queue = match scheduler.map(|field| &field.value) {
        Some(Value::Block(block)) => queue::map(block, Owner::Drive, sheet)?,
        _ => QueueOptions::of(Scheduler::default()),
    };
    let depth = depth(block);
    let simple = match block.kind.as_str() {
        "disksim_simpledisk" => Some(simple(block, sheet)?),
        _ => None,
    };
    let profile = simple.is_none().then(|| block.name.clone().unwrap_or_default());
    sheet.options.drive.push(DriveOptions {
        name: node.name.clone(),
        count: None,
        profile,
        simple,
        in_step: None,
        at_index: false,
        bus: bus.map(str::to_owned),
        depth,
        scheduler: queue.scheduler,
        // In order of coming there is nothing to choose.
        choose_at_rest: depth > 1 && queue.scheduler != Scheduler::Fcfs,
        critical: queue.critical,
        timeout: queue.timeout,
        rules: queue.rules,
        tags: None,
    });
    Ok(())
}

/// Commands that a disk takes at a time.
pub(crate) fn depth(block: &Block) -> u32 {
    let length = block.fields.iter().find(|field| field.name == "Max queue length");
    match length.map(|field| &field.value) {
        Some(Value::Number(depth)) => (*depth as u32).max(1),
        _ => 1,
    }
}

fn simple(block: &Block, sheet: &mut ExperimentSheet) -> Result<Simple, DiskSimError> {
    let fields = Fields::check(block, SIMPLE)?;
    let blocks = fields.number("Block count", 1.0, 9e15)?;
    let access = match fields.number_if("Access time", 0.0, 1e4)? {
        Some(time) => time,
        None => fields.number("Constant access time", 0.0, 1e4)?,
    };
    if fields.ms("Bus transaction latency")? > 0.0 {
        let what = "`Bus transaction latency` is not honoured: how many messages a command takes is \
                    stated nowhere; they take no time";
        sheet.note(fields.place("Bus transaction latency"), what);
    }
    if fields.whole_or_0("Never disconnect", 1)? == 1 {
        let what = "the disk gives up its bus while it reaches the data";
        sheet.note(fields.place("Never disconnect"), what);
    }
    Ok(Simple {
        size: Size::from_bytes(blocks as u64 * u64::from(SECTOR_BYTES_DEFAULT)),
        access: AccessLaw::Constant { time: ms(access) },
        overhead_ms: fields.ms("Command overhead")?,
        sector_ms: fields.ms("Bulk sector transfer time")?,
    })
}

const SYNCSET: &[&str] = &["type", "devices"];

/// Has the disks of each `disksim_syncset` turn in step.
pub(crate) fn in_step(
    components: &Components<'_>,
    sheet: &mut ExperimentSheet,
) -> Result<(), DiskSimError> {
    for (number, block) in components.blocks_of_kind("disksim_syncset").enumerate() {
        let fields = Fields::check(block, SYNCSET)?;
        let set = block.name.clone().unwrap_or_else(|| format!("syncset {number}"));
        for (name, spot) in Components::names(fields.list("devices")?)? {
            let drives = &mut sheet.options.drive;
            let Some(drive) = drives.iter_mut().find(|drive| drive.name == name) else {
                return Err(spot.error(format!("no disk `{name}` is attached to the driver")));
            };
            if let Some(other) = drive.in_step.replace(set.clone()) {
                let what = format!("`{name}` turns in step with `{other}` already");
                return Err(spot.error(what));
            }
        }
    }
    Ok(())
}

/// Reads the profile of each kind of disk, each from its first place in the topology.
pub(crate) fn map(
    components: &Components<'_>,
    system: &System,
    file: &str,
    resolver: &mut Resolver<'_>,
    sheet: &mut ExperimentSheet,
) -> Result<(), DiskSimError> {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for drive in &sheet.options.drive {
        if let Some(profile) = &drive.profile {
            first.entry(profile.clone()).or_insert_with(|| drive.name.clone());
        }
    }
    if sheet.options.drive.is_empty() {
        return Err(components.root().spot.error("no disk is attached to this driver"));
    }
    for (block, component) in first {
        let options =
            DriveImportOptions { disk: Some(component), overrides: Vec::new(), approximate: true };
        let imported = match import_from(system, file, resolver, &options) {
            Ok(imported) => imported,
            Err(ImportError::Wrong(errors)) => return Err(joined(file, &errors)),
            Err(error) => return Err(DiskSimError::of_file(file, error.to_string())),
        };
        let lost = imported.not_honoured.iter().map(ToString::to_string);
        // The system has the queue that a profile has not.
        let told = imported.notes.into_iter().filter(|note| !note.ends_with(NOT_OF_A_PROFILE));
        for note in lost.chain(told) {
            if !sheet.notes.contains(&note) {
                sheet.notes.push(note);
            }
        }
        let profile = as_in_disksim(&imported.profile)
            .map_err(|error| DiskSimError::of_file(file, error.to_string()))?;
        sheet.profiles.insert(block, profile);
    }
    Ok(())
}

/// All that is wrong with a drive as one error, each with its place on a line of its own.
fn joined(file: &str, errors: &[DiskSimError]) -> DiskSimError {
    let Some((first, others)) = errors.split_first() else {
        return DiskSimError::of_file(file, "a drive is wrong");
    };
    let mut all = first.clone();
    for other in others {
        all.what.push_str(&format!("\n{other}"));
    }
    all
}

/// Angles into which DiskSim divides a revolution. It falls behind by one with each sector that
/// passes, and so decides which of two disks in step is done first.
const ANGLES: f64 = (1 << 24) as f64;

/// The drive as it is in DiskSim's own systems: where continuous reading takes in the next track, it
/// does so after requests of other kinds than a profile of the drive alone is given.
fn as_in_disksim(profile: &Profile) -> Result<Profile, ProfileError> {
    let mechanism = &profile.params().mechanism;
    let tracked = mechanism.latency == Latency::Tracked;
    let lag_ns = if tracked { mechanism.rotation.as_ps() as f64 / 1e3 / ANGLES } else { 0.0 };
    let profile = profile.with_overrides(&[
        ("spindle.sector_lag_ns", lag_ns.into()),
        ("cache.read_ahead_over_unsent", false.into()),
    ])?;
    let cache = &profile.options().cache;
    if cache.read_ahead != ReadAhead::Track || !cache.read_ahead_next_track {
        return Ok(profile);
    }
    let own: [(&str, toml::Value); 2] = [
        ("cache.read_ahead", "track-or-next".into()),
        ("cache.read_ahead_next_track", false.into()),
    ];
    profile.with_overrides(&own)
}
