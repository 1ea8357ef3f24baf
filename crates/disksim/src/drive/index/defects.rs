//! Slips and remaps. Both are stated by the number of a block in the index, where a slipped block
//! still counts.

use super::passes::Extent;
use super::read::whole;
use crate::drive::sheet::{ProfileSheet, kind_table};
use crate::drive::zone::ITSELF;
use crate::syntax::{DiskSimError, Fields, Item, Spot};
use toml::Value;

/// More defects than this a profile does not list.
const MOST_DEFECTS: u64 = 1_000_000;

/// Maps both lists.
pub(super) fn map(
    sheet: &mut ProfileSheet,
    layout: &Fields<'_>,
    extents: &[Extent<'_>],
) -> Result<Vec<(Value, Spot)>, DiskSimError> {
    let mut defects = Vec::new();
    let first_slip = slips(layout, extents, &mut defects)?;
    if layout.get("Remaps").is_some() {
        for remap in layout.list("Remaps")?.chunks(6) {
            remaps(sheet, remap, extents, first_slip, &mut defects)?;
        }
    }
    Ok(defects)
}

/// The extent that holds a block of the index, unless it is beyond all of them.
fn extent_of<'e, 'a>(extents: &'e [Extent<'a>], lbn: u64) -> Option<&'e Extent<'a>> {
    let after = extents.partition_point(|extent| extent.lbn <= lbn);
    let extent = &extents[after.checked_sub(1)?];
    let [first, last] = extent.cylinders;
    let groups = u64::from((last - first + 1) / extent.group_cylinders);
    (lbn - extent.lbn < groups * extent.group_blocks).then_some(extent)
}

fn place(extents: &[Extent<'_>], lbn: u64, spot: &Spot) -> Result<[u32; 3], DiskSimError> {
    match extent_of(extents, lbn) {
        Some(extent) => Ok(extent.locate(lbn)),
        None => Err(spot.error(format!("block {lbn} lies beyond the index"))),
    }
}

fn triple(place: [u32; 3]) -> Value {
    Value::from(place.map(i64::from).to_vec())
}

/// Adds the slipped sectors and returns the first of them.
fn slips(
    layout: &Fields<'_>,
    extents: &[Extent<'_>],
    defects: &mut Vec<(Value, Spot)>,
) -> Result<Option<u64>, DiskSimError> {
    if layout.get("Slips").is_none() {
        return Ok(None);
    }
    let mut next = 0;
    let mut first = None;
    for pair in layout.list("Slips")?.chunks(2) {
        let [from, count] = pair else {
            let what =
                "`Slips` is a list of pairs: a block, and how many are slipped from there on";
            return Err(pair[0].spot.error(what));
        };
        let lbn = whole(from, u64::MAX >> 11)?;
        let blocks = whole(count, MOST_DEFECTS)?;
        if blocks == 0 || lbn < next {
            let what = format!(
                "slips rise, and are of at least one block: {lbn}, {blocks} does not follow block {next}"
            );
            return Err(from.spot.error(what));
        }
        next = lbn + blocks;
        first = first.or(Some(lbn));
        if defects.len() as u64 + blocks > MOST_DEFECTS {
            return Err(from.spot.error(format!("more than {MOST_DEFECTS} slipped blocks")));
        }
        for lbn in lbn..next {
            let mut defect = kind_table("slipped");
            defect.insert("at".to_owned(), triple(place(extents, lbn, &from.spot)?));
            defects.push((defect.into(), from.spot.clone()));
        }
    }
    Ok(first)
}

/// Adds the sectors of one remap, or says why they cannot be honoured.
fn remaps(
    sheet: &mut ProfileSheet,
    remap: &[Item],
    extents: &[Extent<'_>],
    first_slip: Option<u64>,
    defects: &mut Vec<(Value, Spot)>,
) -> Result<(), DiskSimError> {
    let [lbn, count, cylinder, surface, sector, around] = remap else {
        let what = "`Remaps` is a list of sixes: a block, how many, and the cylinder, head, sector \
                    and sectors per track where they are";
        return Err(remap[0].spot.error(what));
    };
    let spot = &lbn.spot;
    let (lbn, count) = (whole(lbn, u64::MAX >> 11)?, whole(count, MOST_DEFECTS)?);
    let number = |item| whole(item, u32::MAX.into()).map(|number| number as u32);
    let [cylinder, surface, sector] = [number(cylinder)?, number(surface)?, number(sector)?];
    let around = number(around)?;
    if count == 0 || defects.len() as u64 + count > MOST_DEFECTS {
        return Err(spot.error(format!("a remap of {count} blocks")));
    }
    if first_slip.is_some_and(|first| first < lbn + count) {
        let why = "with slips before it, its block may be counted with or without the slipped ones";
        sheet.refuse(spot, "Remaps", why);
        return Ok(());
    }
    match track_sectors(extents, cylinder, surface) {
        Some(sectors) if sectors == around => {}
        Some(sectors) => {
            let what = format!("the index has {sectors} sectors on this track, and not {around}");
            return Err(spot.error(what));
        }
        None => {
            let why =
                "it goes to a track that is not in the index, so that its angle is not stated";
            sheet.refuse(spot, "Remaps", why);
            return Ok(());
        }
    }
    let first = place(extents, lbn, spot)?;
    if first == [cylinder, surface, sector] {
        sheet.notes.push(spot.error(format!("block {lbn} {ITSELF}")).to_string());
        return Ok(());
    }
    for (lbn, sector) in (lbn..lbn + count).zip(sector..) {
        let mut defect = kind_table("remapped");
        defect.insert("from".to_owned(), triple(place(extents, lbn, spot)?));
        defect.insert("to".to_owned(), triple([cylinder, surface, sector]));
        defects.push((defect.into(), spot.clone()));
    }
    Ok(())
}

/// Sectors around a track of the index.
fn track_sectors(extents: &[Extent<'_>], cylinder: u32, surface: u32) -> Option<u32> {
    let holds =
        |extent: &&Extent<'_>| (extent.cylinders[0]..=extent.cylinders[1]).contains(&cylinder);
    let extent = extents.iter().find(holds)?;
    let own = (cylinder - extent.cylinders[0]) % extent.group_cylinders;
    let comes = |pass: &&super::passes::NodePass<'_>| {
        pass.surface == surface
            && pass.pattern.data > 0
            && (pass.low()..=pass.high()).contains(&own)
    };
    extent.passes.iter().find(comes).map(|pass| pass.pattern.per_track)
}
