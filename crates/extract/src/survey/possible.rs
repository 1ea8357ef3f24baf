//! The orders that are left of those that the pattern of skews suggests, once movements have excluded
//! the others.

use super::means;
use super::movements::Movements;
use super::orders::{MOST_SURFACES, Order, Timing, Witnesses, cylinders_first, heads_first};
use super::passes::{Passes, usual_passes};
use super::pattern::{Cycle, PatternSearch};
use super::pieces::Pieces;
use std::collections::BTreeSet;

/// Where the host's clock leaves more open of most times, in milliseconds, they do not exclude two
/// surfaces.
const COARSE: f64 = 0.06;
/// Movements without which nothing is said.
const FEWEST: usize = 12;
/// Pairs of movements that disturbances make contradict each other.
const FEW_DISTURBED: usize = 8;

/// The orders that the pattern of skews suggests and no movements contradict; none where there are
/// too few movements to say.
pub(super) fn possible(
    pattern: &PatternSearch,
    movements: &Movements,
    pieces: &Pieces,
) -> Vec<Order> {
    let passes = usual_passes(pattern).filter(|_| pattern.short_cycle().is_none());
    let field = known_field(pattern);
    let all = movements.timings();
    let timings = inside(all.clone(), field);
    if timings.len() < FEWEST {
        return Vec::new();
    }
    let orders = candidates(pattern);
    let by_arm = by_arm(&timings, movements);
    let mut witnesses = Witnesses::of(&by_arm);
    let (mut orders, broken): (Vec<Order>, Vec<Order>) =
        orders.into_iter().partition(|order| !witnesses.break_order(order));
    orders.extend(twins(&orders, broken, &by_arm));
    let resolution_ms = movements.resolution_ms();
    let skews_tell = pattern.short_cycle().is_some() || passes.is_some();
    if !skews_tell {
        orders.retain(|order| !means::contradict(order, &timings, resolution_ms));
        let like_passes = narrow_passes(&orders, field.0);
        orders.extend(like_passes.into_iter().filter(|order| !witnesses.break_order(order)));
    }
    let alone = orders.iter().all(|order| order.surfaces == 1);
    if alone && skews_tell {
        // One surface has no passes and no cycles: what seems to be some is of an order that is not
        // among these, or the clock's.
        return Vec::new();
    }
    let shown = if alone {
        let one = pattern.complete && pattern.widths().len() == 1;
        one && movements.unread_ms() <= COARSE && means::one_pass(&all, field, pieces)
    } else {
        heads_switch(pattern.field.0, &timings, resolution_ms)
    };
    if !skews_tell && !orders.is_empty() && !shown {
        orders.extend(passes_of_any_width(pattern));
    }
    orders
}

/// Of orders that movements contradict, those that only differ in which way the surfaces are gone through from one that is
/// left, where less than twice what the movements leave open excludes them: of two by which movements take nearly the
/// same, chance may leave the wrong one.
fn twins(left: &[Order], broken: Vec<Order>, by_arm: &[Timing]) -> Vec<Order> {
    let wide = |it: &Timing| Timing { width: 2.0 * it.width, ..*it };
    let wide: Vec<Timing> = by_arm.iter().map(wide).collect();
    let is_left = |order: &Order| left.iter().any(|other| other.is_twin(order));
    broken.into_iter().filter(|order| is_left(order) && !order.is_broken(&wide)).collect()
}

/// Passes over as many cylinders as some order with heads first has surfaces: where skews are alike, every so many steps
/// are of another kind in both. Of more than a few, such a pass would be a cylinder whose heads take ever longer.
fn narrow_passes(orders: &[Order], from: u64) -> Vec<Order> {
    const MOST: u64 = 4;
    let heads = orders.iter().filter(|order| order.width.is_none()).map(|order| order.surfaces);
    let widths: BTreeSet<u64> = heads.filter(|count| (2..=MOST).contains(count)).collect();
    let firsts = |width: u64| (0..width).map(move |first| (from + first, width));
    widths
        .into_iter()
        .flat_map(firsts)
        .flat_map(|(first, width)| cylinders_first(first, width))
        .collect()
}

