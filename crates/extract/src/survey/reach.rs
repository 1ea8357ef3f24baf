//! Tracks that lie a known number of cylinders apart, by all orders that are possible.

use super::movements::Movements;
use super::orders::{Order, agree, known_field, possible};
use super::pattern::PatternSearch;
use super::pieces::Pieces;
use crate::arm::ArmPlaces;

/// Tracks among which a pair of neighbouring cylinders is looked for.
const AMONG: u64 = 64;

pub(super) fn arm_places(
    pattern: &PatternSearch,
    movements: &Movements,
    pieces: &Pieces,
) -> Option<ArmPlaces> {
    let orders = possible(pattern, &movements.timings());
    let first = *orders.first()?;
    agree(&orders).then_some(())?;
    let field = known_field(pattern);
    let middle = u64::midpoint(field.0, field.1);
    let among = middle..(middle + AMONG).min(field.1);
    let pairs = among.clone().flat_map(|from| (from + 1..among.end).map(move |to| (from, to)));
    let pairs: Vec<(u64, u64)> = pairs
        .filter(|(from, to)| orders.iter().all(|order| order.movement(*from, *to).0 == 1))
        .collect();
    // Under the same head by one order each: a head switch makes no movement shorter.
    let straight =
        |order: &Order| pairs.iter().find(|(from, to)| !order.movement(*from, *to).1).copied();
    let mut next = orders.iter().map(straight).collect::<Option<Vec<_>>>()?;
    next.sort_unstable();
    next.dedup();
    let both = |(from, to): (u64, u64)| pieces.track(from).zip(pieces.track(to));
    let last = pieces.tracks().checked_sub(1)?;
    // The last pass over the surfaces may go back: then it begins at the last cylinder.
    let back = first.width.map_or(last, |width| (last + 1).saturating_sub(width));
    let mut ends = vec![(0, last), (0, back)];
    ends.dedup();
    let tracks = |pairs: Vec<(u64, u64)>| pairs.into_iter().filter_map(both).collect();
    Some(ArmPlaces { next: tracks(next), ends: tracks(ends) })
}
