//! Over how many rounds of passes the next leap goes, by how those before went.

use super::pieces::Pieces;
use super::rounds::Round;

/// Leaps over one round of passes that may fail in one place.
const TRIES: u32 = 2;

/// Leaps over whole rounds.
#[derive(Clone, Debug)]
pub(super) struct RoundLeaps {
    /// The last round that was leapt over, and how many the next leap is to go over.
    last: Option<Round>,
    rounds: u64,
    /// Where leaps over one round failed, and how often.
    stuck: (u64, u32),
}

impl RoundLeaps {
    pub(super) fn new() -> Self {
        Self { last: None, rounds: 1, stuck: (0, 0) }
    }

    /// Tracks of a pass, once a round was leapt over.
    pub(super) fn width(&self) -> Option<u64> {
        self.last.as_ref().map(Round::width)
    }

    /// Whether a pass of that round ends with a short track.
    pub(super) fn ends_short(&self) -> bool {
        self.last.as_ref().is_some_and(Round::ends_short)
    }

    /// The rounds to leap over from `at`, where some come back and the last has just ended.
    pub(super) fn next(&self, pieces: &Pieces, at: u64, end: u64) -> Option<(Round, u64)> {
        let round = Round::of(&pieces.list, self.last.as_ref())?;
        // Where other lengths begin, no round is known before all its passes were seen.
        let (failed_at, tries) = self.stuck;
        let since = pieces.list.iter().rev().take_while(|it| it.first_lba >= failed_at);
        (tries < TRIES || since.count() >= round.passes()).then_some(())?;
        let room = (end - at - 1) / round.sectors();
        (room > 0).then(|| (round, self.rounds.min(room)))
    }

    /// These were leapt over.
    pub(super) fn succeeded(&mut self, round: Round, rounds: u64) {
        (self.last, self.rounds) = (Some(round), 2 * rounds);
    }

    /// The leap over so many failed.
    pub(super) fn failed(&mut self, at: u64, rounds: u64) {
        if rounds > 1 {
            self.rounds = (rounds / 4).max(1);
        } else {
            let tries = if self.stuck.0 == at { self.stuck.1 } else { 0 };
            self.stuck = (at, tries + 1);
        }
    }
}
