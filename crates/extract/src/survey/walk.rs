//! From track to track: predicted, verified, searched where the prediction fails (Gim 2009).
//!
//! A predicted track is true if the angle jumps at both its ends and nowhere between: two sectors
//! for each track. In the fast mode many tracks of known lengths are leapt over; the leap counts
//! if both the last track's ends are where they should be and that track is whole, as a change of
//! length may put one boundary by chance where another was expected.

use super::angles::Angles;
use super::expected::Expected;
use super::find::{Find, Outcome};
use super::forgetting::Forgetting;
use super::leap::{self, between, landing};
use super::looked_at::LookedAt;
use super::pieces::{MEMORY, Pieces, cycle, gathered, recurring};
use super::round_leaps::{Leap as RoundLeap, RoundLeaps};
use super::{lines::Lines, mend::Mend, passes::pass_under_way};

/// Tracks verified in one run at most.
const MOST_AHEAD: usize = 128;
/// Cycles of tracks before the first leap.
const FIRST_LEAP: u64 = 8;
/// Searches in one place that may fail before it is given up.
const PATIENCE: u32 = 6;
/// In all places together.
const MOST_FAILURES: u32 = 40;
/// So few reads make a cache forget that single tracks of a new zone are searched as if there were none.
const FEW_READS: usize = 32;

/// What the walk does now.
#[derive(Clone, Debug)]
enum WalkStep {
    Find(Box<Find>),
    /// The first sectors of the next tracks, as predicted.
    Ahead(Vec<u64>),
    /// So many cycles in one go.
    Leap(u64),
    /// Rounds of passes.
    Rounds(RoundLeap),
}

/// A walk over the tracks of a region.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    end: u64,
    fast: bool,
    /// First sector of the track to come.
    at: u64,
    /// Whether a track is known to begin there.
    begun: bool,
    lengths: Vec<u64>,
    lines: Lines,
    ahead: usize,
    leap: u64,
    /// The sector behind a leap within a pass that failed: tracks are others from some place before on.
    bound: u64,
    rounds: RoundLeaps,
    /// By what came back in the last zone that was leapt over.
    expected: Expected,
    /// What makes a cache forget the look before.
    pub(super) forgetting: Forgetting,
    /// Whether each sector is read several times in a look.
    pub(super) rereads: bool,
    step: Option<WalkStep>,
    /// Searches that failed, in a row and in all.
    failures: u32,
    all_failures: u32,
    /// Whether the end was reached.
    ended: bool,
    /// What is done once the end was reached.
    pub(super) mend: Mend,
    pub(super) pieces: Pieces,
    pub(super) looked_at: LookedAt,
    /// Boundaries that do not show, as the skew there is none, and are taken from the length.
    pub(super) hidden: u64,
    pub(super) failed: Option<String>,
}

impl Walk {
    pub(super) fn new(region: (u64, u64), unit: u64, fast: bool) -> Self {
        let mut walk = Self {
            end: region.0 + region.1,
            fast,
            at: region.0,
            begun: region.0 == 0,
            lengths: Vec::new(),
            lines: Lines::new(unit),
            ahead: 1,
            leap: FIRST_LEAP,
            bound: 0,
            rounds: RoundLeaps::new(),
            expected: Expected::default(),
            forgetting: Forgetting::default(),
            rereads: false,
            step: None,
            failures: 0,
            all_failures: 0,
            ended: false,
            mend: Mend::default(),
            pieces: Pieces::default(),
            looked_at: LookedAt::default(),
            hidden: 0,
            failed: None,
        };
        walk.search();
        walk
    }

    /// Sectors to visit next, from the last to the first; `None` when done.
    pub(super) fn next(&self, angles: &Angles) -> Option<Vec<u64>> {
        let unit = self.lines.unit;
        let Some(step) = &self.step else { return self.mend.next(&self.lines) };
        let mut lbas = match step {
            WalkStep::Find(find) => find.lbas(angles, &|lba| lba),
            WalkStep::Ahead(starts) => {
                let both = |start: &u64| [*start, start - unit];
                // Just seen, it may be in a cache; long ago, the platter has drifted.
                let again = starts.len() > 8 || !angles.has_fresh(self.at, 2 * starts.len());
                starts.iter().flat_map(both).chain(again.then_some(self.at)).collect()
            }
            WalkStep::Rounds(leap) => leap.round().lbas(self.at, leap.rounds(), unit),
            WalkStep::Leap(cycles) => leap::lbas(cycle(&self.lengths), self.at, *cycles, unit),
        };
        lbas.sort_unstable_by(|a, b| b.cmp(a));
        lbas.dedup();
        Some(lbas)
    }

