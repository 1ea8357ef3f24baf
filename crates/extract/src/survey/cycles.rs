//! What cycles of tracks that are found near make of odd ones, as where a track of each cylinder is short of spares.

use super::pieces::{Piece, Pieces, SEVERAL, number_of};

/// Tracks of a place that are filled.
const MOST_TRACKS: usize = 80;
/// Times that a cycle came which may be none.
const FEW: u64 = 2;

impl Pieces {
    /// Whether odd tracks in a row only go on with cycles that are found elsewhere, of those before and
    /// of those behind them.
    pub(super) fn goes_on(&self, odd: &[Piece]) -> bool {
        let (Some(first), Some(last)) = (odd.first(), odd.last()) else { return false };
        let (from, to) = (first.first_track, last.first_track + last.tracks());
        let cycles = || self.cycles();
        let until = cycles().map(|cycle| self.cycle_until(&cycle.sectors, from, to)).max();
        let since = cycles().map(|cycle| self.cycle_since(&cycle.sectors, from, to)).min();
        until.zip(since).is_some_and(|(until, since)| since <= until)
    }

    /// Tracks of several lengths that come again.
    fn cycles(&self) -> impl Iterator<Item = &Piece> {
        let again = |piece: &&Piece| piece.sectors.len() > 1 && piece.cycles > 1;
        self.list.iter().filter(again).filter(|piece| !self.is_uneven(piece))
    }

    /// Whether it is a cycle that came twice at most and is as long as so many tracks behind it that are alike: an end
    /// that a late completion made a sector early, and once more, is no sign of two surfaces.
    pub(super) fn is_uneven(&self, piece: &Piece) -> bool {
        if piece.sectors.len() < 2 || piece.cycles > FEW {
            return false;
        }
        let behind = piece.first_track + piece.tracks();
        let next = self.list.get(self.list.partition_point(|it| it.first_track < behind));
        next.is_some_and(|next| {
            let length = next.cycle_sectors() * piece.sectors.len() as u64;
            next.sectors.len() == 1 && next.tracks() >= SEVERAL && length == piece.cycle_sectors()
        })
    }

    /// Lengths of the tracks between two sectors with which some begin, where cycles that are found near go on from
    /// those before to one of them, and from there to those behind; with how many come before that one, where another
    /// cycle goes on there.
    pub(super) fn going_on(&self, from: u64, to: u64) -> Vec<(Vec<u64>, Option<usize>)> {
        let (Some(first), Some(end)) = (number_of(&self.list, from), number_of(&self.list, to))
        else {
            return Vec::new();
        };
        let before = self.cycles().filter(|it| it.first_track < first).last();
        let behind = self.cycles().find(|it| it.first_track >= end);
        let near: Vec<&Piece> = before.into_iter().chain(behind).collect();
        let count = |cycle: &Piece| cycle.sectors.len() as u64;
        let next = |cycle: &&Piece| {
            let from = first.checked_sub(count(cycle))?;
            self.turned(&cycle.sectors, from..first)
        };
        let last = |cycle: &&Piece| self.turned(&cycle.sectors, end..end + count(cycle));
        let lasts: Vec<Vec<u64>> = near.iter().filter_map(last).collect();
        let nexts = near.iter().filter_map(next);
        nexts
            .flat_map(|next| lasts.iter().flat_map(move |last| filled(to - from, &next, last)))
            .collect()
    }

    /// These tracks, if they are a cycle that begins with any of its own.
    fn turned(&self, cycle: &[u64], tracks: std::ops::Range<u64>) -> Option<Vec<u64>> {
        let lengths: Vec<u64> = tracks.filter_map(|track| Some(self.track(track)?.1)).collect();
        let twice = cycle.repeat(2);
        let is_turned = twice.windows(cycle.len()).any(|way| way == lengths);
        is_turned.then_some(lengths)
    }

    /// Up to which track a cycle goes on of which one is there before track `from`.
    fn cycle_until(&self, cycle: &[u64], from: u64, to: u64) -> u64 {
        let Some(start) = from.checked_sub(cycle.len() as u64) else { return from };
        let fits = |track: u64, phase: usize| {
            let expected = cycle[((track - start) as usize + phase) % cycle.len()];
            self.track(track).is_some_and(|(_, length)| length == expected)
        };
        let reached = |phase: usize| (start..to).find(|track| !fits(*track, phase)).unwrap_or(to);
        (0..cycle.len()).map(reached).max().unwrap_or(from).max(from)
    }

