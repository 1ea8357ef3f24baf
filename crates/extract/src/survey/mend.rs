//! Odd tracks between stretches of alike ones, looked at again once both stretches are known.
//!
//! A search that went on over the end of a track leaves one of two tracks' length; one that took a
//! late completion for an end leaves two short ones, of which the first may look like those before. What tracks of the lengths on either side can
//! fill the place, with at most one other between them, is tried: each track has to be one line and
//! to end with a jump, and no other filling may do as well.

use super::angles::Angles;
use super::density::Densities;
use super::lines::Lines;
use super::pieces::{Piece, Pieces, SEVERAL};

/// Tracks between two stretches that are tried.
const MOST_TRACKS: usize = 80;
/// Looks at one place.
const TRIES: u32 = 12;
/// Places on a track at which one more of its sectors is read, another one in each look.
const PARTS: u32 = 5;
/// Looks before each of which more is read elsewhere.
const MOST_FLUSHED: u32 = 4;
/// Places that are looked at.
const MOST_PLACES: usize = 400;

/// All places that are not certain.
#[derive(Clone, Debug, Default)]
pub(super) struct Mend {
    /// Those still to be looked at; the last is under way.
    open: Vec<OddTrack>,
    /// The first sector of a place where no filling is certain.
    pub(super) unsure: Option<u64>,
    /// Once no place is open.
    pub(super) densities: Option<Densities>,
}

/// Odd tracks in a row.
#[derive(Clone, Debug)]
struct OddTrack {
    /// From the end of one stretch to the beginning of the next.
    from: u64,
    to: u64,
    /// Whether the region ends there: then nothing jumps.
    at_end: bool,
    /// The last track before and the first one behind: first sector and end.
    before: Option<(u64, u64)>,
    behind: Option<(u64, u64)>,
    /// Lengths of the tracks on either side.
    usual: Vec<u64>,
    fillings: Vec<Filling>,
    tries: u32,
    /// Whether several of them fitted in one look.
    several: bool,
}

/// Tracks that can fill a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Filling {
    lengths: Vec<u64>,
    /// How many come before those of the inner length: their end is told by what fits behind it, and
    /// need not show in a jump, as the angle of a zone's first track may be any.
    outer: Option<usize>,
}

impl Mend {
    pub(super) fn new(pieces: &Pieces, lines: &Lines, end: u64) -> Self {
        let mut mend = Self::of(pieces, end);
        mend.look_closer(pieces, lines);
        mend
    }

    fn of(pieces: &Pieces, end: u64) -> Self {
        let list = &pieces.list;
        let odd = |piece: &Piece| piece.tracks() < SEVERAL || pieces.is_uneven(piece);
        let mut open: Vec<OddTrack> = Vec::new();
        let mut index = 0;
        for run in list.chunk_by(|one, other| odd(one) == odd(other)) {
            let range = index..index + run.len();
            index = range.end;
            if run.first().is_some_and(odd) && !pieces.goes_on(run) {
                let before = range.start.checked_sub(1).and_then(|at| list.get(at));
                let place = OddTrack::new(before, &list[range.clone()], list.get(range.end), end);
                open.push(place.going_on(pieces));
            }
        }
        open.reverse();
        let unsure = (open.len() > MOST_PLACES).then(|| open.pop().map_or(0, |it| it.from));
        let open = if unsure.is_some() { Vec::new() } else { open };
        Self { open, unsure, densities: None }
    }

    /// Sectors to visit next; `None` when done.
    pub(super) fn next(&self, lines: &Lines) -> Option<Vec<u64>> {
        let odd = self.open.last().map(|place| place.lbas(lines.unit));
        odd.or_else(|| self.densities.as_ref()?.next(lines))
    }

    /// Once all tracks are known, how dense those between zones are is what is left.
    fn look_closer(&mut self, pieces: &Pieces, lines: &Lines) {
        if self.open.is_empty() && self.unsure.is_none() {
            self.densities = Some(Densities::new(pieces, lines));
        }
    }

    /// Visits that brought nothing.
    pub(super) fn troubles(&self) -> u32 {
        self.open.last().map_or(0, |place| place.tries.min(MOST_FLUSHED))
    }

    pub(super) fn add(&mut self, angles: &Angles, lines: &Lines, pieces: &mut Pieces) {
        let Some(place) = self.open.last_mut() else {
            return self.densities.iter_mut().for_each(|it| it.add(angles, lines));
        };
        place.tries += 1;
        let fitting = |strictly: bool| -> Vec<&Vec<u64>> {
            let fits = |filling: &&Filling| place.fits(filling, strictly, angles, lines);
            let mut right: Vec<&Vec<u64>> =
                place.fillings.iter().filter(fits).map(|filling| &filling.lengths).collect();
            // The same tracks may be told apart into outer and inner ones in several ways.
            right.dedup();
            right
        };
        let strict = Some(fitting(true)).filter(|right| right.len() == 1);
        let right = strict.clone().unwrap_or_else(|| fitting(false));
        // Of several that do, one may fail by a late completion: that it is none is not told by that.
        let several = right.len() > 1;
        match right[..] {
            [lengths] if strict.is_some() || !place.several => {
                pieces.replace(place.from, place.to, lengths);
            }
            _ if place.tries < TRIES => {
                place.several |= several;
                return;
            }
            _ => self.unsure = self.unsure.or(Some(place.from)),
        }
        self.open.pop();
        self.look_closer(pieces, lines);
    }
}