    /// Takes in what was visited, or ends where it is.
    pub(super) fn add(&mut self, angles: &mut Angles, cut: bool) {
        match self.step.take() {
            Some(_) if cut => self.end = self.at,
            None if cut => self.mend.cut(),
            Some(WalkStep::Find(find)) => self.found(*find, angles),
            Some(WalkStep::Ahead(starts)) => self.verified(&starts, angles),
            Some(WalkStep::Leap(cycles)) => self.leapt(cycles, angles),
            Some(WalkStep::Rounds(leap)) => self.leapt_rounds(leap, angles),
            None => self.mend.add(angles, &self.lines, &mut self.pieces),
        }
        if self.at < self.end {
            angles.forget_below(self.at);
        } else if self.step.is_none() && !std::mem::replace(&mut self.ended, true) {
            self.pieces.list = gathered(&self.pieces.list);
            self.mend = Mend::new(&self.pieces, &self.lines, self.end);
            angles.forget();
        }
    }

    /// Visits in a row that brought nothing.
    pub(super) fn troubles(&self) -> u32 {
        match &self.step {
            Some(WalkStep::Find(find)) => find.troubles().max(self.failures),
            Some(_) => 0,
            None => self.mend.troubles(),
        }
    }

    /// Milliseconds for each sector of tracks of this length.
    pub(super) fn slope(&self, length: u64) -> Option<f64> {
        self.lines.slope(length)
    }

    /// Sectors of the longest track of late.
    pub(super) fn track_sectors(&self) -> Option<u64> {
        cycle(&self.lengths).iter().max().copied()
    }

