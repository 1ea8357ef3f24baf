//! compress and uncompress: one file in, one file out.

use super::PAGE_SECTORS;
use super::script::Script;
use crate::flow::{Event, WriteMode};

/// The data that is read and written, and the time to compute it.
pub(super) struct Recode {
    input_pages: u32,
    output_pages: u32,
    computation_ms: u64,
}

/// 31 MB to 11 MB in 162 s of computation.
pub(super) const COMPRESS: Recode =
    Recode { input_pages: 7_936, output_pages: 2_816, computation_ms: 162_000 };

/// 11 MB to 31 MB in 91.0 s of computation.
pub(super) const UNCOMPRESS: Recode =
    Recode { input_pages: 2_816, output_pages: 7_936, computation_ms: 91_000 };

/// Indirect blocks of a file system with blocks of 8 KB: one for each 8 MB beyond the first 96 KB,
/// each read or written with the data it points to.
const PAGES_PER_INDIRECT: u32 = 2_048;

pub(super) fn write(script: &mut Script, recode: &Recode) {
    let Recode { input_pages, output_pages, computation_ms } = *recode;
    let group = script.ground.group();
    let input = script.file(group, input_pages);
    let output = script.file(group, output_pages);
    let (inode, new_inode) = (script.ground.inode(group), script.ground.inode(group));
    let block = |lba| Event::ReadBlock { lba, sectors: PAGE_SECTORS };
    let change = |lba, mode| Event::WriteBlock { lba, sectors: PAGE_SECTORS, mode };
    script.step(0, block(inode));
    script.step(0, change(new_inode, WriteMode::Synchronous));

    let steps = u64::from(input_pages) + u64::from(output_pages);
    let each_us = computation_ms * 1_000 / steps;
    let mut written = 0;
    for page in 0..input_pages {
        if page % PAGES_PER_INDIRECT == 0 && page > 0 {
            let indirect = script.ground.directory(group);
            script.step(0, block(indirect));
        }
        script.step(each_us, Event::Read { file: input, page: u64::from(page), pages: 1 });
        // The output keeps pace with the input.
        let due = u64::from(page + 1) * u64::from(output_pages) / u64::from(input_pages);
        while u64::from(written) < due {
            script.step(each_us, Event::Write { file: output, page: u64::from(written), pages: 1 });
            written += 1;
            if written % PAGES_PER_INDIRECT == 0 {
                let indirect = script.ground.directory(group);
                script.step(0, change(indirect, WriteMode::Asynchronous));
            }
        }
    }
    script.step(0, change(new_inode, WriteMode::Delayed));
}
