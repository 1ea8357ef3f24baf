//! The rule that combines contiguous requests into one command.

use super::neighbours::Neighbours;
use super::{Combine, Waiting};
use platterlab_units::Operation;

impl Combine {
    /// A waiting request that continues `chosen`, after its end or before its start, and fits.
    pub(super) fn next(&self, chosen: &Waiting, neighbours: &Neighbours) -> Option<Waiting> {
        let wanted = match chosen.operation {
            Operation::Read => self.reads,
            Operation::Write => self.writes,
        };
        if !wanted {
            return None;
        }
        let room = self.max_sectors.saturating_sub(chosen.sectors);
        let fits =
            |waiting: &&Waiting| waiting.operation == chosen.operation && waiting.sectors <= room;
        let after = neighbours.starting(chosen.end(), 0).find(fits);
        after.or_else(|| neighbours.ending(chosen.lba, 0).find(fits)).copied()
    }
}
