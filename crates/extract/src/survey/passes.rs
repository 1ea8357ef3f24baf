//! Passes over a surface, as far as skews or lengths of tracks show where they end.

use super::pattern::PatternSearch;
use super::pieces::{Pieces, gcd};
use crate::stats::mode;

/// Passes in a row without which nothing is said of them.
const FEWEST_PASSES: u64 = 3;
/// Passes from one end to the next that shows.
const MOST_BETWEEN: u64 = 4;
/// Stretches of late that tell of the pass under way, and the fewest.
const RECENT: usize = 12;
const FEWEST_RECENT: usize = 4;
/// Tracks of a pass at least.
const NARROWEST: u64 = 8;
/// The last of them, of which most begin as far from the first track of a pass.
const LAST: usize = 3;

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

/// Tracks that were found of the pass under way, and those of all of it, if lengths come back in passes.
/// How wide a pass is may be `known` from rounds of them that came back; else all recent ones tell.
pub(super) fn pass_under_way(pieces: &Pieces, known: Option<u64>) -> Option<(u64, u64)> {
    let recent: Vec<_> = pieces.list.iter().rev().take(RECENT).collect();
    let come_back = recent.windows(2).any(|pair| pair[0].sectors[0] > pair[1].sectors[0]);
    let firsts = recent.iter().map(|piece| piece.first_track).filter(|first| *first > 0);
    let width = known.unwrap_or_else(|| firsts.fold(0, gcd));
    if !come_back || width < NARROWEST || recent.len() < FEWEST_RECENT {
        return None;
    }
    // A late completion makes one track two, and all behind it are counted from there.
    let whole = recent.iter().filter(|piece| piece.cycles >= NARROWEST);
    let phases = whole.map(|piece| piece.first_track % width);
    let (phase, times) = mode(phases.take(LAST)).unwrap_or_default();
    (known.is_none() || 2 * times > LAST)
        .then(|| ((pieces.tracks() + width - phase) % width, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(stretches: &[(u64, u64)]) -> Pieces {
        let (mut pieces, mut at) = (Pieces::default(), 0);
        for (sectors, tracks) in stretches {
            pieces.push_cycles(at, &[*sectors], *tracks);
            at += sectors * tracks;
        }
        pieces
    }

    #[test]
    fn a_pass_goes_on_behind_a_track_that_was_taken_for_two() {
        let even = [(30, 20), (29, 20), (31, 20), (30, 20), (29, 15)];
        assert_eq!(pass_under_way(&pieces(&even), None), Some((15, 20)));
        let odd = [(30, 20), (29, 20), (31, 20), (30, 12), (20, 1), (10, 1), (30, 7), (29, 20)];
        let counted = |behind: &[(u64, u64)]| pieces(&[&odd[..], behind].concat());
        let behind = counted(&[(31, 20), (30, 20), (29, 5)]);
        assert_eq!(pass_under_way(&behind, None), None);
        assert_eq!(pass_under_way(&behind, Some(20)), Some((5, 20)));
        // Where passes end is open until two of the last ones tell.
        let open = counted(&[(31, 20), (30, 11), (29, 12), (30, 8)]);
        assert_eq!(pass_under_way(&open, Some(20)), None);
    }
}
