//! Where cylinders begin, as the angles between neighbouring tracks show it.
//!
//! A drive may begin within a cylinder, and behind spare tracks cylinders begin at other tracks than
//! if all were whole. No printed value says so: surfaces and skews are as true there. What stays
//! claimed is that cylinders follow each other at even distances, but for a few such places.

use super::compare::{Between, Pair};
use super::replica::Replica;
use crate::stats::fold;
use std::collections::BTreeSet;

/// Angles that must come out by it, for another beginning of cylinders to be likelier.
const WORTH: u32 = 12;
/// Places where cylinders begin otherwise, at most.
const MOST: usize = 3;
/// Beginnings of cylinders that must be seen between two such places.
const SEEN: usize = 3;

/// From a pair on, cylinders begin so many tracks later than if all were whole.
struct Stretch {
    pair: usize,
    later: u64,
}

/// How many tracks of its cylinder lie before the first sector.
pub(super) fn before(replica: &Replica, pairs: &[Pair], period: f64) -> u64 {
    let surfaces = u64::from(replica.drive.layout().surfaces());
    let later = stretches(replica, pairs, period).first().map_or(0, |first| first.later);
    (surfaces - later) % surfaces
}

/// Lets the pairs' cylinders begin where they do; answers behind which sector no pair shows that
/// cylinders begin as in the replica, as far as skews can show it.
pub(super) fn follow(replica: &Replica, pairs: &mut [Pair], period: f64) -> Option<u64> {
    let surfaces = u64::from(replica.drive.layout().surfaces());
    let step = replica.step_ms?;
    let stretches = stretches(replica, pairs, period);
    let moved = stretches.iter().find(|it| it.later > 0).map(|it| pairs[it.pair].lba);
    for (index, stretch) in stretches.iter().enumerate() {
        let end = stretches.get(index + 1).map_or(pairs.len(), |next| next.pair);
        for pair in pairs[stretch.pair..end].iter_mut().filter(|pair| pair.zone == 0) {
            pair.off = off(pair, stretch.later, surfaces, step, period);
            if pair.boundaries > 0 {
                let within = begun(pair, stretch.later, surfaces).next().is_none();
                pair.between = if within { Between::Tracks } else { Between::Cylinders };
            }
        }
    }
    let shows = |pair: &&Pair| pair.between == Between::Cylinders && pair.off.abs() <= pair.room;
    let shown = pairs.iter().filter(shows).map(|pair| pair.lba).max().unwrap_or(0);
    Some(moved.unwrap_or(shown).min(shown))
}

/// Tracks of a pair with which a cylinder begins, if cylinders begin so much later.
fn begun(pair: &Pair, later: u64, surfaces: u64) -> impl Iterator<Item = u64> {
    let tracks = pair.track + 1..=pair.track + pair.boundaries as u64;
    tracks.filter(move |track| (track + surfaces - later).is_multiple_of(surfaces))
}

fn off(pair: &Pair, later: u64, surfaces: u64, step: f64, period: f64) -> f64 {
    let more =
        begun(pair, later, surfaces).count() as f64 - begun(pair, 0, surfaces).count() as f64;
    fold(pair.off - more * step, period)
}

/// Stretches of the first zone, by the fewest angles that come out otherwise; cylinders are whole
/// where the angles do not show another thing for sure. The pairs are in the order of addresses.
fn stretches(replica: &Replica, pairs: &[Pair], period: f64) -> Vec<Stretch> {
    let whole = || vec![Stretch { pair: 0, later: 0 }];
    let surfaces = u64::from(replica.drive.layout().surfaces());
    let Some(step) = replica.step_ms.filter(|_| surfaces > 1) else { return whole() };
    let outer = &pairs[..pairs.partition_point(|pair| pair.zone == 0)];
    let found = cheapest(outer, surfaces, |pair, later| {
        off(pair, later, surfaces, step, period).abs() > pair.room
    });
    let seen = |(index, stretch): (usize, &Stretch)| {
        let end = found.get(index + 1).map_or(outer.len(), |next| next.pair);
        let fits =
            |pair: &&Pair| off(pair, stretch.later, surfaces, step, period).abs() <= pair.room;
        let mine = outer[stretch.pair..end].iter().filter(fits);
        let tracks: BTreeSet<u64> =
            mine.flat_map(|pair| begun(pair, stretch.later, surfaces)).collect();
        (index == 0 && stretch.later == 0) || tracks.len() >= SEEN
    };
    let places = found.len() - usize::from(found[0].later == 0);
    if places <= MOST && found.iter().enumerate().all(seen) { found } else { whole() }
}

/// The cheapest way through all pairs: each that comes out otherwise costs one, each place where
/// cylinders begin otherwise [`WORTH`].
fn cheapest(pairs: &[Pair], surfaces: u64, wrong: impl Fn(&Pair, u64) -> bool) -> Vec<Stretch> {
    let mut costs: Vec<u32> =
        (0..surfaces).map(|later| if later == 0 { 0 } else { WORTH }).collect();
    let mut from: Vec<Vec<u64>> = Vec::new();
    for pair in pairs {
        let least = (0..surfaces).min_by_key(|later| costs[*later as usize]).unwrap_or(0);
        let change = costs[least as usize] + WORTH;
        let stays = |later: u64| costs[later as usize] <= change;
        from.push((0..surfaces).map(|later| if stays(later) { later } else { least }).collect());
        costs = (0..surfaces)
            .map(|later| costs[later as usize].min(change) + u32::from(wrong(pair, later)))
            .collect();
    }
    let mut later = (0..surfaces).min_by_key(|later| costs[*later as usize]).unwrap_or(0);
    let mut back = Vec::new();
    for (pair, from) in from.iter().enumerate().rev() {
        let before = from[later as usize];
        if before != later && pair > 0 {
            back.push(Stretch { pair, later });
        }
        later = before;
    }
    back.push(Stretch { pair: 0, later });
    back.reverse();
    back
}
