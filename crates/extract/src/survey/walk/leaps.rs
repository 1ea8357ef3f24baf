//! What a leap showed: tracks that it passes over count, or it was too far.

use super::{FEW_READS, MEMORY, Walk};
use crate::survey::angles::Angles;
use crate::survey::expected::Expected;
use crate::survey::leap::{between, landing};
use crate::survey::pieces::cycle;
use crate::survey::round_leaps::Leap as RoundLeap;

impl Walk {
    pub(super) fn leapt_rounds(&mut self, leap: RoundLeap, angles: &Angles) {
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

    pub(super) fn leapt(&mut self, cycles: u64, angles: &Angles) {
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
