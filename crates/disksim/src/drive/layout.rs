//! `dm_disk`, the size of the drive, and `dm_layout_g1`, its zones and its defects.

use super::index;
use super::sheet::ProfileSheet;
use super::zone::{self, Scheme, unused};
use crate::syntax::{Block, DiskSimError, Fields, Item, Value as Said};
use platterlab_drive::{MOST_CYLINDERS, MOST_SURFACES};
use platterlab_profile::OriginKind;
use platterlab_units::nearest;

/// Maps the layout and gives the number of cylinders.
pub(super) fn map(sheet: &mut ProfileSheet, disk: &Fields<'_>) -> Result<u32, DiskSimError> {
    let surfaces = disk.count("Number of data surfaces", MOST_SURFACES)?;
    let mut cylinders = disk.count("Number of cylinders", MOST_CYLINDERS)?;
    sheet.block_count = disk.number_if("Block count", 0.0, 9e15)?.map(|count| count as u64);
    let at = disk.spot();
    sheet.cite("geometry", "surfaces", i64::from(surfaces), at, "Number of data surfaces");
    sheet.cite("geometry", "cylinders", i64::from(cylinders), at, "Number of cylinders");
    sheet.set("geometry", "sector_bytes", 512);
    let block = disk.block("Layout Model")?;
    match block.kind.as_str() {
        "dm_layout_g1" => {
            let stated = cylinders;
            cylinders = zoned(sheet, block, [surfaces, stated])?;
            if cylinders > stated {
                let what = format!("is {stated}; the last zone has {cylinders}, which hold");
                sheet.note(disk.place("Number of cylinders"), "Number of cylinders", &what);
                sheet.set("geometry", "cylinders", i64::from(cylinders));
            }
        }
        "dm_layout_g2" => mapped(sheet, block)?,
        "dm_layout_g4" => {
            let stated = cylinders;
            cylinders = index::map(sheet, block, [surfaces, stated])?;
            if cylinders > stated {
                let what = format!("is {stated}; the index has {cylinders}, which hold");
                sheet.note(disk.place("Number of cylinders"), "Number of cylinders", &what);
                sheet.set("geometry", "cylinders", i64::from(cylinders));
            }
        }
        other => {
            let what = match nearest(other, ["dm_layout_g1", "dm_layout_g2", "dm_layout_g4"]) {
                Some(near) => format!("no layout of kind `{other}`; did you mean `{near}`?"),
                None => format!("no layout of kind `{other}`; describe it as `dm_layout_g1`"),
            };
            return Err(block.spot.error(what));
        }
    }
    Ok(cylinders)
}

/// Says why even a right `dm_layout_g2` cannot be imported.
fn mapped(sheet: &mut ProfileSheet, block: &Block) -> Result<(), DiskSimError> {
    let fields = Fields::of(block);
    let is_zone =
        |said: &Said| matches!(said, Said::Block(zone) if zone.kind == "dm_layout_g2_zone");
    for item in fields.list("Zones")?.iter().filter(|item| !is_zone(&item.value)) {
        sheet.wrong.push(item.spot.error("zones are `dm_layout_g2_zone` blocks"));
    }
    let (file, spot) = fields.word("Layout Map File")?;
    Err(spot.error(format!(
        "`Layout Map File` cannot be honoured: the format of `{file}` is not documented, and the \
         zones do not say in which order the tracks come; describe them in a `dm_layout_g1` block"
    )))
}

/// Maps a `dm_layout_g1` and gives the number of cylinders: one more than stated where the last zone
/// ends one later, as if it had been the first cylinder beyond it.
fn zoned(
    sheet: &mut ProfileSheet,
    block: &Block,
    [surfaces, mut cylinders]: [u32; 2],
) -> Result<u32, DiskSimError> {
    let fields = Fields::of(block);
    let scheme = Scheme::read(&fields, surfaces)?;
    let (mut zones, mut regions) = (Vec::new(), Vec::new());
    let mut defects = Vec::new();
    let mut next = 0;
    let mut unused_spares = None;
    let items = fields.list("Zones")?;
    for (number, item) in items.iter().enumerate() {
        let Some((zone, own)) = sheet.attempt(zone_block(item).and_then(|zone| {
            let mapped = zone::map(&scheme, &Fields::of(zone))?;
            Ok((zone, mapped))
        })) else {
            continue;
        };
        let lists =
            zone::Defects { list: &mut defects, wrong: &mut sheet.wrong, notes: &mut sheet.notes };
        zone::defects(&scheme, &Fields::of(zone), &own, lists);
        let [first, last] = own.cylinders;
        let is_last = number + 1 == items.len();
        if is_last && last == cylinders && cylinders < MOST_CYLINDERS {
            cylinders += 1;
        }
        if first < next || last < first || last >= cylinders {
            let what = format!(
                "cylinders {first} to {last} do not follow the zones before within {cylinders}"
            );
            sheet.wrong.push(zone.spot.error(what));
            continue;
        }
        if own.spares > 0 && !scheme.uses_spares(is_last) {
            unused_spares = unused_spares.or(Some(Fields::of(zone).place("Number of spares")));
        }
        unused(next, first, surfaces, own.sectors_per_track, &mut zones, &mut regions);
        next = last + 1;
        zone::places(sheet, zones.len(), zone);
        zones.push(own.table.into());
        if is_last {
            scheme.keep_end(&mut zones, own.spares);
            unused(next, cylinders, surfaces, own.sectors_per_track, &mut zones, &mut regions);
        }
    }
    if items.is_empty() {
        return Err(block.spot.error("a layout needs at least one zone in `Zones`"));
    }
    if let Some(spot) = unused_spares {
        sheet.note(spot, "Number of spares", scheme.why_unused());
    }
    let range = "Rangesize for sparing";
    if scheme.has_unused_range() {
        sheet.note(fields.place(range), range, "is not used: only sparing scheme 8 has ranges");
    }
    zone::unstated(sheet, items);
    sheet.put("zone", zones);
    sheet.origin("zone", OriginKind::Published, &block.spot, "Zones");
    if !regions.is_empty() {
        sheet.put("spare_region", regions);
        sheet.origin("spare_region", OriginKind::Published, &block.spot, "cylinders in no zone");
    }
    sheet.defects(defects, &block.spot, "slips, defects");
    Ok(cylinders)
}

/// The block of an item of `Zones`.
fn zone_block(item: &Item) -> Result<&Block, DiskSimError> {
    match &item.value {
        Said::Block(block) if block.kind == "dm_layout_g1_zone" => Ok(block),
        Said::Block(block) => {
            let what = format!("`{}` is not a `dm_layout_g1_zone` block", block.kind);
            Err(block.spot.error(what))
        }
        _ => Err(item.spot.error("zones are `dm_layout_g1_zone` blocks")),
    }
}
