//! The pieces of work that the device's requests came from.
//!
//! The block layer cuts and joins on the way: a bio is queued, may be split (the rest is not
//! announced again) and merged with others before a request is issued. Whatever it does, sectors
//! stay sectors: what was queued and not yet issued is a set of ranges, and a request takes from it
//! the ranges it covers.

use std::collections::VecDeque;

use platterlab_workload::Criticality;
use platterlab_workload::flow::{Cause, ProcessId};

use crate::event::Flags;

/// Requests among which those of a commit are looked for.
const LONGEST_COMMIT: usize = 16_384;

/// A bio, or what is left of one.
pub(crate) type PieceId = usize;
/// A request.
pub(crate) type RequestId = usize;

/// A bio as it was queued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) queued: u64,
    pub(crate) cause: Cause,
    pub(crate) class: Criticality,
    pub(crate) pid: i32,
    pub(crate) process: Option<ProcessId>,
    /// When a process first needed what it reads.
    pub(crate) needed: Option<u64>,
    request: Option<RequestId>,
    /// It must be on the medium when it is done, as the record that ends a commit.
    record: bool,
}

/// A request to the device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) arrival: u64,
    pub(crate) issue: u64,
    pub(crate) completion: Option<u64>,
    pub(crate) sector: u64,
    pub(crate) sectors: u32,
    pub(crate) flags: Flags,
    pub(crate) cause: Cause,
    pub(crate) class: Criticality,
    pub(crate) pid: i32,
    pub(crate) process: Option<ProcessId>,
    pub(crate) needed: Option<u64>,
    pub(crate) waited: u64,
    pub(crate) attributed: bool,
    /// Whether it counts as part of a commit already, and whether it ends one.
    committed: bool,
    record: bool,
    /// Sectors whose end was reported so far.
    done: u32,
}

/// Sectors that were queued and not yet issued.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    start: u64,
    end: u64,
    write: bool,
    piece: PieceId,
}

/// The state of the traced device's queue.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) pieces: Vec<Piece>,
    pub(crate) requests: Vec<Request>,
    waiting: Vec<Waiting>,
    in_flight: Vec<RequestId>,
    last_end: u64,
    /// Pieces that ask for the drive's cache to be emptied, and the last that did.
    flushes: VecDeque<PieceId>,
    last_flush: Option<PieceId>,
    /// Bios that ask for a flush and nothing else.
    pub(crate) empty_flushes: u64,
}

impl Block {
    /// A bio comes to the device.
    pub(crate) fn queue(
        &mut self,
        piece: Piece,
        sector: u64,
        sectors: u32,
        flags: Flags,
    ) -> PieceId {
        let id = self.pieces.len();
        let record = sectors > 0 && (flags.flush || flags.through);
        self.pieces.push(Piece { record, ..piece });
        if sectors > 0 {
            let end = sector.saturating_add(u64::from(sectors));
            self.waiting.push(Waiting { start: sector, end, write: flags.write, piece: id });
        }
        if sectors == 0 && flags.flush {
            self.empty_flushes += 1;
        }
        if flags.flush || flags.through {
            self.flushes.push_back(id);
            self.last_flush = Some(id);
        }
        id
    }

    /// A bio as a new piece that belongs to no request yet.
    pub(crate) fn piece(
        queued: u64,
        cause: Cause,
        class: Criticality,
        pid: i32,
        process: Option<ProcessId>,
    ) -> Piece {
        Piece { queued, cause, class, pid, process, needed: None, request: None, record: false }
    }

    /// The device gets a request.
    pub(crate) fn issue(&mut self, ns: u64, sector: u64, sectors: u32, flags: Flags) {
        let pieces = if sectors == 0 {
            self.take_flushes()
        } else {
            self.take(sector, sectors, flags.write)
        };
        let id = self.requests.len();
        let first = pieces.first().map(|piece| self.pieces[*piece]);
        let (cause, class) = self.most_critical(&pieces).unwrap_or(if flags.write {
            (Cause::WriteBack, Criticality::Noncritical)
        } else {
            (Cause::DemandRead, Criticality::Critical)
        });
        self.requests.push(Request {
            arrival: pieces.iter().map(|piece| self.pieces[*piece].queued).min().unwrap_or(ns),
            issue: ns,
            completion: None,
            sector,
            sectors,
            flags,
            cause: if sectors == 0 { Cause::Flush } else { cause },
            class,
            pid: first.map_or(-1, |piece| piece.pid),
            process: pieces.iter().find_map(|piece| self.pieces[*piece].process),
            needed: None,
            waited: 0,
            attributed: first.is_some(),
            committed: false,
            record: pieces.iter().any(|piece| self.pieces[*piece].record),
            done: 0,
        });
        for piece in pieces {
            self.pieces[piece].request = Some(id);
        }
        self.in_flight.push(id);
    }

