//! What makes a cache forget, and in which order looks need the least of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

/// So few reads make a cache forget that looks are made as if there were none.
pub(super) const FEW_READS: usize = 32;

/// The reads that make a cache forget a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Forgetting {
    /// So many; 0 where no cache shows.
    pub(super) reads: usize,
    /// Whether they are needed between any two looks at one track, as it is held with each of its sectors.
    pub(super) tracks: bool,
}

impl Forgetting {
    /// Whether a cache that has all of a track is asked what is on it: by so many reads, looks at lines take longer.
    pub(super) fn tells_tracks(self) -> bool {
        self.tracks && self.reads > FEW_READS
    }

    /// Whether there is any need of it.
    pub(super) fn is_costly(self) -> bool {
        self.reads > 0
    }
}

/// The same sectors, of which those on one track, of so many sectors, are as far apart as may be: one of each track
/// and then the next of each, so that each makes the others be forgotten.
pub(super) fn one_of_each_track(lbas: &[u64], track_sectors: u64) -> Vec<u64> {
    let (mut left, mut ordered) = (lbas.to_vec(), Vec::with_capacity(lbas.len()));
    while !left.is_empty() {
        let mut last: Option<u64> = None;
        left.retain(|lba| {
            let other = last.is_none_or(|last| last.abs_diff(*lba) >= track_sectors);
            if other {
                ordered.push(*lba);
                last = Some(*lba);
            }
            !other
        });
    }
    ordered
}

/// The order in which to read these pairs, by number, so that so many reads lie before one that is near it, or as many
/// as there may be: of two that lie less than `near` sectors apart a cache may have the second. Where several are as
/// far, one of those that begin at the same place as the most others.
pub(super) fn far_apart(pairs: &[(u64, u64)], reads: usize, near: u64) -> Vec<usize> {
    let mut left: Vec<usize> = (0..pairs.len()).collect();
    let mut begin: BTreeMap<u64, usize> = BTreeMap::new();
    for (from, _) in pairs {
        *begin.entry(*from).or_default() += 1;
    }
    let mut recent: VecDeque<u64> = VecDeque::with_capacity(reads + 2);
    let mut ordered = Vec::with_capacity(pairs.len());
    let age = |recent: &VecDeque<u64>, (from, to): (u64, u64)| {
        let is_near = |read: &u64| read.abs_diff(from).min(read.abs_diff(to)) < near;
        recent.iter().position(is_near).unwrap_or(reads)
    };
    while !left.is_empty() {
        let rank = |place: &usize| {
            let pair = pairs[left[*place]];
            (age(&recent, pair), begin[&pair.0], Reverse(*place))
        };
        let best = (0..left.len()).max_by_key(rank).unwrap_or(0);
        let next = left.remove(best);
        let (from, to) = pairs[next];
        begin.entry(from).and_modify(|count| *count -= 1);
        recent.push_front(from);
        recent.push_front(to);
        recent.truncate(reads);
        ordered.push(next);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_at_one_track_have_all_others_between_them() {
        let ends = [400, 399, 300, 299, 200, 199];
        assert_eq!(one_of_each_track(&ends, 100), [400, 300, 200, 399, 299, 199]);
        // All on one track, or each on its own: as they were.
        assert_eq!(one_of_each_track(&[90, 60, 5], 100), [90, 60, 5]);
        assert_eq!(one_of_each_track(&[900, 600, 50], 100), [900, 600, 50]);
    }

    #[test]
    fn what_lies_near_another_pair_has_others_between() {
        let pairs = [(0, 10), (10, 20), (100, 110), (200, 210), (20, 30), (300, 310)];
        assert_eq!(far_apart(&pairs, 4, 15), [0, 2, 3, 1, 5, 4]);
        // Nothing is held for so long, or all of them lie near each other: as they were.
        assert_eq!(far_apart(&pairs, 0, 15), [0, 1, 2, 3, 4, 5]);
        assert_eq!(far_apart(&pairs[..2], 4, 15), [0, 1]);
        assert!(far_apart(&[], 4, 15).is_empty());
    }
}
