//! The index as passes over tracks: what lies side by side becomes a zone, what repeats within it a
//! group.

use super::read::{Child, Entry, Pattern};
use super::{Index, blocks};
use crate::syntax::{DiskSimError, Spot};
use platterlab_drive::MOST_CYLINDERS;

/// More passes than this a profile does not list.
const MOST_PASSES: usize = 1_000_000;

/// Nodes within nodes: more than this are taken for one that holds itself.
pub(super) const DEEPEST: usize = 64;

/// Tracks of one pattern, one after the other on one surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePass<'a> {
    pub(super) spot: &'a Spot,
    /// Blocks of the group before it.
    pub(super) lbn: u64,
    pub(super) surface: u32,
    /// Of its first and last track, counted from the group's first.
    pub(super) cylinders: [u32; 2],
    pub(super) pattern: Pattern,
    pub(super) angle: f64,
    pub(super) skew: f64,
}

impl NodePass<'_> {
    pub(super) fn low(&self) -> u32 {
        self.cylinders[0].min(self.cylinders[1])
    }

    pub(super) fn high(&self) -> u32 {
        self.cylinders[0].max(self.cylinders[1])
    }
}

/// Cylinders whose blocks follow each other: groups of passes.
#[derive(Clone, Debug)]
pub(super) struct Extent<'a> {
    pub(super) cylinders: [u32; 2],
    /// Blocks of the drive before it.
    pub(super) lbn: u64,
    pub(super) offset: f64,
    pub(super) group_cylinders: u32,
    /// Blocks in a group.
    pub(super) group_blocks: u64,
    pub(super) turn: f64,
    /// Those with data in the order of their blocks, then the spare ones.
    pub(super) passes: Vec<NodePass<'a>>,
}

impl Extent<'_> {
    pub(super) fn most_sectors(&self) -> u32 {
        self.passes.iter().map(|pass| pass.pattern.per_track).max().unwrap_or(1)
    }

    /// Cylinder, surface and sector of a block of the drive, which must lie here.
    pub(super) fn locate(&self, lbn: u64) -> [u32; 3] {
        let within = lbn - self.lbn;
        let (group, rest) = (within / self.group_blocks, within % self.group_blocks);
        let data = self.passes.partition_point(|pass| pass.pattern.data > 0);
        let at = self.passes[..data].partition_point(|pass| pass.lbn <= rest) - 1;
        let pass = &self.passes[at];
        let per_track = u64::from(pass.pattern.data);
        let (track, sector) = ((rest - pass.lbn) / per_track, (rest - pass.lbn) % per_track);
        let [first, last] = pass.cylinders;
        let own = if first <= last { first + track as u32 } else { first - track as u32 };
        let cylinder = self.cylinders[0] + group as u32 * self.group_cylinders + own;
        [cylinder, pass.surface, sector as u32]
    }
}

/// The drive as extents, in the order of their cylinders and blocks.
pub(super) fn extents<'a>(index: &Index<'a>) -> Result<Vec<Extent<'a>>, DiskSimError> {
    let root = index.nodes.last().map_or(&[][..], Vec::as_slice);
    clusters(root)?.iter().map(|cluster| extent(index, cluster)).collect()
}

/// Successive entries with the cylinders they share.
struct Cluster<'i, 'a> {
    entries: &'i [Entry<'a>],
    cylinders: [u32; 2],
}

/// The root's entries, joined until each cluster lies behind the one before.
fn clusters<'i, 'a>(root: &'i [Entry<'a>]) -> Result<Vec<Cluster<'i, 'a>>, DiskSimError> {
    let mut list: Vec<(usize, [u32; 2])> = Vec::new();
    for (number, entry) in root.iter().enumerate() {
        let mut first = number;
        let mut cylinders = within(entry, MOST_CYLINDERS)?;
        while let Some((start, [low, high])) = list.pop_if(|(_, [_, high])| *high >= cylinders[0]) {
            first = start;
            cylinders = [low.min(cylinders[0]), high.max(cylinders[1])];
        }
        list.push((first, cylinders));
    }
    let ends = list.iter().skip(1).map(|(first, _)| *first).chain([root.len()]);
    let cluster = |((first, cylinders), end): (&(usize, [u32; 2]), usize)| Cluster {
        entries: &root[*first..end],
        cylinders: *cylinders,
    };
    Ok(list.iter().zip(ends).map(cluster).collect())
}

/// The cylinders of an entry in an index of this many cylinders.
fn within(entry: &Entry<'_>, cylinders: u32) -> Result<[u32; 2], DiskSimError> {
    entry.span().filter(|[_, high]| *high < cylinders).ok_or_else(|| {
        let what = format!("these tracks leave the {cylinders} cylinders they are part of");
        entry.spot.error(what)
    })
}

