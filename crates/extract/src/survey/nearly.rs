//! Movements that are timed more exactly, where several orders of tracks are left.
//!
//! Those that contradict one by their likely times, and not by their intervals, exclude it then, or are no longer odd.

use super::contradictions::{Keyed, Quickest, ROUNDING};
use super::movements::Movements;
use super::orders::{Order, Timing};
use super::pattern::PatternSearch;
use super::possible::{by_arm, inside, known_field};

/// Pairs of movements for each order, two of which exclude it, and movements in all.
const EACH: usize = 3;
const MOST: usize = 48;
/// The part of both widths by which one takes too long that may be shown to do so.
const NEARLY: f64 = 0.3;

/// The movements by which one of these orders may be excluded, by their tracks.
pub(super) fn nearly(
    orders: &[Order],
    pattern: &PatternSearch,
    movements: &Movements,
) -> Vec<(u64, u64)> {
    let timings = by_arm(&inside(movements.timings(), known_field(pattern)), movements);
    of_orders(orders, &timings)
}

fn of_orders(orders: &[Order], timings: &[Timing]) -> Vec<(u64, u64)> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    for order in orders {
        for place in of_order(order, timings) {
            let tracks = (timings[place].from, timings[place].to);
            if !found.contains(&tracks) {
                found.push(tracks);
            }
            if found.len() == MOST {
                return found;
            }
        }
    }
    found
}

/// Disjoint pairs of movements, by their places, those first that are nearest to contradicting the order.
fn of_order(order: &Order, timings: &[Timing]) -> Vec<usize> {
    let keyed = |it: &Timing| {
        let key = order.movement(it.from, it.to);
        Keyed { key, time: it.likely, width: it.width }
    };
    let keyed: Vec<Keyed> = timings.iter().map(keyed).collect();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    // Most take no longer than the quickest do.
    let with = |part: f64| move |it: &Keyed| Keyed { width: part * it.width, ..*it };
    let [near, bare] = [NEARLY, 0.0]
        .map(|part| Quickest::of(&keyed.iter().map(with(part)).collect::<Vec<Keyed>>()));
    let may = |one: &Keyed| near.may_contradict_with(&bare, &with(NEARLY * (1.0 - ROUNDING))(one));
    for (index, one) in keyed.iter().enumerate().filter(|(_, one)| may(one)) {
        for (number, other) in keyed.iter().enumerate() {
            let (more, widths) = (too_long(one, other), one.width + other.width);
            if more > NEARLY * widths {
                pairs.push((more - widths, index, number));
            }
        }
    }
    pairs.sort_unstable_by(|one, other| other.0.total_cmp(&one.0));
    let mut found: Vec<usize> = Vec::new();
    for (_, one, other) in pairs {
        if !found.contains(&one) && !found.contains(&other) {
            found.extend([one, other]);
        }
        if found.len() == 2 * EACH {
            break;
        }
    }
    found
}

/// By how much the first takes longer than what the second takes allows; nothing where that says nothing of it.
fn too_long(one: &Keyed, other: &Keyed) -> f64 {
    if one.key.0 <= other.key.0 {
        return if one.key.1 <= other.key.1 { one.time - other.time } else { 0.0 };
    }
    if other.key.0 == 0 || one.key.1 {
        return 0.0;
    }
    one.time - other.time * one.key.0 as f64 / other.key.0 as f64
}

#[cfg(test)]
mod tests {
    use super::super::orders::heads_first;
    use super::*;

    fn timing((from, to): (u64, u64), time: f64, width: f64) -> Timing {
        Timing { from, to, time, width, likely: time, again: false }
    }

    #[test]
    fn what_nearly_contradicts_an_order_is_timed_more_exactly() {
        // Cylinders of two tracks: three tracks further is one cylinder, or two from the second one.
        let [one, two] = [1, 2].map(|surfaces| heads_first(surfaces, &[0])[0]);
        let all = [
            timing((0, 3), 1.10, 0.08),
            timing((1, 4), 1.16, 0.08),
            timing((20, 23), 1.11, 0.08),
            timing((21, 24), 1.17, 0.08),
            timing((40, 41), 0.90, 0.08),
        ];
        assert!(of_orders(&[two], &all).is_empty());
        let odd = of_orders(&[one], &all);
        assert_eq!(odd, [(21, 24), (0, 3), (1, 4), (20, 23)]);
        assert_eq!(of_orders(&[one, two], &all), odd);
    }
}
