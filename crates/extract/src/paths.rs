//! The likeliest sequences of whole numbers along a zone's tracks that never fall.
//!
//! A request after the other, each number is as likely as the likeliest sequence that ends with it
//! (Viterbi's dynamic programming). Many angles are tried of each zone, several of them side by
//! side, as each sum waits for the one before. What is computed is what the same sums one by one
//! would be, bit by bit.

use std::array;

/// Angles that are tried side by side.
const ABREAST: usize = 4;

/// How likely each number is at last, and, row by row, from which number each one before a request
/// came.
pub type Traced = (Vec<f64>, Vec<u32>);

/// Sectors by which requests are moved on, in the order of their addresses.
#[derive(Clone, Copy, Debug)]
pub struct Shifts<'a> {
    /// Where in `table` each request is under each shift, request by request.
    pub cells: &'a [u32],
    /// Whether a request is the first one where no shift is left of those before.
    pub begins: &'a [bool],
    /// How likely it is, as a logarithm, to be so late. What lies beyond it is as likely as all.
    pub table: &'a [f64],
    /// Of each shift.
    pub cost: &'a [f64],
    /// Of one that grows.
    pub step_cost: f64,
}

impl Shifts<'_> {
    /// How likely the likeliest sequence is under each angle, by which cells are moved.
    #[must_use]
    pub fn likelihoods(&self, before: &[f64], angles: &[u32]) -> Vec<f64> {
        let falls = self.falls();
        side_by_side(angles, |some| self.abreast(before, some, &falls))
    }

    /// The same under one angle, with the way there.
    #[must_use]
    pub fn traced(&self, before: &[f64], angle: u32) -> Traced {
        let falls = self.falls();
        let (mut best, mut came) = (before.to_vec(), Vec::with_capacity(self.cells.len()));
        for (cells, begins) in self.requests() {
            if begins {
                let (at, most) = first_most(&best);
                came.extend(best.iter().map(|_| at));
                anew(&mut best, most, f64::NEG_INFINITY);
            }
            let (mut highest, mut from) = (f64::NEG_INFINITY, 0);
            let rows = best.iter_mut().zip(self.cost).zip(&falls).zip(cells);
            for (own, (((value, cost), fall), cell)) in (0..).zip(rows) {
                let raised = *value + cost;
                if raised >= highest {
                    (highest, from) = (raised, own);
                }
                let jumped = highest - fall;
                if !begins {
                    came.push(if jumped > *value { from } else { own });
                }
                *value = greater(*value, jumped) + self.at(*cell, angle);
            }
        }
        (best, came)
    }

    fn abreast(&self, before: &[f64], angles: [u32; ABREAST], falls: &[f64]) -> [f64; ABREAST] {
        let mut best: Vec<[f64; ABREAST]> = before.iter().map(|one| [*one; ABREAST]).collect();
        for (cells, begins) in self.requests() {
            if begins {
                let most = most(&best);
                anew(&mut best, most, [f64::NEG_INFINITY; ABREAST]);
            }
            let mut highest = [f64::NEG_INFINITY; ABREAST];
            let rows = best.iter_mut().zip(self.cost).zip(falls).zip(cells);
            for (((values, cost), fall), cell) in rows {
                for ((value, highest), angle) in values.iter_mut().zip(&mut highest).zip(angles) {
                    *highest = greater(*highest, *value + cost);
                    *value = greater(*value, *highest - fall) + self.at(*cell, angle);
                }
            }
        }
        most(&best)
    }

    /// The cells of each request, and whether it begins anew.
    fn requests(&self) -> impl Iterator<Item = (&[u32], bool)> {
        self.cells.chunks_exact(self.cost.len().max(1)).zip(self.begins.iter().copied())
    }

    /// What a shift that has grown has cost, beside the one that it grew from.
    fn falls(&self) -> Vec<f64> {
        self.cost.iter().map(|cost| self.step_cost + cost).collect()
    }

    fn at(&self, cell: u32, angle: u32) -> f64 {
        self.table.get(cell as usize + angle as usize).copied().unwrap_or(0.0)
    }
}

/// Tracks that were skipped so far, by request in the order of their tracks.
#[derive(Clone, Copy, Debug)]
pub struct Slips<'a> {
    /// By how many turns each request is late under each number, request by request.
    pub late: &'a [f64],
    /// Whether a request is on the track of the one before.
    pub beside: &'a [bool],
    /// How likely it is, as a logarithm, to be so late: of parts of a turn, a power of two.
    pub table: &'a [f64],
    /// Of each number.
    pub cost: &'a [f64],
}

