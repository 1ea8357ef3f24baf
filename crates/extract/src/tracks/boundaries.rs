//! Successive track boundaries near an address: the true number of sectors on a track.
//!
//! A first pass over three and a half tracks sees between which of its sectors the angle jumps by a
//! skew; further passes divide those windows by nine each, until a window is two neighbours. The
//! count of sectors from one boundary to the next is then exact, whatever the jitter.

use super::{Place, places};
use crate::clock::Turn;
use crate::stats::{circular_median, fold};
use platterlab_probe::{Plan, Samples, Tracks, Visit};
use std::ops::RangeInclusive;

/// Sectors visited on each track by the first pass.
const PER_TRACK: u64 = 24;
/// No track holds more sectors.
const LONGEST_TRACK: u64 = 1 << 16;
/// Sectors visited inside a window by the later ones.
const INSIDE: u64 = 8;

/// A search for boundaries near `near_lba`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Boundaries {
    near_lba: u64,
    /// Length of a request.
    unit: u64,
    /// Sectors per track, roughly.
    guess: u64,
    state: Search,
}

/// How far a search has come.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Search {
    /// Nothing visited yet.
    Fresh,
    /// Each boundary lies behind the first and not behind the second address.
    Windows(Vec<(u64, u64)>),
    /// The first sector of one track, and the sectors on it and on the next one alike.
    Found { first_lba: u64, sectors_per_track: u64 },
    /// No answer, and why.
    Failed(String),
}

impl Boundaries {
    pub(crate) fn new(near_lba: u64, unit: u32, sectors_per_track: f64) -> Self {
        let guess = (sectors_per_track.round() as u64).clamp(1, LONGEST_TRACK);
        Self { near_lba, unit: u64::from(unit.max(1)), guess, state: Search::Fresh }
    }

    pub(crate) fn state(&self) -> &Search {
        &self.state
    }

    /// Sectors from `near_lba` on that it may visit.
    pub(crate) fn span_sectors(sectors_per_track: f64) -> u64 {
        (sectors_per_track.min(LONGEST_TRACK as f64) * 3.6) as u64 + 64
    }

    /// What to visit next; `None` when done. After the first pass, `forget` is visited before: a
    /// cache may hold the sectors looked at already.
    pub(crate) fn next(&self, forget: &[u64]) -> Option<Plan> {
        let mut lbas: Vec<u64> = match &self.state {
            Search::Fresh => {
                let grain = self.grain();
                (0..=self.guess * 7 / 2 / grain).map(|i| self.near_lba + i * grain).collect()
            }
            Search::Windows(windows) => {
                windows.iter().flat_map(|window| self.inside(*window)).collect()
            }
            Search::Found { .. } | Search::Failed(_) => return None,
        };
        lbas.sort_unstable_by(|a, b| b.cmp(a));
        if let Search::Windows(_) = self.state {
            lbas.splice(..0, forget.iter().copied());
        }
        let visit = Visit::Boundaries { near_lba: self.near_lba };
        Some(Plan::Tracks(Tracks::at_once(visit, lbas, self.unit as u32)))
    }

    /// Takes in what [`Boundaries::next`] asked for.
    pub(crate) fn add(&mut self, run: &Samples, turn: Turn) {
        let seen = places(run, turn);
        let windows = match &self.state {
            Search::Fresh => first_windows(&seen, turn),
            Search::Windows(windows) => {
                windows.iter().map(|window| self.narrow(&seen, *window, turn)).collect()
            }
            Search::Found { .. } | Search::Failed(_) => return,
        };
        self.state = match windows {
            Some(windows) if windows.iter().all(|(from, to)| to - from <= self.unit) => {
                verdict(&windows)
            }
            Some(windows) => Search::Windows(windows),
            None => Search::Failed("no track boundary shows".into()),
        };
    }

