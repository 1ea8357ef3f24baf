//! From track to track: predicted, verified, searched where the prediction fails (Gim 2009).
//!
//! A predicted track is true if the angle jumps at both its ends and nowhere between: two sectors
//! for each track. In the fast mode many tracks of known lengths are leapt over; the leap counts
//! if both the last track's ends are where they should be and that track is whole, as a change of
//! length may put one boundary by chance where another was expected.

mod leaps;

use super::angles::Angles;
use super::expected::Expected;
use super::find::{Find, Outcome};
use super::forgetting::{FEW_READS, Forgetting};
use super::held;
use super::looked_at::LookedAt;
use super::pieces::{MEMORY, Pieces, cycle, gathered, recurring};
use super::round_leaps::RoundLeaps;
use super::walk_step::WalkStep;
use super::{lines::Lines, mend::Mend, passes::pass_under_way};

/// Tracks verified in one run at most.
const MOST_AHEAD: usize = 128;
/// Cycles of tracks before the first leap.
const FIRST_LEAP: u64 = 8;
/// Searches in one place that may fail before it is given up.
const PATIENCE: u32 = 6;
/// In all places together.
const MOST_FAILURES: u32 = 40;
/// Searches that a cache that has all of a track does not tell, before it is no longer asked.
const MOST_REFUTED: u32 = 3;

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
    forgetting: Forgetting,
    /// Searches in a row that a cache that has all of a track did not tell.
    refuted: u32,
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
            refuted: 0,
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
        let mut lbas = step.lbas(self.at, cycle(&self.lengths), unit, angles);
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
            self.mend = Mend::new(&self.pieces, &self.lines, self.end, self.forgetting);
            angles.forget();
        }
    }

    /// Takes in what makes a cache forget; where it is new that it has whole tracks, a search is begun by these.
    pub(super) fn forgets(&mut self, forgetting: Forgetting) {
        let is_new = forgetting.tells_tracks() && !self.forgetting.tells_tracks();
        self.forgetting = forgetting;
        if is_new && matches!(self.step, Some(WalkStep::Find(_))) {
            self.search();
        }
    }

    /// Whether what is asked for next is told by a cache that has all of a track.
    pub(super) fn is_by_track(&self) -> bool {
        self.forgetting.tells_tracks() && self.step.as_ref().is_some_and(WalkStep::is_by_track)
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

    /// What lies so near a sector may be on its track.
    pub(super) fn track_reach(&self) -> u64 {
        2 * self.track_sectors().unwrap_or(held::AHEAD)
    }

    /// What makes a cache forget.
    pub(super) fn forgetting(&self) -> Forgetting {
        self.forgetting
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
        find.tells_tracks(self.forgetting.tells_tracks() && self.refuted < MOST_REFUTED);
        if let Some(length) = self.expected() {
            find.ends_about(length);
        } else if let Some(length) = self.lengths.last()
            && (self.is_within_pass() || self.forgetting.tells_tracks())
        {
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
                self.refuted = if find.is_by_track() { 0 } else { self.refuted + 1 };
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
}
