//! Cache lines: found by key, pinned, dirty, and replaced by the policy.

use super::chain::Chains;
use super::replacement::Replacer;
use super::table::{LineKey, Table};
use super::{Allocation, CacheOptions, Prefetch};
use crate::chance::LatencyStream;
use crate::outside::Evictor;
use std::ops::Range;

/// One line: what it stands for and which of its granules are there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    pub(super) key: LineKey,
    pub(super) present: u64,
    pub(super) dirty: u64,
    /// Jobs that use it; it stays as long as there are any.
    pub(super) pins: u32,
}

/// The lines of a cache: found by key, replaced by policy, dirty ones in the order in which they
/// became so.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    lines: Vec<Line>,
    free: Vec<u32>,
    table: Table,
    policy: Replacer,
    dirty: Chains,
    pinned: usize,
    clean_first: bool,
    pub(super) line_sectors: u64,
    granule_sectors: u64,
    pub(super) dirty_granules: u64,
}

/// Bits `from..to`.
pub(super) fn bits(from: u64, to: u64) -> u64 {
    if from >= to {
        return 0;
    }
    let below = |n: u64| if n >= 64 { u64::MAX } else { (1 << n) - 1 };
    below(to) & !below(from)
}

impl Lines {
    pub(super) fn new(options: &CacheOptions, chance: LatencyStream) -> Self {
        let slots = (options.size_sectors / u64::from(options.line_sectors)) as usize;
        Self {
            lines: vec![Line::default(); slots],
            free: (0..slots as u32).rev().collect(),
            table: Table::new(slots),
            policy: Replacer::new(&options.replacement, slots, chance),
            dirty: Chains::new(1, slots),
            pinned: 0,
            clean_first: options.allocation == Allocation::CleanFirst,
            line_sectors: u64::from(options.line_sectors),
            granule_sectors: u64::from(options.granule_sectors),
            dirty_granules: 0,
        }
    }

    /// See [`super::Cache::replaced_by`].
    pub(super) fn replaced_by(&mut self, evictor: Box<dyn Evictor>) {
        self.policy = Replacer::own(evictor, self.line_sectors, self.lines.len());
    }

    pub(super) fn find(&self, key: LineKey) -> Option<u32> {
        self.table.get(key)
    }

    pub(super) fn at(&self, slot: u32) -> &Line {
        &self.lines[slot as usize]
    }

    pub(super) fn unpinned(&self) -> u64 {
        (self.lines.len() - self.pinned) as u64
    }

    /// Whether this many lines can be had besides `own` that are there and not pinned.
    pub(super) fn room(&self, wanted: usize, own: usize) -> bool {
        self.lines.len() - self.pinned - own >= wanted
    }

    pub(super) fn used(&mut self, slot: u32) {
        self.policy.used(slot);
    }

    pub(super) fn pin(&mut self, slot: u32) {
        let line = &mut self.lines[slot as usize];
        self.pinned += usize::from(line.pins == 0);
        line.pins += 1;
    }

    pub(super) fn unpin(&mut self, slot: u32) {
        let line = &mut self.lines[slot as usize];
        line.pins -= 1;
        self.pinned -= usize::from(line.pins == 0);
    }

    /// A slot for the next line, and whether what it holds is dirty; [`Lines::enter`] comes next.
    pub(super) fn make_room(&mut self, key: LineKey) -> Option<(u32, bool)> {
        self.policy.missed(key);
        // What follows itself on a device does so in the cache, as far as there is room.
        let own = (key.1 % self.lines.len() as u64) as u32;
        if !self.is_used(own) {
            return Some((own, false));
        }
        while let Some(slot) = self.free.pop() {
            if !self.is_used(slot) {
                return Some((slot, false));
            }
        }
        let lines = &self.lines;
        let all_dirty = self.dirty.len(0) == lines.len();
        let clean = |slot: u32| lines[slot as usize].pins == 0 && lines[slot as usize].dirty == 0;
        let any = |slot: u32| lines[slot as usize].pins == 0;
        let first = if self.clean_first && !all_dirty { self.policy.victim(clean) } else { None };
        let slot = first.or_else(|| self.policy.victim(any))?;
        Some((slot, lines[slot as usize].dirty != 0))
    }

    fn is_used(&self, slot: u32) -> bool {
        self.table.get(self.lines[slot as usize].key) == Some(slot)
    }

