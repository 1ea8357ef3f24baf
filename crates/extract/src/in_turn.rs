//! What the host's clock leaves open of the mean of many steps.
//!
//! Steps in turn begin where others end, so that in all of them together are two readings of the clock.
//! Where other steps lie between, each run of them has two of its own. What all of these are off by is
//! nothing in the mean, if the clock is read all over its grain, as it is where neither skews nor turns are
//! multiples of it. That shows: in where the runs begin and end, against what all steps make expect.

use crate::stats::resultant;
use std::f64::consts::PI;

/// A step, as an offset from the middle one, with its place in the sequence.
pub(crate) type NumberedOffset = (usize, f64);

/// Steps in turn whose mean counts as one, and how many such means tell how they scatter; so many standard
/// errors of theirs are half an interval.
const BLOCK: usize = 16;
const FEWEST_BLOCKS: usize = 8;
const OF_BLOCKS: f64 = 2.4;
/// The part of the clock's grain that may be left in a mean of steps in turn, and where it is known how the
/// clock was read.
const FEW_GRAINS: f64 = 0.1;
const SPREAD_GRAINS: f64 = 0.3;

/// Steps of which the mean counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InTurn {
    /// The part of the clock's grain that is left in their mean, however it was read.
    grains: f64,
    /// Half the width of its interval, where they are enough to say.
    half_width: Option<f64>,
    /// Where runs of them begin and end, in milliseconds from where they should.
    ends: [Vec<f64>; 2],
}

impl InTurn {
    /// Of these steps, of all those of the sequence, each less the mean of its kind; 0 for strays.
    pub(crate) fn of(steps: &[NumberedOffset], all: &[f64]) -> Self {
        let runs: Vec<_> = steps.chunk_by(|one, next| one.0 + 1 == next.0).collect();
        let means: Vec<f64> =
            runs.iter().flat_map(|run| run.chunks_exact(BLOCK)).map(mean).collect();
        let (count, sum) = (means.len() as f64, means.iter().sum::<f64>());
        let squares = means.iter().map(|mean| (mean - sum / count).powi(2)).sum::<f64>();
        let error = (squares / (count - 1.0) / count).sqrt();
        let places = places(all);
        let at = |place: usize| places.get(place).copied();
        let begins = runs.iter().filter_map(|run| at(run.first()?.0)).collect();
        let ends = runs.iter().filter_map(|run| at(run.last()?.0 + 1)).collect();
        Self {
            grains: runs.len() as f64 / steps.len().max(1) as f64,
            half_width: (means.len() >= FEWEST_BLOCKS).then_some(OF_BLOCKS * error),
            ends: [begins, ends],
        }
    }

    /// What the mean leaves open, read by a clock of this grain, where all steps leave so much; none where
    /// that is too much of the grain.
    pub(crate) fn half_width(&self, all: f64, grain_ms: f64) -> Option<f64> {
        let in_turn = self.half_width.map_or(all, |width| width.min(all));
        if self.grains <= FEW_GRAINS {
            return Some(in_turn + self.grains * grain_ms);
        }
        let unread: f64 = self.ends.iter().map(|ends| unread(ends, grain_ms)).sum();
        let grains = self.grains * unread;
        (grains <= SPREAD_GRAINS).then_some(in_turn + grains * grain_ms)
    }
}

/// The mean of some steps; nothing of none.
pub(crate) fn mean(steps: &[NumberedOffset]) -> f64 {
    steps.iter().map(|(_, offset)| offset).sum::<f64>() / steps.len().max(1) as f64
}

/// Where each step begins, and the last one ends, against what the means of the steps make expect.
fn places(all: &[f64]) -> Vec<f64> {
    let ends = all.iter().scan(0.0, |at, off| {
        *at += off;
        Some(*at)
    });
    std::iter::once(0.0).chain(ends).collect()
}

/// The part of the grain by which the mean of readings at these places can be off, at most half: the
/// sawtooth that a reading is off by is a sum of sines, of each of which the places leave their resultant.
fn unread(places: &[f64], grain_ms: f64) -> f64 {
    const SINES: u32 = 8;
    if grain_ms <= 0.0 {
        return 0.0;
    }
    let left = |number: f64| resultant(places, number / grain_ms) / (PI * number);
    let sines: f64 = (1..=SINES).map(|number| left(f64::from(number))).sum();
    // More of them are what places next to each other of a few that come back would leave.
    (sines + 0.5 / f64::from(SINES + 1)).min(0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps over so many cylinders of four tracks, each a little longer to the next one, as a clock tells
    /// them that counts in 0.1 ms, in milliseconds less their kind's mean; and that mean less the truth.
    fn read(turn: f64, track: f64, cylinder: f64) -> (Vec<NumberedOffset>, Vec<f64>, f64) {
        let mut passed = 0.0;
        let mut readings = vec![0.0];
        for step in 0..400 {
            passed += if step % 4 == 3 { cylinder } else { track } + 3.0 * turn;
            readings.push((passed / 0.1 + 1e-9).floor() * 0.1);
        }
        let steps: Vec<f64> =
            readings.windows(2).map(|pair| pair[1] - pair[0] - 3.0 * turn).collect();
        let mean = |kind: bool| {
            let mine = (0..400).filter(|step| (step % 4 == 3) == kind).map(|step| steps[step]);
            mine.clone().sum::<f64>() / mine.count() as f64
        };
        let means = [mean(false), mean(true)];
        let all: Vec<f64> =
            (0..400).map(|it| steps[it] - means[usize::from(it % 4 == 3)]).collect();
        let tracks = (0..400).filter(|it| it % 4 != 3).map(|it| (it, steps[it])).collect();
        (tracks, all, means[0] - track)
    }

    #[test]
    fn a_clock_that_is_read_all_over_its_grain_leaves_little_of_the_mean() {
        for turn in [5.995_48, 8.339_32, 4.001_53] {
            let (tracks, all, off) = read(turn, 1.3459, 2.6981);
            let width = InTurn::of(&tracks, &all).half_width(0.0, 0.1).expect("a width");
            assert!(off.abs() < width && width < 0.01, "{turn}: {off} {width}");
        }
    }

    #[test]
    fn a_clock_that_is_read_at_the_same_places_leaves_the_mean_open() {
        // Each cylinder, and each turn, takes a multiple of the grain.
        for (turn, cylinder) in [(6.0, 2.65), (6.0, 2.75)] {
            let (tracks, all, off) = read(turn, 1.35, cylinder);
            assert!(off.abs() > 0.01, "{off}");
            assert_eq!(InTurn::of(&tracks, &all).half_width(0.0, 0.1), None, "{turn} {cylinder}");
        }
    }
}
