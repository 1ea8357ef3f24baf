//! Concatenation: members one after the other.

/// Members one after the other.
#[derive(Clone, Debug)]
pub(super) struct Concat {
    /// Where each ends in the volume.
    ends: Vec<u64>,
}

impl Concat {
    pub(super) fn new(sectors: impl IntoIterator<Item = u64>) -> Self {
        let mut end = 0;
        let place = |sectors: u64| {
            end += sectors;
            end
        };
        Self { ends: sectors.into_iter().map(place).collect() }
    }

    pub(super) fn sectors(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The member of a sector, the sector on it, and how many follow there.
    #[inline]
    pub(super) fn locate(&self, lba: u64) -> (usize, u64, u64) {
        let member = self.ends.partition_point(|end| *end <= lba);
        let start = if member == 0 { 0 } else { self.ends[member - 1] };
        (member, lba - start, self.ends[member] - lba)
    }
}
