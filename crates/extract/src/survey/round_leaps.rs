//! Over how many rounds of passes the next leap goes, by how those before went.

use super::pieces::Pieces;
use super::rounds::Round;

/// Leaps over one round of passes that may fail in one place.
const TRIES: u32 = 2;

/// Leaps over whole rounds, and over the first passes of one that another zone ends.
#[derive(Clone, Debug)]
pub(super) struct RoundLeaps {
    /// The last round that was leapt over, and how many the next leap is to go over.
    last: Option<Round>,
    rounds: u64,
    /// Where leaps over one round failed, and how often.
    stuck: (u64, u32),
    /// The sector behind a leap that failed: what comes back ends before, unless a look was disturbed.
    bound: u64,
    /// Of the last round, the passes that are told from others by the leap that failed over all: which of them comes
    /// next, and behind the last.
    passes: std::ops::Range<usize>,
}

/// What is leapt over.
#[derive(Clone, Debug)]
pub(super) enum Leap {
    /// So many rounds.
    Rounds(Round, u64),
    /// Some passes of one.
    Part(Round),
}

impl Leap {
    pub(super) fn round(&self) -> &Round {
        match self {
            Self::Rounds(round, _) | Self::Part(round) => round,
        }
    }

    pub(super) fn rounds(&self) -> u64 {
        match self {
            Self::Rounds(_, rounds) => *rounds,
            Self::Part(_) => 1,
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Self::Rounds(..))
    }
}

impl RoundLeaps {
    pub(super) fn new() -> Self {
        Self { last: None, rounds: 1, stuck: (0, 0), bound: 0, passes: 0..0 }
    }

    /// Tracks of a pass, once a round was leapt over.
    pub(super) fn width(&self) -> Option<u64> {
        self.last.as_ref().map(Round::width)
    }

    /// Whether a pass of that round ends with a short track.
    pub(super) fn ends_short(&self) -> bool {
        self.last.as_ref().is_some_and(Round::ends_short)
    }

    /// What to leap over from `at`, where rounds come back and the last has just ended, or one has begun.
    pub(super) fn next(&self, pieces: &Pieces, at: u64, end: u64) -> Option<Leap> {
        if let Some(part) = self.part() {
            return (at + part.sectors() < end).then_some(Leap::Part(part));
        }
        let round = Round::of(&pieces.list, self.last.as_ref())?;
        // Where other lengths begin, no round is known before all its passes were seen.
        let (failed_at, tries) = self.stuck;
        let since = pieces.list.iter().rev().take_while(|it| it.first_lba >= failed_at);
        (tries < TRIES || since.count() >= round.passes()).then_some(())?;
        let room = (end - at - 1) / round.sectors();
        let left = self.bound.saturating_sub(at) / round.sectors();
        let most = if left > 0 { (left / 2).max(1) } else { u64::MAX };
        let rounds = self.rounds.min(most).min(room);
        (room > 0).then_some(Leap::Rounds(round, rounds))
    }

    /// Half of the passes that are left.
    fn part(&self) -> Option<Round> {
        self.last.as_ref()?.part(self.passes.start, self.passes.len() / 2)
    }

    /// These were leapt over.
    pub(super) fn succeeded(&mut self, leap: Leap) {
        match leap {
            Leap::Rounds(round, rounds) => (self.last, self.rounds) = (Some(round), 2 * rounds),
            Leap::Part(part) => self.passes.start += part.passes(),
        }
    }

    /// The leap from a sector on failed.
    pub(super) fn failed(&mut self, at: u64, leap: &Leap) {
        match leap {
            Leap::Rounds(round, rounds) => {
                self.bound = at + rounds * round.sectors();
                if *rounds > 1 {
                    self.rounds = (rounds / 2).max(1);
                    return;
                }
                let tries = if self.stuck.0 == at { self.stuck.1 } else { 0 };
                let is_last = self.last.as_ref() == Some(round);
                self.stuck = (at, if is_last { TRIES } else { tries + 1 });
                if is_last {
                    self.passes = 0..round.passes();
                }
            }
            Leap::Part(part) => self.passes.end = self.passes.start + part.passes(),
        }
    }
}
