//! The steps of all processes, read from a flow as far as they are needed.

use platterlab_workload::flow::{Extent, FileId, FlowRecord, Item, PageMap, ProcessId, Step};
use std::collections::VecDeque;

/// The steps of all processes, read as far as they are needed.
///
/// A flow has the steps in the order in which they were observed, so what is held is only what one
/// process is ahead of another.
#[derive(Debug)]
pub(super) struct Script<I> {
    records: I,
    processes: Vec<Steps>,
    /// Where pages lie, as far as the flow has been read.
    places: PageMap,
    page_sectors: u32,
    /// Where the next page goes that the flow gives no place, and how many there were.
    unplaced_next: u64,
    unplaced_pages: u64,
    /// Pages in memory from the start, until they are asked for.
    resident: Vec<(u32, u64, u32)>,
    /// What is no step and no observation, where it is kept.
    facts: Option<Vec<Item>>,
}

#[derive(Debug, Default)]
struct Steps {
    forked: bool,
    ahead: VecDeque<Step>,
}

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Script<I> {
    pub(super) fn new(records: I, page_sectors: u32, unplaced_lba: u64) -> Self {
        Self {
            records,
            processes: Vec::new(),
            places: PageMap::new(page_sectors),
            page_sectors,
            unplaced_next: unplaced_lba,
            unplaced_pages: 0,
            resident: Vec::new(),
            facts: None,
        }
    }

    /// Reads up to the first step, so that all processes of the start are known; those that nobody
    /// forks are returned.
    pub(super) fn begin(&mut self) -> Result<Vec<ProcessId>, E> {
        while self.processes.iter().all(|steps| steps.ahead.is_empty()) && self.read()? {}
        let first = self.processes.iter().zip(0..).filter(|(steps, _)| !steps.forked);
        Ok(first.map(|(_, id)| id).collect())
    }

    /// From now on, keeps processes, places and resident pages.
    pub(super) fn keep_facts(&mut self) {
        self.facts = Some(Vec::new());
    }

    pub(super) fn take_facts(&mut self) -> Vec<Item> {
        self.facts.take().unwrap_or_default()
    }

    /// Where a page lies and how many follow it there, if the flow gives it a place.
    pub(super) fn find_place(&self, file: FileId, page: u64) -> Option<(u64, u32)> {
        self.places.find(file, page)
    }

    /// The same of any page: one that the flow gives no place gets the next free one.
    pub(super) fn place(&mut self, file: FileId, page: u64) -> (u64, u32) {
        if let Some(place) = self.places.find(file, page) {
            return place;
        }
        self.unplaced_pages += 1;
        let lba = self.unplaced_next;
        self.unplaced_next += u64::from(self.page_sectors);
        self.places.insert(&Extent { file, page, pages: 1, lba });
        (lba, 1)
    }

    /// Pages so far that the flow gave no place.
    pub(super) fn unplaced_pages(&self) -> u64 {
        self.unplaced_pages
    }

    /// Pages that were in memory from the start.
    pub(super) fn take_resident(&mut self) -> Vec<(u32, u64, u32)> {
        std::mem::take(&mut self.resident)
    }

    /// The next step of a process; `None` where the flow ends without one.
    pub(super) fn next(&mut self, process: ProcessId) -> Result<Option<Step>, E> {
        loop {
            if let Some(step) = self.steps(process).ahead.pop_front() {
                return Ok(Some(step));
            }
            if !self.read()? {
                return Ok(None);
            }
        }
    }

    /// A process takes no more steps.
    pub(super) fn end(&mut self, process: ProcessId) {
        self.steps(process).ahead = VecDeque::new();
    }

    /// The steps that are known and not yet taken, by process.
    pub(super) fn all_ahead(&self) -> impl Iterator<Item = (ProcessId, &Step)> {
        let all = self.processes.iter().zip(0..);
        all.flat_map(|(steps, id)| steps.ahead.iter().map(move |step| (id, step)))
    }

    /// Reads the rest of the flow.
    pub(super) fn read_all(&mut self) -> Result<(), E> {
        while self.read()? {}
        Ok(())
    }

    fn steps(&mut self, process: ProcessId) -> &mut Steps {
        let index = process as usize;
        if index >= self.processes.len() {
            self.processes.resize_with(index + 1, Steps::default);
        }
        &mut self.processes[index]
    }

    /// Reads one record; whether there was one.
    fn read(&mut self) -> Result<bool, E> {
        let Some(record) = self.records.next() else { return Ok(false) };
        let item = record?.item;
        if let Some(facts) = &mut self.facts
            && matches!(item, Item::Process(_) | Item::Extent(_) | Item::Resident { .. })
        {
            facts.push(item.clone());
        }
        match item {
            Item::Process(process) => self.steps(process.id).forked = process.parent.is_some(),
            Item::Extent(extent) => self.places.insert(&extent),
            Item::Resident { file, page, pages } => self.resident.push((file, page, pages)),
            Item::Step(step) => self.steps(step.process).ahead.push_back(step),
            // What the traced system did: to compare with, never to be driven by.
            Item::Observed(_) | Item::Pause(_) => {}
        }
        Ok(true)
    }
}
