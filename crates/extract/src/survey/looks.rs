//! How sectors are looked at: once, or several times where skews hide in what completions scatter by.
//!
//! The middle of several reads scatters less. What a clock counts in, or interrupts are gathered over, it
//! takes away only where the reads come at other places between two ticks: a sector that is read again
//! comes by a whole number of turns later, and how far that leads between ticks is known.

use crate::clock::Turn;
use crate::pattern::LEAST;

/// How often each sector is read where skews hide in what completions scatter by, and where they still do: of
/// those that are shorter than the scatter, hardly any map is found in any time.
const READS: [usize; 3] = [9, 18, 36];
/// Turns from one read to the next, at most.
const MOST_TURNS: u32 = 8;
/// No two neighbours of the places that reads come at are farther apart than so many times as even ones.
const UNEVEN: f64 = 3.0;
/// Two angles that differ by less than this part of a turn are one, unless skews of whole sectors hide in that.
const OF_TURN: f64 = 1.0 / 500.0;
/// What the mean of the middle half of many completions scatters by more than that of all would, were none late.
const MIDDLE_ERROR: f64 = 1.1;
/// Jitters that make two angles different ones. A middle of many is hardly ever far off, as single ones are.
const DIFFERENT: f64 = 12.0;
const MIDDLES_DIFFER: f64 = 6.0;

/// How each sector is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Looks {
    /// Reads of each.
    pub(super) reads: usize,
    /// Turns from one of them to the next, where no others are read between.
    pub(super) turns: u32,
    /// Angles that differ by less are one, in milliseconds.
    pub(super) least_ms: f64,
}

impl Looks {
    /// Each sector once.
    pub(super) fn single(period: f64) -> Self {
        Self { reads: 1, turns: 1, least_ms: OF_TURN * period }
    }

    /// More of them, where a skew of one sector may hide; none where it does not, where more of them leave it as
    /// hidden, or where they come at the same places between ticks.
    pub(super) fn more(self, turn: Turn, sector_ms: f64, gathered_ms: f64) -> Option<Self> {
        let hides = self.different_ms(turn).max(self.least_ms) > LEAST * sector_ms;
        let reads = READS.into_iter().find(|reads| hides && *reads > self.reads)?;
        let spread = |turns: &u32| {
            let step = f64::from(*turns) * turn.period / gathered_ms;
            gathered_ms <= turn.jitter || widest_gap(step, reads) <= UNEVEN / reads as f64
        };
        let turns = (1..=MOST_TURNS).find(spread)?;
        Some(Self { reads, turns, least_ms: self.least_ms.min(LEAST * sector_ms) })
    }

    /// How much longer one takes than that of a single read.
    pub(super) fn longer_ms(self, period: f64) -> f64 {
        (self.reads - 1) as f64 * f64::from(self.turns) * period
    }

    /// What is left of what a clock counts in, or completions are gathered over: reads that come all over it leave
    /// the widest gap between two of them open, to either side.
    pub(super) fn left_ms(self, gathered_ms: f64) -> f64 {
        if self.reads > 1 { UNEVEN / self.reads as f64 / 2.0 * gathered_ms } else { gathered_ms }
    }

    /// What the middle of as many reads scatters by.
    pub(super) fn jitter_ms(self, turn: Turn) -> f64 {
        let part = if self.reads > 1 { MIDDLE_ERROR / (self.reads as f64).sqrt() } else { 1.0 };
        part * turn.jitter
    }

    /// By how much angles differ that are different, by what completions scatter by.
    pub(super) fn different_ms(self, turn: Turn) -> f64 {
        self.deviations() * self.jitter_ms(turn)
    }

    /// The same in standard deviations.
    pub(super) fn deviations(self) -> f64 {
        if self.reads > 1 { MIDDLES_DIFFER } else { DIFFERENT }
    }
}

/// The mean of the middle half of some values: those that came late do not count, and ticks are averaged.
pub(super) fn middle(offs: &mut [f64]) -> Option<f64> {
    offs.sort_by(f64::total_cmp);
    let quarter = offs.len() / 4;
    let half = offs.get(quarter..offs.len() - quarter).filter(|half| !half.is_empty())?;
    Some(half.iter().sum::<f64>() / half.len() as f64)
}

/// The widest gap around a circle between so many places, each a step from the one before, in circles.
fn widest_gap(step: f64, places: usize) -> f64 {
    let mut all: Vec<f64> =
        (0..places).map(|place| (place as f64 * step).rem_euclid(1.0)).collect();
    all.sort_by(f64::total_cmp);
    let around = all.first().map_or(1.0, |first| first + 1.0);
    let next = all.iter().skip(1).copied().chain([around]);
    all.iter().zip(next).map(|(one, next)| next - one).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Turn = Turn { period: 8.362, error: 1e-6, jitter: 0.05 };

    #[test]
    fn sectors_are_read_more_often_until_a_skew_of_one_shows() {
        let reads = |sector_ms: f64| {
            let mut all = vec![Looks::single(TURN.period)];
            while let Some(more) = all.last().and_then(|it| it.more(TURN, sector_ms, 0.0)) {
                all.push(more);
            }
            all.iter().map(|looks| looks.reads).collect::<Vec<usize>>()
        };
        assert_eq!(reads(3.0), [1]);
        assert_eq!(reads(0.5), [1, 9]);
        assert_eq!(reads(0.05), [1, 9, 18, 36]);
    }

    #[test]
    fn reads_that_come_at_the_same_place_between_ticks_take_more_turns() {
        let turns = |period: f64| {
            let turn = Turn { period, ..TURN };
            Looks::single(period).more(turn, 0.05, 0.25).map(|looks| looks.turns)
        };
        assert_eq!(turns(8.362), Some(1));
        // A turn is 33 ticks and a half: however many of them pass, two places are seen.
        assert_eq!(turns(8.375), None);
        assert!(turns(8.258).is_some_and(|turns| turns > 1), "{:?}", turns(8.258));
    }

    #[test]
    fn the_middle_of_reads_that_are_spread_between_ticks_is_that_of_all_places() {
        // Each read is seen at the next tick, and one of them late: by half a tick on average.
        let seen = |place: f64| {
            let late = |read: u32| {
                let passed = place + 8.362 * f64::from(read);
                (passed / 0.25).ceil() * 0.25 - passed + if read == 4 { 3.0 } else { 0.0 }
            };
            middle(&mut (0..9).map(late).collect::<Vec<f64>>()).expect("a middle")
        };
        let looks = Looks { reads: 9, ..Looks::single(8.362) };
        for place in [0.01, 0.07, 0.13, 0.19, 0.24] {
            let off = seen(place) - seen(0.0);
            assert!(off.abs() <= 2.0 * looks.left_ms(0.25), "{place}: {off}");
        }
        assert_eq!(middle(&mut []), None);
    }
}
