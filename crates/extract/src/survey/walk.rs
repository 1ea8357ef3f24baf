//! From track to track: predicted, verified, searched where the prediction fails (Gim 2009).
//!
//! A predicted track is true if the angle jumps at both its ends and nowhere between: two sectors
//! for each track. In the fast mode many tracks of known lengths are leapt over; the leap counts
//! if both the last track's ends are where they should be and that track is whole, as a change of
//! length may put one boundary by chance where another was expected.

use super::angles::Angles;
use super::find::{Find, MOST_SLIPS, Outcome};
use super::pieces::{Pieces, cycle, recurring};
use std::collections::BTreeMap;

/// Tracks verified in one run at most.
const MOST_AHEAD: usize = 128;
/// Cycles of tracks before the first leap.
const FIRST_LEAP: u64 = 8;
/// Lengths remembered.
const MEMORY: usize = 192;

/// What the walk does now.
#[derive(Clone, Debug)]
enum WalkStep {
    Find(Box<Find>),
    /// The first sectors of the next tracks, as predicted.
    Ahead(Vec<u64>),
    /// So many cycles in one go.
    Leap(u64),
}

/// A walk over the tracks of a region.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    unit: u64,
    end: u64,
    fast: bool,
    /// First sector of the track to come.
    at: u64,
    /// Whether a track is known to begin there.
    begun: bool,
    lengths: Vec<u64>,
    /// Milliseconds per sector for each length of track.
    slopes: BTreeMap<u64, f64>,
    ahead: usize,
    leap: u64,
    step: Option<WalkStep>,
    pub(super) pieces: Pieces,
    /// Boundaries that do not show, as the skew there is none, and are taken from the length.
    pub(super) hidden: u64,
    pub(super) failed: Option<String>,
}

impl Walk {
    pub(super) fn new(region: (u64, u64), unit: u64, fast: bool) -> Self {
        let mut walk = Self {
            unit,
            end: region.0 + region.1,
            fast,
            at: region.0,
            begun: region.0 == 0,
            lengths: Vec::new(),
            slopes: BTreeMap::new(),
            ahead: 1,
            leap: FIRST_LEAP,
            step: None,
            pieces: Pieces::default(),
            hidden: 0,
            failed: None,
        };
        walk.search();
        walk
    }

    /// Sectors to visit next, from the last to the first; `None` when done.
    pub(super) fn next(&self, angles: &Angles) -> Option<Vec<u64>> {
        let mut lbas = match self.step.as_ref()? {
            WalkStep::Find(find) => find.lbas(angles, &|lba| lba),
            WalkStep::Ahead(starts) => {
                let both = |start: &u64| [*start, start - self.unit];
                // Just seen, it may be in a cache; long ago, the platter has drifted.
                let again = starts.len() > 8 || !angles.knows(self.at);
                starts.iter().flat_map(both).chain(again.then_some(self.at)).collect()
            }
            WalkStep::Leap(cycles) => {
                let (last, to) = self.landing(*cycles);
                vec![to, to - self.unit, last, last - self.unit]
            }
        };
        lbas.sort_unstable_by(|a, b| b.cmp(a));
        lbas.dedup();
        Some(lbas)
    }

    /// Takes in what was visited.
    pub(super) fn add(&mut self, angles: &mut Angles) {
        match self.step.take() {
            Some(WalkStep::Find(find)) => self.found(*find, angles),
            Some(WalkStep::Ahead(starts)) => self.verified(&starts, angles),
            Some(WalkStep::Leap(cycles)) => self.leapt(cycles, angles),
            None => {}
        }
        angles.forget_below(self.at);
    }

    /// Visits in a row that brought nothing.
    pub(super) fn troubles(&self) -> u32 {
        match &self.step {
            Some(WalkStep::Find(find)) => find.troubles(),
            _ => 0,
        }
    }

    /// Milliseconds for each sector of tracks of this length.
    pub(super) fn slope(&self, length: u64) -> Option<f64> {
        self.slopes.get(&length).copied()
    }

