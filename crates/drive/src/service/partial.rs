//! Writes of a part of a sector: the drive reads the sector, waits until it comes around again and
//! writes it whole, new data and old. What drives of 4,096-byte sectors do that let themselves be
//! addressed in sectors of 512 bytes (512e).

use super::{Command, Drive, Service};
use crate::Chance;
use crate::layout::Tracks;
use crate::transfer::{self, HeldBuffer, Start, Wanted};
use platterlab_units::{Operation, Span};

/// What reading the edges of a write took of the mechanism.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edges {
    seek: Span,
    rotation: Span,
    transfer: Span,
    pub(super) seek_distance: u32,
}

impl Edges {
    /// Puts on a service, that contains it, what it was.
    pub(super) fn charge(&self, service: &mut Service) {
        service.wait -= self.seek + self.rotation + self.transfer;
        service.seek += self.seek;
        service.rotation += self.rotation;
        service.transfer += self.transfer;
        service.seek_distance += self.seek_distance;
    }
}

impl Command {
    /// The sectors of which a write leaves something alone, each with the logical sectors of it that
    /// are written where it has `each` of them.
    pub(super) fn edges(&self, each: u16) -> impl Iterator<Item = (u64, (u16, u16))> + use<> {
        let Self { lba, sectors, partial, .. } = *self;
        let last = lba + u64::from(sectors) - 1;
        let (from, to) = (u16::from(partial.before), each - u16::from(partial.after));
        let alone = lba == last && !partial.is_whole();
        let first = (!alone && partial.before > 0).then_some((lba, (from, each)));
        let end = (!alone && partial.after > 0).then_some((last, (0, to)));
        alone.then_some((lba, (from, to))).into_iter().chain(first).chain(end)
    }
}

impl Drive {
    /// Logical sectors in one of the media's.
    pub(super) fn logical_per_sector(&self) -> u16 {
        (self.layout.sector_bytes() / self.layout.logical_sector_bytes()) as u16
    }

    /// Reads the sectors of which a write leaves something alone, those that the buffer holds left
    /// out: where the write itself starts.
    pub(super) fn read_edges(
        &mut self,
        mut start: Start,
        command: Command,
        chance: &mut dyn Chance,
    ) -> (Start, Edges) {
        let mut edges = Edges::default();
        if command.partial.is_whole() {
            return (start, edges);
        }
        for (lba, _) in command.edges(self.logical_per_sector()) {
            if !self.buffer.knows(lba) {
                start = self.read_edge(start, lba, &mut edges, chance);
            }
        }
        (start, edges)
    }

    /// Reads one sector from `start` on: where the mechanism is then.
    pub(super) fn read_edge(
        &mut self,
        start: Start,
        lba: u64,
        edges: &mut Edges,
        chance: &mut dyn Chance,
    ) -> Start {
        let times = transfer::walk(
            &mut Tracks::new(&self.layout, &mut self.found),
            &self.mechanism,
            start,
            Operation::Read,
            Wanted { lba, sectors: 1, done: 0 },
            &mut HeldBuffer { zero_latency: false },
            chance,
        );
        edges.seek += times.positioned - start.at;
        edges.rotation += times.first - times.positioned;
        edges.transfer += times.end - times.first;
        edges.seek_distance += times.seek_distance;
        Start { at: times.end, arm: times.arm, continues: false }
    }
}
