//! Groups of cylinders that share spares: of which orders they are whole serpentines.

use super::orders::Order;
use super::pieces::{MEMORY, Piece, SEVERAL};
use std::collections::BTreeMap;

/// One number in at least so many is a multiple of the tracks of a serpentine over all surfaces.
const UNLIKELY: u64 = 100;
/// Tracks of one length before a short one, at least.
const FEWEST: u64 = 8;

/// Leaves out the orders by which a group is no whole cylinders, where by one of the others it is whole
/// serpentines over all surfaces, which is no chance.
pub(super) fn by_groups(orders: Vec<Order>, pieces: &[Piece]) -> Vec<Order> {
    let groups = short_groups(pieces);
    let Some(tracks) = groups.first().map(|group| group.tracks) else { return orders };
    let serpentine = |order: &Order| order.surfaces * order.width.unwrap_or(1);
    let whole = |order: &Order| tracks.is_multiple_of(serpentine(order));
    if orders.iter().any(|order| whole(order) && serpentine(order) >= UNLIKELY) {
        orders.into_iter().filter(whole).collect()
    } else {
        orders
    }
}

/// Tracks that end with a short one, and come back.
pub(super) struct ShortGroup {
    /// How many, the short one included.
    tracks: u64,
    /// The numbers of the short ones.
    pub(super) last: Vec<u64>,
}

/// Groups that come back, each of them ended by a track that is short of spares and follows as many of one
/// length: no search that went wrong did so, far apart. Those of the most tracks in all come first.
pub(super) fn short_groups(pieces: &[Piece]) -> Vec<ShortGroup> {
    let mut same: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for pair in pieces.windows(2).filter(|it| it[0].cycles >= FEWEST && it[1].tracks() == 1) {
        let key = (&pair[0].sectors, pair[0].cycles, &pair[1].sectors);
        same.entry(key).or_default().push(pair[1].first_track);
    }
    let groups = same.into_values().filter(|last| last.len() >= SEVERAL as usize);
    let distance = |last: &[u64]| last.windows(2).map(|pair| pair[1] - pair[0]).min();
    let group = |last: Vec<u64>| Some(ShortGroup { tracks: distance(&last)?, last });
    let far = |group: &ShortGroup| group.tracks >= MEMORY as u64;
    let mut groups: Vec<ShortGroup> = groups.filter_map(group).filter(far).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.tracks * group.last.len() as u64));
    groups
}

#[cfg(test)]
mod tests {
    use super::super::orders::cylinders_first;
    use super::super::pieces::Pieces;
    use super::*;

    /// Groups of so many tracks, the last of which is short.
    fn pieces(tracks: u64) -> Vec<Piece> {
        let mut pieces = Pieces::default();
        for first_lba in (0..4).map(|group| group * (500 * tracks - 7)) {
            pieces.push_cycles(first_lba, &[500], tracks - 1);
            pieces.push_cycles(first_lba + 500 * (tracks - 1), &[493], 1);
        }
        pieces.list
    }

    /// Surfaces of the orders that are left of those with passes of such a width.
    fn left(tracks: u64, width: u64) -> Vec<u64> {
        let orders = cylinders_first(0, width);
        let all = orders.len();
        let left = by_groups(orders, &pieces(tracks));
        let mut surfaces: Vec<u64> = left.iter().map(|order| order.surfaces).collect();
        surfaces.dedup();
        if left.len() == all { Vec::new() } else { surfaces }
    }

    #[test]
    fn groups_that_share_spares_are_short_groups() {
        assert_eq!(short_groups(&pieces(280))[0].tracks, 280);
        assert_eq!(left(7 * 40, 40), [7]);
        assert_eq!(left(6 * 40, 40), [2, 3, 6]);
        // Where tracks are spare, too, or passes are so short that chance makes them whole ones, all are left.
        assert!(left(7 * 40 - 1, 40).is_empty());
        assert!(left(7 * 40, 3).is_empty());
        // So few tracks are a cycle of single ones.
        assert!(left(120, 40).is_empty());
    }
}
