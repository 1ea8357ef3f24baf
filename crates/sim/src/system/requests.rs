//! Requests under way: planned by their volumes, and which of their commands begin when.
//!
//! Nothing here begins a command. What begins now is planned, for the caller to take
//! ([`Requests::planned`]) before it calls again.

use super::io::NONE;
use crate::array::{Fleet, Next, Piece, Volume};
use crate::engine::{Cell, Slab};
use crate::observe::Observer;
use crate::scheduler::Tag;
use crate::source::{Over, Request};
use platterlab_results::Row;
use platterlab_units::{Moment, Operation, Partial, Stamp};
use platterlab_workload::Criticality;

/// The requests under way and the volumes they are for.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    active: Slab<Active>,
    /// Commands of later stages.
    later: Slab<Later>,
    volumes: Vec<Volume>,
    /// The commands that begin now.
    pub(super) planned: Vec<Piece>,
    /// What the source has not heard yet.
    pub(super) news: Vec<Over>,
}

/// A request under way, or a piece of work of the system's own. Packed: there may be millions.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed(4))]
struct Active {
    request: Request,
    owner: Owner,
    arrival: Moment,
    /// The request's number among those that came; [`Row::OWN`] for the system's own.
    number: u64,
    /// Commands of this stage that are not done; of those that read and rewrite, the reads.
    left: u32,
    /// Rewrites that have begun and are not done, of any stage.
    rewriting: u32,
    /// Reads of each part that are not done, see [`Piece::part`].
    parts: [u8; 2],
    /// The first command of later stages.
    later: u32,
    /// Whether a device failed under one of its commands.
    flawed: bool,
}

/// A command of a later stage, and the next one.
#[derive(Clone, Copy, Debug)]
struct Later {
    piece: Piece,
    next: u32,
}

/// Who hears that it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// The source.
    Source,
    /// The request's volume, whose rebuild has taken a step.
    Rebuild,
    /// A job of a controller's cache, numbered by [`JobId::of`].
    Job,
}

/// A job of a controller's cache. No source hears of the requests that are for one, so their tags
/// name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct JobId {
    pub(super) controller: u32,
    pub(super) job: u32,
}

/// What of a request its commands carry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    pub(super) number: u64,
    pub(super) stream: u16,
    pub(super) criticality: Criticality,
    pub(super) order: Option<Tag>,
    /// Whether it is for a job of a controller's cache.
    pub(super) of_job: bool,
}

/// What the end of a command leads to.
pub(super) enum Follows {
    /// What is planned begins, if anything is.
    Planned,
    /// A volume may take the next step of its rebuild.
    Rebuild(u32, Next),
    /// The commands of a job are over; `flawed` if a device failed under one of them.
    JobStage { job: JobId, flawed: bool },
}

impl JobId {
    /// The one that a request is for.
    fn of(request: &Request) -> Self {
        Self { controller: (request.tag >> u32::BITS) as u32, job: request.tag as u32 }
    }

    fn tag(self) -> u64 {
        u64::from(self.controller) << u32::BITS | u64::from(self.job)
    }
}

impl Active {
    fn new(request: Request, number: u64, owner: Owner, arrival: Stamp) -> Self {
        let (left, rewriting, parts, later, flawed) = (0, 0, [0; 2], NONE, false);
        let arrival = arrival.into();
        Self { request, owner, arrival, number, left, rewriting, parts, later, flawed }
    }

    /// What the system asks for by itself.
    fn own(volume: u32, owner: Owner, arrival: Stamp) -> Self {
        let request = Request {
            volume,
            lba: 0,
            sectors: 0,
            partial: Partial::WHOLE,
            operation: Operation::Read,
            criticality: Criticality::Noncritical,
            stream: Row::OWN_STREAM,
            order: None,
            tag: 0,
        };
        Self::new(request, Row::OWN, owner, arrival)
    }
}

impl Cell for Active {
    fn spare(&mut self) -> &mut u32 {
        &mut self.left
    }
}

impl Cell for Later {
    fn spare(&mut self) -> &mut u32 {
        &mut self.next
    }
}

