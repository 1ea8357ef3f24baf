//! Tracks in the order of their addresses, alike ones in one piece.

use schemars::JsonSchema;
use serde::Serialize;

/// Tracks of a piece that is no accident.
pub(crate) const SEVERAL: u64 = 4;
/// Lengths of tracks in a row that are looked through for a cycle.
pub(super) const MEMORY: usize = 192;

/// Tracks that follow each other, of the same length or of lengths that recur in a cycle.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Piece {
    /// First sector of the first track.
    pub first_lba: u64,
    /// Number of the first track.
    pub first_track: u64,
    /// Sectors that hold data on each track of a cycle.
    pub sectors: Vec<u64>,
    /// Cycles.
    pub cycles: u64,
}

impl Piece {
    /// Tracks in it.
    #[must_use]
    pub fn tracks(&self) -> u64 {
        self.cycles * self.sectors.len() as u64
    }

    pub(crate) fn cycle_sectors(&self) -> u64 {
        self.sectors.iter().sum()
    }
}

/// All tracks so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    pub(super) list: Vec<Piece>,
}

impl Pieces {
    pub(super) fn tracks(&self) -> u64 {
        self.list.last().map_or(0, |last| last.first_track + last.tracks())
    }

    /// Adds one track at `first_lba`.
    pub(super) fn push(&mut self, first_lba: u64, sectors: u64) {
        self.push_cycles(first_lba, &[sectors], 1);
    }

    /// Adds `cycles` times the same tracks.
    pub(super) fn push_cycles(&mut self, first_lba: u64, sectors: &[u64], cycles: u64) {
        match self.list.last_mut() {
            Some(last) if last.sectors == sectors => last.cycles += cycles,
            _ => {
                let (first_track, sectors) = (self.tracks(), sectors.to_vec());
                self.list.push(Piece { first_lba, first_track, sectors, cycles });
            }
        }
    }

    /// Puts tracks of other lengths into the place from `from` to `to`, where tracks begin, of pieces that
    /// are not cycles of several, and pieces end.
    pub(super) fn replace(&mut self, from: u64, to: u64, lengths: &[u64]) {
        let behind = |piece: &Piece| piece.first_lba >= to;
        let old = std::mem::take(&mut self.list);
        let (first, last): (Vec<Piece>, Vec<Piece>) = old
            .into_iter()
            .filter(|it| it.first_lba < from || behind(it))
            .partition(|it| !behind(it));
        self.list = first;
        if let Some(last) = self.list.last_mut() {
            last.cycles = last.cycles.min((from - last.first_lba) / last.cycle_sectors());
        }
        let mut at = from;
        for length in lengths {
            self.push(at, *length);
            at += length;
        }
        for piece in last {
            self.push_cycles(piece.first_lba, &piece.sectors, piece.cycles);
        }
    }

    /// First sector and length of track `track`.
    pub(super) fn track(&self, track: u64) -> Option<(u64, u64)> {
        track_of(&self.list, track)
    }
}

/// The pieces, with single tracks in a row taken together where they are cylinders of which one track
/// is short: zones of a few cylinders are too small for a cycle to show on the way.
pub(super) fn gathered(pieces: &[Piece]) -> Vec<Piece> {
    let single = |piece: &Piece| piece.sectors.len() == 1 && piece.cycles < SEVERAL;
    let mut all = Pieces::default();
    for run in pieces.chunk_by(|one, next| single(one) == single(next)) {
        if !run.first().is_some_and(single) {
            run.iter().for_each(|it| all.push_cycles(it.first_lba, &it.sectors, it.cycles));
            continue;
        }
        let lengths = run.iter().flat_map(|it| it.sectors.repeat(it.cycles as usize));
        let lengths: Vec<u64> = lengths.collect();
        let (mut at, mut rest) = (run[0].first_lba, &lengths[..]);
        while !rest.is_empty() {
            let (cycle, cycles) = spared_cylinders(rest).unwrap_or((&rest[..1], 1));
            all.push_cycles(at, cycle, cycles);
            let (taken, left) = rest.split_at(cycle.len() * cycles as usize);
            (at, rest) = (at + taken.iter().sum::<u64>(), left);
        }
    }
    all.list
}

