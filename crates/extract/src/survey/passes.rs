//! Passes over a surface, as far as skews or lengths of tracks show where they end.

use super::pattern::PatternSearch;
use crate::stats::mode;

/// Passes in a row without which nothing is said of them.
const FEWEST_PASSES: u64 = 3;
/// Passes from one end to the next that shows.
const MOST_BETWEEN: u64 = 4;

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

/// The most passes in a row of the usual width, some ends of which may not have shown, or at
/// another track, as where a completion came late. The last ones of a zone may be narrower.
pub(super) fn usual_passes(pattern: &PatternSearch) -> Option<Passes> {
    let widths = pattern.widths().into_iter().map(|(_, width)| width);
    let (width, _) = mode(widths).filter(|(width, _)| *width > 1)?;
    let (phase, _) = mode(pattern.passes.iter().map(|first| first % width))?;
    let ends = pattern.passes.iter().copied().filter(|first| first % width == phase);
    let ends: Vec<u64> = ends.collect();
    ends.chunk_by(|one, next| next - one <= MOST_BETWEEN * width)
        .filter_map(|run| Some(Passes { tracks: (*run.first()?, *run.last()?), width }))
        .max_by_key(Passes::count)
        .filter(|run| run.count() >= FEWEST_PASSES)
}
