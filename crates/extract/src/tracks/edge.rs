//! Where one track length ends and another begins.
//!
//! Both sides being counted, the starts of tracks can be told from either of them: those told from
//! the outer side are track boundaries as far as its zone goes, those told from the inner side from
//! there on. A place between is asked for both, and the edge lies between the innermost of the
//! former and the outermost of the latter.

use super::Place;
use crate::clock::Turn;
use crate::stats::fold;

/// Tracks of one length, one of which begins at `first_lba`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) first_lba: u64,
    pub(crate) sectors_per_track: u64,
}

impl Counted {
    /// The start of a track nearest to an address, told from this one.
    pub(crate) fn start_near(&self, lba: u64) -> u64 {
        let (first, length) = (self.first_lba, self.sectors_per_track.max(1));
        if lba >= first {
            first + (lba - first + length / 2) / length * length
        } else {
            first.saturating_sub((first - lba + length / 2) / length * length)
        }
    }

    fn begins_at(&self, lba: u64) -> bool {
        self.start_near(lba) == lba
    }
}

/// The search for the edge between two counted places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) outer: Counted,
    pub(crate) inner: Counted,
    /// The edge lies here or beyond.
    pub(crate) low: u64,
    /// The edge lies here or before.
    pub(crate) high: u64,
    /// No more can be told.
    pub(crate) over: bool,
    /// How often neither side told the truth.
    pub(crate) strange: u32,
    /// Whether the search was begun again.
    again: bool,
}

/// What a look at a place between told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Something.
    Narrower,
    /// Tracks begin there as neither side says, or as both do.
    Strange(u64),
}

impl Edge {
    pub(crate) fn new(outer: Counted, inner: Counted) -> Self {
        let (low, high) = (outer.first_lba, inner.first_lba);
        Self { outer, inner, low, high, over: false, strange: 0, again: false }
    }

    /// Begins again, once, if the search is over and tracks of both lengths meet nowhere.
    pub(crate) fn reconsider(&mut self, unit: u64) {
        if !self.again && self.exact().is_none() && self.next(unit).is_none() {
            // Looks elsewhere than the first time.
            *self = Self { strange: 1, again: true, ..Self::new(self.outer, self.inner) };
        }
    }

    /// Takes in a count made between, if it is that of either side; whether it is.
    pub(crate) fn take(&mut self, counted: Counted) -> bool {
        if counted.sectors_per_track == self.outer.sectors_per_track {
            (self.outer, self.low) = (counted, counted.first_lba);
        } else if counted.sectors_per_track == self.inner.sectors_per_track {
            (self.inner, self.high) = (counted, counted.first_lba);
        } else {
            return false;
        }
        true
    }

    /// The sectors to visit next: those around the starts of tracks near the middle, two told from
    /// either side. A track of the other zone may begin at one of them, but not at both.
    pub(crate) fn next(&self, unit: u64) -> Option<Vec<u64>> {
        let (by_outer, by_inner) = self.starts()?;
        let starts = self.pair(by_outer, true).into_iter().chain(self.pair(by_inner, false));
        Some(starts.flat_map(|start| around(start, unit)).collect())
    }

    /// A start and the next one on the side it was told from.
    fn pair(&self, start: u64, outer: bool) -> [u64; 2] {
        let further = if outer {
            start.saturating_sub(self.outer.sectors_per_track)
        } else {
            start + self.inner.sectors_per_track
        };
        [start, further]
    }

    fn starts(&self) -> Option<(u64, u64)> {
        let longest = self.outer.sectors_per_track.max(self.inner.sectors_per_track);
        if self.over || self.high.saturating_sub(self.low) < 2 * longest {
            return None;
        }
        // The edge itself may lie among the places looked at: then another place tells more.
        let eighths = [4, 2, 6, 3, 5, 1, 7];
        let eighth = eighths[self.strange as usize % eighths.len()];
        let middle = self.low + (self.high - self.low) / 8 * eighth;
        let by_outer = self.outer.start_near(middle);
        let mut by_inner = self.inner.start_near(middle);
        if by_inner == by_outer {
            by_inner = by_outer + self.inner.sectors_per_track;
        }
        let between = |lba: u64| self.low < lba && lba < self.high;
        (between(by_outer) && between(by_inner)).then_some((by_outer, by_inner))
    }

