//! Checks every parameter of a drive before any is understood, so that all that is wrong is said at
//! once.

use crate::syntax::fields::{fits, missing, twice, unknown};
use crate::syntax::names::{self, Parameter};
use crate::syntax::{Block, DiskSimError, Value};

/// Checks the drive's block and those on the way to it. What is wrong is put right or taken out, so
/// that the rest can be understood.
pub(super) fn drive(disk: &mut Block, path: &mut [Block], wrong: &mut Vec<DiskSimError>) {
    if disk.kind == "dm_disk" {
        model(disk, wrong);
    } else {
        block(disk, names::DISK, wrong);
        for (name, inner) in blocks_of(disk) {
            match (name, inner.kind.as_str()) {
                ("Model", "dm_disk") => model(inner, wrong),
                ("Scheduler", "disksim_ioqueue") => block(inner, names::QUEUE, wrong),
                ("Scheduler", other) => {
                    let what = format!("`{other}` is not a `disksim_ioqueue` block");
                    wrong.push(inner.spot.error(what));
                }
                _ => {}
            }
        }
    }
    for above in path {
        let known = if above.kind == "disksim_bus" { names::BUS } else { names::CONTROLLER };
        block(above, known, wrong);
    }
}

fn model(disk: &mut Block, wrong: &mut Vec<DiskSimError>) {
    block(disk, names::MODEL, wrong);
    for (_, inner) in blocks_of(disk) {
        match inner.kind.as_str() {
            "dm_mech_g1" => block(inner, names::MECHANICS, wrong),
            "dm_layout_g1" => {
                block(inner, names::LAYOUT, wrong);
                zones(inner, names::ZONE, wrong);
            }
            "dm_layout_g2" => {
                block(inner, names::MAP_LAYOUT, wrong);
                zones(inner, names::MAP_ZONE, wrong);
            }
            "dm_layout_g4" => block(inner, names::INDEX_LAYOUT, wrong),
            _ => {}
        }
    }
}

fn zones(layout: &mut Block, known: &[Parameter], wrong: &mut Vec<DiskSimError>) {
    let kind = format!("{}_zone", layout.kind);
    for field in layout.fields.iter_mut().filter(|field| field.name == "Zones") {
        let Value::List(items) = &mut field.value else { continue };
        for item in items {
            match &mut item.value {
                Value::Block(zone) if zone.kind == kind => block(zone, known, wrong),
                _ => {}
            }
        }
    }
}

/// The blocks among a block's values, by parameter.
fn blocks_of(block: &mut Block) -> impl Iterator<Item = (&str, &mut Block)> {
    block.fields.iter_mut().filter_map(|field| match &mut field.value {
        Value::Block(inner) => Some((field.name.as_str(), inner)),
        _ => None,
    })
}

/// Checks one block. A misspelt parameter then has the name that is probably meant; what else is
/// wrong is gone, unless the block needs it.
fn block(block: &mut Block, known: &[Parameter], wrong: &mut Vec<DiskSimError>) {
    spell(block, known, wrong);
    let mut seen: Vec<String> = Vec::new();
    block.fields.retain(|field| {
        let Some(parameter) = known.iter().find(|known| known.name == field.name) else {
            return false;
        };
        if seen.contains(&field.name) {
            wrong.push(twice(field));
            return false;
        }
        seen.push(field.name.clone());
        match fits(field, parameter.kind) {
            Ok(()) => true,
            Err(error) => {
                wrong.push(error);
                parameter.needed
            }
        }
    });
    for parameter in known.iter().filter(|parameter| parameter.needed) {
        if !seen.iter().any(|name| name == parameter.name) {
            wrong.push(missing(block, parameter.name));
        }
    }
}

/// Names what is misspelt, and puts it right where that does not state a parameter twice.
fn spell(block: &mut Block, known: &[Parameter], wrong: &mut Vec<DiskSimError>) {
    for index in 0..block.fields.len() {
        let field = &block.fields[index];
        if known.iter().any(|known| known.name == field.name) {
            continue;
        }
        let (error, near) = unknown(field, known, &block.kind);
        wrong.push(error);
        if let Some(near) = near.filter(|near| block.fields.iter().all(|it| it.name != *near)) {
            near.clone_into(&mut block.fields[index].name);
        }
    }
}
