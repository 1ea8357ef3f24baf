//! The tree of components: the driver, its buses and controllers, and the places of the drives.

use super::components::Components;
use super::queue::Owner;
use super::{ExperimentSheet, cache, queue};
use crate::syntax::{BUS, Block, CONTROLLER, DiskSimError, Fields, Node};
use platterlab_drive::LONGEST_MS;
use platterlab_experiment::ms;
use platterlab_experiment::options::{
    AccessLaw, Arbitration, BusOptions, ControllerOptions, Scheduler, Sharing, Simple,
};
use platterlab_profile::Size;

const ACCESS: &str = "Constant access time";

const DRIVER: &[&str] =
    &["type", "Constant access time", "Scheduler", "Use queueing in subsystem", "Print stats"];

/// Controllers, buses and drives below each other this deep at most.
const DEEPEST: usize = 16;

/// Maps the driver and all that is attached to it but the drives themselves.
pub(crate) fn map(
    components: &Components<'_>,
    sheet: &mut ExperimentSheet,
) -> Result<(), DiskSimError> {
    let root = components.root();
    if root.kind != "disksim_iodriver" {
        let what = format!("a topology begins with a disksim_iodriver, not a {}", root.kind);
        return Err(root.spot.error(what));
    }
    let block = components.block(&root.name, &root.spot)?;
    driver(block, sheet)?;
    children(components, root, None, sheet, 0)?;
    one_at_a_time(block, sheet)
}

/// A driver that does not queue in the subsystem gives each drive one command at a time, so that no
/// drive has more than one to choose from.
fn one_at_a_time(block: &Block, sheet: &mut ExperimentSheet) -> Result<(), DiskSimError> {
    const QUEUES: &str = "Use queueing in subsystem";
    let fields = Fields::check(block, DRIVER)?;
    if fields.number_if(QUEUES, 0.0, 1.0)? != Some(0.0) {
        return Ok(());
    }
    let mut queues = false;
    for drive in &mut sheet.options.drive {
        queues |= drive.depth > 1;
        (drive.depth, drive.choose_at_rest) = (1, false);
    }
    if queues {
        sheet.note(fields.place(QUEUES), "no drive is given more than one command at a time");
    }
    Ok(())
}

fn driver(block: &Block, sheet: &mut ExperimentSheet) -> Result<(), DiskSimError> {
    let fields = Fields::check(block, DRIVER)?;
    if fields.number_if(ACCESS, -3.0, LONGEST_MS)?.unwrap_or(0.0) < 0.0 {
        let what = "takes access or queue times from the trace in place of simulated ones, which \
                    cannot be honoured; write 0.0, or an access time";
        return Err(fields.place(ACCESS).error(format!("`{ACCESS}` below 0 {what}")));
    }
    let queue = queue::map(fields.block("Scheduler")?, Owner::Host, sheet)?;
    let host = &mut sheet.options.host;
    (host.scheduler, host.critical, host.timeout) =
        (queue.scheduler, queue.critical, queue.timeout);
    host.rules = queue.rules;
    Ok(())
}

/// A driver with an access time of its own passes nothing on: each drive takes that time for a
/// command, one at a time, and no bus or controller has any part in it.
pub(crate) fn answered_by_driver(
    components: &Components<'_>,
    sheet: &mut ExperimentSheet,
) -> Result<(), DiskSimError> {
    let root = components.root();
    let fields = Fields::check(components.block(&root.name, &root.spot)?, DRIVER)?;
    let access = fields.number_if(ACCESS, -3.0, LONGEST_MS)?.unwrap_or(0.0);
    if access <= 0.0 {
        return Ok(());
    }
    let ExperimentSheet { options, profiles, .. } = sheet;
    for drive in &mut options.drive {
        let of_profile = drive.profile.take().and_then(|name| profiles.get(&name)).map(|profile| {
            let layout = profile.drive().layout();
            Size::from_bytes(layout.capacity() * u64::from(layout.sector_bytes()))
        });
        let Some(size) = of_profile.or(drive.simple.as_ref().map(|it| it.size)) else { continue };
        let access = AccessLaw::Constant { time: ms(access) };
        drive.simple = Some(Simple { size, access, overhead_ms: 0.0, sector_ms: 0.0 });
        (drive.bus, drive.in_step, drive.at_index) = (None, None, false);
        (drive.depth, drive.choose_at_rest, drive.scheduler) = (1, false, Scheduler::Fcfs);
    }
    options.bus.clear();
    options.controller.clear();
    profiles.clear();
    let what = "every access takes it, and what is attached to the driver has no part in that";
    sheet.note(fields.place(ACCESS), &format!("`{ACCESS}`: {what}"));
    Ok(())
}