impl Requests {
    pub(super) fn new(volumes: Vec<Volume>) -> Self {
        let (active, later) = (Slab::new(), Slab::new());
        Self { active, later, volumes, planned: Vec::new(), news: Vec::new() }
    }

    pub(super) fn volumes(&self) -> &[Volume] {
        &self.volumes
    }

    /// What of a request its commands carry.
    #[inline]
    pub(super) fn marks(&self, id: u32) -> Marks {
        let active = &self.active[id];
        Marks {
            number: active.number,
            stream: active.request.stream,
            criticality: active.request.criticality,
            order: active.request.order,
            of_job: active.owner == Owner::Job,
        }
    }

    /// Whether it is the source's request of this tag.
    pub(super) fn is_tagged(&self, id: u32, tag: u64) -> bool {
        let Active { owner, request, .. } = self.active[id];
        owner == Owner::Source && request.tag == tag
    }

    /// Plans a request that fits its volume; `None` where its data is lost.
    pub(super) fn admit(
        &mut self,
        request: Request,
        number: u64,
        fleet: &impl Fleet,
        observer: &mut Observer,
    ) -> Option<u32> {
        let id = self.active.insert(Active::new(request, number, Owner::Source, fleet.now()));
        self.plan(id, fleet, observer).then_some(id)
    }

    /// Plans a request; whether its data is still there.
    #[inline]
    fn plan(&mut self, id: u32, fleet: &impl Fleet, observer: &mut Observer) -> bool {
        let request = self.active[id].request;
        let volume = &mut self.volumes[request.volume as usize];
        let there = volume.plan(&request, fleet, &mut self.planned);
        if there {
            self.first_stage(id);
        } else {
            self.planned.clear();
            self.active.remove(id);
            observer.lost(&request);
            self.news.push(Over { request, served: false });
        }
        there
    }

    /// The next step of the rebuild of a volume, planned if there is one.
    pub(super) fn rebuild(&mut self, volume: u32, now: Stamp) -> Option<u32> {
        let step = self.volumes[volume as usize].rebuild(now, &mut self.planned);
        if step.is_none() {
            self.planned.clear();
            return None;
        }
        Some(self.open(Active::own(volume, Owner::Rebuild, now)))
    }

    /// What is planned is for a job, which the command of a request asked for or nobody did.
    pub(super) fn open_job(&mut self, job: JobId, asked_by: Option<u32>, now: Stamp) -> u32 {
        let mut active = match asked_by {
            None => Active::own(0, Owner::Job, now),
            Some(id) => {
                let Active { request, number, .. } = self.active[id];
                Active::new(request, number, Owner::Job, now)
            }
        };
        active.request.tag = job.tag();
        self.open(active)
    }

    fn open(&mut self, active: Active) -> u32 {
        let id = self.active.insert(active);
        self.first_stage(id);
        id
    }

    /// A volume hears that a device has failed.
    pub(super) fn fail(&mut self, volume: u32, device: u32, now: Stamp) -> Next {
        self.volumes[volume as usize].fail(device, now)
    }

    /// Leaves the first stage of what is planned and keeps the others.
    fn first_stage(&mut self, id: u32) {
        let planned = &mut self.planned;
        if planned.windows(2).all(|two| two[0].stage == two[1].stage) {
            self.active[id].left = planned.len() as u32;
            return;
        }
        let stage = planned.iter().map(|piece| piece.stage).min();
        let is_later = |piece: &Piece| Some(piece.stage) != stage;
        // Kept in the order in which they come.
        for &piece in planned.iter().rev().filter(|piece| is_later(piece)) {
            let next = self.active[id].later;
            self.active[id].later = self.later.insert(Later { piece, next });
        }
        planned.retain(|piece| !is_later(piece));
        self.count_stage(id);
    }

    /// Plans what is kept for the stage that comes now.
    fn next_stage(&mut self, id: u32) {
        let (mut stage, mut at) = (u8::MAX, self.active[id].later);
        while at != NONE {
            stage = stage.min(self.later[at].piece.stage);
            at = self.later[at].next;
        }
        self.take_later(id, |piece| piece.stage == stage);
        self.count_stage(id);
    }

