//! A place that nothing fills, with the tracks beside it that are none.
//!
//! One late completion may end a track where none ends. The walk goes on behind it, and may take what follows for
//! tracks that are alike, where sectors happen to lie as ends of such tracks would.

use super::odd_track::OddTrack;
use super::pieces::{Piece, Pieces, SEVERAL};

/// Tracks in a row that may all be none.
const MOST_WRONG: u64 = 32;
/// Tracks of a longer stretch that are doubted.
const DOUBTED: u64 = 4;

/// The place with what looks at it refuted on either side, and with the odd tracks behind that; none where nothing
/// is refuted. `end` is where all tracks end.
pub(super) fn wider(place: &OddTrack, pieces: &Pieces, end: u64) -> Option<OddTrack> {
    let [before, behind] = place.refuted();
    let list = parted(&pieces.list, place, before);
    let at = |lba: u64| list.iter().position(|it| it.first_lba >= lba).unwrap_or(list.len());
    let (mut first, mut last) = (at(place.from), at(place.to));
    let is_odd = |index: usize| list.get(index).is_some_and(|it| it.tracks() < SEVERAL);
    if before {
        first = first.checked_sub(1)?;
    }
    if behind {
        last += 1;
        while is_odd(last) {
            last += 1;
        }
    }
    let outer = first.checked_sub(1).and_then(|index| list.get(index));
    let wider = OddTrack::new(outer, list.get(first..last)?, list.get(last), end);
    (before || behind).then(|| wider.going_on(pieces))
}

/// The pieces, with what may be wrong behind a place as a piece of its own, and where the last track `before` it is
/// none, some tracks there.
fn parted(list: &[Piece], place: &OddTrack, before: bool) -> Vec<Piece> {
    let mut parts = Vec::new();
    for (index, piece) in list.iter().enumerate() {
        let is_before = before
            && piece.first_lba < place.from
            && list.get(index + 1).is_some_and(|next| next.first_lba >= place.from);
        let doubted = DOUBTED.div_ceil(piece.sectors.len() as u64).min(piece.cycles);
        let cycles = if is_before {
            piece.cycles - doubted
        } else if piece.first_lba == place.to && piece.tracks() > MOST_WRONG {
            doubted
        } else {
            0
        };
        parts.extend(split(piece, cycles));
    }
    parts
}

/// So many cycles of a piece, and the others.
fn split(piece: &Piece, cycles: u64) -> impl Iterator<Item = Piece> + use<> {
    let first = Piece { cycles, ..piece.clone() };
    let rest = Piece {
        first_lba: piece.first_lba + cycles * piece.cycle_sectors(),
        first_track: piece.first_track + first.tracks(),
        cycles: piece.cycles - cycles,
        ..piece.clone()
    };
    [first, rest].into_iter().filter(|it| it.cycles > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::odd_track::tests::{lines, looked};

    const LOOKS: u32 = 6;
    /// Sectors of tracks up to an address, and from there on.
    const EDGE: u64 = 60 * 28;

    /// When a sector passes, in turns: of tracks of 60 sectors, and of 50 behind the edge.
    fn passed(lba: u64) -> f64 {
        let on =
            |lba: u64, count: u64| (lba % count) as f64 / count as f64 + 0.3 * (lba / count) as f64;
        lba.checked_sub(EDGE).map_or_else(|| on(lba, 60), |behind| 0.1 + on(behind, 50))
    }

    fn pieces(lengths: &[(u64, u64)]) -> Pieces {
        let (mut all, mut at) = (Pieces::default(), 0);
        for (length, tracks) in lengths {
            all.push_cycles(at, &[*length], *tracks);
            at += length * tracks;
        }
        all
    }

    /// The place between two stretches, and the tracks that fill it once it is wider.
    fn filled(list: &[(u64, u64)], odd: std::ops::Range<usize>) -> Option<Vec<u64>> {
        let pieces = pieces(list);
        let end = pieces.list.last().map_or(0, |it| it.first_lba + it.cycles * it.cycle_sectors());
        let of = |index: usize| &pieces.list[index];
        let place = OddTrack::new(
            Some(of(odd.start - 1)),
            &pieces.list[odd.clone()],
            Some(of(odd.end)),
            end,
        );
        let known = lines(&[(60, 60), (50, 50), (45, 60)]);
        let place = looked(place, &known, LOOKS, passed);
        assert_eq!(place.filled(), None);
        let wider = looked(wider(&place, &pieces, end)?, &known, LOOKS, passed);
        assert!(wider.from <= place.from && wider.to >= place.to);
        wider.filled().map(<[u64]>::to_vec)
    }

    #[test]
    fn tracks_that_seemed_alike_behind_a_late_completion_are_counted_anew() {
        // The last four tracks before the edge, and the first three of 50, as such a completion had them; the one before
        // is looked at, too.
        let wrong = [(60, 24), (55, 1), (45, 6), (65, 1), (50, 20)];
        assert_eq!(filled(&wrong, 1..2), Some([vec![60; 5], vec![50; 3]].concat()));
        // Nothing beside the place is refuted: what no tracks fill stays open.
        let odd = [(60, 27), (30, 2), (50, 20)];
        let pieces = pieces(&odd);
        let place = OddTrack::new(Some(&pieces.list[0]), &pieces.list[1..2], None, EDGE);
        assert!(wider(&place, &pieces, EDGE).is_none());
    }
}
