//! How far the drive reads ahead and how much it keeps, so that movements can be timed past that.
//!
//! Read-ahead takes the head away from the sector that was read. Where it ends is found by asking
//! for sectors beyond: those that come at once were read ahead, the first that does not was not.

use super::Goal;
use crate::clock::{Turn, timed};
use crate::sawtooth::turning_point;
use crate::stats::median;
use platterlab_probe::{PastCache, Plan, Question, Recall, Samples, Trial};

/// Tracks of reach that are looked at.
const MOST_TRACKS: u64 = 64;
/// Trials of one distance.
const TRIES: u64 = 3;
/// Distances tried inside a window.
const INSIDE: u64 = 8;
/// An answer later than one of the cache by more of a turn is the platter's.
const LATEST_TURNS: f64 = 0.05;
/// So many times as late as usual an answer of the cache may be.
const LATER: f64 = 3.0;
/// Other places read between, at most.
const MOST_PLACES: u32 = 64;

/// Times a stage is repeated if its answers contradict each other.
const REPEATS: u32 = 2;

/// A revolution, as far as it is known by then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Track {
    pub(super) period: f64,
    /// Sectors on it, roughly.
    pub(super) sectors: u64,
}

/// The search for both.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReadCache {
    stage: Stage,
    repeats: u32,
    /// Everything from here to the middle of the region was looked at; 0 is nothing.
    lowest: u64,
}

/// How far it has come.
#[derive(Clone, Debug, Default, PartialEq)]
enum Stage {
    /// Nothing asked yet.
    #[default]
    Fresh,
    /// Read-ahead reaches the first distance, in sectors, and does not reach the second.
    Window(u64, u64),
    /// The reach, to be confirmed with the rest that it needs.
    Reach(u64),
    /// The reach, the last sector included, and the other places after which a sector is lost.
    Known {
        /// In sectors beyond the last one that was asked for.
        reach: u64,
        /// Of reads.
        places: u32,
    },
    /// No answer, and why.
    Failed(String),
}

impl ReadCache {
    /// What to ask next; `None` when done.
    pub(super) fn next(&self, goal: &Goal, track: Track) -> Option<Plan> {
        let (question, trials) = match &self.stage {
            Stage::Fresh => {
                let most = track.sectors * MOST_TRACKS;
                let ladder = (0..40).map(|power| goal.units(1 << power));
                let distances = ladder.take_while(|distance| *distance < most);
                let distances: Vec<u64> = distances.chain([goal.whole_units(most)]).collect();
                (Question::Reach, self.ahead(&distances, goal, track)?)
            }
            Stage::Window(low, high) => {
                (Question::Reach, self.ahead(&inside(*low, *high, goal), goal, track)?)
            }
            Stage::Reach(reach) => {
                let mut trials = self.ahead(&[*reach, reach + goal.units(1)], goal, track)?;
                trials.extend(between(*reach, goal)?);
                (Question::Places, trials)
            }
            Stage::Known { .. } | Stage::Failed(_) => return None,
        };
        Some(Plan::Recall(Recall { question, trials, sectors: goal.unit_sectors }))
    }

    /// Takes in what [`ReadCache::next`] asked for; `hit_ms` is what an answer from the cache takes.
    pub(super) fn add(&mut self, run: &Samples, goal: &Goal, turn: Turn, hit_ms: f64) {
        let Plan::Recall(plan) = &run.plan else { return };
        let samples = timed(run);
        let mut left = samples.as_slice();
        let mut answers: Vec<(&[u64], f64)> = Vec::with_capacity(plan.trials.len());
        for trial in &plan.trials {
            let Some((mine, rest)) = left.split_at_checked(trial.lbas.len()) else { break };
            left = rest;
            if let Some(last) = mine.last() {
                answers.push((&trial.lbas, last.elapsed()));
            }
        }
        let longest_ms = longest_hit_ms(&answers, turn, hit_ms);
        let answers: Vec<(&[u64], bool)> =
            answers.into_iter().map(|(lbas, took_ms)| (lbas, took_ms < longest_ms)).collect();
        let ahead = plan.trials.iter().filter(|trial| trial.lbas.len() == 2);
        self.lowest = ahead.flat_map(|trial| trial.lbas.iter().copied()).min().unwrap_or(0);
        let stage = match &self.stage {
            Stage::Fresh | Stage::Window(..) => narrowed(&answers, goal),
            Stage::Reach(reach) => settled(*reach, &answers),
            Stage::Known { .. } | Stage::Failed(_) => return,
        };
        if matches!(stage, Stage::Failed(_)) && self.repeats < REPEATS {
            self.repeats += 1;
        } else {
            self.stage = stage;
        }
    }

