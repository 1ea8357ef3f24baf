//! removetree: the copy that a copytree has just made is removed; its directories are in memory.

use super::PAGE_SECTORS;
use super::copytree::{DIRECTORIES, FILES};
use super::script::Script;
use crate::flow::{Event, WriteMode};

/// 3.05 s of computation.
const FILE_US: u64 = 3_050_000 / FILES as u64;

pub(super) fn write(script: &mut Script) {
    let mut left = FILES;
    let per_directory = FILES.div_ceil(DIRECTORIES);
    let change = |lba, mode| Event::WriteBlock { lba, sectors: PAGE_SECTORS, mode };
    let mut group = script.ground.group();
    while left > 0 {
        group = script.ground.next_group(group);
        let directory = script.ground.directory(group);
        let own = script.ground.inode(group);
        for _ in 0..left.min(per_directory) {
            let inode = script.ground.inode(group);
            // unlink: the entry goes first, then the inode.
            script.step(FILE_US, change(directory, WriteMode::Synchronous));
            script.step(0, change(inode, WriteMode::Synchronous));
        }
        left = left.saturating_sub(per_directory);
        // rmdir, and the map of what is free now.
        script.step(0, change(own, WriteMode::Synchronous));
        script.step(0, change(own, WriteMode::Delayed));
    }
}