/// Whether movements that were timed once more contradict each of these orders: the drive's may be among those
/// that disturbances excluded.
pub(super) fn all_doubted(
    orders: &[Order],
    pattern: &PatternSearch,
    movements: &Movements,
) -> bool {
    let by_arm = by_arm(&inside(movements.timings(), known_field(pattern)), movements);
    !orders.is_empty() && orders.iter().all(|order| order.is_doubted(&by_arm))
}

/// Whether movements over the middle of the drive contradict one of these orders: none of them need be the drive's.
pub(super) fn doubted_over_the_middle(
    orders: &[Order],
    pattern: &PatternSearch,
    movements: &Movements,
) -> bool {
    let timings = inside(movements.all_timings(), known_field(pattern));
    let by_arm = by_arm(&timings, movements);
    orders.iter().any(|order| order.contradictions(&by_arm, 2).len() > 1)
}

/// Passes of any length, where they are not excluded.
pub(super) fn passes_of_any_width(pattern: &PatternSearch) -> Vec<Order> {
    cylinders_first(pattern.field.0, pattern.field.1 - pattern.field.0)
}

/// The movements that contradict others by the order that the fewest contradict, by their tracks:
/// some of them are disturbed, or it is not the drive's.
pub(super) fn doubtful(pattern: &PatternSearch, movements: &Movements) -> Vec<(u64, u64)> {
    let timings = inside(movements.timings(), known_field(pattern));
    let by_arm = by_arm(&timings, movements);
    let orders = candidates(pattern).into_iter();
    let broken = orders.map(|order| order.contradictions(&by_arm, FEW_DISTURBED + 1));
    let fewest = broken.min_by_key(Vec::len).filter(|pairs| pairs.len() <= FEW_DISTURBED);
    let pairs = fewest.unwrap_or_default().into_iter().flat_map(|(one, other)| [one, other]);
    pairs.map(|index| (timings[index].from, timings[index].to)).collect()
}

/// Whether there are some, all of so many surfaces and of passes as wide.
pub(super) fn agree(orders: &[Order]) -> bool {
    let same =
        |pair: &[Order]| pair[0].surfaces == pair[1].surfaces && pair[0].width == pair[1].width;
    !orders.is_empty() && orders.windows(2).all(same)
}

/// Whether there are some, by all of which the drive has as many cylinders: of so many surfaces, and all with
/// passes or none.
pub(super) fn count_alike(orders: &[Order]) -> bool {
    let same = |pair: &[Order]| {
        pair[0].surfaces == pair[1].surfaces && pair[0].width.is_some() == pair[1].width.is_some()
    };
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
fn heads_switch(from: u64, timings: &[Timing], resolution_ms: f64) -> bool {
    let near = |it: &&Timing| it.from.abs_diff(it.to) <= 2 * MOST_SURFACES;
    let near: Vec<Timing> = timings.iter().filter(near).copied().collect();
    let broken =
        |order: &Order| order.is_broken(&near) || means::contradict(order, &near, resolution_ms);
    heads_first(1, &[from]).iter().all(broken)
}

/// Movements within these tracks.
pub(super) fn inside(mut timings: Vec<Timing>, field: (u64, u64)) -> Vec<Timing> {
    timings.retain(|it| field.0 <= it.from.min(it.to) && it.from.max(it.to) < field.1);
    timings
}

/// What the arm and the head take of these: what all requests take is no part of a longer way.
pub(super) fn by_arm(timings: &[Timing], movements: &Movements) -> Vec<Timing> {
    let rest = movements.rest_ms();
    timings
        .iter()
        .map(|it| Timing { time: it.time - rest, likely: it.likely - rest, ..*it })
        .collect()
}

fn candidates(pattern: &PatternSearch) -> Vec<Order> {
    let from = pattern.field.0;
    if let Some(Cycle { first, period, grainy, .. }) = pattern.short_cycle() {
        // Of two skews in turn each may be that within.
        let firsts = if period == 2 { vec![first, first + 1] } else { vec![first] };
        let mut orders = heads_first(period, &firsts);
        orders.extend(firsts.iter().flat_map(|first| cylinders_first(*first, period)));
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
