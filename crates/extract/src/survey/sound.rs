//! Whether a map of tracks can be one: what a leap may have got wrong shows in single odd tracks.

use super::pieces::Piece;

/// Tracks of a piece that is no accident.
const SEVERAL: u64 = 4;

/// Why the map may be wrong in a place, if it may.
///
/// Zones are long stretches of alike tracks. Between two there may be one track that spares have
/// shortened, and within one a track with defects. A longer one is two tracks of which the boundary
/// was missed; several odd ones in a row are no tracks at all.
pub(super) fn doubt(pieces: &[Piece]) -> Option<String> {
    let longest = |piece: &Piece| piece.sectors.iter().copied().max().unwrap_or(0);
    let mut before: Option<&Piece> = None;
    let mut odd = 0;
    for piece in pieces {
        if piece.tracks() >= SEVERAL {
            (before, odd) = (Some(piece), 0);
            continue;
        }
        odd += piece.tracks();
        let too_long = before.is_some_and(|before| longest(piece) > longest(before));
        if too_long || odd >= SEVERAL {
            return Some(format!("the tracks from sector {} on are not certain", piece.first_lba));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(given: &[(u64, u64)]) -> Vec<Piece> {
        let mut at = (0, 0);
        given
            .iter()
            .map(|(sectors, cycles)| {
                let (first_lba, first_track) = at;
                at = (first_lba + sectors * cycles, first_track + cycles);
                Piece { first_lba, first_track, sectors: vec![*sectors], cycles: *cycles }
            })
            .collect()
    }

    #[test]
    fn a_track_of_two_is_seen() {
        assert_eq!(doubt(&pieces(&[(171, 986), (157, 1), (170, 3_983)])), None);
        assert_eq!(doubt(&pieces(&[(171, 500), (170, 1), (171, 486)])), None);
        assert!(doubt(&pieces(&[(603, 38_255), (1_161, 1), (558, 24_155)])).is_some());
        assert!(doubt(&pieces(&[(300, 90), (290, 1), (280, 1), (299, 1), (90, 1)])).is_some());
    }
}
