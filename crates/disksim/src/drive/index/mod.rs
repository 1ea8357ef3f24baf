//! `dm_layout_g4`: track patterns, a recursive index of where they repeat, slips and remaps.

mod defects;
mod passes;
mod read;

use crate::drive::sheet::ProfileSheet;
use crate::drive::zone::unused;
use crate::syntax::{Block, DiskSimError, Fields, Spot};
use passes::{DEEPEST, Extent, extents};
use platterlab_profile::OriginKind;
use read::{Child, Entry, Pattern};
use toml::{Table, Value};

/// The index, its nodes checked against each other.
struct Index<'a> {
    surfaces: u32,
    patterns: Vec<Pattern>,
    nodes: Vec<Vec<Entry<'a>>>,
}

/// Maps the layout of a drive that is said to have this many surfaces and cylinders, and gives the
/// number of cylinders, which may be higher.
pub(super) fn map(
    sheet: &mut ProfileSheet,
    block: &Block,
    [surfaces, cylinders]: [u32; 2],
) -> Result<u32, DiskSimError> {
    let layout = Fields::of(block);
    let mut late = Vec::new();
    let patterns = read::patterns(&layout, &mut late)?;
    for spot in late {
        let why = "the index states the angle of a track's first sector, and not whether that is \
                   the first of all or the first with data; begin the pattern at sector 0";
        sheet.refuse(spot, "TP", why);
    }
    let nodes = read::nodes(&layout)?;
    let mut index = Index { surfaces, patterns, nodes };
    index.check(&block.spot)?;
    index.count(&mut sheet.notes)?;
    let extents = extents(&index)?;
    let mut zones: Vec<Value> = Vec::new();
    let mut regions: Vec<Value> = Vec::new();
    let (mut next, mut around) = (0, 1);
    for extent in &extents {
        let [first, last] = extent.cylinders;
        around = extent.most_sectors();
        unused(next, first, surfaces, around, &mut zones, &mut regions);
        zones.push(zone(extent, around).into());
        next = last + 1;
    }
    let cylinders = cylinders.max(next);
    unused(next, cylinders, surfaces, around, &mut zones, &mut regions);
    sheet.put("zone", zones);
    sheet.origin("zone", OriginKind::Published, &block.spot, "TP, IDX");
    if !regions.is_empty() {
        sheet.put("spare_region", regions);
        sheet.origin("spare_region", OriginKind::Published, &block.spot, "cylinders outside IDX");
    }
    let defects = defects::map(sheet, &layout, &extents)?;
    sheet.defects(defects, &block.spot, "Slips, Remaps");
    Ok(cylinders)
}

impl Index<'_> {
    /// Whether the entries of each node follow each other, and its children are what they say.
    fn check(&self, block: &Spot) -> Result<(), DiskSimError> {
        if self.nodes.is_empty() {
            return Err(block.error("`IDX` is empty; its last node is the root of the index"));
        }
        for node in &self.nodes {
            let mut next = 0;
            for entry in node {
                if entry.lbn != next {
                    let what = format!("lbn {} does not follow the {next} before", entry.lbn);
                    return Err(entry.spot.error(what));
                }
                next += entry.run();
                self.child(entry)?;
            }
        }
        Ok(())
    }

    /// Has each entry be as long as what it repeats, from the tracks up, and notes where that is not
    /// what it says. Blocks are counted so from there on.
    fn count(&mut self, notes: &mut Vec<String>) -> Result<(), DiskSimError> {
        let mut wrong: Vec<(usize, usize)> = Vec::new();
        // Each round puts right what lies one node higher.
        for _ in 0..=DEEPEST {
            let mut changed = false;
            let mut next = Vec::with_capacity(self.nodes.len());
            for (at, node) in self.nodes.iter().enumerate() {
                let (mut node, mut lbn) = (node.clone(), 0_u64);
                for (number, entry) in node.iter_mut().enumerate() {
                    let (blocks, what) = self.child(entry)?;
                    if blocks != entry.length {
                        if !wrong.contains(&(at, number)) {
                            wrong.push((at, number));
                            let (stated, it) = (entry.length, "whose blocks hold");
                            let what =
                                format!("len {stated} is not the {blocks} blocks of {what}, {it}");
                            notes.push(entry.spot.error(what).to_string());
                        }
                        (entry.length, changed) = (blocks, true);
                    }
                    entry.lbn = lbn;
                    lbn = lbn.saturating_add(entry.run());
                }
                next.push(node);
            }
            self.nodes = next;
            if !changed {
                break;
            }
        }
        Ok(())
    }

    /// Blocks in an entry's child, and what to call it.
    fn child(&self, entry: &Entry<'_>) -> Result<(u64, String), DiskSimError> {
        match entry.child {
            Child::Track { pattern, surface } => {
                let Some(known) = self.patterns.get(pattern) else {
                    let what = format!("there are {} patterns in `TP`", self.patterns.len());
                    return Err(entry.spot.error(format!("no pattern {pattern}; {what}")));
                };
                if surface >= self.surfaces {
                    let what =
                        format!("head {surface} is not among the {} there are", self.surfaces);
                    return Err(entry.spot.error(what));
                }
                if entry.cylinders != 1 {
                    let what = format!("a track lies on one cylinder, not {}", entry.cylinders);
                    return Err(entry.spot.error(what));
                }
                Ok((known.data.into(), format!("pattern {pattern}")))
            }
            Child::Index(child) => match self.nodes.get(child) {
                Some(node) => Ok((blocks(node), format!("node {child}"))),
                None => {
                    let what = format!("no node {child}; there are {} in `IDX`", self.nodes.len());
                    Err(entry.spot.error(what))
                }
            },
        }
    }
}

/// Blocks of all entries.
fn blocks(node: &[Entry<'_>]) -> u64 {
    node.iter().map(Entry::run).fold(0, u64::saturating_add)
}

/// An extent as a zone of the profile.
fn zone(extent: &Extent<'_>, around: u32) -> Table {
    let pair = |[a, b]: [u32; 2]| Value::from(vec![i64::from(a), i64::from(b)]);
    let mut zone = Table::new();
    zone.insert("cylinders".to_owned(), pair(extent.cylinders));
    zone.insert("sectors_per_track".to_owned(), i64::from(around).into());
    zone.insert("order".to_owned(), "listed".into());
    zone.insert("first_track_skew_turns".to_owned(), extent.offset.into());
    zone.insert("group_cylinders".to_owned(), i64::from(extent.group_cylinders).into());
    zone.insert("group_skew_turns".to_owned(), extent.turn.into());
    let pass = |pass: &passes::NodePass<'_>| {
        let Pattern { data, per_track } = pass.pattern;
        let mut table = Table::new();
        table.insert("surface".to_owned(), i64::from(pass.surface).into());
        table.insert("cylinders".to_owned(), pair(pass.cylinders));
        if per_track != around {
            table.insert("sectors_per_track".to_owned(), i64::from(per_track).into());
        }
        if data != per_track {
            table.insert("data_sectors".to_owned(), i64::from(data).into());
        }
        table.insert("first_track_skew_turns".to_owned(), pass.angle.into());
        table.insert("track_skew_turns".to_owned(), pass.skew.into());
        Value::from(table)
    };
    zone.insert("pass".to_owned(), extent.passes.iter().map(pass).collect::<Vec<_>>().into());
    zone
}
