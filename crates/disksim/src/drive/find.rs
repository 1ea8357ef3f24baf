//! The search for a drive in a system, and the path between it and the host.

use crate::syntax::{Block, DiskSimError, Node, System};
use platterlab_units::meant;

/// The drive and the way to it.
pub(crate) struct Found<'a> {
    /// A `disksim_disk`, or the `dm_disk` of a file that has no more.
    pub(crate) disk: &'a Block,
    /// The buses and controllers from the host to the drive, where the file says so.
    pub(crate) path: Vec<&'a Block>,
    /// What a reader should know of that.
    pub(crate) note: Option<String>,
}

/// Finds the drive called `wanted`, by its block or by one of its components; without a name, the
/// only one.
pub(crate) fn find<'a>(
    system: &'a System,
    file: &str,
    wanted: Option<&str>,
) -> Result<Found<'a>, DiskSimError> {
    let disks: Vec<&Block> = of_kind(system, "disksim_disk");
    let disks = if disks.is_empty() { of_kind(system, "dm_disk") } else { disks };
    let names: Vec<&str> = disks.iter().filter_map(|disk| disk.name.as_deref()).collect();
    let disk = match wanted {
        None if disks.len() == 1 => disks[0],
        None if disks.is_empty() => {
            let what = "describes no drive; it needs a `disksim_disk` or a `dm_disk` block";
            return Err(DiskSimError::of_file(file, what));
        }
        None if names.iter().all(|name| *name == names[0]) && names.len() == disks.len() => {
            named(system, file, &disks, names[0])?
        }
        None => {
            let what = format!("describes several drives; name one of {}", names.join(", "));
            return Err(DiskSimError::of_file(file, what));
        }
        Some(wanted) => named(system, file, &disks, wanted)?,
    };
    let (path, note) = match path_to(system, disk, wanted)? {
        Some(path) => (path, None),
        None if system.topology.is_empty() => (Vec::new(), None),
        None => {
            let name = wanted.or(disk.name.as_deref()).unwrap_or("the drive");
            let what = "is not in the topology: it has the bus to itself, whatever buses there are";
            (Vec::new(), Some(disk.spot.error(format!("`{name}` {what}")).to_string()))
        }
    };
    Ok(Found { disk, path, note })
}

/// The drive whose block or component is called `wanted`.
fn named<'a>(
    system: &'a System,
    file: &str,
    disks: &[&'a Block],
    wanted: &str,
) -> Result<&'a Block, DiskSimError> {
    let component = system.instances.iter().find(|it| it.names.iter().any(|n| n.contains(wanted)));
    let block = component.map_or(wanted, |instance| instance.of.as_str());
    let mut found = disks.iter().filter(|disk| disk.name.as_deref() == Some(block));
    let names: Vec<&str> = disks.iter().filter_map(|disk| disk.name.as_deref()).collect();
    let others = |name: &str| meant(name, &names);
    match (found.next(), found.next(), component) {
        (Some(disk), None, _) => Ok(disk),
        (Some(first), Some(second), _) => {
            let what = format!(
                "`{block}` is described twice, first in {}, line {}; leave one out",
                first.spot.file, first.spot.line
            );
            Err(second.spot.error(what))
        }
        (None, _, Some(instance)) => {
            let what = format!("`{wanted}` is made as `{block}`, which is not a drive");
            Err(instance.spot.error(format!("{what}; {}", others(block))))
        }
        (None, _, None) => {
            let what = format!("has no drive `{wanted}`; {}", others(wanted));
            Err(DiskSimError::of_file(file, what))
        }
    }
}

fn of_kind<'a>(system: &'a System, kind: &str) -> Vec<&'a Block> {
    system.blocks.iter().filter(|block| block.kind == kind).collect()
}

/// The blocks of the buses and controllers above a drive: of the component `wanted`, or of the
/// first one made from its block. None where the topology does not have it.
fn path_to<'a>(
    system: &'a System,
    disk: &Block,
    wanted: Option<&str>,
) -> Result<Option<Vec<&'a Block>>, DiskSimError> {
    let disk_name = disk.name.as_deref().unwrap_or_default();
    let made =
        |name: &str| system.instances.iter().find(|it| it.names.iter().any(|n| n.contains(name)));
    let is_component = wanted.is_some_and(|wanted| made(wanted).is_some());
    let is_it = |node: &Node| {
        if is_component {
            wanted == Some(node.name.as_str())
        } else {
            made(&node.name).map_or(node.name.as_str(), |it| it.of.as_str()) == disk_name
        }
    };
    let mut nodes = Vec::new();
    if !system.topology.iter().any(|root| walk(root, &is_it, &mut nodes)) {
        return Ok(None);
    }
    let mut path = Vec::new();
    for node in nodes
        .into_iter()
        .filter(|node| ["disksim_bus", "disksim_ctlr"].contains(&node.kind.as_str()))
    {
        let instance = made(&node.name);
        let name = instance.map_or(node.name.as_str(), |it| it.of.as_str());
        let block = system.blocks.iter().find(|it| it.name.as_deref() == Some(name));
        match (block, instance) {
            (Some(block), _) => path.push(block),
            (None, Some(instance)) => {
                return Err(instance.spot.error(format!("there is no block `{name}`")));
            }
            (None, None) => {
                let what = format!("the topology has a `{}` that is made nowhere", node.name);
                return Err(disk.spot.error(what));
            }
        }
    }
    Ok(Some(path))
}

/// Collects the components from `node` down to the drive; whether it is there.
fn walk<'a>(node: &'a Node, is_it: &impl Fn(&Node) -> bool, path: &mut Vec<&'a Node>) -> bool {
    if is_it(node) {
        return true;
    }
    path.push(node);
    if node.children.iter().any(|child| walk(child, is_it, path)) {
        return true;
    }
    path.pop();
    false
}
