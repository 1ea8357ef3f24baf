//! Reads elsewhere that make a cache forget, each of a sector that comes by soon behind the one before.
//!
//! Behind a cache a survey spends nearly all its time on them. Wherever its sector lies, a read waits half
//! a turn for it in the mean. But what it took tells by how much the sector comes too late, or that it
//! was missed and came a turn later: so each is moved along its track, until it comes by when the arm
//! is there.

use crate::clock::Turn;
use crate::stats::{fold, quantile};
use platterlab_probe::Samples;

/// How many sectors are read in turn, before the first of them comes again: more than a cache has segments.
pub(super) const PLACES: u64 = 126;
/// Parts of a turn: the interval that is aimed at first, by how much more of one where a sector was missed,
/// and by how much an interval may be longer.
const FIRST: f64 = 0.125;
const LATER: f64 = 1.0 / 16.0;
const GOOD_ENOUGH: f64 = 1.0 / 6.0;
/// By how much less is aimed at each time, as late completions may have made it too much.
const SOONER: f64 = 1.0 / 256.0;
/// Which of the intervals that are aimed at is tried first where other sectors are chosen, from the least
/// on.
const LOW: f64 = 0.25;
/// Before this part of an interval that is aimed at, no platter had the sector.
const HELD: f64 = 0.5;

/// Sectors that are read in turn.
#[derive(Clone, Debug)]
pub(super) struct Elsewhere {
    /// Where the walk was for which they were chosen.
    pub(super) around: u64,
    places: Vec<MovedSector>,
    /// The first and the last sector that may be read.
    within: [u64; 2],
}

#[derive(Clone, Copy, Debug)]
struct MovedSector {
    lba: u64,
    /// Sectors by which it is moved on its track.
    moved: i64,
    /// The interval from the place before that is aimed at, in milliseconds.
    aim: f64,
}

impl Elsewhere {
    /// These sectors, for a walk that is at `around`, after others or none.
    pub(super) fn new(around: u64, lbas: &[u64], before: Option<&Self>, period: f64) -> Self {
        let aims = before.map(|it| it.places.iter().map(|place| place.aim).collect::<Vec<f64>>());
        let aim = aims.and_then(|aims| quantile(&aims, LOW)).unwrap_or(FIRST * period);
        let within =
            [lbas.iter().min(), lbas.iter().max()].map(|lba| lba.copied().unwrap_or(around));
        let place = |lba: &u64| MovedSector { lba: *lba, moved: 0, aim };
        Self { around, places: lbas.iter().map(place).collect(), within }
    }

    /// The sector to read as the one of that number.
    pub(super) fn lba(&self, number: u64) -> u64 {
        let place = self.places[(number % self.places.len() as u64) as usize];
        let [first, last] = self.within;
        place.lba.saturating_add_signed(place.moved).clamp(first, last)
    }

    /// Learns from what was read; a track has so many sectors, in units of so many.
    pub(super) fn add(&mut self, run: &Samples, turn: Turn, (track, unit): (u64, u64)) {
        let count = self.places.len();
        let at = |lba: u64| (0..count).find(|place| self.lba(*place as u64) == lba);
        let visited: Vec<Option<usize>> = run.samples.iter().map(|sample| at(sample.lba)).collect();
        // By how much the place before is moved, in milliseconds.
        let mut before = 0.0;
        for (pair, places) in run.samples.windows(2).zip(visited.windows(2)) {
            let [Some(from), Some(to)] = places[..] else {
                before = 0.0;
                continue;
            };
            let interval = pair[1].completed.since(pair[0].completed).as_ms();
            before = if to == (from + 1) % count {
                let later = self.later(to, interval, before, turn.period);
                self.places[to].move_by(later, turn.period, (track, unit))
            } else {
                0.0
            };
        }
    }

    /// By how many milliseconds a place is to come by later, where the one before does by so many.
    fn later(&mut self, place: usize, interval: f64, before: f64, period: f64) -> f64 {
        let aim = &mut self.places[place].aim;
        if interval < HELD * *aim {
            return 0.0;
        }
        let early = *aim - LATER / 2.0 * period;
        if (early + period..early + 2.0 * period).contains(&interval) {
            // A turn before, the arm was not there yet.
            *aim = interval - period + LATER * period;
        } else {
            *aim = (*aim - SOONER * period).max(0.0);
        }
        let good = (early..*aim + GOOD_ENOUGH * period).contains(&interval);
        fold(if good { before } else { *aim - interval + before }, period)
    }
}

