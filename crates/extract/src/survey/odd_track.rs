//! Odd tracks in a row, and what may lie there.
//!
//! What tracks of the lengths on either side can fill the place, with at most one other between them, is
//! tried: each track has to be one line and to end with a jump, by looks that no late completion made, and no
//! other filling may do as well.

use super::angles::Angles;
use super::fillings::{Filling, fillings};
use super::lines::Lines;
use super::pieces::{Piece, Pieces, SEVERAL};
use super::votes::{Standing, TrackVotes};
use std::collections::{BTreeMap, BTreeSet};

/// Places on a track at which one more of its sectors is read, another one in each look.
const PARTS: u32 = 5;

/// Odd tracks in a row.
#[derive(Clone, Debug)]
pub(super) struct OddTrack {
    /// From the end of one stretch to the beginning of the next.
    pub(super) from: u64,
    pub(super) to: u64,
    /// Whether the region ends there: then nothing jumps.
    at_end: bool,
    /// The last track before and the first one behind.
    before: Option<Candidate>,
    behind: Option<Candidate>,
    fillings: Vec<Filling>,
    pub(super) tries: u32,
    /// What looks said of each track of these.
    votes: BTreeMap<Candidate, TrackVotes>,
}

/// What may be a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    first: u64,
    end: u64,
    /// Whether it may be of the zone before: one that is short of spares is as dense as the tracks there, others of
    /// its length are not.
    outer: bool,
}

impl Candidate {
    fn new(first: u64, sectors: u64) -> Self {
        Self { first, end: first + sectors, outer: false }
    }

    fn sectors(self) -> u64 {
        self.end - self.first
    }
}