    /// Each distance some times, downwards from the middle of the region or from where that got to: what
    /// was read ahead before lies above.
    fn ahead(&self, distances: &[u64], goal: &Goal, track: Track) -> Option<Vec<Trial>> {
        let middle = goal.region_lba + goal.whole_units(goal.region_sectors / 2);
        let mut lba = if self.lowest == 0 { middle } else { self.lowest };
        let mut trials = Vec::new();
        for distance in (0..TRIES).flat_map(|_| distances) {
            // An odd number of units, so that all places on a track have their turn.
            lba =
                lba.checked_sub(distance + goal.units(37)).filter(|lba| *lba >= goal.region_lba)?;
            let rest_ps = rest_ps(*distance, track);
            trials.push(Trial { lbas: vec![lba, lba + distance], rest_ps });
        }
        Some(trials)
    }

    /// How movements are timed past it, and the reach.
    pub(super) fn past(&self, goal: &Goal, track: Track) -> Option<(u64, PastCache)> {
        let Stage::Known { reach, places } = self.stage else { return None };
        let end = goal.region_lba + goal.region_sectors;
        let apart = goal.whole_units(2 * reach) + goal.units(64);
        let forget = (1..u64::from(places)).map(|place| end.saturating_sub(place * apart));
        let rest_ps = rest_ps(reach, track);
        Some((reach, PastCache { rest_ps, forget_lbas: forget.collect() }))
    }

    /// Why movements cannot be timed.
    pub(super) fn failure(&self) -> Option<&str> {
        match &self.stage {
            Stage::Known { .. } => None,
            Stage::Failed(why) => Some(why),
            _ => Some("the region is too small to find out what it holds"),
        }
    }
}

/// The time in which a reach is read, skews of up to half a revolution included.
fn rest_ps(reach: u64, track: Track) -> u64 {
    let turns = reach.saturating_mul(3).div_ceil(2 * track.sectors.max(1)) + 3;
    ((track.period * 1e9) as u64).saturating_mul(turns)
}

fn inside(low: u64, high: u64, goal: &Goal) -> Vec<u64> {
    let step = |i| low + goal.whole_units((high - low) * i / (INSIDE + 1));
    let mut distances: Vec<u64> = (0..=INSIDE).map(step).collect();
    distances.push(high);
    distances.dedup();
    distances
}

/// A sector, other places, and that sector again.
fn between(reach: u64, goal: &Goal) -> Option<Vec<Trial>> {
    let end = goal.region_lba + goal.region_sectors;
    let middle = goal.region_lba + goal.whole_units(goal.region_sectors / 2);
    let apart = goal.whole_units(reach) + goal.units(37);
    let mut lba = end.checked_sub(goal.units(1))?;
    let mut next = || {
        lba = lba.checked_sub(apart).filter(|lba| *lba > middle)?;
        Some(lba)
    };
    let mut trials = Vec::new();
    for power in (0..TRIES).flat_map(|_| 0..=MOST_PLACES.ilog2()) {
        let mut lbas: Vec<u64> = (0..=1_u32 << power).map_while(|_| next()).collect();
        lbas.push(*lbas.first()?);
        trials.push(Trial { lbas, rest_ps: 0 });
    }
    Some(trials)
}

/// What answers of the cache take at most. `hit_ms` is of requests that follow each other; after a
/// rest a host may be woken later, all of them by about as much.
fn longest_hit_ms(answers: &[(&[u64], f64)], turn: Turn, hit_ms: f64) -> f64 {
    let latest_ms = turn.tolerance().max(LATEST_TURNS * turn.period);
    let later: Vec<f64> =
        answers.iter().map(|(_, took_ms)| took_ms - hit_ms).filter(|ms| *ms < latest_ms).collect();
    let usual_ms = median(&later).unwrap_or(0.0);
    hit_ms + (LATER * usual_ms).clamp(turn.tolerance(), latest_ms)
}

/// The window in which the answers turn from hits to misses.
fn narrowed(answers: &[(&[u64], bool)], goal: &Goal) -> Stage {
    let varies = || Stage::Failed("how far the drive reads ahead varies".into());
    let missed: Vec<(f64, bool)> = answers
        .iter()
        .filter_map(|(trial, hit)| Some(((trial.last()? - trial.first()?) as f64, !hit)))
        .collect();
    if missed.len() < 2 * TRIES as usize {
        return varies();
    }
    let hits = missed.iter().filter(|(_, missed)| !missed).count();
    let next = |trial: &[u64]| span(trial) == goal.units(1);
    // Only where the next sector was asked for: in a window further on hits are few anyway.
    let asked_next = answers.iter().any(|(trial, _)| next(trial));
    if asked_next && hits * 10 < missed.len() && !majority(answers, next) {
        return Stage::Reach(0);
    }
    if hits * 10 > missed.len() * 9 {
        return Stage::Failed(format!("the drive reads ahead over {MOST_TRACKS} tracks"));
    }
    match turning_point(&missed) {
        Some((low, high)) if low < high => {
            let (low, high) = (low as u64, high as u64);
            if high - low <= goal.units(1) { Stage::Reach(low) } else { Stage::Window(low, high) }
        }
        _ => varies(),
    }
}