fn extent<'a>(index: &Index<'a>, cluster: &Cluster<'_, 'a>) -> Result<Extent<'a>, DiskSimError> {
    let Cluster { entries, cylinders: [low, high] } = *cluster;
    let first = &entries[0];
    let mut walk = Walk { index, passes: Vec::new() };
    let mut extent = Extent {
        cylinders: [low, high],
        lbn: first.lbn,
        offset: 0.0,
        group_cylinders: high - low + 1,
        group_blocks: blocks(entries),
        turn: 0.0,
        passes: Vec::new(),
    };
    match (entries, first.child) {
        ([only], Child::Index(node)) if !only.back || only.instances == 1 => {
            extent.offset = only.offset;
            extent.group_cylinders = only.cylinders;
            extent.group_blocks = only.length;
            extent.turn = if only.instances > 1 { only.turn } else { 0.0 };
            let from = From { lbn: 0, cylinder: 0, angle: 0.0 };
            walk.node(&index.nodes[node], from, only.cylinders, 1)?;
        }
        _ => {
            for entry in entries {
                let from = From { lbn: entry.lbn - first.lbn, cylinder: 0, angle: 0.0 };
                walk.entry(entry, from, MOST_CYLINDERS, 1)?;
            }
            for pass in &mut walk.passes {
                pass.cylinders = pass.cylinders.map(|cylinder| cylinder - low);
            }
        }
    }
    extent.passes = walk.passes;
    add_spares(&mut extent, index.surfaces)?;
    Ok(extent)
}

/// Where an instance of a node begins.
#[derive(Clone, Copy)]
struct From {
    lbn: u64,
    cylinder: u32,
    angle: f64,
}

struct Walk<'i, 'a> {
    index: &'i Index<'a>,
    passes: Vec<NodePass<'a>>,
}

impl<'a> Walk<'_, 'a> {
    /// All passes of one instance of a node, which has this many cylinders.
    fn node(
        &mut self,
        node: &[Entry<'a>],
        from: From,
        cylinders: u32,
        depth: usize,
    ) -> Result<(), DiskSimError> {
        for entry in node {
            if depth > DEEPEST {
                let what =
                    format!("nodes lie more than {DEEPEST} deep; does this one hold itself?");
                return Err(entry.spot.error(what));
            }
            let from = From { lbn: from.lbn + entry.lbn, ..from };
            self.entry(entry, from, cylinders, depth)?;
        }
        Ok(())
    }

    /// The passes of an entry whose first block is `from.lbn`.
    fn entry(
        &mut self,
        entry: &Entry<'a>,
        from: From,
        cylinders: u32,
        depth: usize,
    ) -> Result<(), DiskSimError> {
        let span = within(entry, cylinders)?;
        let angle = from.angle + entry.offset;
        match entry.child {
            Child::Track { pattern, surface } => {
                let ends = if entry.back { [span[1], span[0]] } else { span };
                self.passes.push(NodePass {
                    spot: entry.spot,
                    lbn: from.lbn,
                    surface,
                    cylinders: ends.map(|cylinder| from.cylinder + cylinder),
                    pattern: self.index.patterns[pattern],
                    angle: shortened(angle),
                    skew: if entry.instances > 1 { entry.turn } else { 0.0 },
                });
                if self.passes.len() > MOST_PASSES {
                    let what = format!("the index has more than {MOST_PASSES} runs of tracks");
                    return Err(entry.spot.error(what));
                }
            }
            Child::Index(node) => {
                for number in 0..entry.instances {
                    let from = From {
                        lbn: from.lbn + number * entry.length,
                        cylinder: from.cylinder + entry.at(number).unwrap_or(0),
                        angle: shortened(angle + number as f64 * entry.turn),
                    };
                    self.node(&self.index.nodes[node], from, entry.cylinders, depth + 1)?;
                }
            }
        }
        Ok(())
    }
}

/// Adds the tracks of a group that the index leaves out, as passes without data.
fn add_spares(extent: &mut Extent<'_>, surfaces: u32) -> Result<(), DiskSimError> {
    let mut spans: Vec<NodePass<'_>> = extent.passes.clone();
    spans.sort_by_key(|pass| (pass.surface, pass.low()));
    let spot = spans[0].spot;
    let pattern = Pattern { data: 0, per_track: extent.most_sectors() };
    let mut spans = spans.into_iter().peekable();
    for surface in 0..surfaces {
        let mut next = 0;
        let mut spare = |from: u32, to: u32| {
            if from < to {
                let cylinders = [from, to - 1];
                let (lbn, angle, skew) = (extent.group_blocks, 0.0, 0.0);
                extent.passes.push(NodePass {
                    spot,
                    lbn,
                    surface,
                    cylinders,
                    pattern,
                    angle,
                    skew,
                });
            }
        };
        while let Some(pass) = spans.next_if(|pass| pass.surface == surface) {
            if pass.low() < next {
                let what = format!(
                    "the index comes to cylinder {} of surface {surface} a second time",
                    extent.cylinders[0] + pass.low()
                );
                return Err(pass.spot.error(what));
            }
            spare(next, pass.low());
            next = pass.high() + 1;
        }
        spare(next, extent.group_cylinders);
    }
    Ok(())
}

/// An angle less whole revolutions, without the noise of adding up decimal fractions.
fn shortened(turns: f64) -> f64 {
    (turns.rem_euclid(1.0) * 1e12).round() / 1e12
}
