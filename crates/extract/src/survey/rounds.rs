//! Passes over surfaces, each with tracks of its own length: whole rounds of them are leapt over.
//!
//! A round counts if nearly all is true of its passes: that the first track and the last one of each
//! are whole, and end where they should. What is late spoils two of these four, another length at
//! least three; where it begins within a pass, the two of its last track, and the last pass of all is
//! the only one without others behind it that tell. A pass may end with a short track, where each group
//! of cylinders has its spares.

use super::angles::Angles;
use super::lines::Lines;
use super::pieces::{MEMORY, Piece, Pieces, gcd};

/// Passes of a round at most: those of any drive's surfaces, there and back.
const MOST: usize = 64;
/// Tracks of a pass, at least.
const FEWEST: u64 = 8;
/// Of the four of a pass, so many may not be true; of all passes one each.
const SPOILT_OF_PASS: usize = 2;

/// Lengths of tracks that come back, each over so many tracks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    passes: Vec<(u64, u64)>,
}

/// First sector, length of its tracks, and what lies behind its last.
#[derive(Clone, Copy, Debug)]
struct Pass {
    from: u64,
    length: u64,
    end: u64,
}

impl Round {
    /// The passes that come back, where the last has just ended: that were there twice, or that are
    /// as many and as wide as those of an `earlier` round.
    pub(super) fn of(pieces: &[Piece], earlier: Option<&Self>) -> Option<Self> {
        let pass = |piece: &Piece| {
            let simple = piece.sectors.len() == 1 && (piece.cycles >= FEWEST || piece.cycles == 1);
            simple.then(|| (piece.sectors[0], piece.cycles))
        };
        let mut recent: Vec<(u64, u64)> =
            pieces.iter().rev().take(2 * MOST).map_while(pass).collect();
        recent.reverse();
        let twice = |count: usize| {
            let (before, last) = recent.split_at(recent.len() - count);
            before.ends_with(last)
        };
        let count = (2..=recent.len() / 2).find(|count| twice(*count));
        let count = count.or_else(|| Some(earlier?.passes.len()).filter(|it| *it <= recent.len()));
        let found = Self { passes: recent[recent.len() - count?..].to_vec() };
        let known = twice(found.passes.len()) || earlier.is_some_and(|it| it.is_like(&found));
        (known && found.is_no_cycle()).then_some(found)
    }

    /// Whether it is none of the cycles of single tracks, which are found without it.
    fn is_no_cycle(&self) -> bool {
        let tracks: u64 = self.passes.iter().map(|(_, tracks)| tracks).sum();
        !self.ends_short() || tracks > MEMORY as u64
    }

    /// Whether the passes are as wide, and the same of them alike, from some pass on.
    fn is_like(&self, other: &Self) -> bool {
        let count = self.passes.len();
        let mine = |place: usize| self.passes[place % count];
        let alike = |start: usize| {
            let widths = (0..count).all(|place| mine(start + place).1 == other.passes[place].1);
            let same = |one: usize, next: usize| {
                let here = mine(start + one).0 == mine(start + next).0;
                here == (other.passes[one].0 == other.passes[next].0)
            };
            widths && (0..count).all(|one| (0..one).all(|next| same(one, next)))
        };
        count == other.passes.len() && (0..count).any(alike)
    }

    /// So many of its passes, from one on; none of none.
    pub(super) fn part(&self, from: usize, passes: usize) -> Option<Self> {
        let passes = self.passes.get(from..from + passes)?.to_vec();
        (!passes.is_empty()).then_some(Self { passes })
    }

    /// Lengths of tracks, each over so many of them.
    pub(super) fn lengths(&self) -> &[(u64, u64)] {
        &self.passes
    }

    /// Stretches of tracks that are alike.
    pub(super) fn passes(&self) -> usize {
        self.passes.len()
    }

    /// Tracks of a pass: some stretches are two, where every second pass goes back, and a short track
    /// belongs to those before it.
    pub(super) fn width(&self) -> u64 {
        let count = self.passes.len();
        let short = |place: usize| self.passes[place % count].1 == 1;
        let wide = (0..count).filter(|place| !short(*place));
        wide.map(|place| self.passes[place].1 + u64::from(short(place + 1))).fold(0, gcd)
    }

    /// Whether a pass ends with a short track.
    pub(super) fn ends_short(&self) -> bool {
        self.passes.iter().any(|(_, tracks)| *tracks == 1)
    }

    pub(super) fn sectors(&self) -> u64 {
        self.passes.iter().map(|(length, tracks)| length * tracks).sum()
    }

    /// Adds `rounds` of them.
    pub(super) fn push(&self, pieces: &mut Pieces, from: u64, rounds: u64) {
        let mut at = from;
        for _ in 0..rounds {
            for (length, tracks) in &self.passes {
                pieces.push_cycles(at, &[*length], *tracks);
                at += length * tracks;
            }
        }
    }

    /// Sectors by which `rounds` of them from a sector on are told, in any order.
    pub(super) fn lbas(&self, from: u64, rounds: u64, unit: u64) -> Vec<u64> {
        let passes = self.looked_at(from, rounds);
        let begins = passes.iter().flat_map(|it| [it.from, it.from + it.length - unit]);
        let firsts = begins.chain(passes.iter().map(|it| it.from + it.length));
        let ends = passes.iter().copied().chain(self.before_short(from, rounds));
        firsts.chain(ends.flat_map(|it| [it.end - it.length, it.end - unit, it.end])).collect()
    }

