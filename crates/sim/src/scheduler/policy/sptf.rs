//! Shortest positioning time first (SPTF), with aging, cache and media-time variants.

use crate::scheduler::sorted::Sorted;
use crate::scheduler::{DeviceView, Key, Waiting};
use platterlab_drive::Departure;
use platterlab_units::{Lapse, Span, Stamp};
use std::collections::BTreeSet;

/// What makes a long wait count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aging {
    /// Nothing does.
    Off,
    /// Positioning time forgiven for each time waited, in parts of 2^20 (aged SPTF).
    Added(u64),
    /// Positioning time times what is left of this span (weighted SPTF).
    Scaled(Span),
}

/// What is taken for the time and place from which the arm leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    /// Those that are so.
    Known,
    /// Where the arm is now, with nothing to be done before: as DiskSim's drives reckon.
    AtOnce,
    /// Where and when a sector last passed under the head, and a revolution longer for a request that
    /// the head would meet in its middle: as DiskSim's drivers reckon.
    LastSector,
}

impl From {
    /// One of DiskSim's reckonings, or what is so.
    pub(crate) fn of(last_sector: bool, at_once: bool) -> Self {
        match (at_once, last_sector) {
            (true, _) => Self::AtOnce,
            (_, true) => Self::LastSector,
            _ => Self::Known,
        }
    }
}

/// What a positioning-time policy compares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    /// A read that the device's cache holds needs no positioning at all (SPCTF).
    pub(crate) cache_aware: bool,
    /// Time at the media until the last sector counts, not only until the first (SATF).
    pub(crate) with_transfer: bool,
    pub(crate) aging: Aging,
    pub(crate) from: From,
}

impl Weights {
    /// Whether it matters which request came first.
    fn looks_at_age(self) -> bool {
        self.aging != Aging::Off || self.from == From::AtOnce
    }
}

/// Shortest positioning time first, and its relations.
///
/// Not the whole queue is looked at: requests are taken from the arm outwards, and no further than
/// where the seek alone costs more than the best found so far.
#[derive(Clone, Debug)]
pub(crate) struct Sptf {
    waiting: Sorted,
    by_lba: Sorted,
    by_age: BTreeSet<(Stamp, u64)>,
    cached: Vec<(u64, u64)>,
    weights: Weights,
}

/// A cost and the number of arrival that decides between equals.
type Rank = (i128, u64);