    /// A line comes into a slot; what was there goes.
    pub(super) fn enter(&mut self, slot: u32, key: LineKey) {
        let old = self.lines[slot as usize].key;
        if self.is_used(slot) {
            self.clean(slot);
            self.policy.leave(slot, old);
            self.table.remove(old);
        }
        self.lines[slot as usize] = Line { key, ..Line::default() };
        self.table.insert(key, slot);
        self.policy.enter(slot, key);
    }

    /// Granules come into a line; those that are there already are newer and stay.
    pub(super) fn fill(&mut self, slot: u32, granules: u64) {
        self.lines[slot as usize].present |= granules;
    }

    pub(super) fn mark_dirty(&mut self, slot: u32, granules: u64) {
        let line = &mut self.lines[slot as usize];
        self.dirty_granules += u64::from((granules & !line.dirty).count_ones());
        line.dirty |= granules;
        if self.dirty.of(slot).is_none() {
            self.dirty.push(0, slot);
        }
    }

    /// Nothing of a line is dirty any more; what was.
    pub(super) fn clean(&mut self, slot: u32) -> u64 {
        self.dirty.remove(slot);
        let was = std::mem::take(&mut self.lines[slot as usize].dirty);
        self.dirty_granules -= u64::from(was.count_ones());
        was
    }

    /// Nothing of a line is there any more.
    pub(super) fn empty(&mut self, slot: u32) -> u64 {
        self.lines[slot as usize].present = 0;
        self.clean(slot)
    }

    pub(super) fn dirty(&self) -> impl Iterator<Item = u32> + '_ {
        self.dirty.iter(0)
    }

    pub(super) fn slots(&self) -> std::ops::Range<u32> {
        0..self.lines.len() as u32
    }

    /// The granules of line `number` that sectors `from..to` touch.
    pub(super) fn touched(&self, number: u64, from: u64, to: u64) -> u64 {
        let start = number * self.line_sectors;
        let (from, to) = (from.max(start) - start, to.min(start + self.line_sectors) - start);
        bits(from / self.granule_sectors, to.div_ceil(self.granule_sectors))
    }

    /// The granules that sectors `from..to` of a device with `end` sectors cover.
    pub(super) fn covered(&self, number: u64, from: u64, to: u64, end: u64) -> u64 {
        let start = number * self.line_sectors;
        // What lies behind the end of the device is covered by nobody and wanted by none.
        let to = if to == end { start + self.line_sectors } else { to };
        let (from, to) = (from.max(start) - start, to.min(start + self.line_sectors) - start);
        bits(from.div_ceil(self.granule_sectors), to / self.granule_sectors)
    }

    /// What of a line is read where `missing` is wanted: one range of granules.
    pub(super) fn with_prefetch(&self, missing: u64, prefetch: Prefetch) -> u64 {
        if missing == 0 {
            return 0;
        }
        let first = u64::from(missing.trailing_zeros());
        let last = 64 - u64::from(missing.leading_zeros());
        let all = self.line_sectors / self.granule_sectors;
        match prefetch {
            Prefetch::None => bits(first, last),
            Prefetch::Front => bits(0, last),
            Prefetch::Rest => bits(first, all),
            Prefetch::Line => bits(0, all),
        }
    }

    /// The sectors of the runs of granules of a line, on its device.
    pub(super) fn runs(
        &self,
        number: u64,
        mut granules: u64,
        end: u64,
    ) -> impl Iterator<Item = Range<u64>> + use<> {
        let (start, granule) = (number * self.line_sectors, self.granule_sectors);
        std::iter::from_fn(move || {
            if granules == 0 {
                return None;
            }
            let first = u64::from(granules.trailing_zeros());
            let len = u64::from((granules >> first).trailing_ones());
            granules &= !bits(first, first + len);
            Some(start + first * granule..(start + (first + len) * granule).min(end))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::options;
    use super::*;

    #[test]
    fn a_line_lies_at_its_own_address_where_that_is_free() {
        let chance = LatencyStream::named(1, 1);
        let mut lines = Lines::new(&CacheOptions { size_sectors: 32, ..options() }, chance);
        let slots = options().line_sectors;
        let mut enter = |number| {
            let (slot, _) = lines.make_room((0, number)).expect("there is room");
            lines.enter(slot, (0, number));
            slot
        };
        let count = 32 / slots;
        assert_eq!(enter(1), 1);
        assert_eq!(enter(u64::from(count)), 0);
        // Its own place is taken.
        assert_ne!(enter(u64::from(count) + 1), 1);
    }
}
