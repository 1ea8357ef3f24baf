//! Orders that counts of tracks contradict: zones, and groups that share spares, are whole cylinders.

use super::orders::Order;
use super::pieces::{MEMORY, Piece, SEVERAL};
use super::stretches::{Before, stretches};
use std::collections::BTreeMap;

/// So many to one against it, chance did not make all counts multiples of the surfaces.
const UNLIKELY: f64 = 1_000.0;

/// Leaves out the orders of which some count is no multiple, where all are of another order's: tracks that
/// were slipped or missed would make them multiples of none.
pub(super) fn by_counts(orders: Vec<Order>, pieces: &[Piece]) -> Vec<Order> {
    let (zones, group) = (zones(pieces), short_groups(pieces).first().map(|it| it.tracks));
    let passes = |order: &Order| order.surfaces * order.width.unwrap_or(1);
    let whole = |order: &Order| {
        zones.iter().all(|tracks| tracks.is_multiple_of(order.surfaces))
            && group.is_none_or(|tracks| tracks.is_multiple_of(passes(order)))
    };
    // One number in so many is a multiple.
    let no_chance = |order: &&Order| {
        let zones = (order.surfaces as f64).powi(zones.len() as i32);
        zones * group.map_or(1.0, |_| passes(order) as f64) >= UNLIKELY
    };
    if orders.iter().filter(no_chance).any(whole) {
        orders.into_iter().filter(whole).collect()
    } else {
        orders
    }
}

/// Tracks of each zone that ends where another begins.
fn zones(pieces: &[Piece]) -> Vec<u64> {
    let zones = stretches(pieces).unwrap_or_default();
    let known = |before: Before| before != Before::Askew;
    let both = zones.windows(2).filter(|pair| known(pair[0].before) && known(pair[1].before));
    both.map(|pair| pair[1].first_track - pair[0].first_track).collect()
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
    for pair in pieces.windows(2).filter(|it| it[0].cycles >= MEMORY as u64 && it[1].tracks() == 1)
    {
        let key = (&pair[0].sectors, pair[0].cycles, &pair[1].sectors);
        same.entry(key).or_default().push(pair[1].first_track);
    }
    let groups = same.into_values().filter(|last| last.len() >= SEVERAL as usize);
    let distance = |last: &[u64]| last.windows(2).map(|pair| pair[1] - pair[0]).min();
    let group = |last: Vec<u64>| Some(ShortGroup { tracks: distance(&last)?, last });
    let mut groups: Vec<ShortGroup> = groups.filter_map(group).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.tracks * group.last.len() as u64));
    groups
}

#[cfg(test)]
mod tests {
    use super::super::orders::heads_first;
    use super::super::pieces::Pieces;
    use super::*;

    /// Zones of so many tracks, some of which end with a short one each so many.
    fn pieces(zones: &[u64], group: Option<u64>) -> Vec<Piece> {
        let (mut pieces, mut at) = (Pieces::default(), 0);
        for (number, tracks) in zones.iter().enumerate() {
            let length = 500 - 10 * number as u64;
            let group = group.unwrap_or(*tracks);
            for _ in 0..tracks / group {
                pieces.push_cycles(at, &[length], group - 1);
                at += length * (group - 1);
                let last = length - if group < *tracks { 7 } else { 0 };
                pieces.push_cycles(at, &[last], 1);
                at += last;
            }
        }
        pieces.list
    }

    fn left(pieces: &[Piece]) -> Vec<u64> {
        let orders = [1, 6, 7, 8].into_iter().flat_map(|surfaces| heads_first(surfaces, &[0]));
        let mut surfaces: Vec<u64> =
            by_counts(orders.collect(), pieces).iter().map(|order| order.surfaces).collect();
        surfaces.dedup();
        surfaces
    }

    #[test]
    fn zones_are_whole_cylinders() {
        assert_eq!(left(&pieces(&[700, 721, 763, 707, 770], None)), [1, 7]);
        // One slipped track, or too few zones, and nothing is said.
        assert_eq!(left(&pieces(&[700, 720, 763, 707, 770], None)), [1, 6, 7, 8]);
        assert_eq!(left(&pieces(&[700, 721, 763], None)), [1, 6, 7, 8]);
    }

    #[test]
    fn groups_that_share_spares_are_whole_cylinders() {
        let groups = |tracks: u64| pieces(&[5 * tracks; 4], Some(tracks));
        assert_eq!(short_groups(&groups(280))[0].tracks, 280);
        assert_eq!(left(&groups(280)), [1, 7, 8]);
        assert_eq!(left(&groups(238)), [1, 7]);
        assert_eq!(left(&groups(239)), [1, 6, 7, 8]);
    }
}
