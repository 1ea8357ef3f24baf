//! Orders of tracks, each held against the least times of movements.
//!
//! No movement takes longer than one over more cylinders that also changes heads where it does, and
//! none over n times the cylinders takes n times as long. An
//! order by which measured movements break that is not the drive's; what all others agree on is
//! certain, as each alternative was excluded by a measurement.

use super::contradictions::{Keyed, broken, two_disjoint};

/// More surfaces than any drive had.
pub(crate) const MOST_SURFACES: u64 = 24;
/// Disjoint pairs of movements that break an order; one may be disturbed.
pub(crate) const BROKEN: usize = 2;

/// A movement that was timed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) time: f64,
    pub(super) width: f64,
    /// The most likely time: for means, as its interval is wider.
    pub(super) likely: f64,
    /// Whether it was timed once more.
    pub(super) again: bool,
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

    /// Whether another order only goes through the surfaces another way.
    pub(super) fn is_twin(&self, other: &Self) -> bool {
        Self { surfaces_back: !self.surfaces_back, ..*self } == *other
    }

    /// Which of some lengths in a row, those of its tracks or passes from track `from` on, a cylinder or group begins with.
    pub(super) fn begins_at(&self, from: u64, lengths: u64) -> usize {
        let ahead = self.first as i64 - from as i64;
        let number = ahead.div_euclid(self.width.unwrap_or(1) as i64);
        number.rem_euclid(lengths as i64) as usize
    }

    /// Whether a track is the first one of a cylinder of two surfaces, or of a pass of two cylinders.
    pub(super) fn is_first_of_two(&self, track: u64) -> bool {
        self.width.unwrap_or(self.surfaces) == 2 && track.abs_diff(self.first).is_multiple_of(2)
    }

    /// Cylinders that the arm moves over, and whether the head is another one.
    pub(super) fn movement(&self, from: u64, to: u64) -> (u64, bool) {
        let ((cylinder, surface), (to, head)) = (self.place(from), self.place(to));
        (cylinder.abs_diff(to), surface != head)
    }

    /// Whether disjoint pairs of movements contradict it.
    pub(super) fn is_broken(&self, timings: &[Timing]) -> bool {
        two_disjoint(&self.keyed(timings)).is_some()
    }

    /// Whether these contradict it with others that are in the same order, begun with another track.
    pub(super) fn is_broken_with(&self, known: &[Timing], begun: &Self, there: &[Timing]) -> bool {
        let keyed = [self.keyed(known), begun.keyed(there)].concat();
        two_disjoint(&keyed).is_some()
    }

    /// The same order, begun with each track from this one on until it comes again; whole passes first.
    pub(super) fn begun_from(self, track: u64) -> impl Iterator<Item = Self> {
        let width = self.width.unwrap_or(1);
        let passes = self.surfaces * if self.surfaces_back { 2 } else { 1 };
        let begun = move |(within, pass)| Self { first: track + pass * width + within, ..self };
        (0..width).flat_map(move |within| (0..passes).map(move |pass| (within, pass))).map(begun)
    }

    /// Whether one of them does both of which were timed once more: no disturbance did so twice, but the host's
    /// clock may have.
    pub(super) fn is_doubted(&self, timings: &[Timing]) -> bool {
        let again = |pair: &(usize, usize)| timings[pair.0].again && timings[pair.1].again;
        self.contradictions(timings, BROKEN).iter().any(again)
    }

    /// Disjoint pairs of movements that contradict it, by their places, up to so many.
    pub(super) fn contradictions(&self, timings: &[Timing], most: usize) -> Vec<(usize, usize)> {
        broken(&self.keyed(timings), most)
    }

    fn keyed(&self, timings: &[Timing]) -> Vec<Keyed> {
        let keyed = |it: &Timing| {
            let key = self.movement(it.from, it.to);
            Keyed { key, time: it.time, width: it.width }
        };
        timings.iter().map(keyed).collect()
    }
}

/// Movements that orders are held against, one after the other: those that broke others are asked first.
pub(super) struct Witnesses<'a> {
    timings: &'a [Timing],
    /// By their places, each once: twice, one that was disturbed would break orders alone.
    first: Vec<usize>,
}

impl<'a> Witnesses<'a> {
    const MOST: usize = 32;

    pub(super) fn of(timings: &'a [Timing]) -> Self {
        Self { timings, first: Vec::new() }
    }