    /// Takes in the angles of what [`Edge::next`] asked for.
    pub(crate) fn add(&mut self, seen: &[Place], unit: u64, turn: Turn) -> Told {
        let Some((by_outer, by_inner)) = self.starts() else {
            self.over = true;
            return Told::Narrower;
        };
        let begin = |starts: [u64; 2], length: u64| {
            starts.iter().all(|start| is_start(seen, *start, unit, turn, length))
        };
        let outer = begin(self.pair(by_outer, true), self.outer.sectors_per_track);
        let inner = begin(self.pair(by_inner, false), self.inner.sectors_per_track);
        match (outer, inner) {
            (true, false) => self.low = by_outer,
            (false, true) => self.high = by_inner,
            (true, true) if by_outer < by_inner => (self.low, self.high) = (by_outer, by_inner),
            _ => return Told::Strange(by_outer),
        }
        Told::Narrower
    }

    /// The first sector of the inner zone, if tracks of both lengths fit together in one place.
    pub(crate) fn exact(&self) -> Option<u64> {
        let length = self.inner.sectors_per_track.max(1);
        let from = self.inner.start_near(self.low);
        let mut fitting = (0..5)
            .map(|i| from + i * length)
            .filter(|lba| (self.low..=self.high).contains(lba) && self.outer.begins_at(*lba));
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

/// The two sectors before a start, itself, and the one behind.
fn around(start: u64, unit: u64) -> [u64; 4] {
    [start.saturating_sub(2 * unit), start.saturating_sub(unit), start, start + unit]
}

/// Whether a track begins at `start`: the angle jumps before that sector, and neither a sector
/// earlier nor one later, where it would have been a late completion.
fn is_start(seen: &[Place], start: u64, unit: u64, turn: Turn, sectors_per_track: u64) -> bool {
    let angle = |lba: u64| seen.iter().find(|place| place.lba == lba).map(|place| place.angle);
    let [Some(first), Some(before), Some(at), Some(after)] = around(start, unit).map(angle) else {
        return false;
    };
    let pass = unit as f64 * turn.period / sectors_per_track.max(1) as f64;
    let jumps = |from: f64, to: f64| fold(to - from - pass, turn.period).abs() > turn.tolerance();
    !jumps(first, before) && jumps(before, at) && !jumps(at, after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wrap;

    const TURN: Turn = Turn { period: 8.0, error: 1e-6, jitter: 0.005 };

    /// Tracks of 100 sectors up to 52,300, then of 90; a skew of 0.9 ms.
    fn place(lba: u64) -> Place {
        let (track, sector, length) = if lba < 52_300 {
            (lba / 100, lba % 100, 100.0)
        } else {
            (523 + (lba - 52_300) / 90, (lba - 52_300) % 90, 90.0)
        };
        let angle = track as f64 * 0.9 + sector as f64 / length * TURN.period;
        Place { lba, angle: wrap(angle, TURN.period) }
    }

    #[test]
    fn the_edge_is_found_to_the_sector() {
        let outer = Counted { first_lba: 300, sectors_per_track: 100 };
        let inner = Counted { first_lba: 52_300 + 90 * 1_234, sectors_per_track: 90 };
        let mut edge = Edge::new(outer, inner);
        let mut looks = 0;
        while let Some(visits) = edge.next(1) {
            let seen: Vec<Place> = visits.iter().map(|lba| place(*lba)).collect();
            assert_eq!(edge.add(&seen, 1, TURN), Told::Narrower);
            looks += 1;
        }
        assert_eq!(edge.exact(), Some(52_300));
        assert!(looks <= 12, "{looks}");
    }

    #[test]
    fn a_third_length_between_is_strange() {
        let outer = Counted { first_lba: 0, sectors_per_track: 101 };
        let inner = Counted { first_lba: 150_017, sectors_per_track: 89 };
        let mut edge = Edge::new(outer, inner);
        let seen: Vec<Place> = edge.next(1).unwrap().iter().map(|lba| place(*lba)).collect();
        assert!(matches!(edge.add(&seen, 1, TURN), Told::Strange(_)));
        assert!(edge.take(Counted { first_lba: 40_400, sectors_per_track: 101 }));
        assert!(!edge.take(Counted { first_lba: 52_300, sectors_per_track: 90 }));
    }
}