/// The tracks of a cylinder that these begin with, one of them shorter than the others, and how often they
/// come; none where not at least twice.
fn spared_cylinders(lengths: &[u64]) -> Option<(&[u64], u64)> {
    /// Surfaces at most.
    const MOST: usize = 24;
    let cylinder = |tracks: usize| {
        let (cycle, later) = lengths.split_at_checked(tracks)?;
        let again = lengths.iter().zip(later).take_while(|(one, next)| one == next).count();
        let most = cycle.iter().max()?;
        let cycles = 1 + (again / tracks) as u64;
        let spared = cycle.iter().filter(|length| *length != most).count() == 1;
        (spared && cycles > 1 && cycles * tracks as u64 >= SEVERAL).then_some((cycle, cycles))
    };
    (2..=MOST).find_map(cylinder)
}

/// First sector and length of track `track` of some pieces.
pub(crate) fn track_of(pieces: &[Piece], track: u64) -> Option<(u64, u64)> {
    let after = pieces.partition_point(|piece| piece.first_track <= track);
    let piece = pieces.get(after.checked_sub(1)?)?;
    let within = track - piece.first_track;
    if within >= piece.tracks() {
        return None;
    }
    let count = piece.sectors.len() as u64;
    let before: u64 = piece.sectors.iter().take((within % count) as usize).sum();
    let first = piece.first_lba + within / count * piece.cycle_sectors() + before;
    Some((first, piece.sectors[(within % count) as usize]))
}

/// The number of the track of some pieces that begins with a sector; that behind the last, of the sector behind all.
pub(crate) fn number_of(pieces: &[Piece], lba: u64) -> Option<u64> {
    let after = pieces.partition_point(|piece| piece.first_lba <= lba);
    let piece = pieces.get(after.checked_sub(1)?)?;
    let (mut at, within) = (0, lba - piece.first_lba);
    let cycles = within / piece.cycle_sectors();
    let place = piece.sectors.iter().position(|length| {
        let here = at == within % piece.cycle_sectors();
        at += length;
        here
    });
    Some(piece.first_track + cycles * piece.sectors.len() as u64 + place? as u64)
}

/// The cycle in which lengths recur at the end of `lengths`: the one that explains most of them
/// beyond its own length; the last length alone where none recurs.
pub(super) fn cycle(lengths: &[u64]) -> &[u64] {
    /// Longer cycles than any drive's surfaces, there and back.
    const LONGEST: usize = 64;
    let mut best = (0, 1);
    for period in 1..=LONGEST.min(lengths.len() / 2) {
        if lengths.len() - 2 * period <= best.0 {
            // No longer one can go on for more.
            break;
        }
        let alike = lengths
            .iter()
            .rev()
            .zip(lengths.iter().rev().skip(period))
            .take_while(|(later, earlier)| later == earlier)
            .count();
        if alike >= period && alike - period > best.0 {
            best = (alike - period, period);
        }
    }
    &lengths[lengths.len() - best.1.min(lengths.len())..]
}

/// Lengths at the end of `lengths` that follow the cycle.
pub(super) fn recurring(lengths: &[u64], cycle: &[u64]) -> usize {
    let expected = cycle.iter().rev().cycle();
    lengths.iter().rev().zip(expected).take_while(|(seen, expected)| seen == expected).count()
}

/// Whether stretches of tracks get longer again, as where each surface has its own length. A leap
/// may have landed on the start of a track by chance then.
pub(crate) fn come_back(pieces: &[Piece]) -> bool {
    let long: Vec<&Piece> = pieces.iter().filter(|piece| piece.tracks() >= SEVERAL).collect();
    long.windows(2).any(|pair| {
        let simple = pair.iter().all(|piece| piece.sectors.len() == 1);
        simple && pair[1].sectors[0] > pair[0].sectors[0]
    })
}