impl OddTrack {
    pub(super) fn new(
        before: Option<&Piece>,
        odd: &[Piece],
        behind: Option<&Piece>,
        end: u64,
    ) -> Self {
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
            before: outer.last().map(|length| Candidate::new(from - length, *length)),
            behind: inner.first().map(|length| Candidate::new(to, *length)),
            fillings,
            tries: 0,
            votes: BTreeMap::new(),
        }
    }

    /// The last track of a zone whose tracks are all as long, and what it is if its end and the next zone's first
    /// track are as long together; none where cylinders have tracks of several lengths.
    pub(super) fn last_of(outer: &Piece, behind: &Piece) -> Option<Self> {
        let [length] = outer.sectors[..] else { return None };
        let (to, first) = (behind.first_lba, *behind.sectors.first()?);
        let from = to - length;
        let short = length.checked_sub(first).filter(|short| *short > 0)?;
        let filling = |lengths| Filling { lengths, outer: Some(1) };
        Some(Self {
            from,
            to,
            at_end: false,
            before: (outer.cycles > 1).then(|| Candidate::new(from - length, length)),
            behind: Some(Candidate::new(to, first)),
            fillings: [vec![length], vec![short, first]].map(filling).to_vec(),
            tries: 0,
            votes: BTreeMap::new(),
        })
    }

    /// The same with what cycles make of it that are found near, where cylinders have tracks of several lengths: single
    /// ones on either side tell nothing of the others.
    pub(super) fn going_on(mut self, pieces: &Pieces) -> Self {
        for (lengths, outer) in pieces.going_on(self.from, self.to) {
            if !self.fillings.iter().any(|it| it.lengths == lengths) {
                self.fillings.push(Filling { lengths, outer });
            }
        }
        self
    }

    /// The tracks of a filling.
    fn tracks(&self, filling: &Filling) -> Vec<Candidate> {
        let mut at = self.from;
        let track = |(index, length): (usize, &u64)| {
            let track = Candidate::new(at, *length);
            at = track.end;
            Candidate { outer: filling.outer.is_none_or(|outer| index < outer), ..track }
        };
        filling.lengths.iter().enumerate().map(track).collect()
    }

    pub(super) fn lbas(&self, unit: u64) -> Vec<u64> {
        let around = self.before.iter().chain(&self.behind).copied();
        let mut lbas: Vec<u64> = self
            .fillings
            .iter()
            .flat_map(|filling| self.tracks(filling))
            .chain(around)
            .flat_map(|track| {
                let ends = [track.first, track.end - unit, track.end];
                ends.into_iter().chain(self.between(track, unit))
            })
            .filter(|lba| !self.at_end || *lba < self.to)
            .collect();
        lbas.sort_unstable_by(|a, b| b.cmp(a));
        lbas.dedup();
        lbas
    }

    /// Another sector of a track in each look: one that is met at once, as if a cache had it, then is not.
    fn between(&self, track: Candidate, unit: u64) -> Option<u64> {
        let part = u64::from(self.tries % PARTS);
        (part > 0).then(|| track.first + track.sectors() * part / u64::from(PARTS) / unit * unit)
    }

    /// Takes in what a look shows of each track.
    pub(super) fn look(&mut self, angles: &Angles, lines: &Lines) {
        let inside = self.fillings.iter().flat_map(|filling| self.tracks(filling));
        let through = self.fillings.iter().filter_map(|filling| self.through(filling));
        let tracks: BTreeSet<Candidate> =
            inside.chain(through).chain(self.before).chain(self.behind).collect();
        for track in tracks {
            let (line, end) = self.shown(track, angles, lines);
            self.votes.entry(track).or_default().add(line, end);
        }
        self.tries += 1;
    }

    /// Whether a track is one line, and ends with a jump, as far as it shows.
    fn shown(
        &self,
        track: Candidate,
        angles: &Angles,
        lines: &Lines,
    ) -> (Option<bool>, Option<bool>) {
        let Candidate { first, end, .. } = track;
        let near = self.before.or(self.behind).filter(|_| track.outer);
        let of = |track: Candidate| lines.slopes(track.sectors());
        let slopes = || near.into_iter().chain([track]).flat_map(of);
        // No track takes more than a turn: where the next one begins where the line would go on, what is more is its.
        let turn = angles.period() + angles.line_tolerance();
        let mut possible = slopes().filter(|slope| track.sectors() as f64 * slope <= turn);
        let within = self.between(track, lines.unit).filter(|lba| angles.knows(*lba));
        let is_line = possible.any(|slope| {
            let to = |next| lines.is_line(first, next, slope, angles);
            to(end) && within.is_none_or(|lba| to(lba + lines.unit))
        });
        let ends = || slopes().any(|slope| lines.ends(end, slope, angles));
        let last = end - lines.unit;
        let at_end = self.at_end && end == self.to;
        let jump = if at_end { Some(true) } else { angles.between(last, end).map(|_| ends()) };
        (angles.between(first, last).map(|_| is_line), jump)
    }

    /// The tracks that fill it, once no others can by all looks.
    pub(super) fn filled(&self) -> Option<&[u64]> {
        self.only(true).or_else(|| self.only(false))
    }

    fn only(&self, strictly: bool) -> Option<&[u64]> {
        let mut possible: BTreeMap<&Vec<u64>, Standing> = BTreeMap::new();
        for filling in &self.fillings {
            // The same tracks may be told apart into outer and inner ones in several ways.
            let standing = self.standing(filling, strictly);
            if standing > Standing::Excluded {
                let best = possible.entry(&filling.lengths).or_insert(standing);
                *best = standing.max(*best);
            }
        }
        let (lengths, standing) = possible.pop_first()?;
        (possible.is_empty() && standing == Standing::Certain).then_some(&lengths[..])
    }

    /// The tracks to either side of the end that need not jump, as one.
    fn through(&self, filling: &Filling) -> Option<Candidate> {
        let tracks = self.tracks(filling);
        let at = filling.outer?;
        let last = at.checked_sub(1).map_or(self.before, |last| tracks.get(last).copied());
        let next = tracks.get(at).copied().or(self.behind)?;
        Some(Candidate { first: last?.first, end: next.end, outer: true })
    }

    /// Whether all tracks of a filling are tracks, and those to either side of it; `strictly`, all
    /// end with a jump, else what ends without one is no line with what follows.
    fn standing(&self, filling: &Filling, strictly: bool) -> Standing {
        let edge = filling.outer.filter(|_| !strictly);
        let edge = edge.map(|outer| outer + usize::from(self.before.is_some()));
        let votes = |track: Candidate| self.votes.get(&track).copied().unwrap_or_default();
        let tracks = self.before.into_iter().chain(self.tracks(filling)).enumerate();
        let through = self.through(filling);
        let of = |(index, track): (usize, Candidate)| {
            let votes = votes(track);
            match through.filter(|_| edge == Some(index + 1)) {
                Some(through) => votes.line().min(votes.end().max(self.apart(through))),
                None => votes.line().min(votes.end()),
            }
        };
        let behind = self.behind.map(|track| votes(track).line());
        tracks.map(of).chain(behind).min().unwrap_or(Standing::Open)
    }

    /// Whether the last track before and the first one behind are none, as looks say.
    pub(super) fn refuted(&self) -> [bool; 2] {
        let none = |track: Candidate| {
            self.votes.get(&track).is_some_and(|votes| votes.line() == Standing::Excluded)
        };
        [self.before, self.behind].map(|track| track.is_some_and(none))
    }

    /// Whether two tracks are no one line.
    fn apart(&self, through: Candidate) -> Standing {
        self.votes.get(&through).map_or(Standing::Open, |votes| votes.line().reversed())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::clock::Turn;
    use platterlab_probe::{End, Plan, Sample, Samples, Tracks, Visit};
    use platterlab_units::{Operation, Span, Time};

    fn piece(first_lba: u64, first_track: u64, sectors: &[u64], cycles: u64) -> Piece {
        Piece { first_lba, first_track, sectors: sectors.to_vec(), cycles }
    }

    /// Densities of tracks of so many sectors.
    pub(in crate::survey) fn lines(densities: &[(u64, u64)]) -> Lines {
        let mut lines = Lines::new(1);
        for (sectors, a_turn) in densities {
            lines.learn(*sectors, 8.0 / *a_turn as f64);
        }
        lines
    }

    /// Looks at a place where sectors pass after so many turns each.
    pub(in crate::survey) fn looked(
        mut place: OddTrack,
        lines: &Lines,
        looks: u32,
        passed: impl Fn(u64) -> f64,
    ) -> OddTrack {
        for _ in 0..looks {
            let sample = |lba: &u64| {
                let completed = Span::from_ms(8.0 * (10.0 + passed(*lba))).expect("a time");
                Sample {
                    lba: *lba,
                    sectors: 1,
                    operation: Operation::Read,
                    distance_sectors: 0,
                    submitted: Time::ZERO,
                    completed: Time::ZERO + completed,
                }
            };
            let lbas = place.lbas(1);
            let samples = lbas.iter().map(sample).collect();
            let plan = Plan::Tracks(Tracks::at_once(Visit::Survey, lbas, 1));
            let turn = Turn { period: 8.0, error: 1e-6, jitter: 0.001 };
            let mut angles = Angles::new(turn, 0.0);
            angles.add(&Samples { plan, samples, end: End::Complete });
            place.look(&angles, lines);
        }
        place
    }

    /// When a sector passes of tracks of `outer` sectors up to an address and of `inner` ones from there on, with a
    /// skew of 0.3 turns from each to the next, and of `skew` from the line that ends there; `short` sectors hold data
    /// on the last of the outer ones.
    fn zones(edge: u64, (outer, short): (u64, u64), inner: u64, skew: f64) -> impl Fn(u64) -> f64 {
        let on = move |lba: u64, count: u64| {
            (lba % count) as f64 / count as f64 + 0.3 * (lba / count) as f64
        };
        let last = on(edge - short, outer);
        move |lba| match lba.checked_sub(edge) {
            None => on(lba, outer),
            Some(behind) => last + short as f64 / outer as f64 + skew + on(behind, inner),
        }
    }

    /// Whether 24 and 23 sectors fill the place between tracks of so many, and 25 and 22, where the second zone's
    /// first track is skewed by so much of a turn from where the line before it would go on.
    fn fitting(skew: f64) -> [bool; 2] {
        let from = 24 * SEVERAL;
        let odd = [(from, 25), (from + 25, 22)]
            .map(|(first, length)| piece(first, SEVERAL, &[length], 1));
        let (before, behind) =
            (piece(0, 0, &[24], SEVERAL), piece(from + 47, SEVERAL + 2, &[23], SEVERAL));
        let place = OddTrack::new(Some(&before), &odd, Some(&behind), 10_000);
        let passed = zones(from + 24, (24, 24), 23, skew);
        let place = looked(place, &lines(&[(24, 24), (23, 23)]), 3, passed);
        [[24, 23], [25, 22]].map(|lengths| {
            let mut alike = place.fillings.iter().filter(|it| it.lengths == lengths);
            alike.any(|it| place.standing(it, false) > Standing::Excluded)
        })
    }

    #[test]
    fn a_track_that_would_take_more_than_a_turn_is_none() {
        assert_eq!(fitting(0.3), [true, false]);
        // The line goes on, as if the last track had one sector more.
        assert_eq!(fitting(0.0), [true, false]);
    }

    #[test]
    fn parts_of_one_track_are_no_two() {
        // Ten sectors, as a late completion had it; or the last of a zone, whose line the next zone's goes on by chance.
        let from = 24 * SEVERAL;
        let before = piece(0, 0, &[24], SEVERAL);
        let odd = [piece(from, SEVERAL, &[10], 1)];
        let behind = piece(from + 10, SEVERAL + 1, &[14, 24], SEVERAL);
        let place = OddTrack::new(Some(&before), &odd, Some(&behind), 10_000);
        let known = lines(&[(24, 24), (10, 24), (14, 24)]);
        assert_eq!(looked(place, &known, 12, zones(10_008, (24, 24), 24, 0.0)).filled(), None);
        let behind = piece(from + 10, SEVERAL + 1, &[20], SEVERAL);
        let place = OddTrack::new(Some(&before), &odd, Some(&behind), 10_000);
        let known = lines(&[(24, 24), (10, 24), (20, 20)]);
        let place = looked(place, &known, 3, zones(from + 10, (24, 10), 20, 0.0));
        assert_eq!(place.filled(), Some(&[10][..]));
    }

    #[test]
    fn a_late_completion_in_one_look_decides_nothing() {
        let from = 24 * SEVERAL;
        let place = || {
            let (before, behind) =
                (piece(0, 0, &[24], SEVERAL), piece(from + 24, SEVERAL + 1, &[17], SEVERAL));
            OddTrack::last_of(&before, &behind).expect("a track of either zone is shorter")
        };
        let (known, passed) = (lines(&[(24, 24), (17, 17)]), zones(from + 24, (24, 24), 17, 0.2));
        // As if seven sectors were a track, as long as one of the inner zone and they make a whole one together.
        let late = |lba| passed(lba) + if lba == from + 7 { 0.1 } else { 0.0 };
        let once = looked(place(), &known, 1, late);
        assert_eq!(once.filled(), None);
        assert_eq!(looked(once, &known, 3, &passed).filled(), Some(&[24][..]));
        // They are.
        let two = zones(from + 7, (24, 7), 17, 0.2);
        assert_eq!(looked(place(), &known, 3, two).filled(), Some(&[7, 17][..]));
    }
}
