//! The requests between arrival and record: everything the reader holds in memory.

use std::collections::{BTreeMap, BTreeSet};

use super::event::BlktraceEvent;

/// The most requests held. One whose completion is lost would hold back all that came after it.
pub(super) const MOST_HELD: usize = 1 << 16;

/// How far a request has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// In the block layer.
    Waiting,
    /// At the device.
    Issued,
    /// Done, or known never to be.
    Over,
}

/// One request, with what its events said so far; times in nanoseconds of the trace's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) stage: Stage,
    pub(super) queued: Option<u64>,
    pub(super) issued: Option<u64>,
    pub(super) completed: Option<u64>,
    pub(super) lba: u64,
    pub(super) bytes: u32,
    /// Sector and bytes that are still to be completed.
    pub(super) rest: (u64, u32),
    pub(super) category: u32,
    pub(super) device: u32,
    /// Byte offset of the event that made it, for messages.
    pub(super) at: u64,
    /// Made by a split rather than by an event of its own.
    pub(super) split_off: bool,
}

/// Orders requests by arrival, then by the order of the file.
pub(super) type Id = (u64, u64);

/// Device, next sector, direction, stage: what an event names a request by.
type Key = (u32, u64, bool, Stage, Id);

/// The requests in hand, found by what events say of them and let go in order of arrival.
#[derive(Default)]
pub(super) struct Window {
    requests: BTreeMap<Id, Request>,
    keys: BTreeSet<Key>,
    made: u64,
}

impl Window {
    /// Takes in `request`, which arrived at `arrival`.
    pub(super) fn insert(&mut self, arrival: u64, request: Request) -> Id {
        let id = (arrival, self.made);
        self.made += 1;
        self.requests.insert(id, request);
        self.index(id, &request);
        id
    }

    /// The oldest request at `stage` that `event` can mean: same device, sector and direction.
    pub(super) fn oldest(&self, event: &BlktraceEvent, sector: u64, stage: Stage) -> Option<Id> {
        self.keys.range(span(event, sector, stage)).next().map(|key| key.4)
    }

    /// The newest such request.
    pub(super) fn newest(&self, event: &BlktraceEvent, sector: u64, stage: Stage) -> Option<Id> {
        self.keys.range(span(event, sector, stage)).next_back().map(|key| key.4)
    }

    /// Changes a request and keeps it findable.
    pub(super) fn update(&mut self, id: Id, change: impl FnOnce(&mut Request)) {
        if let Some(request) = self.requests.get_mut(&id) {
            self.keys.remove(&key(id, request));
            change(request);
            let changed = *request;
            self.index(id, &changed);
        }
    }

    /// A request in hand.
    pub(super) fn get(&self, id: Id) -> Option<&Request> {
        self.requests.get(&id)
    }

    /// Lets a request go without a record.
    pub(super) fn remove(&mut self, id: Id) {
        if let Some(request) = self.requests.remove(&id) {
            self.keys.remove(&key(id, &request));
        }
    }

    /// The first to have arrived, if it is over, or if `forced` or too many are held.
    pub(super) fn pop(&mut self, forced: bool) -> Option<(u64, Request)> {
        let (id, request) = self.requests.first_key_value().map(|(id, request)| (*id, *request))?;
        let due = forced || request.stage == Stage::Over || self.requests.len() > MOST_HELD;
        due.then(|| {
            self.remove(id);
            (id.0, request)
        })
    }

    fn index(&mut self, id: Id, request: &Request) {
        // What is over is never looked for again.
        if request.stage != Stage::Over {
            self.keys.insert(key(id, request));
        }
    }
}

fn key(id: Id, request: &Request) -> Key {
    let write = request.category & super::event::category::WRITE != 0;
    (request.device, request.rest.0, write, request.stage, id)
}

fn span(event: &BlktraceEvent, sector: u64, stage: Stage) -> std::ops::RangeInclusive<Key> {
    let write = event.has(super::event::category::WRITE);
    let bound = |id: Id| (event.device, sector, write, stage, id);
    bound((0, 0))..=bound((u64::MAX, u64::MAX))
}