impl OddTrack {
    fn new(before: Option<&Piece>, odd: &[Piece], behind: Option<&Piece>, end: u64) -> Self {
        let from = odd.first().map_or(0, |piece| piece.first_lba);
        // The last track before may be one that a late completion made, of a longer one.
        let suspect = before.and_then(|piece| match piece.sectors[..] {
            [length] if piece.cycles > SEVERAL => Some(length),
            _ => None,
        });
        let from = from - suspect.unwrap_or(0);
        let (to, at_end) = behind.map_or((end, true), |piece| (piece.first_lba, false));
        let lengths =
            |piece: Option<&Piece>| piece.map_or(&[][..], |piece| &piece.sectors).to_vec();
        let (outer, inner) = (lengths(before), lengths(behind));
        let odd = odd.iter().flat_map(|piece| piece.sectors.repeat(piece.cycles as usize));
        let seen: Vec<u64> = suspect.into_iter().chain(odd).collect();
        let mut fillings = fillings(to - from, &outer, &inner);
        if !fillings.iter().any(|filling| filling.lengths == seen) {
            fillings.push(Filling { lengths: seen, outer: None });
        }
        Self {
            from,
            to,
            at_end,
            before: outer.last().map(|length| (from - length, from)),
            behind: inner.first().map(|length| (to, to + length)),
            usual: outer.into_iter().chain(inner).collect(),
            fillings,
            tries: 0,
            several: false,
        }
    }

    /// The same with what cycles make of it that are found near, where cylinders have tracks of several lengths: single
    /// ones on either side tell nothing of the others.
    fn going_on(mut self, pieces: &Pieces) -> Self {
        for (lengths, outer) in pieces.going_on(self.from, self.to) {
            if !self.fillings.iter().any(|it| it.lengths == lengths) {
                self.fillings.push(Filling { lengths, outer });
            }
        }
        self
    }

    /// First sector and end of each track of a filling.
    fn tracks(&self, lengths: &[u64]) -> Vec<(u64, u64)> {
        let mut at = self.from;
        let track = |length: &u64| {
            let first = at;
            at += length;
            (first, at)
        };
        lengths.iter().map(track).collect()
    }

    fn lbas(&self, unit: u64) -> Vec<u64> {
        let around = self.before.iter().chain(&self.behind).copied();
        // From another sector each time: one that is met at once, as if a cache had it, then is not.
        let part = u64::from(self.tries % PARTS);
        let between = |first: u64, end: u64| {
            (part > 0).then(|| first + (end - first) * part / u64::from(PARTS) / unit * unit)
        };
        let mut lbas: Vec<u64> = self
            .fillings
            .iter()
            .flat_map(|filling| self.tracks(&filling.lengths))
            .chain(around)
            .flat_map(|(first, end)| {
                [first, end - unit, end].into_iter().chain(between(first, end))
            })
            .filter(|lba| !self.at_end || *lba < self.to)
            .collect();
        lbas.sort_unstable_by(|a, b| b.cmp(a));
        lbas.dedup();
        lbas
    }

    /// Whether all tracks of a filling are tracks, and those to either side of it; `strictly`, all
    /// end with a jump.
    fn fits(&self, filling: &Filling, strictly: bool, angles: &Angles, lines: &Lines) -> bool {
        let known = |(first, end): (u64, u64)| lines.slopes(end - first);
        // An odd track has the density of those before it, or that of others of its length: what was
        // taken for a track of so many sectors may have been none.
        let slopes = |(first, end): (u64, u64)| {
            let odd = !self.usual.contains(&(end - first));
            let near = self.before.or(self.behind).filter(|_| odd);
            near.into_iter().chain([(first, end)]).flat_map(known)
        };
        // No track takes more than a turn: where the next one begins where the line would go on, what is more is its.
        let turn = angles.period() + angles.line_tolerance();
        let is_line = |track: (u64, u64)| {
            let mut possible =
                slopes(track).filter(|slope| (track.1 - track.0) as f64 * slope <= turn);
            possible.any(|slope| lines.is_line(track.0, track.1, slope, angles))
        };
        let ends = |track: (u64, u64)| {
            (self.at_end && track.1 == self.to)
                || slopes(track).any(|slope| lines.ends(track.1, slope, angles))
        };
        let tracks: Vec<(u64, u64)> =
            self.before.into_iter().chain(self.tracks(&filling.lengths)).collect();
        let edge = filling.outer.filter(|_| !strictly);
        let edge = edge.map(|outer| outer + usize::from(self.before.is_some()));
        tracks
            .iter()
            .enumerate()
            .all(|(index, track)| is_line(*track) && (edge == Some(index + 1) || ends(*track)))
            && self.behind.is_none_or(is_line)
    }
}

