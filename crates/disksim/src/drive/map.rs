//! From DiskSim's terms to the profile's, one file for each part of the drive.

use super::find::Found;
use super::sheet::ProfileSheet;
use super::{bus, cache, check, controller, layout, mechanics};
use crate::syntax::{Block, DiskSimError, Fields, Resolver, Value, names};
use platterlab_drive::MOST_CYLINDERS;
use platterlab_profile::Profile;
use platterlab_units::nearest;

/// Says in the profile's terms what the drive's blocks say.
pub(super) fn map(
    found: &Found<'_>,
    file: &str,
    resolver: &mut Resolver<'_>,
    overrides: &[(String, f64)],
) -> Result<ProfileSheet, DiskSimError> {
    let mut sheet = ProfileSheet::new(found.disk.name.as_deref().unwrap_or("disk"), file);
    if found.disk.kind == "dm_disk"
        && let Some((name, _)) = overrides.first()
    {
        let what = format!("`{name}` cannot be replaced; the file has no disksim_disk block");
        return Err(found.disk.spot.error(what));
    }
    let mut disk = overridden(found.disk, overrides)?;
    let mut path: Vec<Block> = found.path.iter().map(|block| (*block).clone()).collect();
    sheet.notes.extend(found.note.clone());
    check::drive(&mut disk, &mut path, &mut sheet.wrong);
    if disk.kind == "dm_disk" {
        model(&mut sheet, &disk, resolver);
        sheet.notes.push(NO_ELECTRONICS.to_owned());
        return Ok(sheet);
    }
    let fields = Fields::of(&disk);
    if let Some(block) = sheet.attempt(fields.block("Model")) {
        model(&mut sheet, block, resolver);
    }
    for part in [
        controller::map(&mut sheet, &fields),
        cache::map(&mut sheet, &fields),
        bus::map(&mut sheet, &fields, &path),
    ] {
        sheet.attempt(part);
    }
    Ok(sheet)
}

/// What a reader of a file with mechanics alone should know.
const NO_ELECTRONICS: &str = "describes no electronics, in a `disksim_disk` block: commands cost nothing, there is no cache, and \
     the bus takes no time";

fn model(sheet: &mut ProfileSheet, block: &Block, resolver: &mut Resolver<'_>) {
    if block.kind != "dm_disk" {
        let what = format!("`{}` is not a `dm_disk` block", block.kind);
        sheet.wrong.push(block.spot.error(what));
        return;
    }
    let fields = Fields::of(block);
    let layout = layout::map(sheet, &fields);
    let cylinders = sheet.attempt(layout).unwrap_or(MOST_CYLINDERS);
    let mechanics = mechanics::map(sheet, &fields, cylinders, resolver);
    sheet.attempt(mechanics);
}

/// The block with other numbers in place of some of its own.
fn overridden(block: &Block, overrides: &[(String, f64)]) -> Result<Block, DiskSimError> {
    let mut block = block.clone();
    for (name, number) in overrides {
        if !names::DISK.iter().any(|known| known.name == name) {
            let what = match nearest(name, names::DISK.iter().map(|known| known.name)) {
                Some(near) => format!("no parameter `{name}` to replace; did you mean `{near}`?"),
                None => format!("no parameter `{name}` to replace"),
            };
            return Err(block.spot.error(what));
        }
        match block.fields.iter_mut().find(|field| field.name == *name) {
            Some(field) => field.value = Value::Number(*number),
            None => {
                let what = format!("`{name}` is not stated, so it cannot be replaced");
                return Err(block.spot.error(what));
            }
        }
    }
    Ok(block)
}

/// What to say where the layout holds another number of blocks than the file states.
pub(super) fn capacity_note(profile: &Profile, stated: Option<u64>) -> Option<String> {
    let stated = stated?;
    let layout = platterlab_drive::layout::Layout::new(&profile.params().layout).ok()?;
    let capacity = layout.capacity();
    (capacity != stated).then(|| {
        format!("`Block count` is {stated}; the layout gives {capacity} blocks, which hold")
    })
}
