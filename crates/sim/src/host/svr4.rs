//! The computer of Ganger and Patt (1998): a 33 MHz 80486 with UNIX SVR4 MP.

use super::options::{FileReadAhead, HostOptions, Syncer};
use platterlab_units::Span;
use platterlab_workload::flow::FlowHeader;

/// An interrupt and all that the driver does for a request. Not published: with it and the next, what
/// the CPU did apart from the task comes near Table 6 (17.6 s over 10,835 requests and the syncer).
const INTERRUPT: Span = Span::from_us(1_000);

/// What the syncer does for each request.
const SYNCER_REQUEST: Span = Span::from_us(300);

/// Pages that are read ahead of each other. Not published: 153 of the 2,846 reads of uncompress were
/// demanded (Table 6), and so were 346 of the 7,936 of compress (70 % of its requests were
/// time-limited, §5.3.2), one in 23 of either; a cluster of 96 KB is the nearest that a file system
/// makes.
const CLUSTER_PAGES: u32 = 24;

/// Neighbours in memory are not neighbours in a file, as page frames were given out and taken back in
/// any order: a step near the golden section visits no two neighbours in turn. Assumed.
const GOLDEN_THOUSANDTHS: u32 = 618;

impl HostOptions {
    /// A 33 MHz 80486 with UNIX SVR4 MP (Ganger–Patt 1998, §5.2), of the size the header says.
    #[must_use]
    pub fn svr4_mp(header: &FlowHeader) -> Self {
        let page_sectors = header.machine.page_bytes / header.device.sector_bytes;
        Self {
            cpus: header.machine.cpus,
            speed: 1.0,
            quantum: Span::from_us(100_000),
            context_switch: Span::from_us(100),
            wake_up: Span::ZERO,
            issue_to_sleep: Span::ZERO,
            interrupt: INTERRUPT,
            clock: None,
            tick: Span::ZERO,
            syncer_request: SYNCER_REQUEST,
            memory_pages: header.machine.memory_pages,
            page_sectors,
            request_pages: (header.device.max_request_sectors / page_sectors).max(1),
            read_ahead: FileReadAhead::Next { cluster_pages: CLUSTER_PAGES },
            // Each second the part of memory that makes it go round in 30 s, the age at which other
            // systems write (§5.2 has the second, not the part).
            syncer: Syncer::Sweep {
                interval: Span::from_us(1_000_000),
                cycle: Span::from_us(30_000_000),
                stride_thousandths: GOLDEN_THOUSANDTHS,
            },
            dirty_limit_pages: None,
            sync_in_turn: false,
            journal: None,
            flush: Span::ZERO,
            volume: 0,
            unplaced_lba: header.device.sectors / 2,
        }
    }
}