/// Whether the reach holds with the rest it needs, and how soon a sector is lost.
fn settled(reach: u64, answers: &[(&[u64], bool)]) -> Stage {
    let ahead = |trial: &[u64]| trial.len() == 2;
    let held = majority(answers, |trial| ahead(trial) && span(trial) == reach);
    let beyond = majority(answers, |trial| ahead(trial) && span(trial) > reach);
    if beyond || (!held && reach > 0) {
        return Stage::Failed("how far the drive reads ahead varies".into());
    }
    let lost = |places: u32| !majority(answers, |trial| trial.len() == places as usize + 2);
    let places: Vec<u32> = (0..=MOST_PLACES.ilog2()).map(|power| 1 << power).collect();
    match places.iter().position(|places| lost(*places)) {
        Some(first) if places[first..].iter().all(|places| lost(*places)) => {
            Stage::Known { reach, places: places[first] }
        }
        Some(_) => Stage::Failed("when the drive's cache loses a sector varies".into()),
        None => Stage::Failed(format!("the cache keeps more than {MOST_PLACES} places")),
    }
}

fn span(trial: &[u64]) -> u64 {
    trial.last().zip(trial.first()).map_or(0, |(last, first)| last.saturating_sub(*first))
}

/// Whether more than half of the trials that count were hits.
fn majority(answers: &[(&[u64], bool)], counts: impl Fn(&[u64]) -> bool) -> bool {
    let mine: Vec<bool> =
        answers.iter().filter(|(trial, _)| counts(trial)).map(|(_, hit)| *hit).collect();
    2 * mine.iter().filter(|hit| **hit).count() > mine.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOAL: Goal = Goal {
        region_lba: 0,
        region_sectors: 1 << 22,
        to_drive_end: true,
        unit_sectors: 1,
        sector_bytes: 512,
        writes: false,
        whole: false,
    };
    const TURN: Turn = Turn { period: 11.0, error: 1e-5, jitter: 0.02 };

    /// Distances, each so often answered from the cache, of three times.
    fn answers(hits: &[(u64, usize)]) -> Stage {
        let lbas: Vec<[u64; 2]> = hits.iter().map(|(distance, _)| [7, 7 + distance]).collect();
        let of = |((_, hits), lbas)| (0..3).map(move |one| (lbas, one < hits));
        let asked: Vec<(&[u64], bool)> =
            hits.iter().copied().zip(lbas.iter().map(<[u64; 2]>::as_slice)).flat_map(of).collect();
        narrowed(&asked, &GOAL)
    }

    #[test]
    fn a_hit_that_a_stall_hid_is_not_a_drive_without_read_ahead() {
        let misses = |from: u64| (0..9).map(move |i| (from + i, 0));
        let window: Vec<_> = std::iter::once((1024, 2)).chain(misses(1036)).collect();
        assert_eq!(answers(&window), Stage::Window(1024, 1036));
        let none: Vec<_> = std::iter::once((1, 0)).chain(misses(2)).collect();
        assert_eq!(answers(&none), Stage::Reach(0));
        let next_alone: Vec<_> = std::iter::once((1, 3)).chain(misses(2)).collect();
        assert_eq!(answers(&next_alone), Stage::Reach(1));
    }

    /// Of a host that is woken 0.13 ms later after a rest, measured behind a socket; and of none.
    #[test]
    fn answers_that_are_all_late_are_answers_of_the_cache() {
        let trial: &[u64] = &[7, 8];
        let told = |took_ms: &[f64]| {
            let answers: Vec<_> = took_ms.iter().map(|took_ms| (trial, *took_ms)).collect();
            longest_hit_ms(&answers, TURN, 2.06)
        };
        let late = told(&[2.19, 2.16, 2.22, 6.9, 13.3, 5.2, 2.25, 9.0]);
        assert!((2.3..2.61).contains(&late), "{late}");
        let prompt = told(&[2.06, 2.05, 2.07, 2.30, 6.9, 13.3, 5.2]);
        assert!((prompt - 2.06 - TURN.tolerance()).abs() < 1e-9, "{prompt}");
        assert!(told(&[6.9, 13.3]) > 2.06);
    }
}