impl Sptf {
    pub(crate) fn new(weights: Weights) -> Self {
        Self {
            waiting: Sorted::new(Key::Cylinder),
            by_lba: Sorted::new(Key::Lba),
            by_age: BTreeSet::new(),
            cached: Vec::new(),
            weights,
        }
    }

    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
        if self.weights.cache_aware {
            self.by_lba.push(waiting);
        }
        if self.weights.looks_at_age() {
            self.by_age.insert((waiting.arrival.stamp(), waiting.sequence));
        }
    }

    pub(crate) fn pop(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        let chosen = if self.waiting.len() == 1 {
            *self.waiting.upwards(0).next()?
        } else if self.weights.from == From::AtOnce {
            self.chosen_before(now, device)?
        } else {
            self.best(now, device)?
        };
        self.remove(&chosen)
    }

    /// The best of all: of those on the media, and of what the cache holds.
    fn best(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        let nearest = self.nearest(now, device);
        let cached = if self.weights.cache_aware { self.cached(now, device) } else { None };
        match (nearest, cached) {
            (Some(near), Some(held)) => Some(if held.0 <= near.0 { held.1 } else { near.1 }),
            (near, held) => near.or(held).map(|(_, best)| best),
        }
    }

    /// What a drive has chosen by `now` that chooses as soon as its mechanism has nothing to do: the
    /// best of what was there then, or what came first.
    fn chosen_before(&mut self, now: Stamp, device: &impl DeviceView) -> Option<Waiting> {
        let at = device.at_rest_since(now);
        let (arrival, sequence) = *self.by_age.first()?;
        if arrival > at {
            return self.waiting.upwards(0).find(|waiting| waiting.sequence == sequence).copied();
        }
        self.best(at, device)
    }

    /// The best of those on the media.
    fn nearest(&self, now: Stamp, device: &impl DeviceView) -> Option<(Rank, Waiting)> {
        let departure = match self.weights.from {
            From::Known => device.depart(now),
            From::AtOnce => device.depart_at_once(now),
            From::LastSector => device.depart_from_last_sector(now),
        };
        let (arm, drift) = (departure.cylinder(), departure.drift());
        let before = departure.leaves_after();
        let longest_wait =
            self.by_age.first().map_or(Lapse::ZERO, |(arrival, _)| now.since(*arrival));
        let mut above = self.waiting.upwards(u64::from(arm)).peekable();
        let mut below = self.waiting.downwards(u64::from(arm)).peekable();
        let mut best: Option<(Rank, Waiting)> = None;
        loop {
            let up = above.peek().map(|waiting| waiting.cylinder() - arm);
            let down = below.peek().map(|waiting| arm - waiting.cylinder());
            let (distance, next) = match (up, down) {
                (Some(up), Some(down)) if down < up => (down, below.next()),
                (Some(up), _) => (up, above.next()),
                (None, Some(down)) => (down, below.next()),
                (None, None) => return best,
            };
            let least = before + device.seek_floor(distance.saturating_sub(drift));
            let floor = self.aged(least, longest_wait);
            if best.is_some_and(|((cost, _), _)| floor > cost) {
                return best;
            }
            // What came later than the choice was made, of a drive that made it before, was not seen.
            if let Some(waiting) = next.filter(|waiting| waiting.arrival.stamp() <= now) {
                let rank = (self.cost(waiting, now, device, &departure), waiting.sequence);
                if best.is_none_or(|(least, _)| rank < least) {
                    best = Some((rank, *waiting));
                }
            }
        }
    }

    fn cost(
        &self,
        waiting: &Waiting,
        now: Stamp,
        device: &impl DeviceView,
        departure: &Departure,
    ) -> i128 {
        let Some(place) = &waiting.place else { return 0 };
        let mut time = device.positioning(departure, place, waiting.operation);
        if self.weights.with_transfer {
            time += device.revolution() / u64::from(place.sectors_per_track.get())
                * u64::from(waiting.sectors);
        }
        let within = || device.arrives_within(departure, place, waiting.sectors, waiting.operation);
        if self.weights.from == From::LastSector && within() {
            time += device.revolution();
        }
        self.aged(time, now.since(waiting.arrival.stamp()))
    }

    fn aged(&self, time: Span, waited: Lapse) -> i128 {
        let (time, waited) = (i128::from(time.as_ps()), waited.as_ps() as i128);
        match self.weights.aging {
            Aging::Off => time,
            Aging::Added(weight) => time - ((waited * i128::from(weight)) >> 20),
            Aging::Scaled(limit) => {
                let limit = i128::from(limit.as_ps().max(1));
                time * (limit - waited.min(limit)) / limit
            }
        }
    }

    /// The longest-waiting read that the device's cache holds, or the beginning of it.
    fn cached(&mut self, now: Stamp, device: &impl DeviceView) -> Option<(Rank, Waiting)> {
        self.cached.clear();
        device.cached(now, &mut self.cached);
        // DiskSim takes a read for cached if its first sector is, and a write that continues the last.
        let part = self.weights.from == From::LastSector;
        let goes_on = if part { device.write_continues_at() } else { None };
        let goes_on = goes_on.into_iter().flat_map(|lba| {
            let there = self.by_lba.upwards(lba).take_while(move |waiting| waiting.lba == lba);
            there.filter(|waiting| !waiting.operation.is_read())
        });
        let held = self.cached.iter().flat_map(|&(first, end)| {
            let inside = move |waiting: &&Waiting| waiting.lba < end;
            self.by_lba.upwards(first).take_while(inside).filter(move |waiting| {
                waiting.operation.is_read() && (part || waiting.end() <= end)
            })
        });
        let oldest = held.chain(goes_on).min_by_key(|waiting| waiting.sequence)?;
        let cost = self.aged(Span::ZERO, now.since(oldest.arrival.stamp()));
        Some(((cost, oldest.sequence), *oldest))
    }

    pub(crate) fn sorted(&self) -> &Sorted {
        &self.waiting
    }

    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        let removed = self.waiting.remove(waiting)?;
        if self.weights.cache_aware {
            self.by_lba.remove(&removed);
        }
        if self.weights.looks_at_age() {
            self.by_age.remove(&(removed.arrival.stamp(), removed.sequence));
        }
        Some(removed)
    }
}
