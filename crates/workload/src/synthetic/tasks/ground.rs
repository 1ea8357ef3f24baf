//! Placement in a Berkeley fast file system: cylinder groups, each with its inodes first.

use super::{DEVICE_SECTORS, PAGE_SECTORS};
use crate::synthetic::stream::Stream;

/// Sectors of a cylinder group: 16 cylinders of the HP C2247.
const GROUP_SECTORS: u64 = 16 * 1_001;

/// Cylinder groups of the disk.
const GROUPS: u64 = DEVICE_SECTORS / GROUP_SECTORS;

/// Sectors at the start of a group for its inodes and maps.
const INODE_SECTORS: u64 = 512;

/// Parameters of the places of files that the paper does not print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placing {
    /// Sectors between two blocks of a file, which give the host time to ask for the next one before
    /// it has passed.
    pub gap_sectors: u64,
    /// Inodes of neighbours in a block: 32 of 128 bytes fill it.
    pub inodes_per_block: u64,
    /// Where the files begin that a task reads, and the others where they are apart: in millionths
    /// of the disk, below 1,000,000; `None`: drawn.
    pub begins: [Option<u64>; 2],
}

impl Default for Placing {
    /// Two blocks between two, which nearly holds the 4 ms that such file systems allowed by default
    /// (3.7 ms in the outermost zone), and full blocks of inodes.
    fn default() -> Self {
        Self {
            gap_sectors: 2 * u64::from(BLOCK_PAGES * PAGE_SECTORS),
            inodes_per_block: 32,
            begins: [None; 2],
        }
    }
}

/// Pages (1 MB) after which a large file goes to another group, so that none fills a group.
const PAGES_PER_GROUP: u32 = 256;

/// Pages of a block of the file system (8 KB).
const BLOCK_PAGES: u32 = 2;

/// The disk as it fills up.
pub(super) struct Ground {
    /// The next free sector of each group, from its start.
    next: Vec<u64>,
    /// The next free inode of each group.
    inodes: Vec<u64>,
    /// Groups to begin with that were asked for.
    begun: usize,
    gaps: Stream,
    placing: Placing,
}

impl Ground {
    pub(super) fn new(seed: u64, placing: Placing) -> Self {
        let mut gaps = Stream::new(seed, "ground");
        // Every group is in use already, to a different degree.
        let used = |_| INODE_SECTORS + gaps.below(GROUP_SECTORS / 4) / 8 * 8;
        let next = (0..GROUPS).map(used).collect();
        Self { next, inodes: vec![0; GROUPS as usize], begun: 0, gaps, placing }
    }

    /// The group of the directory made after one in `group`: a new directory goes where there are
    /// fewest, which is the next.
    pub(super) fn next_group(&self, group: u64) -> u64 {
        (group + 1) % GROUPS
    }

    /// A group to begin with. One is drawn also where it is given, so that all else stays the same.
    pub(super) fn group(&mut self) -> u64 {
        let drawn = self.gaps.below(GROUPS);
        let given = self.placing.begins.get(self.begun).copied().flatten();
        self.begun += 1;
        given.map_or(drawn, |millionths| millionths * GROUPS / 1_000_000)
    }

    /// The runs of a file of this many pages: first page, pages, first sector.
    pub(super) fn file(&mut self, group: u64, pages: u32) -> Vec<(u64, u32, u64)> {
        let mut runs = Vec::new();
        let (mut page, mut group) = (0, group % GROUPS);
        while page < pages {
            let most = (pages - page).min(BLOCK_PAGES);
            runs.push((u64::from(page), most, self.run(group, most)));
            page += most;
            if page % PAGES_PER_GROUP == 0 {
                group = (group + 1) % GROUPS;
            }
        }
        runs
    }

    /// A free run in a group, or in the next with room.
    fn run(&mut self, group: u64, pages: u32) -> u64 {
        let sectors = u64::from(pages * PAGE_SECTORS);
        let has_room = |group: &u64| self.next[*group as usize] + sectors <= GROUP_SECTORS;
        let group = (group..group + GROUPS)
            .map(|group| group % GROUPS)
            .find(has_room)
            .expect("the tasks' files fit on the disk");
        let start = self.next[group as usize];
        self.next[group as usize] += sectors + self.placing.gap_sectors;
        group * GROUP_SECTORS + start
    }

    /// The block of the next inode in a group.
    pub(super) fn inode(&mut self, group: u64) -> u64 {
        let number = self.inodes[group as usize];
        self.inodes[group as usize] += 1;
        let block = (number / self.placing.inodes_per_block) * u64::from(PAGE_SECTORS);
        group * GROUP_SECTORS + 64 + block % (INODE_SECTORS - 64)
    }

    /// A block for a directory.
    pub(super) fn directory(&mut self, group: u64) -> u64 {
        self.run(group, 1)
    }
}
