//! How wide passes over surfaces are, where each surface has tracks of its own length.

use super::pieces::{Piece, gcd};
use crate::stats::mode;

/// Tracks of a pass at least.
const LEAST: u64 = 4;
/// Passes over the last cylinders of a zone at most.
const LAST: u64 = 24;

/// Tracks of a pass, if all stretches are whole passes but those of the last cylinders: of the drive, or of any zone
/// that is followed by one of shorter tracks.
pub(super) fn pass_width(pieces: &[Piece]) -> Option<u64> {
    let simple = pieces.iter().all(|piece| piece.sectors.len() == 1);
    simple.then(|| width_from_first(pieces).or_else(|| width_of_zones(pieces)))?
}

/// All passes but the last ones begin a multiple of it from the first track.
fn width_from_first(pieces: &[Piece]) -> Option<u64> {
    let width_of = |pieces: &[Piece]| pieces.iter().fold(0, |width, it| gcd(width, it.first_track));
    let width = width_of(&pieces[..pieces.len() / 2 + 1]);
    (width >= LEAST).then_some(())?;
    let off = pieces.iter().position(|piece| !piece.first_track.is_multiple_of(width));
    let Some(off) = off else { return Some(width) };
    // From some whole pass on, the others are narrower, and all as wide. One before them may be of
    // the same surface.
    let (last, behind) = (pieces[off - 1].first_track, &pieces[off..]);
    let end = behind.last().map_or(last, |piece| piece.first_track + piece.cycles);
    let mut groups = (last..=behind[0].first_track).step_by(width as usize);
    groups
        .any(|from| {
            let ends = behind.iter().map(|piece| piece.first_track - from).chain([end - from]);
            let narrow = ends.fold(0, gcd);
            narrow < width && end - from <= LAST * narrow
        })
        .then_some(width)
}

/// The passes of each zone begin a multiple of it from the zone's first track. What ends a zone is no mistake within
/// one, as the longest tracks behind it are shorter; and none at the next one's begin, as surfaces of the zone have
/// tracks of that length.
fn width_of_zones(pieces: &[Piece]) -> Option<u64> {
    let widths = pieces.iter().map(|piece| piece.cycles).filter(|tracks| *tracks >= LEAST);
    let (width, _) = mode(widths)?;
    let is_whole = |piece: &Piece| piece.cycles.is_multiple_of(width);
    let zones: Vec<&[Piece]> =
        pieces.chunk_by(|one, next| is_whole(one) || !is_whole(next)).collect();
    let longest = |zone: &[Piece]| zone.iter().map(|piece| piece.sectors[0]).max();
    let shorter = zones.windows(2).all(|pair| longest(pair[1]) < longest(pair[0]));
    let ends = |zone: &&[Piece]| {
        let (whole, last) = zone.split_at(zone.partition_point(is_whole));
        let mut of_zone = |pass: &Piece| {
            // There and back over all surfaces.
            let near = whole.iter().rev().take(2 * LAST as usize);
            near.into_iter().any(|it| it.sectors == pass.sectors)
        };
        whole.len() > 1 && last.iter().all(&mut of_zone) && are_last(last, width)
    };
    (shorter && zones.iter().all(ends)).then_some(width)
}

/// Whether these may be the passes over the last cylinders of a zone: all as wide, but that the first may follow a
/// whole one of the same surface, and that the last may be short of tracks that are spares.
fn are_last(passes: &[Piece], width: u64) -> bool {
    let [first, others @ .., _] = passes else { return true };
    let narrow = others.iter().map(|piece| piece.cycles).fold(first.cycles % width, gcd);
    let tracks: u64 = passes.iter().map(|piece| piece.cycles).sum();
    tracks - first.cycles / width * width <= LAST * narrow
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survey::pieces::Pieces;

    /// Three surfaces in zones of so many passes of 20 tracks and a last part, with the longest track of each.
    fn width(zones: &[(usize, &[u64], u64)]) -> Option<u64> {
        let (mut pieces, mut at) = (Pieces::default(), 0);
        for (passes, last, longest) in zones {
            let lengths = [*longest, longest - 20, longest - 9].into_iter().cycle();
            let tracks = [20].into_iter().cycle().take(*passes).chain(last.iter().copied());
            for (length, tracks) in lengths.zip(tracks) {
                pieces.push_cycles(at, &[length], tracks);
                at += length * tracks;
            }
        }
        pass_width(&pieces.list)
    }

    #[test]
    fn zones_may_end_with_narrower_passes() {
        // Spares, fewer cylinders, both; and the next zone at once.
        let zones: [(usize, &[u64], u64); 4] =
            [(5, &[13], 500), (6, &[7, 7, 7], 480), (6, &[7, 7, 3], 460), (9, &[], 440)];
        assert_eq!(width(&zones), Some(20));
        // Passes go on: a track was taken for two.
        assert_eq!(width(&[(5, &[7, 1, 13], 500), (6, &[7], 500), (9, &[], 440)]), None);
        assert_eq!(width(&[(5, &[13], 500), (6, &[7], 500)]), None);
        // The next zone's first pass, of which tracks were taken for this one's.
        let begins = |length: u64| {
            let passes =
                [(500, 20), (480, 20), (491, 20), (500, 20), (length, 13), (460, 20), (440, 20)];
            let (mut pieces, mut at) = (Pieces::default(), 0);
            for (length, tracks) in passes {
                pieces.push_cycles(at, &[length], tracks);
                at += length * tracks;
            }
            width_of_zones(&pieces.list)
        };
        assert_eq!([480, 451].map(begins), [Some(20), None]);
        // No passes over the last cylinders are of so many widths.
        assert_eq!(width(&[(6, &[7, 8, 7, 5], 500), (6, &[5], 480)]), None);
    }
}
