//! The memory that a plan takes, known before any of it is taken.

use crate::options::TraceTiming;
use crate::plan::{FlowPlan, FlowSource, Plan, SourcePlan};
use platterlab_sim::controller::ControllerOptions;
use platterlab_workload::flow::{Event, FlowReader, Item, Step};
use std::collections::BTreeMap;

/// Bytes that each of these takes while a system runs, as measured of many of them (with
/// `tests/test_memory.py`) and rounded up.
const CLIENT: u64 = 320;
const DRIVE: u64 = 18_000;
const WORKLOAD: u64 = 20_000;
/// The same of a page in a computer's memory, and of a line of a controller's cache.
const PAGE: u64 = 160;
const LINE: u64 = 180;
/// Computers of no more memory than this are not looked into: their flows need not be read.
const SMALL_PAGES: u64 = 1 << 22;

/// What there is most of, and what all of it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Bytes, about.
    pub bytes: u64,
    /// Of how many clients and processes, drives, workloads, pages of computers' memory and lines of
    /// controllers' caches.
    pub of: String,
}

impl Plan {
    /// Memory for a number of replications that run at a time.
    #[must_use]
    pub fn memory(&self, at_a_time: u64) -> Memory {
        let clients: u64 = self.sources.iter().map(clients).sum();
        let (pages, writes) =
            self.sources.iter().map(pages).fold((0, 0), |sum: (u64, u64), one| {
                (sum.0.saturating_add(one.0), sum.1.saturating_add(one.1))
            });
        let (drives, workloads) = (self.drives.len() as u64, self.sources.len() as u64);
        let runs = at_a_time.clamp(1, self.replications.max(1).into());
        let paged = pages.saturating_mul(PAGE).saturating_add(writes.saturating_mul(CLIENT));
        let lines = lines(&self.system.controllers);
        let one = (clients * CLIENT + drives * DRIVE + workloads * WORKLOAD)
            .saturating_add(paged)
            .saturating_add(lines.saturating_mul(LINE));
        let kinds = [(clients, "clients"), (drives, "drives"), (workloads, "workloads")];
        let mut named = kinds.map(|(count, kind)| format!("{count} {kind}")).to_vec();
        if pages > 0 {
            named.push(format!("{pages} pages of computers' memory"));
        }
        if lines > 0 {
            named.push(format!("{lines} lines of controllers' caches"));
        }
        let of = format!("{}, {} runs at a time", named.join(", "), runs);
        Memory { bytes: runs.saturating_mul(one), of }
    }
}

/// Of all controllers' caches.
fn lines(controllers: &[ControllerOptions]) -> u64 {
    let caches = controllers.iter().filter_map(|controller| controller.cache.as_ref());
    caches.map(|cache| cache.size_sectors / u64::from(cache.line_sectors.max(1))).sum()
}

/// Those whose requests may be in flight together.
fn clients(source: &SourcePlan) -> u64 {
    match source {
        SourcePlan::Made(made) => made.count.into(),
        SourcePlan::Trace(trace) => match trace.timing {
            TraceTiming::Closed { population } => population.into(),
            TraceTiming::Open { .. } => 0,
        },
        SourcePlan::Flow(flow) => match flow.model {
            FlowSource::Closed { population, .. } => population.into(),
            FlowSource::System(_) | FlowSource::Open { .. } => 0,
        },
        SourcePlan::Outside(_) => 0,
    }
}

/// Pages that the memory of a computer may come to hold, and how many of them may be on their way to
/// the disk together, in the worst case each with a request of its own.
fn pages(source: &SourcePlan) -> (u64, u64) {
    let SourcePlan::Flow(flow) = source else { return (0, 0) };
    let FlowSource::System(options) = &flow.model else { return (0, 0) };
    let (pages, written) = match options.memory_pages {
        few @ ..=SMALL_PAGES => (few, 0),
        many => {
            let (pages, written) = touched(flow);
            (many.min(pages), many.min(written))
        }
    };
    (pages, options.dirty_limit_pages.map_or(written, |most| most.min(written)))
}

/// Upper bounds of the pages and blocks a flow touches, and how many it writes, as far as it can be
/// read: what is wrong with it is reported when it is run.
fn touched(flow: &FlowPlan) -> (u64, u64) {
    let Ok(records) = FlowReader::open(&flow.path) else { return (0, 0) };
    let mut files = BTreeMap::<u32, u64>::new();
    let (mut named, mut written, mut blocks) = (0_u64, 0_u64, 0_u64);
    for record in records.map_while(Result::ok) {
        let (file, page, pages) = match record.item {
            Item::Resident { file, page, pages } => (file, page, pages),
            Item::Step(Step { event: Event::Read { file, page, pages }, .. }) => {
                (file, page, pages)
            }
            Item::Step(Step { event: Event::Write { file, page, pages }, .. }) => {
                written = written.saturating_add(pages.into());
                (file, page, pages)
            }
            Item::Step(Step {
                event: Event::ReadBlock { .. } | Event::WriteBlock { .. }, ..
            }) => {
                blocks += 1;
                continue;
            }
            _ => continue,
        };
        let end = files.entry(file).or_default();
        *end = page.saturating_add(pages.into()).max(*end);
        named = named.saturating_add(pages.into());
    }
    // What is touched again is no page more than the file has.
    let ends = files.into_values().fold(0, u64::saturating_add);
    (named.min(ends).saturating_add(blocks), written.min(ends).saturating_add(blocks))
}