    /// Whether there is nothing more to visit.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.state, Search::Found { .. } | Search::Failed(_))
    }

    /// Gives up a count that is no part in `range` of the guess: every second boundary may be
    /// invisible.
    pub(crate) fn expect(&mut self, range: RangeInclusive<f64>) {
        if let Search::Found { sectors_per_track, .. } = self.state
            && !range.contains(&(sectors_per_track as f64 / self.guess as f64))
        {
            self.state = Search::Failed(format!(
                "{sectors_per_track} sectors between boundaries where {} were expected",
                self.guess
            ));
        }
    }

    fn grain(&self) -> u64 {
        (self.guess / PER_TRACK / self.unit).max(1) * self.unit
    }

    /// The ends of a window and places evenly between them.
    fn inside(&self, (from, to): (u64, u64)) -> Vec<u64> {
        let units = (to - from) / self.unit;
        let mut lbas: Vec<u64> =
            (0..=INSIDE + 1).map(|i| from + units * i / (INSIDE + 1) * self.unit).collect();
        lbas.dedup();
        lbas
    }

    /// The part of a window that holds its boundary.
    fn narrow(&self, seen: &[Place], window: (u64, u64), turn: Turn) -> Option<(u64, u64)> {
        let within: Vec<Place> =
            seen.iter().copied().filter(|p| (window.0..=window.1).contains(&p.lba)).collect();
        let (first, last) = (within.first()?, within.last()?);
        if (first.lba, last.lba) != window {
            return None;
        }
        // The window is so short that the guess is good enough for its slope.
        let tau = turn.period / self.guess as f64;
        let level = |place: &Place| {
            fold(place.angle - first.angle - (place.lba - first.lba) as f64 * tau, turn.period)
        };
        let jump = level(last);
        let beyond =
            |place: &Place| fold(level(place) - jump, turn.period).abs() < level(place).abs();
        let mut wrong = within.iter().filter(|place| !beyond(place)).count();
        let mut best = (usize::MAX, 0);
        for (index, place) in within.iter().enumerate() {
            if beyond(place) {
                wrong += 1;
            } else {
                wrong -= 1;
            }
            if wrong < best.0 && index + 1 < within.len() {
                best = (wrong, index);
            }
        }
        Some((within.get(best.1)?.lba, within.get(best.1 + 1)?.lba))
    }
}

/// Between which neighbours of the first pass the angle jumps.
fn first_windows(seen: &[Place], turn: Turn) -> Option<Vec<(u64, u64)>> {
    let steps: Vec<f64> =
        seen.windows(2).map(|pair| fold(pair[1].angle - pair[0].angle, turn.period)).collect();
    let typical = circular_median(&steps, turn.period)?;
    let off = |step: &f64| fold(step - typical, turn.period);
    let mut windows = Vec::new();
    let mut index = 0;
    while index < steps.len() {
        let jump = off(&steps[index]);
        if jump.abs() > turn.tolerance() {
            let back = steps.get(index + 1).map_or(0.0, off);
            if fold(jump + back, turn.period).abs() <= turn.tolerance() {
                // There and back again: one completion was late.
                index += 2;
                continue;
            }
            windows.push((seen[index].lba, seen[index + 1].lba));
        }
        index += 1;
    }
    windows.truncate(3);
    (windows.len() >= 2).then_some(windows)
}

/// Two tracks of the same length make a number of sectors per track.
fn verdict(windows: &[(u64, u64)]) -> Search {
    let firsts: Vec<u64> = windows.iter().map(|(_, first)| *first).collect();
    let lengths: Vec<u64> = firsts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    match lengths[..] {
        [one, other] if one == other && one > 0 => {
            Search::Found { first_lba: firsts[0], sectors_per_track: one }
        }
        _ => {
            let apart: Vec<String> = lengths.iter().map(u64::to_string).collect();
            let apart = apart.join(" and ");
            Search::Failed(format!(
                "the angle jumps after {apart} sectors, no two tracks of one length"
            ))
        }
    }
}
