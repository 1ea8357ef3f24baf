//! Four tasks of one process, from their published characteristics (Ganger–Patt 1998, Table 3 and
//! §5.3.2): sizes, computation times and what each reads and writes; requests, waits and interrupts
//! are for a model to make of it.
//!
//! What the paper does not print is placed as a Berkeley fast file system places it (`ground`), and
//! computation is spread evenly over the pages and files that it is for.

mod copytree;
mod ground;
mod recode;
mod removetree;
mod script;

use crate::flow::{
    CacheSettings, DeviceFacts, FlowHeader, FlowRecord, Machine, Origin, SyncerSettings,
};
pub use ground::Placing;
use platterlab_units::words;
use script::Script;

/// Bytes of a page of the traced system's file cache.
const PAGE_BYTES: u32 = 4096;

/// Sectors of a page.
const PAGE_SECTORS: u32 = PAGE_BYTES / 512;

/// Sectors of the HP C2247, the traced system's disk (Table 2).
const DEVICE_SECTORS: u64 = 2_054_864;

/// Memory of the traced system that is left for file pages: 40 MB, of which the system itself takes
/// a fifth.
const MEMORY_PAGES: u64 = 8_192;

words! {
    /// One of the tasks.
    pub enum Task {
        /// A file of 31 MB becomes one of 11 MB.
        Compress = "compress",
        /// A file of 11 MB becomes one of 31 MB.
        Uncompress = "uncompress",
        /// 535 files of 14 MB altogether are copied.
        Copytree = "copytree",
        /// 535 files are removed.
        Removetree = "removetree",
    }
}

impl Task {
    /// The task as a flow: the system it ran on, and its records. The seed decides where files lie
    /// and how large each is.
    #[must_use]
    pub fn flow(self, seed: u64) -> (FlowHeader, Vec<FlowRecord>) {
        self.flow_placed(seed, Placing::default())
    }

    /// The same with its files placed otherwise.
    #[must_use]
    pub fn flow_placed(self, seed: u64, placing: Placing) -> (FlowHeader, Vec<FlowRecord>) {
        let mut script = Script::new(seed, placing);
        match self {
            Self::Compress => recode::write(&mut script, &recode::COMPRESS),
            Self::Uncompress => recode::write(&mut script, &recode::UNCOMPRESS),
            Self::Copytree => copytree::write(&mut script),
            Self::Removetree => removetree::write(&mut script),
        }
        (header(self.name()), script.end())
    }
}

/// An NCR 3433 with UNIX SVR4 MP (§5.2).
fn header(title: &str) -> FlowHeader {
    FlowHeader {
        origin: Origin::Generated,
        title: title.to_owned(),
        machine: Machine {
            cpus: 1,
            memory_pages: MEMORY_PAGES,
            page_bytes: PAGE_BYTES,
            system: "UNIX SVR4 MP".to_owned(),
            clock: "none".to_owned(),
        },
        cache: CacheSettings {
            read_ahead_pages: 1,
            dirty_background_percent: 100.0,
            dirty_percent: 100.0,
        },
        syncer: SyncerSettings { interval_ms: 1_000.0, expire_ms: 30_000.0 },
        device: DeviceFacts {
            sectors: DEVICE_SECTORS,
            sector_bytes: 512,
            scheduler: "c-look".to_owned(),
            max_request_sectors: PAGE_SECTORS,
            file_system: "ufs".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests;