/// The most tracks over which stretches come back, the same in each round.
pub(super) fn longest_rounds(pieces: &[Piece]) -> Option<(u64, u64)> {
    /// Stretches of a round at most: passes over any drive's surfaces, there and back.
    const MOST: usize = 64;
    let alike =
        |one: &Piece, other: &Piece| (&one.sectors, one.cycles) == (&other.sectors, other.cycles);
    let mut best: Option<(u64, u64)> = None;
    for count in 1..=MOST.min(pieces.len() / 2) {
        let mut from = 0;
        for at in count..=pieces.len() {
            if pieces.get(at).is_some_and(|piece| alike(piece, &pieces[at - count])) {
                continue;
            }
            let (first, last) = (&pieces[from], &pieces[at - 1]);
            let (begin, end) = (first.first_track, last.first_track + last.tracks());
            if at - from >= 2 * count && best.is_none_or(|(low, high)| end - begin > high - low) {
                best = Some((begin, end));
            }
            from = at + 1 - count;
        }
    }
    best
}

/// The greatest common divisor.
pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_are_found_by_their_number() {
        let mut pieces = Pieces::default();
        pieces.push(10, 5);
        pieces.push(15, 5);
        pieces.push_cycles(20, &[3, 4], 2);
        assert_eq!(pieces.tracks(), 6);
        let all: Vec<_> = (0..7).map(|track| pieces.track(track)).collect();
        let firsts = [(10, 5), (15, 5), (20, 3), (23, 4), (27, 3), (30, 4)];
        assert_eq!(all[..6], firsts.map(Some));
        assert_eq!(all[6], None);
        pieces.replace(10, 20, &[4, 3, 3]);
        assert_eq!((pieces.tracks(), pieces.track(6)), (7, Some((30, 4))));
        assert_eq!(pieces.track(1), Some((14, 3)));
    }

    #[test]
    fn the_cycle_that_explains_most_counts() {
        assert_eq!(cycle(&[7]), [7]);
        assert_eq!(cycle(&[9, 7, 7, 7]), [7]);
        assert_eq!(cycle(&[7, 7, 8, 7, 7, 8, 7, 7, 8, 7, 7]), [8, 7, 7]);
        assert_eq!(cycle(&[]), [0_u64; 0]);
    }

    #[test]
    fn few_cylinders_with_a_short_track_are_taken_together() {
        let mut pieces = Pieces::default();
        let lengths = [62, 57, 61, 56, 61, 56, 61, 56, 60, 60, 55, 60, 60, 55, 59];
        let mut at = 0;
        for length in lengths {
            pieces.push(at, length);
            at += length;
        }
        let found = gathered(&pieces.list);
        let all: Vec<_> = found.iter().map(|it| (it.sectors.clone(), it.cycles)).collect();
        let odd = [(vec![62], 1), (vec![57], 1)];
        assert_eq!(all[..2], odd);
        assert_eq!(all[2..4], [(vec![61, 56], 3), (vec![60, 60, 55], 2)]);
        assert_eq!((found[3].first_track, found[3].first_lba), (8, 470));
        assert_eq!(found.last().map(|it| it.first_track), Some(14));
        // Tracks that are alike, or of which several differ, are none.
        let mut pieces = Pieces::default();
        for (at, length) in [(0, 61), (61, 56), (117, 50), (167, 61), (228, 56), (284, 50)] {
            pieces.push(at, length);
        }
        assert_eq!(gathered(&pieces.list), pieces.list);
    }

    #[test]
    fn tracks_between_cycles_are_of_either_or_odd() {
        let goes_on = |odd: &[(u64, u64)]| {
            let (mut pieces, mut at) = (Pieces::default(), 0);
            let mut push = |sectors: &[u64], cycles: u64| {
                pieces.push_cycles(at, sectors, cycles);
                at += sectors.iter().sum::<u64>() * cycles;
            };
            push(&[30, 30, 28], 40);
            odd.iter().for_each(|(sectors, tracks)| push(&[*sectors], *tracks));
            push(&[25, 25, 24], 50);
            pieces.goes_on(&pieces.list[1..pieces.list.len() - 1])
        };
        assert!(goes_on(&[(30, 2), (28, 1), (25, 2), (24, 1)]));
        assert!(goes_on(&[(25, 2), (24, 1), (25, 2), (24, 1)]));
        assert!(!goes_on(&[(30, 2), (28, 1), (27, 1), (25, 1), (24, 1)]));
        assert!(!goes_on(&[(30, 1), (25, 2), (24, 1), (25, 1), (24, 1)]));
    }
}
