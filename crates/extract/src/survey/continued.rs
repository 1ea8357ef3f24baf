//! Cycles of tracks that go on in other pieces: where a walk lost one and found it again at another of its tracks.

use super::pieces::{Piece, Pieces};

/// The same tracks, each cycle of several in one piece as far as it goes on.
pub(super) fn continued(pieces: &[Piece]) -> Vec<Piece> {
    let mut joined = Pieces::default();
    let mut rest = pieces;
    while let Some((first, others)) = rest.split_first() {
        let (mut tracks, mut taken) = (first.tracks(), 0);
        while let Some(next) = others.get(taken).filter(|next| goes_on(first, tracks, next)) {
            (tracks, taken) = (tracks + next.tracks(), taken + 1);
        }
        let cycle = first.sectors.len() as u64;
        joined.push_cycles(first.first_lba, &first.sectors, tracks / cycle);
        let mut at = first.first_lba + tracks / cycle * first.cycle_sectors();
        for sectors in &first.sectors[..(tracks % cycle) as usize] {
            joined.push(at, *sectors);
            at += sectors;
        }
        rest = &others[taken..];
    }
    joined.list
}

/// Whether a piece goes on with the cycle of another one, of which there are so many tracks.
fn goes_on(cycle: &Piece, tracks: u64, next: &Piece) -> bool {
    let (lengths, others) = (cycle.sectors.len() as u64, next.sectors.len() as u64);
    let same = |track: u64| {
        let length = cycle.sectors[((tracks + track) % lengths) as usize];
        length == next.sectors[(track % others) as usize]
    };
    lengths > 1 && cycle.cycles > 1 && (0..next.tracks().min(lengths * others)).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(stretches: &[(&[u64], u64)]) -> Vec<Piece> {
        let (mut pieces, mut at) = (Pieces::default(), 0);
        for (sectors, cycles) in stretches {
            pieces.push_cycles(at, sectors, *cycles);
            at += sectors.iter().sum::<u64>() * cycles;
        }
        pieces.list
    }

    #[test]
    fn a_cycle_that_was_lost_is_one_piece() {
        let lost: &[(&[u64], u64)] = &[
            (&[88, 82], 2),
            (&[88], 1),
            (&[82, 88], 4_724),
            (&[82], 1),
            (&[14, 8], 282),
            (&[14], 1),
            (&[7], 5),
        ];
        let whole: &[(&[u64], u64)] = &[(&[88, 82], 4_727), (&[14, 8], 282), (&[14], 1), (&[7], 5)];
        assert_eq!(continued(&pieces(lost)), pieces(whole));
    }

    #[test]
    fn what_is_no_cycle_stays_as_it_is() {
        let others: &[(&[u64], u64)] =
            &[(&[9], 5), (&[8], 1), (&[9], 5), (&[8, 9], 1), (&[8, 9], 7), (&[9], 3)];
        assert_eq!(continued(&pieces(others)), pieces(others));
    }
}
