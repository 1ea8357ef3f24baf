//! The rule that serves a sequential stream without interruption.

use super::neighbours::Neighbours;
use super::{Together, Waiting};
use platterlab_units::Operation;

/// Where the request chosen last ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    pub(super) end: u64,
    pub(super) operation: Operation,
}

impl Together {
    /// Whether the rule is about requests of this kind that continue those of the other.
    pub(super) fn is_of(&self, first: Operation, next: Operation) -> bool {
        match (first, next) {
            (Operation::Read, Operation::Read) => self.reads,
            (Operation::Write, Operation::Write) => self.writes,
            _ => self.mixed,
        }
    }

    /// The waiting request that continues the stream, the nearest first.
    pub(super) fn next(&self, stream: Stream, neighbours: &Neighbours) -> Option<Waiting> {
        let belongs = |waiting: &&Waiting| self.is_of(stream.operation, waiting.operation);
        neighbours.starting(stream.end, self.max_gap_sectors).find(belongs).copied()
    }
}
