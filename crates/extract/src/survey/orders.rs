//! Orders of tracks, each held against the least times of movements.
//!
//! No movement takes longer than one over more cylinders that also changes heads where it does, and
//! none over n times the cylinders takes n times as long. An
//! order by which measured movements break that is not the drive's; what all others agree on is
//! certain, as each alternative was excluded by a measurement.

use super::means;
use super::movements::Movements;
use super::pattern::{Cycle, PatternSearch};
use super::pieces::Pieces;

/// More surfaces than any drive had.
pub(super) const MOST_SURFACES: u64 = 24;
/// Disjoint pairs of movements that break an order; one may be disturbed.
pub(crate) const BROKEN: usize = 2;
/// Where times are multiples of more, in milliseconds, they do not exclude two surfaces.
const COARSE: f64 = 0.05;
/// Movements without which nothing is said.
const FEWEST: usize = 12;
/// Passes in a row without which nothing is said of them.
const FEWEST_PASSES: u64 = 3;

/// A movement that was timed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) time: f64,
    pub(super) width: f64,
    /// The most likely time: for means, as its interval is wider.
    pub(super) likely: f64,
}

/// An order of tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) surfaces: u64,
    /// Cylinders of a pass; none where heads come first.
    pub(super) width: Option<u64>,
    /// Whether every second pass goes back over its cylinders.
    pub(super) passes_back: bool,
    /// Whether every second cylinder, or group of passes, goes through the surfaces backwards.
    pub(super) surfaces_back: bool,
    /// First track of some cylinder or group.
    first: u64,
}

impl Order {
    /// Cylinder and surface of a track, counted from some other ones.
    fn place(&self, track: u64) -> (i64, i64) {
        let at = track as i64 - self.first as i64;
        let surfaces = self.surfaces as i64;
        let turned = |back: bool, number: i64, at: i64, of: i64| {
            if back && number.rem_euclid(2) == 1 { of - 1 - at } else { at }
        };
        let Some(width) = self.width.map(|width| width as i64) else {
            let (cylinder, surface) = (at.div_euclid(surfaces), at.rem_euclid(surfaces));
            return (cylinder, turned(self.surfaces_back, cylinder, surface, surfaces));
        };
        let (group, within) = (at.div_euclid(surfaces * width), at.rem_euclid(surfaces * width));
        let (pass, along) = (within / width, within % width);
        let cylinder = group * width + turned(self.passes_back, pass, along, width);
        (cylinder, turned(self.surfaces_back, group, pass, surfaces))
    }

    /// Cylinders that the arm moves over, and whether the head is another one.
    pub(super) fn movement(&self, from: u64, to: u64) -> (u64, bool) {
        let ((cylinder, surface), (to, head)) = (self.place(from), self.place(to));
        (cylinder.abs_diff(to), surface != head)
    }

    /// Whether disjoint pairs of movements contradict it.
    fn is_broken(&self, timings: &[Timing]) -> bool {
        let keyed = |it: &Timing| {
            let key = self.movement(it.from, it.to);
            Keyed { key, time: it.time, width: it.width }
        };
        let keyed: Vec<Keyed> = timings.iter().map(keyed).collect();
        broken(&keyed, BROKEN) >= BROKEN
    }
}

/// The disjoint pairs of movements that contradict each other, up to so many.
pub(crate) fn broken(movements: &[Keyed], most: usize) -> usize {
    let mut used = vec![false; movements.len()];
    let mut broken = 0;
    for (index, one) in movements.iter().enumerate() {
        let other = movements
            .iter()
            .enumerate()
            .position(|(number, other)| !used[number] && contradict(one, other));
        if let (Some(other), false) = (other, used[index]) {
            used[index] = true;
            used[other] = true;
            broken += 1;
        }
        if broken == most {
            break;
        }
    }
    broken
}

/// A movement with its time: the cylinders, whether the head is another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyed {
    pub(crate) key: (u64, bool),
    pub(crate) time: f64,
    pub(crate) width: f64,
}

/// Whether the first movement takes too long for what the second takes: it is no longer, or it is
/// more times as long as it is further. An arm speeds up: no seek takes more than its share of a
/// shorter one.
fn contradict(one: &Keyed, other: &Keyed) -> bool {
    let (least, most) = (one.time - one.width, other.time + other.width);
    if one.key.0 <= other.key.0 {
        return one.key.1 <= other.key.1 && least > most;
    }
    let share = one.key.0 as f64 / other.key.0 as f64;
    other.key.0 > 0 && !one.key.1 && least > most * share
}

/// The orders that the pattern of skews suggests and no movements contradict; none where there are
/// too few movements to say.
pub(super) fn possible(
    pattern: &PatternSearch,
    movements: &Movements,
    pieces: &Pieces,
) -> Vec<Order> {
    let passes = usual_passes(pattern).filter(|_| pattern.short_cycle().is_none());
    let field = known_field(pattern);
    let within = |timing: &&Timing| {
        let (low, high) = (timing.from.min(timing.to), timing.from.max(timing.to));
        field.0 <= low && high < field.1
    };
    let all = movements.timings();
    let timings: Vec<Timing> = all.iter().filter(within).copied().collect();
    if timings.len() < FEWEST {
        return Vec::new();
    }
    let mut orders = candidates(pattern);
    orders.retain(|order| !order.is_broken(&timings));
    let skews_tell = pattern.short_cycle().is_some() || passes.is_some();
    if !skews_tell {
        orders.retain(|order| !means::contradict(order, &timings, movements.grain_ms()));
    }
    let alone = orders.iter().all(|order| order.surfaces == 1);
    if alone && passes.is_some() {
        // One surface has no passes: what seems to be some is of an order that is not among these.
        return Vec::new();
    }
    let shown = if alone {
        let one = pattern.complete && pattern.widths().len() == 1;
        one && movements.grain_ms() <= COARSE && means::one_pass(&all, field, pieces)
    } else {
        heads_switch(pattern.field.0, &timings, movements.grain_ms())
    };
    if !skews_tell && !orders.is_empty() && !shown {
        // Passes of any length are not excluded.
        orders.extend(cylinders_first(pattern.field.0, pattern.field.1 - pattern.field.0));
    }
    orders
}

