//! Mirroring (RAID 1, RAID 10): writes go to all copies, reads to one.

use super::members::Members;
use super::piece::{Dealt, Piece, add};
use super::{Fleet, ReadChoice};
use crate::chance::LatencyStream;
use crate::outside::{MirrorCopy, ReadChooser};
use platterlab_units::Operation;
use std::cmp::Ordering;
use std::ops::Range;

/// Copies of everything: the copies of data device `d` are members `d * copies` and those behind.
#[derive(Clone, Debug)]
pub(super) struct Mirror {
    copies: usize,
    choice: ReadChoice,
    next: usize,
    chance: LatencyStream,
    /// Who decides in place of `choice`, where somebody else does.
    own: Option<Box<dyn ReadChooser>>,
}

impl Mirror {
    pub(super) fn new(copies: u32, choice: ReadChoice, chance: LatencyStream) -> Self {
        Self { copies: copies as usize, choice, next: 0, chance, own: None }
    }

    /// From now on `own` decides which copy is read.
    pub(super) fn read_by(&mut self, own: Box<dyn ReadChooser>) {
        self.own = Some(own);
    }

    /// Adds the commands for what is dealt to a data device; whether it can be had.
    pub(super) fn plan(
        &mut self,
        Dealt { member: data, from, to, partial }: Dealt,
        operation: Operation,
        members: &Members,
        fleet: &impl Fleet,
        out: &mut Vec<Piece>,
    ) -> bool {
        let all = data * self.copies..(data + 1) * self.copies;
        if operation == Operation::Read {
            let Some(device) = self.choose(all, from..to, members, fleet) else { return false };
            add(out, Piece::new(device, from..to, operation, 0));
            return true;
        }
        let mut any = false;
        for member in all {
            if let Some(device) = members.writes(member, from) {
                add(out, Piece { partial, ..Piece::new(device, from..to, operation, 0) });
            }
            any |= members.reads(member, to).is_some();
        }
        any
    }

    /// Adds the read of a chunk that a new copy is made from.
    pub(super) fn recover(
        &self,
        member: usize,
        chunk: Range<u64>,
        members: &Members,
        out: &mut Vec<Piece>,
    ) -> bool {
        let first = member / self.copies * self.copies;
        let mut copies = (first..first + self.copies).filter(|&copy| copy != member);
        let source = copies.find_map(|copy| members.reads(copy, chunk.end));
        if let Some(device) = source {
            add(out, Piece::new(device, chunk, Operation::Read, 0));
        }
        source.is_some()
    }

    fn choose(
        &mut self,
        all: Range<usize>,
        sectors: Range<u64>,
        members: &Members,
        fleet: &impl Fleet,
    ) -> Option<u32> {
        let (from, to) = (sectors.start, sectors.end);
        let at = |member: usize| members.reads(member, to);
        if let Some(own) = &mut self.own {
            return asked(&mut **own, all.filter_map(at), sectors, fleet);
        }
        let seek = |device| u64::from(fleet.seek_distance(device, from));
        let queue = |device| fleet.outstanding(device) as u64;
        match self.choice {
            ReadChoice::Primary => all.clone().find_map(at),
            ReadChoice::Random => self.any(all, at),
            ReadChoice::RoundRobin => {
                let turn = self.next;
                self.next = (turn + 1) % self.copies;
                (0..self.copies).find_map(|step| at(all.start + (turn + step) % self.copies))
            }
            ReadChoice::ShortestSeek => self.least(all, at, seek),
            ReadChoice::ShortestQueue => self.least(all, at, queue),
            ReadChoice::ShortestQueueThenSeek => {
                self.least(all, at, |device| (queue(device), seek(device)))
            }
            ReadChoice::ShortestPositioning => {
                self.least(all, at, |device| fleet.positioning(device, from))
            }
        }
    }

    fn any(&mut self, all: Range<usize>, at: impl Fn(usize) -> Option<u32>) -> Option<u32> {
        self.least(all, at, |_| ())
    }

    /// The device with the least cost; any of those with equally little.
    fn least<C: Ord>(
        &mut self,
        all: Range<usize>,
        at: impl Fn(usize) -> Option<u32>,
        cost: impl Fn(u32) -> C,
    ) -> Option<u32> {
        let mut best: Option<(C, u32)> = None;
        let mut equals = 1;
        for device in all.filter_map(at) {
            let one = cost(device);
            let order = best.as_ref().map_or(Ordering::Less, |(least, _)| one.cmp(least));
            match order {
                Ordering::Greater => {}
                Ordering::Less => {
                    best = Some((one, device));
                    equals = 1;
                }
                // The n-th of n equals takes the place with probability 1/n.
                Ordering::Equal => {
                    equals += 1;
                    if self.chance.below(equals) == 0 {
                        best = Some((one, device));
                    }
                }
            }
        }
        best.map(|(_, device)| device)
    }
}

/// The device that somebody else chooses.
fn asked(
    own: &mut dyn ReadChooser,
    devices: impl Iterator<Item = u32>,
    sectors: Range<u64>,
    fleet: &impl Fleet,
) -> Option<u32> {
    let lba = sectors.start;
    let copy = |device| MirrorCopy {
        device,
        lba,
        sectors: sectors.end - lba,
        outstanding: fleet.outstanding(device),
        seek_cylinders: fleet.seek_distance(device, lba),
        positioning: fleet.positioning(device, lba),
    };
    let copies: Vec<MirrorCopy> = devices.map(copy).collect();
    let first = copies.first()?;
    let chosen = own.choose(&copies, fleet.now()).and_then(|at| copies.get(at));
    Some(chosen.unwrap_or(first).device)
}