    fn most_critical(&self, pieces: &[PieceId]) -> Option<(Cause, Criticality)> {
        // The classes are declared from critical to noncritical.
        let pieces = pieces.iter().map(|piece| &self.pieces[*piece]);
        pieces.map(|piece| (piece.cause, piece.class)).min_by_key(|(_, class)| *class)
    }

    fn take(&mut self, sector: u64, sectors: u32, write: bool) -> Vec<PieceId> {
        let mut open = vec![(sector, sector.saturating_add(u64::from(sectors)))];
        let (mut taken, mut left) = (Vec::new(), Vec::with_capacity(self.waiting.len()));
        for waiting in self.waiting.drain(..) {
            let Waiting { start, end, write: is_write, piece } = waiting;
            let hit = open.iter().position(|(from, to)| start < *to && *from < end);
            let Some(place) = hit.filter(|_| is_write == write) else {
                left.push(waiting);
                continue;
            };
            let (from, to) = open.swap_remove(place);
            taken.push(piece);
            let before_open = (from < start).then_some((from, start));
            let after_open = (end < to).then_some((end, to));
            open.extend(before_open.into_iter().chain(after_open));
            let before = (start < from).then_some((start, from));
            let after = (to < end).then_some((to, end));
            for (start, end) in before.into_iter().chain(after) {
                left.push(Waiting { start, end, ..waiting });
            }
        }
        self.waiting = left;
        taken
    }

    /// One flush serves everybody who asked for one so far; a write that goes through to the medium
    /// asks a second time when its data are written, and then it is the last that asked.
    fn take_flushes(&mut self) -> Vec<PieceId> {
        let asked: Vec<PieceId> = self.flushes.drain(..).collect();
        if asked.is_empty() { self.last_flush.into_iter().collect() } else { asked }
    }

    /// The device ends a request, or the first part of one. Gives the request.
    pub(crate) fn complete(
        &mut self,
        ns: u64,
        sector: u64,
        sectors: u32,
        flags: Flags,
    ) -> Option<RequestId> {
        let requests = &self.requests;
        let place = self.in_flight.iter().position(|id| {
            let request = &requests[*id];
            request.flags.write == flags.write
                && (request.sectors == 0) == (sectors == 0 && flags.flush)
                && (request.sectors == 0 || request.sector + u64::from(request.done) == sector)
        })?;
        let id = self.in_flight[place];
        let request = &mut self.requests[id];
        request.done = request.done.saturating_add(sectors);
        if request.done < request.sectors {
            return None;
        }
        request.completion = Some(ns);
        self.last_end = ns;
        self.in_flight.remove(place);
        Some(id)
    }

    /// The request goes back into the queue: its next issue counts.
    pub(crate) fn requeue(&mut self, sector: u64, sectors: u32, flags: Flags) {
        let requests = &self.requests;
        let place = self.in_flight.iter().position(|id| {
            let request = &requests[*id];
            request.flags.write == flags.write
                && (request.sector, request.sectors) == (sector, sectors)
        });
        let Some(place) = place else { return };
        let id = self.in_flight.remove(place);
        let start = sector;
        let end = sector.saturating_add(u64::from(sectors));
        let piece = self.pieces.iter().rposition(|piece| piece.request == Some(id));
        if let Some(piece) = piece {
            self.waiting.push(Waiting { start, end, write: flags.write, piece });
        }
        // Requests that ended nowhere and took nothing are left out of the flow.
        self.requests[id].sectors = 0;
        self.requests[id].flags.flush = false;
    }

    /// A request that was put back and issued again under another number.
    pub(crate) fn is_requeued(request: &Request) -> bool {
        request.sectors == 0 && !request.flags.flush
    }

    /// What processes waited for, or touched, by request.
    pub(crate) fn settle_needs(&mut self) {
        for piece in &self.pieces {
            if let (Some(id), Some(needed)) = (piece.request, piece.needed) {
                let request = &mut self.requests[id];
                request.needed = Some(request.needed.map_or(needed, |first| first.min(needed)));
            }
        }
    }

    /// Whether the device had nothing to do since `start`.
    pub(crate) fn idle_since(&self, start: u64) -> bool {
        self.in_flight.is_empty() && self.last_end < start
    }

    /// A process waited from `start` to `end` for this request.
    pub(crate) fn waited(&mut self, id: RequestId, start: u64, end: u64) {
        let request = &mut self.requests[id];
        request.waited += end - start;
        let needed = start.max(request.arrival);
        request.needed = Some(request.needed.map_or(needed, |first| first.min(needed)));
        if request.flags.write {
            request.class = Criticality::Critical;
        }
    }