/// Ways to fill so many sectors: with tracks of the outer cycle, one other or none, and tracks of
/// the inner one.
fn fillings(sectors: u64, outer: &[u64], inner: &[u64]) -> Vec<Filling> {
    let longest = outer.iter().chain(inner).copied().max().unwrap_or(0);
    let mut found: Vec<Filling> = Vec::new();
    let mut filling: Vec<u64> = Vec::new();
    let mut next = outer.iter().cycle();
    let mut rest = sectors;
    for _ in 0..=MOST_TRACKS {
        // As many of the inner ones as there is room for, or one less: the other is as long then.
        let mut behind: Vec<u64> = Vec::new();
        let mut left = rest;
        let mut inward = inner.iter().rev().cycle().take(MOST_TRACKS);
        loop {
            if left <= longest {
                let other = (left > 0).then_some(left);
                let tracks = filling.iter().copied().chain(other);
                let outer = Some(filling.len() + usize::from(other.is_some()));
                let lengths = tracks.chain(behind.iter().rev().copied()).collect();
                found.push(Filling { lengths, outer });
            }
            let Some(length) = inward.next().filter(|length| **length <= left) else { break };
            left -= length;
            behind.push(*length);
        }
        match next.next().filter(|length| **length <= rest) {
            Some(length) => {
                rest -= length;
                filling.push(*length);
            }
            None => break,
        }
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Turn;
    use platterlab_probe::{End, Plan, Sample, Samples, Tracks, Visit};
    use platterlab_units::{Operation, Span, Time};

    #[test]
    fn what_lies_between_is_filled_from_either_side() {
        let lengths = |sectors, outer: &[u64], inner: &[u64]| -> Vec<Vec<u64>> {
            let found = fillings(sectors, outer, inner).into_iter();
            let mut lengths: Vec<Vec<u64>> = found.map(|filling| filling.lengths).collect();
            lengths.dedup();
            lengths
        };
        assert_eq!(lengths(229, &[117], &[112]), [vec![5, 112, 112], vec![117, 112]]);
        let whole = Filling { lengths: vec![157], outer: Some(1) };
        assert!(fillings(157, &[157], &[150]).contains(&whole));
        assert!(lengths(453, &[153], &[150]).contains(&vec![153, 150, 150]));
        assert!(lengths(159, &[167], &[164]).contains(&vec![159]));
        assert!(fillings(10, &[], &[]).is_empty());
        // Spares shorten the last of the outer ones by a few sectors.
        assert!(lengths(3_288, &[1_654], &[1_641]).contains(&vec![1_647, 1_641]));
    }

    /// Whether 24 and 23 sectors fill the place between tracks of so many, and 25 and 22, where the second zone's
    /// first track is skewed by so much of a turn from where the line before it would go on.
    fn fitting(skew: f64) -> [bool; 2] {
        let turn = Turn { period: 8.0, error: 1e-6, jitter: 0.001 };
        let piece = |first_lba, first_track, sectors| Piece {
            first_lba,
            first_track,
            sectors: vec![sectors],
            cycles: SEVERAL,
        };
        let (before, from) = (piece(0, 0, 24), 24 * SEVERAL);
        let odd: Vec<Piece> = [(from, 25), (from + 25, 22)]
            .map(|(first, sectors)| Piece { cycles: 1, ..piece(first, SEVERAL, sectors) })
            .to_vec();
        let behind = piece(from + 47, SEVERAL + 2, 23);
        let place = OddTrack::new(Some(&before), &odd, Some(&behind), 10_000);
        let mut lines = Lines::new(1);
        for sectors in [24, 23] {
            lines.learn(sectors, 8.0 / sectors as f64);
        }
        // The last track of the first zone, and two of the second.
        let passed = |lba: u64| match lba.checked_sub(from + 24) {
            None => (lba % 24) as f64 / 24.0 + 0.3 * (lba / 24) as f64,
            Some(on) => {
                let first = 1.0 + 0.3 * SEVERAL as f64 + skew;
                first + (on % 23) as f64 / 23.0 + 0.3 * (on / 23) as f64
            }
        };
        let sample = |lba: &u64| Sample {
            lba: *lba,
            sectors: 1,
            operation: Operation::Read,
            distance_sectors: 0,
            submitted: Time::ZERO,
            completed: Time::ZERO + Span::from_ms(8.0 * (10.0 + passed(*lba))).expect("a time"),
        };
        let lbas = place.lbas(1);
        let samples = lbas.iter().map(sample).collect();
        let plan = Plan::Tracks(Tracks::at_once(Visit::Survey, lbas, 1));
        let mut angles = Angles::new(turn, 0.0);
        angles.add(&Samples { plan, samples, end: End::Complete });
        [[24, 23], [25, 22]].map(|lengths| {
            let fits = |filling: &&Filling| place.fits(filling, false, &angles, &lines);
            place.fillings.iter().filter(|it| it.lengths == lengths).any(|it| fits(&it))
        })
    }

    #[test]
    fn a_track_that_would_take_more_than_a_turn_is_none() {
        assert_eq!(fitting(0.3), [true, false]);
        // The line goes on, as if the last track had one sector more.
        assert_eq!(fitting(0.0), [true, false]);
    }
}
