//! Passes over a surface whose skews are all alike: no angle shows where one ends, so the arm's way
//! has to.
//!
//! From the first track of a pass the arm goes further and further until the pass ends; then it
//! comes back, to the first cylinder at once or track by track. Of each width that a pass may have,
//! the movements that this makes shortest are timed, until one width is left.

use super::orders::{Timing, Witnesses, groups_from};
use super::possible::inside;

/// From one distance to the next, at first.
const FURTHER: f64 = 1.25;
/// Widths of which the movements are timed in a round.
const TOGETHER: usize = 8;
/// No pass is narrower, as it is a cycle of few tracks then, or wider.
const NARROWEST: u64 = 8;
const WIDEST: u64 = 8_192;
/// Passes in a field at least.
const PASSES: u64 = 4;

/// The movements to begin with: from the first track of the field further and further, as far as a
/// pass goes; and over shorter distances on that way, which no head changes in.
pub(super) fn first_questions(field: (u64, u64)) -> Vec<(u64, u64)> {
    let distances = std::iter::successors(Some(NARROWEST as f64), |on| Some(on * FURTHER));
    let distances: Vec<u64> = distances
        .map(|on| on as u64)
        .take_while(|on| field.0 + on + 1 < field.1 && *on < PASSES * WIDEST)
        .collect();
    let far = distances.iter().map(|on| (0, *on));
    let near = distances.windows(2).map(|pair| (pair[0], pair[1]));
    let both = far.chain(near).flat_map(|(from, to)| [(from, to), (from + 1, to + 1)]);
    both.map(|(from, to)| (field.0 + from, field.0 + to)).filter(|it| it.1 < field.1).collect()
}

/// Widths of passes from the first track of the field on that no movements contradict.
pub(super) fn widths(field: (u64, u64), timings: &[Timing]) -> Vec<u64> {
    let most = ((field.1 - field.0) / PASSES).min(WIDEST);
    let inside = inside(timings.to_vec(), field);
    let mut witnesses = Witnesses::of(&inside);
    let mut is_left =
        |width: &u64| groups_from(field.0, *width).any(|order| !witnesses.break_order(&order));
    (NARROWEST..=most).filter(|width| is_left(width)).collect()
}

/// Movements that the widths left make shortest, of some of them all over the range.
pub(super) fn questions(field: (u64, u64), widths: &[u64]) -> Vec<(u64, u64)> {
    let some = widths.len().min(TOGETHER);
    let chosen = (0..some).map(|number| widths[number * (widths.len() - 1) / (some - 1).max(1)]);
    let first = field.0;
    let pairs = chosen.flat_map(|width| {
        let (next, back) = (first + width, first + 2 * width - 1);
        [(first, next), (first + 1, next + 1), (first, back), (first + 1, back - 1)]
    });
    pairs.filter(|(_, to)| *to < field.1).collect()
}