/// Whether there are some, all of so many surfaces and of passes as wide.
pub(super) fn agree(orders: &[Order]) -> bool {
    let same =
        |pair: &[Order]| pair[0].surfaces == pair[1].surfaces && pair[0].width == pair[1].width;
    !orders.is_empty() && orders.windows(2).all(same)
}

/// The tracks over which an order that fits some of them goes on.
pub(super) fn known_field(pattern: &PatternSearch) -> (u64, u64) {
    let cycle = pattern.short_cycle().map(|cycle| (cycle.first, cycle.end));
    let passes = || usual_passes(pattern).map(|passes| passes.tracks);
    cycle.or_else(passes).unwrap_or(pattern.field)
}

/// Whether tracks that are near each other are not one further along each: some movement takes less
/// than one that goes over fewer of them. Where passes go over many cylinders before the head
/// changes, none does.
fn heads_switch(from: u64, timings: &[Timing], grain_ms: f64) -> bool {
    let near = |it: &&Timing| it.from.abs_diff(it.to) <= 2 * MOST_SURFACES;
    let near: Vec<Timing> = timings.iter().filter(near).copied().collect();
    let broken =
        |order: &Order| order.is_broken(&near) || means::contradict(order, &near, grain_ms);
    heads_first(1, &[from]).iter().all(broken)
}

fn candidates(pattern: &PatternSearch) -> Vec<Order> {
    let from = pattern.field.0;
    if let Some(Cycle { first, period, grainy, .. }) = pattern.short_cycle() {
        let mut orders = heads_first(period, &[first]);
        orders.extend(cylinders_first(first, period));
        if grainy {
            orders.extend(heads_first(1, &[from]));
            for cycles in 2..=4 {
                let firsts: Vec<u64> = (0..cycles).map(|number| first + number * period).collect();
                orders.extend(heads_first(period * cycles, &firsts));
            }
            for part in (2..=period / 2).filter(|part| period.is_multiple_of(*part)) {
                orders.extend(heads_first(part, &[first]));
            }
        }
        return orders;
    }
    let mut orders = heads_first(1, &[from]);
    if let Some(Passes { tracks: (first, _), width }) = usual_passes(pattern) {
        orders.extend(heads_first(width, &[first]));
        orders.extend(cylinders_first(first, width));
        orders.extend(cylinders_first(first, 2 * width));
        orders.extend(cylinders_first(first + width, 2 * width));
        if width.is_multiple_of(2) {
            orders.extend(cylinders_first(first, width / 2));
        }
    } else {
        for surfaces in 2..=MOST_SURFACES {
            let firsts: Vec<u64> = (from..from + surfaces).collect();
            orders.extend(heads_first(surfaces, &firsts));
        }
    }
    orders
}

fn heads_first(surfaces: u64, firsts: &[u64]) -> Vec<Order> {
    let order = |first: &u64, surfaces_back| Order {
        surfaces,
        width: None,
        passes_back: false,
        surfaces_back,
        first: *first,
    };
    let both: &[bool] = if surfaces > 1 { &[false, true] } else { &[false] };
    both.iter().flat_map(|back| firsts.iter().map(|first| order(first, *back))).collect()
}

/// Passes of a width, of which one begins with track `first`, over any number of surfaces.
fn cylinders_first(first: u64, width: u64) -> Vec<Order> {
    let mut orders = Vec::new();
    for surfaces in 2..=MOST_SURFACES {
        for pass in 0..surfaces {
            for (passes_back, surfaces_back) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                let first = first + pass * width;
                let width = Some(width);
                orders.push(Order { surfaces, width, passes_back, surfaces_back, first });
            }
        }
    }
    orders
}

/// Passes of one width in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passes {
    /// The first track of the first, and that behind the last.
    pub(super) tracks: (u64, u64),
    pub(super) width: u64,
}

impl Passes {
    pub(super) fn count(&self) -> u64 {
        (self.tracks.1 - self.tracks.0) / self.width
    }
}

/// The most passes in a row of the usual width, some ends of which may not have shown. The last
/// ones of a zone may be narrower.
pub(super) fn usual_passes(pattern: &PatternSearch) -> Option<Passes> {
    let passes = pattern.widths();
    let mut widths: Vec<u64> = passes.iter().map(|(_, width)| *width).collect();
    widths.sort_unstable();
    let usual = widths.chunk_by(|a, b| a == b).max_by_key(|same| same.len())?;
    let width = *usual.first().filter(|width| **width > 1)?;
    let steady = |(_, it): &(u64, u64)| it.is_multiple_of(width);
    passes
        .chunk_by(|one, other| steady(one) == steady(other))
        .filter(|run| run.first().is_some_and(steady))
        .filter_map(|run| {
            let (first, last) = (run.first()?, run.last()?);
            Some(Passes { tracks: (first.0, last.0 + last.1), width })
        })
        .max_by_key(Passes::count)
        .filter(|run| run.count() >= FEWEST_PASSES)
}