impl MovedSector {
    /// Moves it so that it comes by so much later; by how much that is.
    fn move_by(&mut self, later_ms: f64, period: f64, (track, unit): (u64, u64)) -> f64 {
        let units = (later_ms / period * track as f64 / unit as f64).round();
        let (track, by) = (track.max(1) as i64, units as i64 * unit as i64);
        self.moved += by;
        // A track on, about the same sector comes by.
        let turns = (self.moved as f64 / track as f64).round() as i64;
        self.moved -= turns * (track / unit as i64 * unit as i64);
        units * unit as f64 / track as f64 * period
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platterlab_probe::{End, Plan, Sample, Tracks, Visit};
    use platterlab_units::{Operation, Span, Time};

    const PERIOD: f64 = 10.0;
    const TRACK: u64 = 100;

    /// A drive of which the arm needs so many milliseconds from one read to the next, `skew` sectors lie
    /// between where tracks begin, and each so many-th completion is late by a millisecond.
    struct Made {
        reach: f64,
        skew: u64,
        late: usize,
    }

    impl Made {
        /// What a round over all places takes, in milliseconds a read, after so many rounds.
        fn pace(&self, elsewhere: &mut Elsewhere, rounds: u64) -> f64 {
            let (mut now, mut pace) = (0.0, 0.0);
            for round in 0..rounds {
                let began = now;
                let mut samples = Vec::new();
                for number in 0..PLACES {
                    let lba = elsewhere.lba(round * PLACES + number);
                    now = self.completed(lba, now);
                    let late = self.late > 0 && (number as usize + 1).is_multiple_of(self.late);
                    samples.push(sample(lba, if late { now + 1.0 } else { now }));
                }
                let lbas = samples.iter().map(|sample| sample.lba).collect();
                let plan = Plan::Tracks(Tracks::at_once(Visit::Survey, lbas, 1));
                let run = Samples { plan, samples, end: End::Complete };
                let turn = Turn { period: PERIOD, error: 0.0, jitter: 0.0 };
                elsewhere.add(&run, turn, (TRACK, 1));
                pace = (now - began) / PLACES as f64;
            }
            pace
        }

        fn completed(&self, lba: u64, now: f64) -> f64 {
            let angle = (lba % TRACK + lba / TRACK * self.skew) % TRACK;
            let there = now + self.reach;
            there + (angle as f64 / TRACK as f64 * PERIOD - there).rem_euclid(PERIOD)
        }
    }

    fn sample(lba: u64, completed: f64) -> Sample {
        let completed = Time::ZERO + Span::from_ms(completed).expect("a time");
        Sample {
            lba,
            sectors: 1,
            operation: Operation::Read,
            distance_sectors: 0,
            submitted: completed,
            completed,
        }
    }

    #[test]
    fn sectors_come_by_when_the_arm_is_there() {
        for (stride, skew) in [(16_384, 0), (16_384, 13), (16_391, 37)] {
            for (reach, late) in [(1.5, 0), (4.0, 0), (1.5, 31)] {
                let lbas: Vec<u64> =
                    (0..PLACES).map(|number| 5_000_000 - number * stride).collect();
                let mut elsewhere = Elsewhere::new(5_100_000, &lbas, None, PERIOD);
                let pace = Made { reach, skew, late }.pace(&mut elsewhere, 12);
                let least = if late > 0 { 0.4 } else { 0.3 } * PERIOD;
                assert!(pace < reach + least, "{stride} {skew} {reach} {late}: {pace}");
            }
        }
    }

    #[test]
    fn no_sector_beyond_them_is_read() {
        let lbas: Vec<u64> = (0..PLACES).map(|number| 500 + number * 7).collect();
        let mut elsewhere = Elsewhere::new(0, &lbas, None, PERIOD);
        Made { reach: 3.0, skew: 20, late: 5 }.pace(&mut elsewhere, 20);
        let (first, last) = (500, 500 + (PLACES - 1) * 7);
        assert!((0..PLACES).all(|number| (first..=last).contains(&elsewhere.lba(number))));
    }
}
