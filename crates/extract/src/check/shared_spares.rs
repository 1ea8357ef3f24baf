//! Spares that cylinders share: those of each cylinder, or of a group of serpentines.

use crate::survey::Piece;
use std::ops::Range;

/// Groups that tell that they come back.
const FEWEST_GROUPS: usize = 3;

/// What each so many cylinders leave without an address, at their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SharedSpares {
    pub(super) cylinders: u64,
    pub(super) sectors: u64,
}

impl SharedSpares {
    /// Of each cylinder, or pass.
    pub(super) fn of_each(sectors: u64) -> Self {
        Self { cylinders: 1, sectors }
    }

    /// Those of groups of `width` cylinders between two sectors, all of whose tracks have so many sectors but the one
    /// that ends a group; none where such do not come back after whole groups.
    pub(super) fn of_groups(
        pieces: &[Piece],
        zone: Range<u64>,
        sectors: u64,
        surfaces: u64,
        width: u64,
    ) -> Option<Self> {
        let short = |pair: &[Piece]| {
            let (long, last) = (&pair[0], &pair[1]);
            let behind = last.first_lba + last.cycle_sectors();
            let ends = long.sectors[..] == [sectors] && last.tracks() == 1;
            let within = zone.start <= long.first_lba && behind <= zone.end;
            (ends && within && last.cycle_sectors() < sectors).then_some(behind)
        };
        let ends: Vec<u64> =
            [zone.start].into_iter().chain(pieces.windows(2).filter_map(short)).collect();
        let whole = surfaces * width * sectors;
        let mut lengths: Vec<u64> = ends.windows(2).map(|pair| pair[1] - pair[0]).collect();
        lengths.dedup();
        let [length] = lengths[..] else { return None };
        let groups = length.div_ceil(whole);
        (ends.len() > FEWEST_GROUPS)
            .then(|| Self { cylinders: groups * width, sectors: groups * whole - length })
    }

    /// The cylinders of a zone of so many sectors, and what it leaves of its last one; none where spares are all of it.
    pub(super) fn cylinders_of(
        self,
        zone_sectors: u64,
        cylinder_sectors: u64,
    ) -> Option<(u64, u64)> {
        let group_sectors = (self.cylinders * cylinder_sectors)
            .checked_sub(self.sectors)
            .filter(|sectors| *sectors > 0)?;
        let whole = zone_sectors / group_sectors * self.cylinders;
        let rest = zone_sectors % group_sectors;
        if rest == 0 {
            return Some((whole, 0));
        }
        let more = (rest + self.sectors).div_ceil(cylinder_sectors);
        Some((whole + more, more * cylinder_sectors - self.sectors - rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(tracks: &[(u64, u64)]) -> Vec<Piece> {
        let (mut first_lba, mut first_track) = (0, 0);
        let mut all = Vec::new();
        for (length, cycles) in tracks {
            all.push(Piece { first_lba, first_track, sectors: vec![*length], cycles: *cycles });
            (first_lba, first_track) = (first_lba + length * cycles, first_track + cycles);
        }
        all
    }

    #[test]
    fn groups_share_what_they_lack_of_whole_serpentines() {
        let group = [(50, 299), (30, 1)];
        let end = 3 * (50 * 299 + 30);
        let found = |tracks: &[(u64, u64)], width: u64| {
            SharedSpares::of_groups(&pieces(tracks), 0..end, 50, 3, width)
        };
        let three = [group; 3].concat();
        assert_eq!(found(&three, 100), Some(SharedSpares { cylinders: 100, sectors: 20 }));
        assert_eq!(found(&three, 50), Some(SharedSpares { cylinders: 100, sectors: 20 }));
        // More than a track of them.
        assert_eq!(found(&three, 101), Some(SharedSpares { cylinders: 101, sectors: 170 }));
        assert_eq!(found(&three[..4], 100), None);
        let uneven = [group, [(50, 298), (30, 1)], group].concat();
        assert_eq!(found(&uneven, 100), None);
    }

    #[test]
    fn a_zone_is_as_many_cylinders_as_hold_it() {
        let group = SharedSpares { cylinders: 10, sectors: 7 };
        assert_eq!(group.cylinders_of(3 * 993, 100), Some((30, 0)));
        assert_eq!(group.cylinders_of(3 * 993 + 93, 100), Some((31, 0)));
        assert_eq!(group.cylinders_of(3 * 993 + 95, 100), Some((32, 98)));
        let each = SharedSpares::of_each(7);
        assert_eq!(each.cylinders_of(5 * 93, 100), Some((5, 0)));
        assert_eq!(each.cylinders_of(5 * 93 + 1, 100), Some((6, 92)));
        assert_eq!(SharedSpares::of_each(100).cylinders_of(930, 100), None);
    }
}
