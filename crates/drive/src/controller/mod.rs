//! Costs of the controller's processor, by kind of command, cache outcome and what came before.

mod rules;

pub(crate) use rules::Situation;

use crate::layout::Tracks;
use crate::{ControllerParams, Near, OverheadRule, TrackEnd};
use platterlab_units::{Operation, Span, Time};
use rules::History;
use std::ops::Range;
use std::sync::Arc;

/// The controller of one drive.
#[derive(Clone, Debug)]
pub struct Controller {
    params: Arc<ControllerParams>,
    /// Whether a rule asks how near commands are to each other.
    asks_near: bool,
    /// Whether a rule asks if read-ahead is under way.
    asks_reading_ahead: bool,
    previous: Option<Operation>,
    history: History,
}

impl Controller {
    pub(crate) fn new(params: &ControllerParams) -> Self {
        Self {
            asks_near: params.rules.iter().any(|rule| rule.near != Near::Anywhere),
            asks_reading_ahead: params.rules.iter().any(|rule| rule.reading_ahead.is_some()),
            params: Arc::new(params.clone()),
            previous: None,
            history: History::default(),
        }
    }

    /// Whether an overhead depends on more than the kinds of this command and the last.
    #[inline]
    pub(crate) fn has_rules(&self) -> bool {
        !self.params.rules.is_empty()
    }

    /// What the rules need to know of a command issued at `issue`; `reading_ahead` is asked only
    /// where they do.
    #[inline]
    pub(crate) fn situation(
        &self,
        issue: Time,
        lba: u64,
        operation: Operation,
        tracks: &mut Tracks<'_>,
        reading_ahead: impl FnOnce() -> bool,
    ) -> Situation {
        let tracks = self.asks_near.then_some(tracks);
        let mut situation =
            self.history.situation(issue, lba, self.previous == Some(operation), tracks);
        situation.reading_ahead = self.asks_reading_ahead && reading_ahead();
        situation
    }

    /// From the command's arrival until mechanism or buffer is set to work. The first command
    /// counts as following a read.
    #[inline]
    pub(crate) fn overhead(&self, operation: Operation, hit: bool, situation: &Situation) -> Span {
        if self.has_rules()
            && let Some(rule) = self.rule(operation, hit, situation)
        {
            return rule.time;
        }
        self.overhead_after(operation, hit, self.previous())
    }

    /// The same according to the table, whatever the rules say, after a command of the kind
    /// `previous`.
    #[inline]
    pub(crate) fn overhead_after(
        &self,
        operation: Operation,
        hit: bool,
        previous: Operation,
    ) -> Span {
        self.params.overhead[operation.index()][usize::from(hit)][previous.index()]
    }

    /// From the last byte until the host sees the completion.
    #[inline]
    pub(crate) fn completion(
        &self,
        operation: Operation,
        hit: bool,
        situation: &Situation,
    ) -> Span {
        if self.has_rules()
            && let Some(own) = self.rule(operation, hit, situation).and_then(|it| it.completion)
        {
            return own;
        }
        self.params.completion[operation.index()]
    }

    /// When it has no time for the host at the end of a track.
    #[inline]
    pub(crate) fn track_end(&self) -> Option<TrackEnd> {
        self.params.track_end
    }

    /// What came before.
    #[inline]
    pub(crate) fn previous(&self) -> Operation {
        self.previous.unwrap_or(Operation::Read)
    }

    /// The first rule that applies.
    fn rule(
        &self,
        operation: Operation,
        hit: bool,
        situation: &Situation,
    ) -> Option<&OverheadRule> {
        let previous = self.previous();
        let applies = |rule: &&OverheadRule| {
            rule.operation == operation
                && rule.hit.is_none_or(|of| of == hit)
                && rule.after.is_none_or(|of| of == previous)
                && situation.fits(rule)
        };
        self.params.rules.iter().find(applies)
    }

    /// Keeps in mind a command for the sectors `lba..end` that was complete at `completion`.
    #[inline]
    pub(crate) fn remember(
        &mut self,
        operation: Operation,
        addresses: Range<u64>,
        completion: Time,
    ) {
        if self.has_rules() {
            self.history.remember(self.previous == Some(operation), addresses, completion);
        }
        self.previous = Some(operation);
    }

    pub(crate) fn rebase(&mut self, by: Span) {
        self.history.rebase(by);
    }
}