    /// Whether disjoint pairs of them contradict the order.
    pub(super) fn break_order(&mut self, order: &Order) -> bool {
        let first: Vec<Timing> = self.first.iter().map(|index| self.timings[*index]).collect();
        if order.is_broken(&first) {
            return true;
        }
        let Some(pairs) = two_disjoint(&order.keyed(self.timings)) else { return false };
        let those = pairs.into_iter().flat_map(|(one, other)| [one, other]);
        let those: Vec<usize> = those.filter(|index| !self.first.contains(index)).collect();
        self.first.splice(0..0, those);
        self.first.truncate(Self::MOST);
        true
    }
}

/// Heads before cylinders, some cylinder beginning with one of `firsts`.
pub(super) fn heads_first(surfaces: u64, firsts: &[u64]) -> Vec<Order> {
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
pub(super) fn cylinders_first(first: u64, width: u64) -> Vec<Order> {
    let of_surfaces = |surfaces: u64| {
        (0..surfaces).flat_map(move |pass| groups(surfaces, first + pass * width, width))
    };
    (2..=MOST_SURFACES).flat_map(of_surfaces).collect()
}

fn groups(surfaces: u64, first: u64, width: u64) -> [Order; 4] {
    [(false, false), (false, true), (true, false), (true, true)].map(
        |(passes_back, surfaces_back)| Order {
            surfaces,
            width: Some(width),
            passes_back,
            surfaces_back,
            first,
        },
    )
}

/// The same, where the first group of passes begins with that track.
pub(super) fn groups_from(first: u64, width: u64) -> impl Iterator<Item = Order> {
    (2..=MOST_SURFACES).flat_map(move |surfaces| groups(surfaces, first, width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_broke_other_orders_breaks_an_order_that_all_movements_do(
            drawn in prop::collection::vec((0_u64..60, 0_u64..60, 1_u32..40, 0_u32..9), 0..200),
        ) {
            let timing = |(from, to, time, width)| {
                let (time, width) = (60.0 + f64::from(time), f64::from(width));
                Timing { from, to, time, width, likely: time, again: false }
            };
            let timings: Vec<Timing> = drawn.into_iter().map(timing).collect();
            let mut witnesses = Witnesses::of(&timings);
            for order in (1..6).flat_map(|surfaces| heads_first(surfaces, &[0, 1])) {
                prop_assert_eq!(witnesses.break_order(&order), order.is_broken(&timings));
            }
        }
    }

    /// Movements from the first tracks of cylinders, as an arm makes them that needs 3.4 ms to the next one and
    /// more further away, and 0.9 ms to another head, with what else each takes.
    fn timings(order: &Order, rest: f64) -> Vec<Timing> {
        let pairs = (0..20).step_by(2).flat_map(|from| (1..12).map(move |on| (from, from + on)));
        let timing = |(from, to)| {
            let (cylinders, switches) = order.movement(from, to);
            let seek = if cylinders > 0 { 3.4 + 0.06 * (cylinders as f64).sqrt() } else { 0.0 };
            let time = rest + seek.max(if switches { 0.9 } else { 0.0 });
            Timing { from, to, time, width: 0.09, likely: time, again: false }
        };
        pairs.map(timing).collect()
    }

    #[test]
    fn an_arm_excludes_what_it_does_not_with_what_each_request_takes() {
        // As if two tracks of a cylinder were two cylinders: to the second takes three times as long.
        let (truth, other) = (heads_first(2, &[0])[0], heads_first(1, &[0])[0]);
        let (with, alone) = (timings(&truth, 1.8), timings(&truth, 0.0));
        assert!(!truth.is_broken(&with) && !truth.is_broken(&alone));
        assert!(!other.is_broken(&with), "{:?}", other.contradictions(&with, 9));
        assert!(other.is_broken(&alone));
    }

    #[test]
    fn one_pair_that_contradicts_an_order_may_be_disturbed_but_not_twice() {
        let truth = heads_first(2, &[0])[0];
        let mut timings = timings(&truth, 1.8);
        let late = timings.iter().position(|it| truth.movement(it.from, it.to) == (1, false));
        let late = &mut timings[late.expect("one to the next cylinder")];
        (late.time, late.likely) = (late.time + 1.0, late.likely + 1.0);
        assert_eq!(truth.contradictions(&timings, 9).len(), 1);
        assert!(!truth.is_broken(&timings) && !truth.is_doubted(&timings));
        timings.iter_mut().for_each(|it| it.again = true);
        assert!(!truth.is_broken(&timings) && truth.is_doubted(&timings));
    }
}
