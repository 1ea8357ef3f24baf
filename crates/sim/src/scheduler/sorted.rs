use super::{Key, Waiting};
use std::collections::BTreeMap;

/// Waiting requests in the order of their addresses or cylinders; at one place, by arrival.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    key: Key,
    by_place: BTreeMap<(u64, u64), Waiting>,
}

impl Sorted {
    pub(crate) fn new(key: Key) -> Self {
        Self { key, by_place: BTreeMap::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.by_place.len()
    }

    #[inline]
    pub(crate) fn key_of(&self, waiting: &Waiting) -> u64 {
        match self.key {
            Key::Lba => waiting.lba,
            Key::Cylinder => u64::from(waiting.cylinder()),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, waiting: Waiting) {
        self.by_place.insert((self.key_of(&waiting), waiting.sequence), waiting);
    }

    #[inline]
    pub(crate) fn remove(&mut self, waiting: &Waiting) -> Option<Waiting> {
        self.by_place.remove(&(self.key_of(waiting), waiting.sequence))
    }

    /// The first request at or above `key`.
    #[inline]
    pub(crate) fn at_or_above(&self, key: u64) -> Option<&Waiting> {
        self.by_place.range((key, 0)..).next().map(|(_, waiting)| waiting)
    }

    /// The earliest of those at the highest place at or below `key`.
    #[inline]
    pub(crate) fn at_or_below(&self, key: u64) -> Option<&Waiting> {
        let (&(place, _), _) = self.by_place.range(..=(key, u64::MAX)).next_back()?;
        self.at_or_above(place)
    }

    /// The lowest.
    pub(crate) fn lowest(&self) -> Option<&Waiting> {
        self.by_place.first_key_value().map(|(_, waiting)| waiting)
    }

    /// All at or above `key`, upwards.
    pub(crate) fn upwards(&self, key: u64) -> impl Iterator<Item = &Waiting> {
        self.by_place.range((key, 0)..).map(|(_, waiting)| waiting)
    }

    /// All below `key`, downwards.
    pub(crate) fn downwards(&self, key: u64) -> impl Iterator<Item = &Waiting> {
        self.by_place.range(..(key, 0)).rev().map(|(_, waiting)| waiting)
    }
}
