//! Passes over a surface, as far as skews or lengths of tracks show where they end.

use super::pattern::PatternSearch;

/// Passes in a row without which nothing is said of them.
const FEWEST_PASSES: u64 = 3;

/// Passes of one width in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passes {
    /// The first track of the first, and that behind the last.
    pub(super) tracks: (u64, u64),
    pub(super) width: u64,
}

impl Passes {
    pub(super) fn count(&self) -> u64 {
        (self.tracks.1 - self.tracks.0) / self.width
    }
}

/// The most passes in a row of the usual width, some ends of which may not have shown. The last
/// ones of a zone may be narrower.
pub(super) fn usual_passes(pattern: &PatternSearch) -> Option<Passes> {
    let passes = pattern.widths();
    let mut widths: Vec<u64> = passes.iter().map(|(_, width)| *width).collect();
    widths.sort_unstable();
    let usual = widths.chunk_by(|a, b| a == b).max_by_key(|same| same.len())?;
    let width = *usual.first().filter(|width| **width > 1)?;
    let steady = |(_, it): &(u64, u64)| it.is_multiple_of(width);
    passes
        .chunk_by(|one, other| steady(one) == steady(other))
        .filter(|run| run.first().is_some_and(steady))
        .filter_map(|run| {
            let (first, last) = (run.first()?, run.last()?);
            Some(Passes { tracks: (first.0, last.0 + last.1), width })
        })
        .max_by_key(Passes::count)
        .filter(|run| run.count() >= FEWEST_PASSES)
}
