//! The syncer: when dirty pages are written.

use super::cpu::Work;
use super::options::Syncer;
use super::pages::State;
use super::process::Doing;
use super::{Host, Timer};
use crate::source::Request;
use platterlab_units::{Span, Stamp};
use platterlab_workload::flow::{Cause, FlowRecord};

impl<I: Iterator<Item = Result<FlowRecord, E>>, E> Host<I> {
    /// Sets the syncer's timer, if there is or can be anything for it to do.
    pub(super) fn wake_syncer_after(&mut self, now: Stamp) {
        let interval = match self.options.syncer {
            Syncer::Sweep { interval, .. }
            | Syncer::Burst { interval }
            | Syncer::Expire { interval, .. } => interval,
        };
        if self.has_more() {
            self.timers.enter(now + interval, Timer::Syncer);
        }
    }

    /// Whether there is or can be anything to do: processes that only wait for each other will never
    /// make anything dirty.
    pub(super) fn has_more(&self) -> bool {
        let moves = |(_, doing)| !matches!(doing, Doing::Unborn | Doing::Gone | Doing::Event(_));
        self.processes.all().any(moves) || self.pages.dirty > 0 || self.transfers.count > 0
    }

    /// The syncer wakes.
    pub(super) fn syncer(&mut self, now: Stamp, out: &mut Vec<Request>) {
        let before = out.len();
        match self.options.syncer {
            Syncer::Sweep { interval, cycle, stride_thousandths } => {
                self.sweep(now, interval, cycle, stride_thousandths, out);
            }
            Syncer::Burst { .. } => {
                let slots: Vec<u32> = self.pages.all().collect();
                self.write_back(now, &slots, out);
            }
            Syncer::Expire { expire, .. } => {
                let slots: Vec<u32> = self.pages.all().collect();
                let old: Vec<u32> = slots
                    .into_iter()
                    .filter(|&slot| now.since(self.pages.page(slot).dirtied) >= expire.into())
                    .collect();
                self.write_back(now, &old, out);
            }
        }
        let requests = (out.len() - before) as u64;
        let work = self.paced(self.options.syncer_request) * requests;
        if work > Span::ZERO {
            self.put_on_top(now, Work::Syncer, work);
        }
        self.wake_syncer_after(now);
    }

    /// Writes what is dirty in the next part of memory.
    fn sweep(
        &mut self,
        now: Stamp,
        interval: Span,
        cycle: Span,
        thousandths: u32,
        out: &mut Vec<Request>,
    ) {
        let slots = u64::from(self.pages.slots());
        let share = u128::from(slots) * u128::from(interval.as_ps());
        let part = share.div_ceil(u128::from(cycle.as_ps().max(1))).min(u128::from(slots)) as u64;
        for slot in self.sweep.next(slots, part, thousandths) {
            if self.pages.page(slot).state == State::Dirty {
                self.clean(now, slot, Cause::WriteBack, out);
            }
        }
    }

    fn write_back(&mut self, now: Stamp, slots: &[u32], out: &mut Vec<Request>) {
        for &slot in slots {
            if self.pages.page(slot).state == State::Dirty {
                self.clean(now, slot, Cause::WriteBack, out);
            }
        }
    }

    /// Where too much is dirty, or a process waits for memory and nothing makes room, the oldest is
    /// written at once.
    pub(super) fn limit_dirty(&mut self, now: Stamp, out: &mut Vec<Request>) {
        let most = match self.options.syncer {
            Syncer::Expire { background_pages, .. } => background_pages,
            Syncer::Sweep { .. } | Syncer::Burst { .. } => u64::MAX,
        };
        let stuck = self.processes.memory_is_awaited() && self.transfers.count == 0;
        if self.pages.dirty <= most && !stuck {
            return;
        }
        let mut dirty: Vec<(Stamp, u32)> = self
            .pages
            .all()
            .filter(|&slot| self.pages.page(slot).state == State::Dirty)
            .map(|slot| (self.pages.page(slot).dirtied, slot))
            .collect();
        dirty.sort_unstable();
        // Some way below the bound, so that not every write comes here.
        let kept = if stuck { 0 } else { (most - most / 8) as usize };
        let excess = dirty.len().saturating_sub(kept);
        let slots: Vec<u32> = dirty.into_iter().take(excess).map(|(_, slot)| slot).collect();
        self.write_back(now, &slots, out);
    }
}

/// Where the syncer's sweep of memory is.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    hand: u64,
}

impl Sweep {
    /// The next `part` of this many slots, in the order in which they are looked at.
    fn next(
        &mut self,
        slots: u64,
        part: u64,
        thousandths: u32,
    ) -> impl Iterator<Item = u32> + use<> {
        let (hand, stride) = (self.hand, stride(part, thousandths));
        self.hand = (hand + part) % slots.max(1);
        (0..part).map(move |step| ((hand + step * stride % part) % slots) as u32)
    }
}

/// A step that visits each of `count` once: near a number of thousandths of them, without a divisor
/// in common.
fn stride(count: u64, thousandths: u32) -> u64 {
    let common = |a: u64, b: u64| {
        let (mut a, mut b) = (a, b);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let wanted = (count * u64::from(thousandths) / 1_000).max(1);
    (wanted..).find(|&step| common(step, count) == 1).unwrap_or(1)
}