    /// How far it has come.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    fn search(&mut self) {
        let hint = self.lengths.last().and_then(|length| self.slope(*length)).unwrap_or(0.0);
        let find = Find::new(self.unit, self.at, self.end, 1.1, hint);
        self.step = Some(WalkStep::Find(Box::new(find)));
    }

    fn found(&mut self, mut find: Find, angles: &Angles) {
        let expected = cycle(&self.lengths).first().copied();
        match find.add(angles, &|lba| lba, expected) {
            Outcome::Searching => self.step = Some(WalkStep::Find(Box::new(find))),
            Outcome::Boundary(next, slope) => {
                self.accept(next, Some(slope));
                self.go_on();
            }
            Outcome::Hidden { slope } => {
                let turn = (angles.period() / slope / self.unit as f64).round() as u64 * self.unit;
                if self.hidden + 1 > self.pieces.tracks() / 2 + 2 {
                    self.failed = Some(format!(
                        "angles go on for more than a turn, {turn} sectors, as if no track ended: \
                         the skew is 0 or too small to show"
                    ));
                } else {
                    self.hidden += 1;
                    self.accept(self.at + turn.max(self.unit), Some(slope));
                    self.go_on();
                }
            }
            Outcome::End => {
                let end = self.end;
                self.accept(end, None);
            }
            Outcome::Failed => self.failed = Some(format!("no track boundary behind {}", self.at)),
        }
    }

    /// A track ends at `next`.
    fn accept(&mut self, next: u64, slope: Option<f64>) {
        let length = next - self.at;
        if let Some(slope) = slope {
            self.slopes.insert(length, slope);
        }
        if self.begun {
            self.pieces.push(self.at, length);
            self.lengths.push(length);
            if self.lengths.len() > 2 * MEMORY {
                self.lengths.drain(..MEMORY);
            }
        }
        self.begun = true;
        self.at = next;
    }

    /// After a success: leaps where they can be made, else as far ahead as is worth it.
    fn go_on(&mut self) {
        if self.at >= self.end {
            return;
        }
        let lengths = cycle(&self.lengths);
        let steady = recurring(&self.lengths, lengths) >= (2 * lengths.len()).max(4);
        if self.fast && steady && self.leap >= 2 && !lengths.is_empty() {
            let room = (self.end - self.at - 1) / lengths.iter().sum::<u64>();
            if room >= 2 {
                self.step = Some(WalkStep::Leap(self.leap.min(room)));
                return;
            }
        }
        let mut next = self.at;
        let starts: Vec<u64> = lengths
            .iter()
            .cycle()
            .map(|length| {
                next += length;
                next
            })
            .take(self.ahead)
            .take_while(|start| *start < self.end)
            .collect();
        if starts.is_empty() {
            self.search();
        } else {
            self.step = Some(WalkStep::Ahead(starts));
        }
    }

    fn verified(&mut self, starts: &[u64], angles: &Angles) {
        let mut right = 0;
        for start in starts {
            if !self.is_track(self.at, *start, angles) {
                break;
            }
            self.refine(*start, angles);
            self.accept(*start, None);
            right += 1;
        }
        if right == starts.len() {
            self.ahead = (self.ahead * 2).min(MOST_AHEAD);
            if right >= 4 {
                self.leap = self.leap.max(FIRST_LEAP);
            }
            self.go_on();
        } else {
            self.ahead = (self.ahead / 4).max(1);
            self.search();
        }
    }

    /// Whether a track ends at `next` and is one line from `first` to there.
    fn is_track(&self, first: u64, next: u64, angles: &Angles) -> bool {
        let Some(slope) = self.slopes.get(&(next - first)) else { return false };
        let jump = self.off(next - self.unit, next, *slope, angles);
        let whole = self.off(first, next - self.unit, *slope, angles);
        jump.is_some_and(|jump| jump.abs() > angles.tolerance())
            && whole.is_some_and(|whole| self.is_whole(whole, *slope, angles))
    }

    /// Whether an angle is that of a whole track, or of one with a few sectors left out.
    fn is_whole(&self, off: f64, slope: f64, angles: &Angles) -> bool {
        let sector = slope * self.unit as f64;
        let slips = (off / sector).round().clamp(0.0, MOST_SLIPS);
        (off - slips * sector).abs() <= angles.tolerance()
    }

    fn off(&self, from: u64, to: u64, slope: f64, angles: &Angles) -> Option<f64> {
        let straight = (to - from) as f64 * slope;
        angles.between(from, to).map(|angle| crate::stats::fold(angle - straight, angles.period()))
    }

    /// What a whole track's angle says of its slope counts a little.
    fn refine(&mut self, next: u64, angles: &Angles) {
        let (first, length) = (self.at, next - self.at);
        let Some(slope) = self.slopes.get(&length).copied() else { return };
        let units = (length - self.unit).max(1);
        if let Some(off) = self.off(first, next - self.unit, slope, angles)
            && off.abs() <= angles.tolerance().min(0.5 * slope * self.unit as f64)
        {
            self.slopes.insert(length, slope + 0.25 * off / units as f64);
        }
    }

    /// The first sector of the last of `cycles` cycles' tracks, and of the one behind it.
    fn landing(&self, cycles: u64) -> (u64, u64) {
        let lengths = cycle(&self.lengths);
        let to = self.at + cycles * lengths.iter().sum::<u64>();
        (to - lengths.last().copied().unwrap_or(0), to)
    }

    fn leapt(&mut self, cycles: u64, angles: &Angles) {
        let (last, to) = self.landing(cycles);
        let lengths = cycle(&self.lengths).to_vec();
        let before =
            self.slopes.get(lengths.get(lengths.len().wrapping_sub(2)).unwrap_or(&(to - last)));
        let begins = before
            .and_then(|slope| self.off(last - self.unit, last, *slope, angles))
            .is_some_and(|jump| jump.abs() > angles.tolerance());
        if begins && self.is_track(last, to, angles) {
            self.pieces.push_cycles(self.at, &lengths, cycles);
            self.at = to;
            self.leap = self.leap.saturating_mul(2);
            self.go_on();
            return;
        }
        self.leap = cycles / 4;
        if self.leap < 2 {
            self.ahead = 4;
        }
        self.go_on();
    }
}
