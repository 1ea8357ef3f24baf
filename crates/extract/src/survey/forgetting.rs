//! What makes a cache forget, and in which order looks need the least of it.

/// The reads that make a cache forget a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Forgetting {
    /// So many; 0 where no cache shows.
    pub(super) reads: usize,
    /// Whether they are needed between any two looks at one track, as it is held with each of its sectors.
    pub(super) tracks: bool,
}

impl Forgetting {
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

/// The same of what begins at these places in rising order: so many others, or as many as there are, come between
/// two that begin near each other.
pub(super) fn dealt<T: Copy>(places: &[T], apart: usize) -> Vec<T> {
    let stretch = places.len().div_ceil(apart.max(1)).max(1);
    (0..stretch).flat_map(|place| places.iter().skip(place).step_by(stretch)).copied().collect()
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
    fn what_begins_near_another_has_others_between() {
        assert_eq!(dealt(&[1, 2, 3, 4, 5, 6, 7], 3), [1, 4, 7, 2, 5, 3, 6]);
        assert_eq!(dealt(&[1, 2, 3], 1), [1, 2, 3]);
        assert_eq!(dealt(&[1, 2, 3], 9), [1, 2, 3]);
        assert!(dealt::<u64>(&[], 9).is_empty());
    }
}
