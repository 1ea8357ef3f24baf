//! The skews of the first tracks of a drive, and of its last ones, where the pattern of skews is of others.

use super::pattern::PatternSearch;
use super::pieces::Pieces;

/// What is looked for there.
#[derive(Clone, Debug, Default)]
pub(super) struct EndSkews {
    asked: bool,
    pub(super) first: Option<PatternSearch>,
    last: Option<PatternSearch>,
}

impl EndSkews {
    /// Asks for those of the first tracks; and for those of the last where nobody else looks at them.
    pub(super) fn ask(&mut self, pieces: &Pieces, pattern: &PatternSearch, of_last: bool) {
        if std::mem::replace(&mut self.asked, true) {
            return;
        }
        self.first = PatternSearch::of_first(pieces, pattern);
        let of_last = of_last && pattern.short_cycle().is_some();
        self.last = PatternSearch::of_last(pieces, pattern).filter(|_| of_last);
    }

    /// The search that is to go on.
    pub(super) fn open(&self) -> Option<&PatternSearch> {
        [&self.first, &self.last].into_iter().flatten().find(|search| !search.is_seen())
    }

    pub(super) fn open_mut(&mut self) -> Option<&mut PatternSearch> {
        [&mut self.first, &mut self.last].into_iter().flatten().find(|search| !search.is_seen())
    }

    /// The tracks after which skews come again there, where these are others than in the pattern: a head may have no
    /// data in some zones.
    pub(super) fn other_count(&self, pattern: &PatternSearch) -> Option<u64> {
        let count = |search: &PatternSearch| search.short_cycle().map(|cycle| cycle.period);
        let usual = count(pattern)?;
        let mut counts = [&self.first, &self.last].into_iter().flatten().filter_map(count);
        counts.find(|count| *count != usual)
    }
}