    /// Whether these tell that the rounds are there.
    pub(super) fn fits(&self, from: u64, rounds: u64, angles: &Angles, lines: &Lines) -> bool {
        let slope = |pass: &Pass| lines.slope(pass.length).unwrap_or(f64::NAN);
        let begins = |pass: &Pass| {
            let first = pass.from + pass.length;
            let slope = slope(pass);
            [lines.is_line(pass.from, first, slope, angles), lines.ends(first, slope, angles)]
        };
        let ends = |pass: &Pass| {
            let (last, slope) = (pass.end - pass.length, slope(pass));
            [lines.is_line(last, pass.end, slope, angles), lines.ends(pass.end, slope, angles)]
        };
        let told = |pass: Pass| [begins(&pass), ends(&pass)].concat();
        let told: Vec<Vec<bool>> = self.looked_at(from, rounds).into_iter().map(told).collect();
        let spoilt = |pass: &Vec<bool>| pass.iter().filter(|it| !**it).count();
        told.iter().all(|pass| spoilt(pass) <= SPOILT_OF_PASS)
            && told.last().is_some_and(|pass| pass[2] && pass[3])
            && told.iter().map(spoilt).sum::<usize>() <= told.len().max(SPOILT_OF_PASS)
            && self.before_short(from, rounds).all(|pass| ends(&pass) == [true; 2])
    }

    /// Tracks whose ends those are.
    pub(super) fn seen_tracks(&self, from: u64, rounds: u64) -> u64 {
        2 * self.looked_at(from, rounds).len() as u64
            + self.before_short(from, rounds).count() as u64
    }

    /// The pass before each short track: a sector that was slipped moves its end, and is made up for by one
    /// spare less behind it.
    fn before_short(&self, from: u64, rounds: u64) -> impl Iterator<Item = Pass> {
        let starts = (0..rounds).map(move |round| from + round * self.sectors());
        let short = |place: usize| self.passes[place % self.passes.len()].1 == 1;
        starts.flat_map(move |start| {
            let laid = self.laid(start).enumerate();
            laid.filter(move |(place, _)| short(place + 1)).map(|(_, pass)| pass)
        })
    }

    /// All passes of the last round, and the first one of some before it.
    fn looked_at(&self, from: u64, rounds: u64) -> Vec<Pass> {
        let quarters = if rounds < 4 { 0..0 } else { 1..4 };
        let begin = |round: u64| from + round * self.sectors();
        let between = quarters.filter_map(|part| self.laid(begin(rounds * part / 4)).next());
        between.chain(self.laid(begin(rounds - 1))).collect()
    }

    /// Its passes, the first of which begins with sector `from`.
    fn laid(&self, from: u64) -> impl Iterator<Item = Pass> {
        self.passes.iter().scan(from, |at, (length, tracks)| {
            let from = *at;
            *at += length * tracks;
            Some(Pass { from, length: *length, end: *at })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(passes: &[(u64, u64)], earlier: Option<&Round>) -> Option<Vec<(u64, u64)>> {
        let mut pieces = Pieces::default();
        let mut at = 0;
        for (length, tracks) in passes {
            pieces.push_cycles(at, &[*length], *tracks);
            at += length * tracks;
        }
        Round::of(&pieces.list, earlier).map(|round| round.passes)
    }

    #[test]
    fn what_was_there_twice_comes_back() {
        let twice = [(30, 10), (29, 10), (31, 10), (30, 10), (29, 10), (31, 10)];
        assert_eq!(round(&twice, None), Some(vec![(30, 10), (29, 10), (31, 10)]));
        assert_eq!(round(&twice[..5], None), None);
        // The last pass is not over yet.
        let mut under_way = twice;
        under_way[5].1 = 9;
        assert_eq!(round(&under_way, None), None);
    }

    #[test]
    fn a_pass_may_end_with_a_short_track() {
        let group = [(30, 200), (29, 200), (31, 199), (12, 1)];
        let found = round(&[group, group].concat(), None);
        assert_eq!(found, Some(group.to_vec()));
        assert_eq!(Round { passes: group.to_vec() }.width(), 200);
        // Of so few tracks it is a cycle of single ones.
        let cycle = [(30, 19), (12, 1)];
        assert_eq!(round(&[cycle, cycle].concat(), None), None);
    }

    #[test]
    fn once_is_enough_where_another_zone_was_alike() {
        let earlier = Round { passes: vec![(30, 20), (29, 10), (31, 20), (29, 10)] };
        // Another zone, from another pass on, with its first one cut.
        let zone = [(28, 10), (25, 10), (27, 20), (25, 10), (26, 20)];
        let found = round(&zone, Some(&earlier));
        assert_eq!(found, Some(vec![(25, 10), (27, 20), (25, 10), (26, 20)]));
        let other = [(28, 10), (25, 10), (27, 20), (24, 10), (26, 20)];
        assert_eq!(round(&other, Some(&earlier)), None);
    }
}
