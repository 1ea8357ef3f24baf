//! Conditions of overhead rules: what a command continues, how near it is, how soon it comes.

use crate::layout::Tracks;
use crate::{Near, OverheadRule};
use platterlab_units::{Span, Time};
use std::ops::Range;

/// The command before this one, and the run it ended.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// Where it ended; 0 before the first command.
    end: u64,
    completion: Time,
    /// Commands of its kind in a row, each beginning where the one before it ended.
    run: u32,
}

/// A command as overhead rules see it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Situation {
    run: u32,
    /// Whether it is on the track the last one ended on, and cylinders from there; `None` before
    /// the first command and where no rule asks.
    near: Option<(bool, u32)>,
    idle: Span,
    /// Whether read-ahead is under way; false where no rule asks.
    pub(super) reading_ahead: bool,
}

impl History {
    pub(super) fn situation(
        &self,
        issue: Time,
        lba: u64,
        same_kind: bool,
        tracks: Option<&mut Tracks<'_>>,
    ) -> Situation {
        let continues = same_kind && self.end == lba;
        let near = self.end.checked_sub(1).zip(tracks).map(|(last, tracks)| {
            let (last, first) = (tracks.run(last, 1), tracks.run(lba, 1));
            let cylinders = last.cylinder.abs_diff(first.cylinder);
            (cylinders == 0 && last.surface == first.surface, cylinders)
        });
        // A replay at measured times can issue a command before the model is done with the last.
        let idle = if issue > self.completion { issue - self.completion } else { Span::ZERO };
        let run = if continues { self.run } else { 0 };
        Situation { run, near, idle, reading_ahead: false }
    }

    pub(super) fn remember(&mut self, same_kind: bool, addresses: Range<u64>, completion: Time) {
        let continues = same_kind && self.end == addresses.start;
        self.run = if continues { self.run.saturating_add(1) } else { 1 };
        self.end = addresses.end;
        self.completion = completion;
    }

    pub(super) fn rebase(&mut self, by: Span) {
        self.completion = self.completion.rebased(by);
    }
}

impl Situation {
    pub(super) fn fits(&self, rule: &OverheadRule) -> bool {
        let near = match (rule.near, self.near) {
            (Near::Anywhere, _) => true,
            (_, None) => false,
            (Near::Track, Some((same_track, _))) => same_track,
            (Near::Cylinders(most), Some((_, cylinders))) => cylinders <= most,
        };
        near && self.run >= rule.run
            && rule.idle.is_none_or(|most| self.idle <= most)
            && rule.reading_ahead.is_none_or(|of| of == self.reading_ahead)
    }
}
