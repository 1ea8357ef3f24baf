//! The file cache: pages of files and blocks of the device, the least recently used given up first.

use platterlab_units::Stamp;
use platterlab_workload::flow::FileId;
use std::collections::BTreeMap;

/// The file that stands for the device itself: its pages are named by their first sectors.
pub(super) const DEVICE: FileId = FileId::MAX;

/// A page's name.
pub(super) type PageKey = (FileId, u64);

/// What a page is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// On its way from the disk, with that request.
    Reading(u32),
    /// As on the disk.
    Clean,
    /// To be written.
    Dirty,
    /// On its way to the disk, with that request; dirtied again since if so.
    Writing(u32, bool),
}

/// A page in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) key: PageKey,
    pub(super) lba: u64,
    pub(super) sectors: u32,
    pub(super) state: State,
    /// When it became dirty.
    pub(super) dirtied: Stamp,
    /// When it was asked for ahead of need; until it is needed.
    pub(super) ahead: Option<Stamp>,
    newer: u32,
    older: u32,
}

/// No page.
const NONE: u32 = u32::MAX;

/// All pages in memory.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    by_key: BTreeMap<PageKey, u32>,
    slots: Vec<Page>,
    free: Vec<u32>,
    capacity: usize,
    /// Ends of the list of clean pages by use.
    newest: u32,
    oldest: u32,
    /// Pages that are dirty and not on their way.
    pub(super) dirty: u64,
}

impl Pages {
    pub(super) fn new(capacity: u64) -> Self {
        Self {
            by_key: BTreeMap::new(),
            slots: Vec::new(),
            free: Vec::new(),
            capacity: usize::try_from(capacity).unwrap_or(usize::MAX).min(NONE as usize),
            newest: NONE,
            oldest: NONE,
            dirty: 0,
        }
    }

    pub(super) fn find(&self, key: PageKey) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    pub(super) fn page(&self, slot: u32) -> &Page {
        &self.slots[slot as usize]
    }

    pub(super) fn page_mut(&mut self, slot: u32) -> &mut Page {
        &mut self.slots[slot as usize]
    }

    /// Slots there are, used or not.
    pub(super) fn slots(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Takes a page in; `None` if memory is full of pages that cannot be given up.
    pub(super) fn insert(
        &mut self,
        key: PageKey,
        lba: u64,
        sectors: u32,
        state: State,
    ) -> Option<u32> {
        let page = Page {
            key,
            lba,
            sectors,
            state,
            dirtied: Stamp::ZERO,
            ahead: None,
            newer: NONE,
            older: NONE,
        };
        let slot = if let Some(slot) = self.free.pop() {
            slot
        } else if self.slots.len() < self.capacity {
            self.slots.push(page);
            (self.slots.len() - 1) as u32
        } else {
            let slot = self.oldest;
            if slot == NONE {
                return None;
            }
            self.unlink(slot);
            self.by_key.remove(&self.slots[slot as usize].key);
            slot
        };
        self.slots[slot as usize] = page;
        self.by_key.insert(key, slot);
        if state == State::Clean {
            self.link(slot);
        }
        Some(slot)
    }

    /// Changes what a page is doing, and whether it can be given up.
    pub(super) fn set(&mut self, slot: u32, state: State) {
        let before = self.slots[slot as usize].state;
        if before == State::Clean {
            self.unlink(slot);
        }
        self.dirty -= u64::from(before == State::Dirty);
        self.dirty += u64::from(state == State::Dirty);
        self.slots[slot as usize].state = state;
        if state == State::Clean {
            self.link(slot);
        }
    }

    /// Makes a clean page the most recently used.
    pub(super) fn touch(&mut self, slot: u32) {
        if self.slots[slot as usize].state == State::Clean && self.newest != slot {
            self.unlink(slot);
            self.link(slot);
        }
    }

    /// Gives a page up. It is not on its way.
    pub(super) fn remove(&mut self, slot: u32) {
        self.set(slot, State::Clean);
        self.unlink(slot);
        self.by_key.remove(&self.slots[slot as usize].key);
        self.free.push(slot);
    }

    /// Pages of a file from `page` on.
    pub(super) fn of_file(&self, file: FileId, page: u64) -> impl Iterator<Item = u32> {
        self.by_key.range((file, page)..=(file, u64::MAX)).map(|(_, slot)| *slot)
    }

    /// All pages, by name.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        self.by_key.values().copied()
    }

    fn link(&mut self, slot: u32) {
        self.slots[slot as usize].older = self.newest;
        self.slots[slot as usize].newer = NONE;
        match self.newest {
            NONE => self.oldest = slot,
            newest => self.slots[newest as usize].newer = slot,
        }
        self.newest = slot;
    }

    fn unlink(&mut self, slot: u32) {
        let Page { newer, older, .. } = self.slots[slot as usize];
        match newer {
            NONE => self.newest = older,
            newer => self.slots[newer as usize].older = older,
        }
        match older {
            NONE => self.oldest = newer,
            older => self.slots[older as usize].newer = newer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(pages: &mut Pages, page: u64) -> Option<u32> {
        pages.insert((1, page), page * 8, 8, State::Clean)
    }

    #[test]
    fn the_least_recently_used_clean_page_makes_room() {
        let mut pages = Pages::new(3);
        let slots: Vec<_> = (0..3).filter_map(|page| clean(&mut pages, page)).collect();
        pages.touch(slots[0]);
        pages.set(slots[1], State::Dirty);
        clean(&mut pages, 3);
        assert_eq!(
            [0, 1, 2, 3].map(|page| pages.find((1, page)).is_some()),
            [true, true, false, true]
        );
        clean(&mut pages, 4);
        assert_eq!(pages.find((1, 0)), None);
        assert_eq!(pages.dirty, 1);
    }

    #[test]
    fn memory_full_of_dirty_pages_takes_no_more() {
        let mut pages = Pages::new(2);
        for page in 0..2 {
            let slot = clean(&mut pages, page).expect("there is room");
            pages.set(slot, State::Dirty);
        }
        assert_eq!(clean(&mut pages, 9), None);
        let first = pages.find((1, 0)).expect("it is there");
        pages.set(first, State::Writing(0, false));
        assert_eq!(clean(&mut pages, 9), None);
        pages.set(first, State::Clean);
        assert_eq!(clean(&mut pages, 9), Some(first));
    }

    #[test]
    fn a_page_given_up_leaves_its_slot() {
        let mut pages = Pages::new(2);
        let slot = clean(&mut pages, 7).expect("there is room");
        pages.set(slot, State::Dirty);
        pages.remove(slot);
        assert_eq!((pages.find((1, 7)), pages.dirty), (None, 0));
        assert_eq!(clean(&mut pages, 8), Some(slot));
    }
}