impl Slips<'_> {
    /// How likely the likeliest sequence is under each angle of the first track, in turns.
    #[must_use]
    pub fn likelihoods(&self, angles: &[f64]) -> Vec<f64> {
        side_by_side(angles, |some| self.abreast(some))
    }

    /// The same under one angle, with the way there.
    #[must_use]
    pub fn traced(&self, angle: f64) -> Traced {
        let mut best: Vec<f64> = self.cost.iter().map(|cost| -cost).collect();
        let mut came = Vec::with_capacity(self.late.len());
        for (number, (late, beside)) in self.requests().enumerate() {
            let (mut highest, mut from) = (f64::NEG_INFINITY, 0);
            let rows = best.iter_mut().zip(self.cost).zip(late);
            for (own, ((value, cost), late)) in (0..).zip(rows) {
                let raised = *value + cost;
                if raised >= highest {
                    (highest, from) = (raised, own);
                }
                let kept = number == 0 || beside;
                came.push(if kept { own } else { from });
                *value = if kept { *value } else { highest - cost } + self.at(late - angle);
            }
        }
        (best, came)
    }

    fn abreast(&self, angles: [f64; ABREAST]) -> [f64; ABREAST] {
        let mut best: Vec<[f64; ABREAST]> = self.cost.iter().map(|cost| [-cost; ABREAST]).collect();
        for (number, (late, beside)) in self.requests().enumerate() {
            let kept = number == 0 || beside;
            let mut highest = [f64::NEG_INFINITY; ABREAST];
            for ((values, cost), late) in best.iter_mut().zip(self.cost).zip(late) {
                for ((value, highest), angle) in values.iter_mut().zip(&mut highest).zip(angles) {
                    *highest = greater(*highest, *value + cost);
                    *value = if kept { *value } else { *highest - cost } + self.at(late - angle);
                }
            }
        }
        most(&best)
    }

    /// The lateness of each request, and whether it is beside the one before.
    fn requests(&self) -> impl Iterator<Item = (&[f64], bool)> {
        self.late.chunks_exact(self.cost.len().max(1)).zip(self.beside.iter().copied())
    }

    fn at(&self, late: f64) -> f64 {
        let cell = (late * self.table.len() as f64).round_ties_even() as i64 as usize;
        self.table.get(cell & self.table.len().wrapping_sub(1)).copied().unwrap_or(0.0)
    }
}

/// What all angles come to, several tried at once: the last one again where fewer are left.
fn side_by_side<T: Copy + Default>(
    angles: &[T],
    abreast: impl Fn([T; ABREAST]) -> [f64; ABREAST],
) -> Vec<f64> {
    let mut found = Vec::with_capacity(angles.len());
    for some in angles.chunks(ABREAST) {
        let lane = |lane| some.get(lane).or(some.last()).copied().unwrap_or_default();
        found.extend_from_slice(&abreast(array::from_fn(lane))[..some.len()]);
    }
    found
}

/// The greater of two, the first of equals.
fn greater(one: f64, other: f64) -> f64 {
    if other > one { other } else { one }
}

fn most(best: &[[f64; ABREAST]]) -> [f64; ABREAST] {
    let mut found = [f64::NEG_INFINITY; ABREAST];
    for values in best {
        for (most, value) in found.iter_mut().zip(values) {
            *most = greater(*most, *value);
        }
    }
    found
}

/// The greatest number, and where it is first.
fn first_most(best: &[f64]) -> (u32, f64) {
    let mut found = (0, f64::NEG_INFINITY);
    for (at, value) in (0..).zip(best) {
        if *value > found.1 {
            found = (at, *value);
        }
    }
    found
}

/// No shift is left but none at all, as likely as the likeliest was; all others are as `never`.
fn anew<T: Copy>(best: &mut [T], most: T, never: T) {
    best.fill(never);
    if let Some(first) = best.first_mut() {
        *first = most;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [f64; 8] = [1.0, -1.0, -2.0, -3.0, -4.0, -3.0, -2.0, -1.0];

    #[test]
    fn a_shift_grows_where_that_is_likelier_than_what_it_costs() {
        // Three requests under no shift, then three under one of two.
        let cells: Vec<u32> = [[0, 2, 4], [0, 2, 4], [0, 2, 4], [4, 2, 0], [4, 2, 0], [4, 2, 0]]
            .into_iter()
            .flatten()
            .collect();
        let shifts = Shifts {
            cells: &cells,
            begins: &[false; 6],
            table: &TABLE,
            cost: &[0.0, 0.5, 1.0],
            step_cost: 2.0,
        };
        let before = [0.0, f64::NEG_INFINITY, f64::NEG_INFINITY];
        let (best, came) = shifts.traced(&before, 0);
        assert_eq!(best[2], 3.0 - 2.0 - 1.0 + 3.0);
        assert_eq!(came[3 * 3 + 2], 0, "before the fourth request there was none");
        assert_eq!(came[4 * 3 + 2], 2);
        let found = shifts.likelihoods(&before, &[0, 1, 0, 0, 0]);
        assert_eq!([found[0], found[2], found[4]], [best[2]; 3]);
        assert_eq!(found.len(), 5);
        assert!(found[1] < found[0]);
        let anew = [false, false, false, true, false, false];
        let (best, came) = Shifts { begins: &anew, ..shifts }.traced(&before, 0);
        assert_eq!(best[2], 3.0 - 2.0 - 1.0 + 3.0);
        assert_eq!(came[9..12], [0, 0, 0]);
    }

    #[test]
    fn what_is_beyond_the_table_is_as_likely_as_all() {
        let shifts = Shifts {
            cells: &[u32::MAX, 9],
            begins: &[false; 2],
            table: &TABLE,
            cost: &[0.0],
            step_cost: 0.0,
        };
        assert_eq!(shifts.likelihoods(&[0.5], &[0, 7]), [0.5, 0.5]);
    }

    #[test]
    fn tracks_are_skipped_between_requests_of_other_tracks_alone() {
        let late: Vec<f64> =
            [[0.0, 0.5], [0.0, 0.5], [0.5, 0.0], [0.5, 0.0]].into_iter().flatten().collect();
        let slips = Slips {
            late: &late,
            beside: &[false, true, false, true],
            table: &TABLE,
            cost: &[0.0, 1.5],
        };
        let (best, came) = slips.traced(0.0);
        assert_eq!(best[1], 2.0 - 1.5 + 2.0);
        assert_eq!(came, [0, 1, 0, 1, 0, 0, 0, 1]);
        assert_eq!(slips.likelihoods(&[0.0, 1.0, -3.0]), [best[1]; 3]);
        let (best, _) = Slips { beside: &[false, true, true, true], ..slips }.traced(0.0);
        assert_eq!(best, [-6.0, -7.5], "one track has one number of slips");
    }
}
