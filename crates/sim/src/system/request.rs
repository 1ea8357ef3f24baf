//! The way of a request: planned by its volume, begun stage by stage, completed.

use super::io::{Active, Io, JobId, NONE, Owner};
use super::station::Station;
use super::{News, System};
use crate::array::{Fleet, Piece};
use crate::clock::Clock;
use crate::scheduler::DeviceView;
use crate::source::{Completion, Request, Source};
use platterlab_units::{Operation, Span, Stamp};

/// The devices, as volumes see them when they have a choice.
struct Devices<'a> {
    stations: &'a [Station],
    clock: Clock,
    now: Stamp,
}

impl Fleet for Devices<'_> {
    fn now(&self) -> Stamp {
        self.now
    }

    fn outstanding(&self, device: u32) -> usize {
        let station = &self.stations[device as usize];
        station.waiting.len() + station.inside as usize
    }

    fn seek_distance(&self, device: u32, lba: u64) -> u32 {
        let view = self.stations[device as usize].view(self.clock);
        let arm = view.depart(self.now).cylinder();
        view.model.place(lba).map_or(0, |place| place.cylinder.abs_diff(arm))
    }

    fn positioning(&self, device: u32, lba: u64) -> Span {
        let view = self.stations[device as usize].view(self.clock);
        let departure = view.depart(self.now);
        let time = |place| view.positioning(&departure, &place, Operation::Read);
        view.model.place(lba).map_or(Span::ZERO, time)
    }
}

impl<S: Source> System<S> {
    /// Begins a request that fits its volume.
    pub(super) fn admit(&mut self, request: Request, number: u64) {
        let active = self.active.insert(Active::new(request, number, Owner::Source, self.now));
        self.plan(active);
    }

    /// Plans a request and begins its first commands.
    fn plan(&mut self, active: u32) {
        let request = self.active[active].request;
        let mut pieces = std::mem::take(&mut self.pieces);
        let fleet = Devices { stations: &self.stations, clock: self.clock, now: self.now };
        let volume = &mut self.volumes[request.volume as usize];
        if volume.plan(&request, &fleet, &mut pieces) {
            self.launch(active, &pieces);
        } else {
            self.active.remove(active);
            self.observer.lost(&request);
            self.news.push(News::Lost(request));
        }
        pieces.clear();
        self.pieces = pieces;
    }

    /// Begins the commands of the first stage and keeps the others.
    pub(super) fn launch(&mut self, active: u32, pieces: &[Piece]) {
        let one_stage = pieces.windows(2).all(|two| two[0].stage == two[1].stage);
        if one_stage {
            self.active[active].left = pieces.len() as u32;
            for &piece in pieces {
                let io = self.ios.insert(Io::new(active, piece, self.now));
                self.queue(io);
            }
            return;
        }
        // Kept in the order in which they come, first stage first.
        for &piece in pieces.iter().rev() {
            let io = self.ios.insert(Io::new(active, piece, self.now));
            self.ios[io].next = self.active[active].later;
            self.active[active].later = io;
        }
        self.next_stage(active);
    }

    /// Begins what is kept for the stage that comes now; whether there is any.
    fn next_stage(&mut self, active: u32) -> bool {
        let kept = self.active[active].later;
        if kept == NONE {
            return false;
        }
        let each = |from: u32, ios: &crate::engine::Slab<Io>| {
            (from != NONE).then(|| (ios[from].piece.stage, ios[from].next))
        };
        let (mut stage, mut at) = (u8::MAX, kept);
        while let Some((one, later)) = each(at, &self.ios) {
            stage = stage.min(one);
            at = later;
        }
        // What belongs to the stage is taken out of the chain, then begun.
        let (mut begin, mut begin_end, mut keep, mut keep_end) = (NONE, NONE, NONE, NONE);
        let mut count = 0;
        at = kept;
        while let Some((one, later)) = each(at, &self.ios) {
            let (head, end) = if one == stage {
                count += 1;
                (&mut begin, &mut begin_end)
            } else {
                (&mut keep, &mut keep_end)
            };
            if *end == NONE {
                *head = at;
            } else {
                self.ios[*end].next = at;
            }
            *end = at;
            self.ios[at].next = NONE;
            at = later;
        }
        self.active[active].later = keep;
        self.active[active].left = count;
        self.count_parts(active, begin);
        while begin != NONE {
            let later = std::mem::replace(&mut self.ios[begin].next, NONE);
            self.queue(begin);
            begin = later;
        }
        true
    }

