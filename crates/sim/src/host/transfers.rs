//! Requests of the host that are under way, who waits for them, and how critical they were.

use super::pages::PageKey;
use crate::engine::{Cell, Slab};
use platterlab_results::{Distribution, DistributionSummary};
use platterlab_units::{Lapse, Stamp};
use platterlab_workload::Criticality;
use platterlab_workload::flow::{Cause, ProcessId};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// A request under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub(super) cause: Cause,
    class: Criticality,
    /// The first of its pages, and how many follow it in the file; none for a log.
    pub(super) key: PageKey,
    pub(super) pages: u32,
    pub(super) issued: Stamp,
    /// Whether a process has come to wait for it.
    pub(super) awaited: bool,
}

impl Cell for Transfer {
    fn spare(&mut self) -> &mut u32 {
        &mut self.pages
    }
}

/// Figures of the requests of one class.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct ClassReport {
    /// The class.
    pub class: &'static str,
    /// Its requests.
    pub requests: u64,
    /// From issue to completion.
    pub response_ms: Option<DistributionSummary>,
}

/// How time limits were kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "file", derive(schemars::JsonSchema))]
pub struct LimitReport {
    /// Time-limited requests whose data a process came to need.
    pub needed: u64,
    /// Of these, those that were done by then, as a share.
    pub met_share: f64,
    /// From issue to the need, on the average.
    pub mean_limit_ms: f64,
}

/// All requests under way, and the figures of those that are done.
#[derive(Debug)]
pub(super) struct Transfers {
    under_way: Slab<Transfer>,
    pub(super) count: u64,
    waits: Vec<(u32, ProcessId)>,
    /// What processes that sync have still to wait for, one after the other.
    in_turn: BTreeMap<ProcessId, VecDeque<u32>>,
    /// Requests that nobody waited for when they were made, and now somebody does.
    newly_awaited: Vec<u32>,
    responses: [Distribution; 3],
    by_cause: [u64; Cause::ALL.len()],
    needed: u64,
    met: u64,
    limits: Lapse,
}

const CLASSES: [(&str, Criticality); 3] = [
    ("time-critical", Criticality::Critical),
    ("time-limited", Criticality::Limited),
    ("time-noncritical", Criticality::Noncritical),
];

impl Transfers {
    pub(super) fn new() -> Self {
        Self {
            under_way: Slab::new(),
            count: 0,
            waits: Vec::new(),
            in_turn: BTreeMap::new(),
            newly_awaited: Vec::new(),
            responses: std::array::from_fn(|_| Distribution::new()),
            by_cause: [0; Cause::ALL.len()],
            needed: 0,
            met: 0,
            limits: Lapse::ZERO,
        }
    }

    /// A request for this many pages, that of `key` first; its number.
    pub(super) fn begin(&mut self, now: Stamp, cause: Cause, key: PageKey, pages: u32) -> u32 {
        self.count += 1;
        self.by_cause[cause as usize] += 1;
        let class = cause.criticality();
        self.under_way.insert(Transfer { cause, class, key, pages, issued: now, awaited: false })
    }

    /// The same for something without pages that somebody has waited for since `asked`.
    pub(super) fn begin_awaited(&mut self, asked: Stamp, cause: Cause, key: PageKey) -> u32 {
        let id = self.begin(asked, cause, key, 0);
        self.under_way[id].class = Criticality::Critical;
        id
    }

    pub(super) fn get(&self, id: u32) -> &Transfer {
        &self.under_way[id]
    }

    pub(super) fn class(&self, id: u32) -> Criticality {
        self.under_way[id].class
    }

    /// How many pages a request moves turned out after it had its number.
    pub(super) fn set_pages(&mut self, id: u32, pages: u32) {
        self.under_way[id].pages = pages;
    }

    /// Takes a request back that was never made.
    pub(super) fn cancel(&mut self, id: u32) {
        self.by_cause[self.under_way[id].cause as usize] -= 1;
        self.under_way.remove(id);
        self.count -= 1;
    }

    /// A process waits for a request: it was not done when its data was needed.
    pub(super) fn wait(&mut self, id: u32, process: ProcessId, now: Stamp) {
        self.waits.push((id, process));
        let transfer = &mut self.under_way[id];
        if !transfer.awaited && transfer.class == Criticality::Limited {
            self.needed += 1;
            self.limits += now.since(transfer.issued);
        }
        if !transfer.awaited && transfer.class == Criticality::Noncritical {
            self.newly_awaited.push(id);
        }
        transfer.awaited = true;
    }

    /// The next of the requests that a process has come to wait for.
    pub(super) fn take_newly_awaited(&mut self) -> Option<u32> {
        self.newly_awaited.pop()
    }

    /// A process is going to wait for these, one after the other.
    pub(super) fn await_in_turn(&mut self, process: ProcessId, all: Vec<u32>) {
        self.in_turn.insert(process, all.into());
    }

    /// Whether a process is waiting for one request after the other.
    pub(super) fn in_turn(&self, process: ProcessId) -> bool {
        self.in_turn.contains_key(&process)
    }

    /// The next that the process has to wait for; `None`, and no more of it, where all are done.
    pub(super) fn take_in_turn(&mut self, process: ProcessId) -> Option<u32> {
        let next = self.in_turn.get_mut(&process)?.pop_front();
        if next.is_none() {
            self.in_turn.remove(&process);
        }
        next
    }

    /// The data of a time-limited request was there when it was needed.
    pub(super) fn met(&mut self, issued: Stamp, now: Stamp) {
        self.needed += 1;
        self.met += 1;
        self.limits += now.since(issued);
    }

    /// A request came back; its figures.
    pub(super) fn came_back(&mut self, id: u32, now: Stamp) {
        let Transfer { class, issued, .. } = self.under_way[id];
        if let Some(index) = CLASSES.iter().position(|(_, known)| *known == class) {
            self.responses[index].add(now.since(issued));
        }
    }

    /// The request is dealt with; those that waited for it go to `freed`, once for each wait.
    pub(super) fn end(&mut self, id: u32, freed: &mut Vec<ProcessId>) -> Transfer {
        self.waits.retain(|&(awaited, process)| {
            if awaited == id {
                freed.push(process);
            }
            awaited != id
        });
        for awaited in self.in_turn.values_mut() {
            awaited.retain(|other| *other != id);
        }
        let transfer = self.under_way[id];
        self.under_way.remove(id);
        self.count -= 1;
        transfer
    }

    pub(super) fn classes(&self) -> Vec<ClassReport> {
        let classes = CLASSES.iter().zip(&self.responses);
        let report = |((class, _), times): (&(&'static str, _), &Distribution)| ClassReport {
            class,
            requests: times.count(),
            response_ms: times.summary(),
        };
        classes.map(report).collect()
    }

    pub(super) fn causes(&self) -> Vec<(&'static str, u64)> {
        let counts = Cause::ALL.iter().zip(self.by_cause);
        counts.filter(|(_, count)| *count > 0).map(|(cause, count)| (cause.name(), count)).collect()
    }

    pub(super) fn limits(&self) -> Option<LimitReport> {
        (self.needed > 0).then(|| LimitReport {
            needed: self.needed,
            met_share: self.met as f64 / self.needed as f64,
            mean_limit_ms: self.limits.as_ms() / self.needed as f64,
        })
    }
}