    /// How far it has come.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Where it ends.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    fn search(&mut self) {
        let hint = self.lengths.last().and_then(|length| self.slope(*length)).unwrap_or(0.0);
        let mut find = Find::new(self.lines.unit, self.at, self.end, 1.0, hint);
        let tracks = self.forgetting.tracks || self.rereads;
        find.costs(Forgetting { tracks, ..self.forgetting });
        if let Some(length) = self.expected() {
            find.ends_about(length);
        } else if let Some(length) = self.lengths.last().filter(|_| self.is_within_pass()) {
            find.ends_near(*length);
        }
        self.step = Some(WalkStep::Find(Box::new(find)));
    }

    /// How long the next track is, about, where that spares looks that cost much.
    fn expected(&self) -> Option<u64> {
        self.forgetting.is_costly().then_some(())?;
        let done = self.pass().map_or(0, |(done, _)| done);
        self.expected.next(&self.pieces, done, self.lines.unit)
    }

    fn found(&mut self, mut find: Find, angles: &mut Angles) {
        let expected = cycle(&self.lengths).first().copied();
        match find.add(angles, &|lba| lba, expected) {
            Outcome::Searching => self.step = Some(WalkStep::Find(Box::new(find))),
            Outcome::Boundary(next, slope) => {
                self.accept(next, Some(slope));
                if let Some(rest) = self.to_pass_end() {
                    self.leap = rest;
                }
                self.go_on();
            }
            Outcome::Hidden { slope } => {
                let unit = self.lines.unit;
                let turn = (angles.period() / slope / unit as f64).round() as u64 * unit;
                if self.hidden + 1 > self.pieces.tracks() / 2 + 2 {
                    self.failed = Some(format!(
                        "angles go on for more than a turn, {turn} sectors, as if no track ended: \
                         the skew is 0 or too small to show"
                    ));
                } else {
                    self.hidden += 1;
                    self.accept(self.at + turn.max(unit), Some(slope));
                    self.go_on();
                }
            }
            Outcome::End => self.accept(self.end, None),
            Outcome::Failed if self.failures < PATIENCE && self.all_failures < MOST_FAILURES => {
                self.failures += 1;
                self.all_failures += 1;
                angles.forget();
                self.search();
            }
            Outcome::Failed => self.failed = Some(format!("no track boundary behind {}", self.at)),
        }
    }

    /// A track ends at `next`.
    fn accept(&mut self, next: u64, slope: Option<f64>) {
        let length = next - self.at;
        self.failures = 0;
        if let Some(slope) = slope {
            self.lines.learn(length, slope);
        }
        if self.begun {
            self.pieces.push(self.at, length);
            self.looked_at.in_turn += 1;
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
        let round = self.fast.then(|| self.rounds.next(&self.pieces, self.at, self.end));
        if let Some(leap) = round.flatten() {
            self.step = Some(WalkStep::Rounds(leap));
            return;
        }
        let to_pass_end = self.to_pass_end();
        if self.pass().is_some_and(|(done, _)| done == 0) {
            // The next pass begins: of another length, as a rule.
            return self.search();
        }
        let lengths = cycle(&self.lengths);
        let alike = recurring(&self.lengths, lengths);
        let steady = to_pass_end.is_some() || alike >= (2 * lengths.len()).max(4);
        if self.fast && steady && self.leap >= 2 && !lengths.is_empty() {
            let room = (self.end - self.at - 1) / lengths.iter().sum::<u64>();
            let room = room.min(to_pass_end.unwrap_or(u64::MAX) / lengths.len() as u64);
            let left = self.bound.saturating_sub(self.at) / lengths.iter().sum::<u64>();
            let room = if left > 0 { room.min(left / 2) } else { room };
            if room >= 2 {
                self.step = Some(WalkStep::Leap(self.leap.min(room)));
                return;
            }
        }
        let coming = (self.expected(), self.ahead as u64);
        let Some(ahead) = self.expected.coming(lengths, &self.pieces, coming, self.lines.unit)
        else {
            return self.search();
        };
        let mut next = self.at;
        let starts: Vec<u64> = ahead
            .iter()
            .cycle()
            .map(|length| {
                next += length;
                next
            })
            .take(to_pass_end.map_or(self.ahead, |rest| self.ahead.min(rest as usize)))
            .take_while(|start| *start < self.end)
            .collect();
        if starts.is_empty() {
            self.search();
        } else {
            self.step = Some(WalkStep::Ahead(starts));
        }
    }

    fn leapt_rounds(&mut self, leap: RoundLeap, angles: &Angles) {
        let (round, rounds) = (leap.round(), leap.rounds());
        if round.fits(self.at, rounds, angles, &self.lines) {
            if leap.is_whole() {
                self.expected = Expected::of_round(round, self.pieces.tracks());
            }
            round.push(&mut self.pieces, self.at, rounds);
            self.looked_at.sampled += round.seen_tracks(self.at, rounds);
            self.at += rounds * round.sectors();
            self.rounds.succeeded(leap);
        } else {
            self.rounds.failed(self.at, &leap);
        }
        self.go_on();
    }

    fn verified(&mut self, starts: &[u64], angles: &Angles) {
        let mut right = 0;
        for start in starts {
            if !self.lines.is_track(self.at, *start, angles) {
                break;
            }
            self.lines.refine(self.at, *start, angles);
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

    /// Tracks up to where the next pass over a surface begins, if lengths come back in passes: each
    /// surface has its own. A leap over tracks of other lengths may land on a boundary by chance.
    fn to_pass_end(&self) -> Option<u64> {
        self.pass().map(|(done, width)| width - done)
    }

    /// Whether a pass is under way, and the next track is none that ends it short of spares.
    fn is_within_pass(&self) -> bool {
        let short = u64::from(self.rounds.ends_short());
        self.pass().is_some_and(|(done, width)| done + short < width)
    }

    /// Tracks of the pass under way that were found, and those of all of it.
    fn pass(&self) -> Option<(u64, u64)> {
        pass_under_way(&self.pieces, self.rounds.width())
    }

    fn leapt(&mut self, cycles: u64, angles: &Angles) {
        let lengths = cycle(&self.lengths).to_vec();
        let (last, to) = landing(&lengths, self.at, cycles);
        let slope = |length: Option<&u64>| self.slope(*length.unwrap_or(&(to - last)));
        let before = slope(lengths.get(lengths.len().wrapping_sub(2)));
        let begins = before.is_some_and(|slope| self.lines.ends(last, slope, angles));
        let first = slope(lengths.first()).unwrap_or(0.0);
        let spans = |track: (u64, u64)| {
            [last, to].iter().any(|end| self.lines.may_span(track, *end, first, angles))
        };
        let whole = |(at, next): &(u64, u64)| {
            self.lines.is_line(*at, *next, first, angles) && !spans((*at, *next))
        };
        let between = between(&lengths, self.at, cycles);
        if begins && self.lines.is_track(last, to, angles) && between.iter().all(whole) {
            self.looked_at.sampled += between.len() as u64 + 1;
            for (at, next) in between.into_iter().chain([(last, to)]) {
                self.lines.refine(at, next, angles);
            }
            if lengths.len() > 1 && self.forgetting.reads > FEW_READS {
                self.expected = Expected::of_cycle(&lengths, self.pieces.tracks());
            }
            self.pieces.push_cycles(self.at, &lengths, cycles);
            // Lengths that recur are counted from these on: left out, they would make another cycle.
            let more = (MEMORY / lengths.len()).min(cycles as usize);
            self.lengths.extend(lengths.repeat(more));
            self.at = to;
            self.leap = self.leap.saturating_mul(2);
            self.go_on();
            return;
        }
        self.leap = cycles / 4;
        if self.to_pass_end().is_some() {
            (self.leap, self.bound) = (cycles / 2, to);
        }
        if self.leap < 2 {
            self.ahead = 4;
        }
        self.go_on();
    }
}
