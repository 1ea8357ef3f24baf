//! In which order requests are issued, and whether the rows of a table come in one that can be.

use platterlab_units::{Span, Stamp};

/// When a request is issued; where nothing is known of its queue, as it arrives.
pub(crate) fn issue(arrival: Stamp, queued: Option<Span>) -> Stamp {
    arrival + queued.unwrap_or(Span::ZERO)
}

/// The order of rows that are looked at in turn.
#[derive(Debug)]
pub(crate) struct RowOrder {
    arrival: Stamp,
    issue: Stamp,
    of_arrival: bool,
    /// Whether each is issued no earlier than the one above it.
    pub(crate) of_issue: bool,
}

impl Default for RowOrder {
    fn default() -> Self {
        Self { arrival: Stamp::ZERO, issue: Stamp::ZERO, of_arrival: true, of_issue: true }
    }
}

impl RowOrder {
    /// Two times of ten years, as numbers of 64 bits have their milliseconds, add up to no better.
    const ROUNDED: Span = Span::from_ns(100);

    /// Takes the next row; whether all so far are in the order of arrival, or of issue.
    pub(crate) fn holds(&mut self, arrival: Stamp, issue: Stamp) -> bool {
        self.of_arrival &= arrival >= self.arrival;
        self.of_issue &= issue + Self::ROUNDED >= self.issue;
        (self.arrival, self.issue) = (arrival, issue);
        self.of_arrival || self.of_issue
    }
}
