//! Striped data with one parity or two.

mod place;
#[cfg(test)]
mod tests;
mod update;

use super::members::Members;
use super::piece::{Piece, add};
use super::{ParityOptions, ParityUpdate};
use crate::source::Request;
use place::{Extent, ParityPlace};
use platterlab_units::{Operation, Partial};
use std::ops::Range;

/// RAID 4, 5 and 6.
#[derive(Clone, Debug)]
pub(super) struct Parity {
    place: ParityPlace,
    update: ParityUpdate,
    synch_writes: bool,
    /// The parts of the request at hand.
    extents: Vec<Extent>,
}

impl Parity {
    pub(super) fn new(options: &ParityOptions, members: usize, sectors: u64) -> Self {
        Self {
            place: ParityPlace::new(options, members, sectors),
            update: options.update,
            synch_writes: options.synch_writes,
            extents: Vec::new(),
        }
    }

    pub(super) fn sectors(&self) -> u64 {
        self.place.sectors
    }

    pub(super) fn member_sectors(&self) -> u64 {
        self.place.member_sectors
    }

    /// Adds the commands of a request; whether the data can be had.
    pub(super) fn plan(
        &mut self,
        request: &Request,
        members: &Members,
        out: &mut Vec<Piece>,
    ) -> bool {
        let (mut lba, end) = (request.lba, request.lba + u64::from(request.sectors));
        let mut extents = std::mem::take(&mut self.extents);
        while lba < end {
            let extent = self.place.locate(lba, end);
            lba += extent.to - extent.from;
            extents.push(extent);
        }
        let whole = if request.operation == Operation::Read {
            extents.iter().all(|extent| self.read(extent, members, out))
        } else {
            // Extents that hold a sector which is written in part.
            let Partial { before, after } = request.partial;
            let edges = [
                extents.first().copied().filter(|_| before > 0),
                extents.last().copied().filter(|_| after > 0),
            ];
            if !self.place.rows_are_stripes() {
                extents.sort_unstable();
            }
            let mut rows = extents.chunk_by(|one, next| one.row == next.row);
            rows.all(|row| {
                let partial = edges.iter().flatten().any(|edge| row.contains(edge));
                self.write_row(row, partial, members, out)
            })
        };
        if extents.len() > 1 {
            join(out);
        }
        extents.clear();
        self.extents = extents;
        whole
    }

    fn read(&self, extent: &Extent, members: &Members, out: &mut Vec<Piece>) -> bool {
        if let Some(device) = members.reads(extent.member, extent.to) {
            add(out, Piece::new(device, extent.sectors(), Operation::Read, 0));
            return true;
        }
        self.read_others(extent, members, out)
    }

    /// Reads as much of a row as it takes to find what a member that cannot be read holds there.
    fn read_others(&self, extent: &Extent, members: &Members, out: &mut Vec<Piece>) -> bool {
        let Extent { row, member, to, .. } = *extent;
        let others = self.place.data_members(row).chain(self.place.parity_members(row));
        let mut missing = self.place.data();
        for other in others.filter(|&other| other != member) {
            if missing == 0 {
                break;
            }
            if let Some(device) = members.reads(other, to) {
                add(out, Piece::new(device, extent.sectors(), Operation::Read, 0));
                missing -= 1;
            }
        }
        missing == 0
    }

    /// Adds the reads that sectors of a lost member are found with.
    pub(super) fn recover(
        &self,
        member: usize,
        lost: Range<u64>,
        members: &Members,
        out: &mut Vec<Piece>,
    ) -> bool {
        let (height, mut from) = (self.place.height(), lost.start);
        while from < lost.end {
            let row = from / height;
            let to = lost.end.min((row + 1) * height);
            if !self.read_others(&Extent { row, member, from, to }, members, out) {
                return false;
            }
            from = to;
        }
        true
    }
}

/// Makes one command of data and of another row's parity that touch: where data is to be rewritten
/// next to sectors that are read for a parity, both are read by one command and written by one, with
/// the parity.
fn join(out: &mut Vec<Piece>) {
    while let Some(at) = out.iter().position(|piece| {
        piece.rewrite
            && out.iter().any(|other| {
                !other.rewrite
                    && other.operation == Operation::Read
                    && other.stage == piece.stage
                    && other.device == piece.device
                    && piece.lba <= other.end()
                    && other.lba <= piece.end()
            })
    }) {
        let Piece { device, lba, stage, .. } = out[at];
        let end = out[at].end();
        out.remove(at);
        add(out, Piece::new(device, lba..end, Operation::Read, stage));
        add(out, Piece::new(device, lba..end, Operation::Write, stage + 1));
    }
}
