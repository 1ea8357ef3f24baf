//! Lists through an array, for replacement and for what is dirty.

const NONE: u32 = u32::MAX;

/// Lists of small numbers, each in one list at the most; every step takes constant time.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    links: Vec<Link>,
    lists: Vec<List>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    before: u32,
    after: u32,
    list: u32,
}

#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    last: u32,
    len: usize,
}

impl Chains {
    /// `lists` empty lists for numbers below `count`.
    pub(super) fn new(lists: usize, count: usize) -> Self {
        let link = Link { before: NONE, after: NONE, list: NONE };
        let list = List { first: NONE, last: NONE, len: 0 };
        Self { links: vec![link; count], lists: vec![list; lists] }
    }

    pub(super) fn len(&self, list: usize) -> usize {
        self.lists[list].len
    }

    /// The list a number is in.
    pub(super) fn of(&self, item: u32) -> Option<usize> {
        let list = self.links[item as usize].list;
        (list != NONE).then_some(list as usize)
    }

    pub(super) fn push(&mut self, list: usize, item: u32) {
        let before = self.lists[list].last;
        self.links[item as usize] = Link { before, after: NONE, list: list as u32 };
        match before {
            NONE => self.lists[list].first = item,
            _ => self.links[before as usize].after = item,
        }
        self.lists[list].last = item;
        self.lists[list].len += 1;
    }

    /// Takes a number out of its list, if it is in one.
    pub(super) fn remove(&mut self, item: u32) {
        let Some(list) = self.of(item) else { return };
        let Link { before, after, .. } = self.links[item as usize];
        match before {
            NONE => self.lists[list].first = after,
            _ => self.links[before as usize].after = after,
        }
        match after {
            NONE => self.lists[list].last = before,
            _ => self.links[after as usize].before = before,
        }
        self.links[item as usize].list = NONE;
        self.lists[list].len -= 1;
    }

    pub(super) fn first(&self, list: usize) -> Option<u32> {
        let first = self.lists[list].first;
        (first != NONE).then_some(first)
    }

    /// From the first to the last.
    pub(super) fn iter(&self, list: usize) -> impl Iterator<Item = u32> + '_ {
        let next = |item: &u32| {
            let after = self.links[*item as usize].after;
            (after != NONE).then_some(after)
        };
        std::iter::successors(self.first(list), next)
    }

    /// From the last to the first.
    pub(super) fn iter_back(&self, list: usize) -> impl Iterator<Item = u32> + '_ {
        let last = self.lists[list].last;
        let next = |item: &u32| {
            let before = self.links[*item as usize].before;
            (before != NONE).then_some(before)
        };
        std::iter::successors((last != NONE).then_some(last), next)
    }
}