    /// Counts what is planned of a stage, and the reads of each part in it.
    fn count_stage(&mut self, id: u32) {
        let mut parts = [0; 2];
        for piece in &self.planned {
            if piece.part > 0 && piece.operation.is_read() {
                parts[usize::from(piece.part) - 1] += 1;
            }
        }
        let active = &mut self.active[id];
        (active.left, active.parts) = (self.planned.len() as u32, parts);
    }

    /// Plans those of the kept commands that are wanted.
    fn take_later(&mut self, id: u32, wanted: impl Fn(&Piece) -> bool) {
        let (mut at, mut before) = (self.active[id].later, NONE);
        while at != NONE {
            let Later { piece, next } = self.later[at];
            if wanted(&piece) {
                match before {
                    NONE => self.active[id].later = next,
                    before => self.later[before].next = next,
                }
                self.planned.push(piece);
                self.later.remove(at);
            } else {
                before = at;
            }
            at = next;
        }
    }

    /// A read has been done that is followed by a write of the same sectors.
    pub(super) fn rewrites(&mut self, id: u32) {
        self.active[id].rewriting += 1;
    }

    /// A read of a part is done; what is made of that part is planned if it was the last one and there
    /// are others. No stage waits for that: it counts as what is rewritten.
    pub(super) fn part_over(&mut self, id: u32, part: u8) {
        let request = &mut self.active[id];
        let mut parts = request.parts;
        let left = &mut parts[usize::from(part) - 1];
        *left = left.saturating_sub(1);
        let begins = *left == 0 && request.left > 1 && !request.flawed;
        request.parts = parts;
        if begins {
            self.take_later(id, |piece| piece.part == part);
            self.active[id].rewriting += self.planned.len() as u32;
        }
    }

    /// A command of a request will never be done.
    pub(super) fn flaw(&mut self, id: u32) {
        self.active[id].flawed = true;
    }

    /// A command of a request, or its rewrite, is over: done or lost.
    pub(super) fn command_over(
        &mut self,
        id: u32,
        rewrite: bool,
        fleet: &impl Fleet,
        observer: &mut Observer,
    ) -> Follows {
        let active = &mut self.active[id];
        if rewrite {
            active.rewriting -= 1;
        } else {
            active.left -= 1;
        }
        if active.left > 0 {
            return Follows::Planned;
        }
        if active.later != NONE && !active.flawed {
            self.next_stage(id);
            return Follows::Planned;
        }
        if active.rewriting > 0 {
            return Follows::Planned;
        }
        if active.later != NONE {
            self.drop_later(id);
        }
        let Active { request, owner, arrival, number, flawed, .. } = self.active[id];
        if owner == Owner::Source && flawed {
            observer.retried();
            self.active[id].flawed = false;
            self.plan(id, fleet, observer);
            return Follows::Planned;
        }
        self.active.remove(id);
        match owner {
            Owner::Source => {
                observer.served(number, arrival.stamp(), fleet.now(), &request);
                self.news.push(Over { request, served: true });
                Follows::Planned
            }
            Owner::Rebuild => {
                let volume = &mut self.volumes[request.volume as usize];
                Follows::Rebuild(request.volume, volume.rebuilt(!flawed, fleet.now()))
            }
            Owner::Job => Follows::JobStage { job: JobId::of(&request), flawed },
        }
    }

    fn drop_later(&mut self, id: u32) {
        let mut at = std::mem::replace(&mut self.active[id].later, NONE);
        while at != NONE {
            let next = self.later[at].next;
            self.later.remove(at);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduler::Waiting;
    use crate::system::io::Io;

    #[test]
    fn a_request_in_flight_is_small() {
        let sizes = [size_of::<Active>(), size_of::<Io>(), size_of::<Waiting>()];
        assert!(sizes.iter().sum::<usize>() <= 196, "{sizes:?}: there may be millions of each");
    }
}