/// Everything below `node`, whose name is `above` unless it is the driver.
fn children(
    components: &Components<'_>,
    node: &Node,
    above: Option<&str>,
    sheet: &mut ExperimentSheet,
    depth: usize,
) -> Result<(), DiskSimError> {
    if depth > DEEPEST {
        return Err(node
            .spot
            .error(format!("components are attached to each other more than {DEEPEST} deep")));
    }
    for child in &node.children {
        let block = components.block(&child.name, &child.spot)?;
        if block.kind != child.kind {
            let what = format!("`{}` is a {}, not a {}", child.name, block.kind, child.kind);
            return Err(child.spot.error(what));
        }
        match child.kind.as_str() {
            "disksim_bus" => sheet.options.bus.push(bus(block, child, above)?),
            "disksim_ctlr" => {
                let controller = controller(block, child, above, sheet)?;
                sheet.options.controller.push(controller);
            }
            "disksim_disk" | "disksim_simpledisk" => {
                super::drives::place(components, child, above, sheet)?;
            }
            other => {
                let what = format!("a {other} cannot hang here; write a bus, controller or disk");
                return Err(child.spot.error(what));
            }
        }
        children(components, child, Some(&child.name), sheet, depth + 1)?;
    }
    Ok(())
}

fn bus(block: &Block, node: &Node, above: Option<&str>) -> Result<BusOptions, DiskSimError> {
    let fields = Fields::check(block, BUS)?;
    let sharing = match fields.whole("type", 2)? {
        2 => Sharing::Interleaved,
        1 => Sharing::Exclusive,
        _ => return Err(fields.place("type").error("a bus is of type 1 or 2")),
    };
    let arbitration = match fields.whole("Arbitration type", 2)? {
        // DiskSim gives the bus to the last slot; the controller with its commands has the first.
        1 => Arbitration::LastSlot,
        2 => Arbitration::Fcfs,
        _ => {
            let what = "an arbitration is of type 1 or 2";
            return Err(fields.place("Arbitration type").error(what));
        }
    };
    // The block times are in the drives' profiles, which know the slowest part of their way.
    Ok(BusOptions {
        name: node.name.clone(),
        count: None,
        controller: above.map(str::to_owned),
        arbitration,
        arbitration_ms: fields.ms("Arbitration time")?,
        sharing,
        read_sector_ms: fields.ms("Read block transfer time")?,
        write_sector_ms: fields.ms("Write block transfer time")?,
    })
}

fn controller(
    block: &Block,
    node: &Node,
    above: Option<&str>,
    sheet: &mut ExperimentSheet,
) -> Result<ControllerOptions, DiskSimError> {
    let fields = Fields::check(block, CONTROLLER)?;
    let kind = fields.whole("type", 3)?;
    fields.number_if("Bulk sector transfer time", 0.0, 1e4)?;
    let scale = fields.number_if("Scale for delays", 0.0, 1e6)?.unwrap_or(0.0);
    if scale > 0.0 {
        let what = "`Scale for delays` is not honoured: how long the controller's own delays are, and \
                    how many a command has, is stated nowhere; they are left out";
        sheet.note(fields.place("Scale for delays"), what);
    }
    let depth = fields.whole_or_0("Maximum queue length", 1_000_000)?;
    let cache = if kind == 3 { cache::map(&fields, node, sheet)? } else { None };
    if cache.is_some() {
        let what = "a command that finds the controller at work is only thought of when the next for \
                    the same disk comes or is done, as in DiskSim; `forgetful = false` mends it";
        sheet.note(&node.spot, what);
    }
    let depth = match cache {
        Some(_) if depth == 0 => 1,
        _ => depth,
    };
    Ok(ControllerOptions {
        name: node.name.clone(),
        count: None,
        bus: above.map(str::to_owned),
        read_ms: 0.0,
        write_ms: 0.0,
        depth: (depth > 0).then_some(depth),
        forgetful: cache.is_some(),
        cache,
    })
}