    /// From which track on a cycle goes on to one that is there behind track `to`.
    fn cycle_since(&self, cycle: &[u64], from: u64, to: u64) -> u64 {
        let end = to + cycle.len() as u64;
        let fits = |track: u64, phase: usize| {
            let expected = cycle[((track - from) as usize + phase) % cycle.len()];
            self.track(track).is_some_and(|(_, length)| length == expected)
        };
        let since = |phase: usize| (from..end).rev().find(|track| !fits(*track, phase));
        let reached = |phase: usize| since(phase).map_or(from, |track| track + 1);
        (0..cycle.len()).map(reached).min().unwrap_or(to).min(to)
    }
}

/// Tracks that fill so many sectors: of the outer cycle up to one of them, and from there on of the inner one, of which
/// the last comes last; with how many are of the outer one, where it does not go on all over.
fn filled(sectors: u64, outer: &[u64], inner: &[u64]) -> Vec<(Vec<u64>, Option<usize>)> {
    let mut found: Vec<(Vec<u64>, Option<usize>)> = Vec::new();
    let (mut front, mut rest) = (Vec::new(), sectors);
    for next in outer.iter().cycle().take(MOST_TRACKS) {
        let mut left = rest;
        let backwards = inner.iter().rev().cycle().take(MOST_TRACKS);
        let behind: Vec<u64> = backwards
            .map_while(|length| {
                left = left.checked_sub(*length)?;
                Some(*length)
            })
            .collect();
        let behind = behind.iter().rev().copied();
        let lengths: Vec<u64> = front.iter().copied().chain(behind).collect();
        if lengths.iter().sum::<u64>() == sectors {
            match found.iter_mut().find(|it| it.0 == lengths) {
                Some(same) => same.1 = None,
                None => found.push((lengths, Some(front.len()))),
            }
        }
        let Some(less) = rest.checked_sub(*next) else { break };
        rest = less;
        front.push(*next);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(stretches: &[(&[u64], u64)]) -> Pieces {
        let (mut pieces, mut at) = (Pieces::default(), 0);
        for (sectors, cycles) in stretches {
            pieces.push_cycles(at, sectors, *cycles);
            at += cycles * sectors.iter().sum::<u64>();
        }
        pieces
    }

    /// What leads from the first sector of one piece to that of another.
    fn led(stretches: &[(&[u64], u64)], from: usize, to: usize) -> Vec<(Vec<u64>, Option<usize>)> {
        let pieces = pieces(stretches);
        let mut led = pieces.going_on(pieces.list[from].first_lba, pieces.list[to].first_lba);
        led.dedup();
        led
    }

    #[test]
    fn cylinders_with_spares_go_on_over_an_end_that_was_a_sector_off() {
        let cycle: &[u64] = &[330, 330, 330, 321];
        let odd: &[(&[u64], u64)] =
            &[(cycle, 9), (&[329], 1), (&[331], 1), (&[330], 1), (&[321], 1), (cycle, 9)];
        assert_eq!(led(odd, 1, 5), [(cycle.to_vec(), None)]);
        // Without cylinders that are found near nothing is known of them.
        let alone: &[(&[u64], u64)] =
            &[(&[330], 9), (&[329], 1), (&[331], 1), (&[330], 2), (&[330, 331], 1), (&[330], 9)];
        assert!(led(alone, 1, 5).is_empty());
    }

    #[test]
    fn another_zone_begins_where_the_cycle_of_the_one_before_ends() {
        let (outer, inner): (&[u64], &[u64]) = (&[330, 330, 321], &[320, 320, 311]);
        let odd: &[(&[u64], u64)] = &[
            (outer, 9),
            (&[330], 2),
            (&[321], 1),
            (&[319], 1),
            (&[321], 1),
            (&[311], 1),
            (inner, 9),
        ];
        let expected = vec![330, 330, 321, 320, 320, 311];
        assert_eq!(led(odd, 1, 6), [(expected, Some(3))]);
    }

    #[test]
    fn ends_that_are_a_sector_off_twice_make_no_cycle() {
        let uneven = |stretches: &[(&[u64], u64)]| {
            let pieces = pieces(stretches);
            pieces.is_uneven(&pieces.list[1])
        };
        assert!(uneven(&[(&[2_300], 52), (&[2_243, 2_245], 2), (&[2_244], 48)]));
        // More often, as two surfaces have them, or with spares on one of both.
        assert!(!uneven(&[(&[2_300], 52), (&[2_243, 2_245], 3), (&[2_244], 48)]));
        assert!(!uneven(&[(&[2_300], 52), (&[2_244, 2_240], 2), (&[2_244], 48)]));
    }
}
