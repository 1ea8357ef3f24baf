//! Adaptive replacement (ARC).

use super::{Chains, LineKey, Table};

const ONCE: usize = 0;
const AGAIN: usize = 1;

/// Adaptive replacement (Megiddo–Modha 2003): lines used once and lines used again each have a list,
/// and a list of the keys that left it; a miss on one of those moves the target between the two.
#[derive(Clone, Debug)]
pub(crate) struct Arc {
    slots: usize,
    lines: Chains,
    /// Keys that left, by numbers of their own.
    ghosts: Chains,
    keys: Vec<LineKey>,
    unused: Vec<u32>,
    table: Table,
    /// How many lines used once there should be.
    target: usize,
    /// Where the line that enters was a ghost.
    returned: Option<usize>,
}

impl Arc {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            slots,
            lines: Chains::new(2, slots),
            ghosts: Chains::new(2, slots + 1),
            keys: vec![(0, 0); slots + 1],
            unused: (0..=slots as u32).rev().collect(),
            table: Table::new(slots + 1),
            target: 0,
            returned: None,
        }
    }

    pub(super) fn missed(&mut self, key: LineKey) {
        self.returned = None;
        let (once, again) = (self.ghosts.len(ONCE), self.ghosts.len(AGAIN));
        if let Some(ghost) = self.table.get(key) {
            let list = self.ghosts.of(ghost).unwrap_or(ONCE);
            self.target = if list == ONCE {
                (self.target + (again / once).max(1)).min(self.slots)
            } else {
                self.target.saturating_sub((once / again).max(1))
            };
            self.forget(ghost);
            self.returned = Some(list);
        } else if self.lines.len(ONCE) + once >= self.slots {
            self.forget_oldest(ONCE);
        } else if self.lines.len(AGAIN) + again + self.lines.len(ONCE) + once >= 2 * self.slots {
            self.forget_oldest(AGAIN);
        }
    }

    fn forget_oldest(&mut self, list: usize) {
        if let Some(ghost) = self.ghosts.first(list) {
            self.forget(ghost);
        }
    }

    fn forget(&mut self, ghost: u32) {
        self.ghosts.remove(ghost);
        self.table.remove(self.keys[ghost as usize]);
        self.unused.push(ghost);
    }

    pub(super) fn victim(&self, may: impl Fn(u32) -> bool) -> Option<u32> {
        let once = self.lines.len(ONCE);
        let on_target = once == self.target && self.returned == Some(AGAIN);
        let lists = if once > 0 && (once > self.target || on_target) {
            [ONCE, AGAIN]
        } else {
            [AGAIN, ONCE]
        };
        lists.into_iter().flat_map(|list| self.lines.iter(list)).find(|&slot| may(slot))
    }

    pub(super) fn leave(&mut self, slot: u32, key: LineKey) {
        let Some(list) = self.lines.of(slot) else { return };
        // Lines used once that fill the cache leave without a trace.
        let full = list == ONCE && self.lines.len(ONCE) == self.slots;
        let trace = !full || self.returned.is_some();
        self.lines.remove(slot);
        if !trace {
            return;
        }
        if self.unused.is_empty() {
            self.forget_oldest(if self.ghosts.len(list) > 0 { list } else { 1 - list });
        }
        if let Some(ghost) = self.unused.pop() {
            self.keys[ghost as usize] = key;
            self.table.insert(key, ghost);
            self.ghosts.push(list, ghost);
        }
    }

    pub(super) fn enter(&mut self, slot: u32) {
        let list = if self.returned.take().is_some() { AGAIN } else { ONCE };
        self.lines.push(list, slot);
    }

    pub(super) fn used(&mut self, slot: u32) {
        self.lines.remove(slot);
        self.lines.push(AGAIN, slot);
    }
}
