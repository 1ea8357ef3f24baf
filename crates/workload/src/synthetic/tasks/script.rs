//! Writes the records of a generated task: files, steps, and the end.

use super::Placing;
use super::ground::Ground;
use crate::flow::{Event, Extent, FileId, FlowRecord, Item, Process, Step};
use crate::synthetic::stream::Stream;
use platterlab_units::{Span, Time};

/// The records of one process, as they are written.
pub(super) struct Script {
    records: Vec<FlowRecord>,
    pub(super) ground: Ground,
    pub(super) sizes: Stream,
    files: FileId,
}

impl Script {
    pub(super) fn new(seed: u64, placing: Placing) -> Self {
        let process = Process { id: 0, parent: None, name: None };
        let mut script = Self {
            records: Vec::new(),
            ground: Ground::new(seed, placing),
            sizes: Stream::new(seed, "file sizes"),
            files: 0,
        };
        script.push(Item::Process(process));
        script
    }

    fn push(&mut self, item: Item) {
        self.records.push(FlowRecord { at: Time::ZERO, item });
    }

    /// A file of this many pages in a cylinder group.
    pub(super) fn file(&mut self, group: u64, pages: u32) -> FileId {
        let file = self.files;
        self.files += 1;
        for (page, pages, lba) in self.ground.file(group, pages) {
            self.push(Item::Extent(Extent { file, page, pages, lba }));
        }
        file
    }

    /// Computes for so long and then does `event`.
    pub(super) fn step(&mut self, compute_us: u64, event: Event) {
        let compute = Span::from_us(compute_us);
        self.push(Item::Step(Step { process: 0, compute, event }));
    }

    pub(super) fn end(mut self) -> Vec<FlowRecord> {
        self.step(0, Event::Exit);
        self.records
    }
}