    /// What the thread `pid` has written to its log for who waited for it since `start`, without the
    /// record that ends it; once, whoever waits.
    ///
    /// A commit can be under way before anybody sleeps for it: it begins behind the record that was
    /// the last before `start`. Where the file system sets no record apart, what was issued counts.
    pub(crate) fn take_commit(&mut self, pid: i32, start: u64) -> u32 {
        let (mut sectors, mut last) = (0_u32, 0);
        let of_log = |request: &&mut Request| request.pid == pid && request.cause == Cause::Journal;
        let records = self.requests.iter().rev().take(LONGEST_COMMIT).any(|one| one.record);
        for request in self.requests.iter_mut().rev().take(LONGEST_COMMIT).filter(of_log) {
            let earlier = if records {
                request.record && request.completion.is_some_and(|end| end < start)
            } else {
                request.issue < start
            };
            if earlier || request.committed {
                break;
            }
            request.committed = true;
            last = if last == 0 { request.sectors } else { last };
            sectors = sectors.saturating_add(request.sectors);
        }
        sectors - last
    }

    /// What `pid` had under way since `start` is what somebody waits for.
    pub(crate) fn inherit(&mut self, pid: i32, start: u64) {
        let recent = self.requests.iter_mut().rev().take(1_024);
        for request in recent.filter(|request| request.pid == pid) {
            if request.completion.is_none_or(|end| end >= start) {
                request.class = Criticality::Critical;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Flags = Flags {
        write: false,
        flush: false,
        through: false,
        sync: false,
        ahead: false,
        meta: false,
        discard: false,
    };

    fn piece(cause: Cause) -> Piece {
        Block::piece(5, cause, cause.criticality(), 1, Some(0))
    }

    #[test]
    fn bios_are_split_and_joined() {
        let mut block = Block::default();
        block.queue(piece(Cause::ReadAhead), 100, 300, READ);
        block.queue(piece(Cause::DemandRead), 400, 8, READ);
        for (sector, sectors) in [(100, 200), (300, 108)] {
            block.issue(9, sector, sectors, READ);
        }
        assert!(block.waiting.is_empty());
        let causes: Vec<_> = block.requests.iter().map(|request| request.cause).collect();
        assert_eq!(causes, [Cause::ReadAhead, Cause::DemandRead]);
        assert_eq!(block.complete(20, 300, 100, READ), None, "a part of it");
        assert_eq!(block.complete(21, 400, 8, READ), Some(1));
        assert_eq!(block.requests[1].completion, Some(21));
        block.issue(30, 5_000, 8, READ);
        assert!(!block.requests[2].attributed);
    }

    #[test]
    fn a_sector_queued_twice_is_issued_twice() {
        let write = Flags { write: true, ..READ };
        let mut block = Block::default();
        for cause in [Cause::Journal, Cause::WriteBack] {
            block.queue(piece(cause), 64, 8, write);
        }
        block.issue(1, 64, 8, write);
        block.issue(2, 64, 8, write);
        let causes: Vec<_> = block.requests.iter().map(|request| request.cause).collect();
        assert_eq!(causes, [Cause::Journal, Cause::WriteBack]);
    }

    /// A log that writes commits of 16 sectors with a record of 8, and what a process learns of
    /// the second that waits for it from `start`.
    fn second_commit(record: Flags, start: u64) -> u32 {
        let write = Flags { write: true, ..READ };
        let mut block = Block::default();
        for (ns, sectors, flags) in
            [(10, 16, write), (20, 8, record), (40, 16, write), (50, 8, record)]
        {
            let sector = ns * 8;
            block.queue(piece(Cause::Journal), sector, sectors, flags);
            block.issue(ns, sector, sectors, write);
            assert!(block.complete(ns + 5, sector, sectors, write).is_some());
        }
        let taken = block.take_commit(1, start);
        assert_eq!(block.take_commit(1, start), 0, "once");
        taken
    }

    #[test]
    fn a_commit_that_began_before_its_waiter_slept_is_taken_whole() {
        let record = Flags { write: true, flush: true, through: true, ..READ };
        assert_eq!(second_commit(record, 30), 16, "asleep before it began");
        assert_eq!(second_commit(record, 49), 16, "asleep when its changes were written");
        assert_eq!(second_commit(record, 15), 40, "asleep since the one before");
        assert_eq!(second_commit(Flags { write: true, ..READ }, 30), 16, "no record is set apart");
        assert_eq!(second_commit(Flags { write: true, ..READ }, 42), 0);
    }

    #[test]
    fn one_flush_serves_all_who_asked() {
        let flush = Flags { write: true, flush: true, ..READ };
        let mut block = Block::default();
        block.queue(piece(Cause::Flush), 0, 0, flush);
        block.queue(piece(Cause::Flush), 0, 0, flush);
        block.issue(7, 0, 0, flush);
        assert_eq!(block.complete(8, 0, 0, flush), Some(0));
        assert!(block.requests[0].attributed && block.flushes.is_empty());
    }
}
