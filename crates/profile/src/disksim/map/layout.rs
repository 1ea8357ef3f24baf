//! `dm_disk`, the size of the drive, and `dm_layout_g1`, its zones and its defects.

use super::super::error::DiskSimError;
use super::super::fields::Fields;
use super::super::names;
use super::super::tree::{Block, Value as Said};
use super::index;
use super::sheet::Sheet;
use super::zone::{self, Scheme};
use platterlab_units::nearest;
use toml::{Table, Value};

/// More cylinders than this no profile has.
pub(super) const MOST_CYLINDERS: u32 = 10_000_000;
const MOST_SURFACES: u32 = 1_024;

/// Maps the layout and gives the number of cylinders.
pub(super) fn map(sheet: &mut Sheet, disk: &Fields<'_>) -> Result<u32, DiskSimError> {
    let surfaces = disk.whole("Number of data surfaces", MOST_SURFACES)?;
    let mut cylinders = disk.whole("Number of cylinders", MOST_CYLINDERS)?;
    sheet.block_count = disk.number_if("Block count", 0.0, 9e15)?.map(|count| count as u64);
    let at = disk.spot();
    sheet.cite(("geometry", "surfaces"), i64::from(surfaces), (at, "Number of data surfaces"));
    sheet.cite(("geometry", "cylinders"), i64::from(cylinders), (at, "Number of cylinders"));
    sheet.set("geometry", "sector_bytes", 512);
    let block = disk.block("Layout Model")?;
    match block.kind.as_str() {
        "dm_layout_g1" => zoned(sheet, block, [surfaces, cylinders])?,
        "dm_layout_g2" => mapped(block)?,
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

/// Checks a `dm_layout_g2`, and says why even a right one cannot be imported.
fn mapped(block: &Block) -> Result<(), DiskSimError> {
    let fields = Fields::check(block, names::MAP_LAYOUT)?;
    for (said, spot) in fields.list("Zones")? {
        match said {
            Said::Block(zone) if zone.kind == "dm_layout_g2_zone" => {
                Fields::check(zone, names::MAP_ZONE)?;
            }
            _ => return Err(spot.error("zones are `dm_layout_g2_zone` blocks")),
        }
    }
    let (file, spot) = fields.word("Layout Map File")?;
    Err(spot.error(format!(
        "`Layout Map File` cannot be honoured: the format of `{file}` is not documented, and the \
         zones do not say in which order the tracks come; describe them in a `dm_layout_g1` block"
    )))
}

/// Maps a `dm_layout_g1`.
fn zoned(
    sheet: &mut Sheet,
    block: &Block,
    [surfaces, cylinders]: [u32; 2],
) -> Result<(), DiskSimError> {
    let fields = Fields::check(block, names::LAYOUT)?;
    let scheme = Scheme::read(&fields, surfaces)?;
    let mut zones: Vec<Value> = Vec::new();
    let mut regions: Vec<Value> = Vec::new();
    let mut defects: Vec<Value> = Vec::new();
    let mut next = 0;
    for (said, spot) in fields.list("Zones")? {
        let Said::Block(block) = said else {
            return Err(spot.error("zones are `dm_layout_g1_zone` blocks"));
        };
        if block.kind != "dm_layout_g1_zone" {
            let what = format!("`{}` is no `dm_layout_g1_zone` block", block.kind);
            return Err(block.spot.error(what));
        }
        let zone = zone::map(&scheme, &Fields::check(block, names::ZONE)?, &mut defects)?;
        let [first, last] = zone.cylinders;
        if first < next || last < first || last >= cylinders {
            let what = format!(
                "cylinders {first} to {last} do not follow the zones before within {cylinders}"
            );
            return Err(block.spot.error(what));
        }
        unused(next, first, surfaces, zone.sectors_per_track, (&mut zones, &mut regions));
        next = last + 1;
        zones.push(zone.table.into());
        if next == cylinders || is_last(fields.list("Zones")?, block) {
            scheme.keep_end(&mut zones, zone.spares);
            unused(next, cylinders, surfaces, zone.sectors_per_track, (&mut zones, &mut regions));
        }
    }
    if zones.is_empty() {
        return Err(block.spot.error("a layout needs at least one zone in `Zones`"));
    }
    sheet.put("zone", zones);
    sheet.origin("zone", "published", (&block.spot, "Zones"));
    if !regions.is_empty() {
        sheet.put("spare_region", regions);
        sheet.origin("spare_region", "published", (&block.spot, "cylinders in no zone"));
    }
    if !defects.is_empty() {
        sheet.put("defect", defects);
        sheet.origin("defect", "published", (&block.spot, "slips, defects"));
    }
    Ok(())
}

fn is_last(zones: &[(Said, super::super::error::Spot)], block: &Block) -> bool {
    matches!(zones.last(), Some((Said::Block(last), _)) if std::ptr::eq(last, block))
}

/// Cylinders `from..to`, which are in no zone, as a zone of spare tracks.
pub(super) fn unused(
    from: u32,
    to: u32,
    surfaces: u32,
    sectors_per_track: u32,
    (zones, regions): (&mut Vec<Value>, &mut Vec<Value>),
) {
    if from >= to || surfaces == 0 {
        return;
    }
    let pair = |a: u32, b: u32| Value::from(vec![i64::from(a), i64::from(b)]);
    let mut zone = Table::new();
    zone.insert("cylinders".to_owned(), pair(from, to - 1));
    zone.insert("sectors_per_track".to_owned(), i64::from(sectors_per_track).into());
    zones.push(zone.into());
    let mut region = Table::new();
    region.insert("first".to_owned(), pair(from, 0));
    region.insert("last".to_owned(), pair(to - 1, surfaces - 1));
    regions.push(region.into());
}
