//! copytree: a directory tree of 535 files and 14 MB is copied.

use super::PAGE_SECTORS;
use super::script::Script;
use crate::flow::{Event, WriteMode};

pub(super) const FILES: u32 = 535;

/// 14 MB.
const PAGES: u32 = 3_584;

/// Directories, which the paper does not count: each is in a cylinder group of its own.
pub(super) const DIRECTORIES: u32 = 36;

/// 17.6 s of computation: what a page read or written takes, and the rest for each file.
const PAGE_US: u64 = 1_800;
const FILE_US: u64 = (17_600_000 - 2 * PAGES as u64 * PAGE_US) / FILES as u64;

/// The sizes of the files in pages: most are small, few are large, and they add up.
pub(super) fn sizes(script: &mut Script) -> Vec<u32> {
    let mean = f64::from(PAGES) / f64::from(FILES);
    let mut sizes: Vec<u32> =
        (0..FILES).map(|_| 1 + script.sizes.exponential(mean - 1.0) as u32).collect();
    let mut excess = i64::from(sizes.iter().sum::<u32>()) - i64::from(PAGES);
    while excess != 0 {
        let size = &mut sizes[script.sizes.below(u64::from(FILES)) as usize];
        if excess < 0 {
            *size += 1;
            excess += 1;
        } else if *size > 1 {
            *size -= 1;
            excess -= 1;
        }
    }
    sizes
}

pub(super) fn write(script: &mut Script) {
    let sizes = sizes(script);
    let per_directory = FILES.div_ceil(DIRECTORIES) as usize;
    let (mut from, mut to) = (script.ground.group(), script.ground.group());
    for files in sizes.chunks(per_directory) {
        (from, to) = (script.ground.next_group(from), script.ground.next_group(to));
        let (source, target) = (script.ground.directory(from), script.ground.directory(to));
        let inode = script.ground.inode(to);
        let block = |lba| Event::ReadBlock { lba, sectors: PAGE_SECTORS };
        let change = |lba, mode| Event::WriteBlock { lba, sectors: PAGE_SECTORS, mode };
        script.step(0, block(source));
        // mkdir: the new inode, the directory's first block and the entry in its parent.
        script.step(0, change(inode, WriteMode::Synchronous));
        script.step(0, change(target, WriteMode::Synchronous));
        for &pages in files {
            let (old, new) = (script.ground.inode(from), script.ground.inode(to));
            let (input, output) = (script.file(from, pages), script.file(to, pages));
            script.step(FILE_US, block(old));
            script.step(0, change(new, WriteMode::Synchronous));
            script.step(0, change(target, WriteMode::Synchronous));
            for page in 0..u64::from(pages) {
                script.step(PAGE_US, Event::Read { file: input, page, pages: 1 });
                script.step(PAGE_US, Event::Write { file: output, page, pages: 1 });
            }
            // Its length and times.
            script.step(0, change(new, WriteMode::Asynchronous));
        }
    }
}