    /// Counts the reads of each part in the chain of commands that begins with `at`.
    fn count_parts(&mut self, active: u32, mut at: u32) {
        let mut parts = [0; 2];
        while at != NONE {
            let Io { piece, next, .. } = self.ios[at];
            if piece.part > 0 && piece.operation.is_read() {
                parts[usize::from(piece.part) - 1] += 1;
            }
            at = next;
        }
        self.active[active].parts = parts;
    }

    /// A read of a part is done; what is made of that part begins if it was the last one and there
    /// are others.
    pub(super) fn part_over(&mut self, active: u32, part: u8) {
        let request = &mut self.active[active];
        let mut parts = request.parts;
        let left = &mut parts[usize::from(part) - 1];
        *left = left.saturating_sub(1);
        let begins = *left == 0 && request.left > 1 && !request.flawed;
        request.parts = parts;
        if !begins {
            return;
        }
        let (mut at, mut before) = (request.later, NONE);
        while at != NONE {
            let Io { piece, next, .. } = self.ios[at];
            if piece.part != part {
                (before, at) = (at, next);
                continue;
            }
            match before {
                NONE => self.active[active].later = next,
                before => self.ios[before].next = next,
            }
            let io = &mut self.ios[at];
            // No stage waits for it: it counts as what is rewritten.
            (io.next, io.rewrites) = (NONE, true);
            self.active[active].rewriting += 1;
            self.queue(at);
            at = next;
        }
    }

    /// Somebody has come to wait for the source's request of this tag.
    pub(super) fn promote(&mut self, tag: u64) {
        for device in 0..self.stations.len() {
            let Self { stations, ios, active, .. } = self;
            let is_awaited = |io: u32| {
                let Active { owner, request, .. } = active[ios[io].active];
                owner == Owner::Source && request.tag == tag
            };
            let station = &mut stations[device];
            station.taken.promote(is_awaited);
            let promoted = station.waiting.promote(is_awaited);
            if promoted && station.cached.is_none() {
                self.dispatch(device as u32);
            }
        }
    }

    /// A command of a request, or its rewrite, is over: done or lost.
    pub(super) fn command_over(&mut self, id: u32, rewrite: bool) {
        let active = &mut self.active[id];
        if rewrite {
            active.rewriting -= 1;
        } else {
            active.left -= 1;
        }
        if active.left > 0 {
            return;
        }
        if active.later != NONE && !active.flawed && self.next_stage(id) {
            return;
        }
        if self.active[id].rewriting > 0 {
            return;
        }
        if self.active[id].later != NONE {
            self.drop_later(id);
        }
        let Active { request, owner, arrival, number, flawed, .. } = self.active[id];
        match owner {
            Owner::Source if flawed => {
                self.observer.retried();
                self.active[id].flawed = false;
                self.plan(id);
            }
            Owner::Source => {
                self.active.remove(id);
                let arrival = arrival.stamp();
                let completion = Completion { request, response: self.now - arrival };
                self.observer.served(number, arrival, &completion);
                self.news.push(News::Completed(completion));
            }
            Owner::Rebuild => {
                self.active.remove(id);
                self.rebuilt(request.volume, !flawed);
            }
            Owner::Job => {
                self.active.remove(id);
                let JobId { controller, job } = JobId::of(&request);
                self.job_stage_over(controller, job, flawed);
            }
        }
    }

    fn drop_later(&mut self, active: u32) {
        let mut at = std::mem::replace(&mut self.active[active].later, NONE);
        while at != NONE {
            let later = self.ios[at].next;
            self.ios.remove(at);
            at = later;
        }
    }
}
