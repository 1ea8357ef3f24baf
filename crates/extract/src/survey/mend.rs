//! Odd tracks between stretches of alike ones, looked at again once both stretches are known, and then
//! the last tracks of zones.
//!
//! A search that went on over the end of a track leaves one of two tracks' length; one that took a
//! late completion for an end leaves two short ones. What may lie there instead is tried.

use super::angles::Angles;
use super::density::Densities;
use super::forgetting::Forgetting;
use super::lines::Lines;
use super::odd_track::OddTrack;
use super::pieces::{Piece, Pieces, SEVERAL};
use super::short_groups::short_groups;
use super::stretches::{Before, stretches};
use super::wider::wider;
use std::collections::BTreeSet;

/// Looks at one place.
const TRIES: u32 = 12;
/// Looks before each of which more is read elsewhere.
const MOST_FLUSHED: u32 = 4;
/// Places that are looked at once more with what lies beside them.
const MOST_WIDENED: u32 = 40;
/// Places that are looked at.
const MOST_PLACES: usize = 400;
/// Tracks of one of them that are looked at, at least.
const TRACKS: usize = 3;

/// All places that are not certain.
#[derive(Clone, Debug, Default)]
pub(super) struct Mend {
    /// Those still to be looked at; the last is under way.
    open: Vec<OddTrack>,
    /// The first sector of a place where no filling is certain.
    pub(super) unsure: Option<u64>,
    /// First sectors of zones before which it is known what track ends, once all those are looked at.
    pub(super) last_known: Option<BTreeSet<u64>>,
    /// Once no place is open.
    pub(super) densities: Option<Densities>,
    /// Where the tracks end, and how often a place was looked at with tracks beside it that are none.
    end: u64,
    widened: u32,
    /// Places that are looked at in the same run.
    together: usize,
}

impl Mend {
    /// So many reads make a cache forget: looks at other places may be these.
    pub(super) fn new(pieces: &Pieces, lines: &Lines, end: u64, forgetting: Forgetting) -> Self {
        let together = if forgetting.tracks { forgetting.reads / TRACKS + 1 } else { 1 };
        let mut mend = Self { together, ..Self::of(pieces, end) };
        mend.look_closer(pieces, lines);
        mend
    }

    fn of(pieces: &Pieces, end: u64) -> Self {
        let list = &pieces.list;
        let come_back: BTreeSet<u64> =
            short_groups(list).into_iter().flat_map(|group| group.last).collect();
        let odd = |piece: &Piece| {
            (piece.tracks() < SEVERAL && !come_back.contains(&piece.first_track))
                || pieces.is_uneven(piece)
        };
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
        Self { open, unsure, end, ..Self::default() }
    }

    /// Sectors to visit next; `None` when done.
    pub(super) fn next(&self, lines: &Lines) -> Option<Vec<u64>> {
        if self.open.is_empty() {
            return self.densities.as_ref()?.next(lines);
        }
        Some(self.under_way().iter().flat_map(|place| place.lbas(lines.unit)).collect())
    }

    /// The places that are looked at.
    fn under_way(&self) -> &[OddTrack] {
        &self.open[self.open.len().saturating_sub(self.together)..]
    }

    /// Once all tracks are known, the last ones of zones; then how dense those between zones are.
    fn look_closer(&mut self, pieces: &Pieces, lines: &Lines) {
        if self.open.is_empty() && self.unsure.is_none() && self.last_known.is_none() {
            self.last_known = Some(BTreeSet::new());
            self.open = last_of_zones(pieces);
        }
        if self.open.is_empty() && self.unsure.is_none() {
            self.densities = Some(Densities::new(pieces, lines));
        }
    }

    /// Leaves what is still open as it is.
    pub(super) fn cut(&mut self) {
        self.unsure = self.unsure.or(self.open.last().map(|place| place.from));
        (self.open, self.densities) = (Vec::new(), None);
    }

    /// Visits that brought nothing.
    pub(super) fn troubles(&self) -> u32 {
        let most = self.under_way().iter().map(|place| place.tries).max();
        most.map_or(0, |tries| tries.min(MOST_FLUSHED))
    }

    pub(super) fn add(&mut self, angles: &Angles, lines: &Lines, pieces: &mut Pieces) {
        if self.open.is_empty() {
            return self.densities.iter_mut().for_each(|it| it.add(angles, lines));
        }
        let mut looked = self.open.split_off(self.open.len() - self.under_way().len());
        let mut left = Vec::new();
        while let Some(mut place) = looked.pop() {
            place.look(angles, lines);
            let Some(lengths) = place.filled() else {
                left.extend(self.go_on(place, pieces));
                continue;
            };
            let (from, to) = (place.from, place.to);
            pieces.replace(from, to, lengths);
            self.last_known.iter_mut().for_each(|known| known.extend([to]));
            // Of wider ones, it holds others.
            for others in [&mut self.open, &mut looked, &mut left] {
                others.retain(|it| it.to <= from || it.from >= to);
            }
        }
        left.reverse();
        self.open.extend(left);
        self.look_closer(pieces, lines);
    }

    /// A place that no filling is certain of, as it is looked at next; none where it is given up.
    fn go_on(&mut self, place: OddTrack, pieces: &Pieces) -> Option<OddTrack> {
        if place.tries < TRIES {
            return Some(place);
        }
        // The last track of a zone is doubted where the spares of other zones say so.
        if self.last_known.is_none() {
            let more = self.widened < MOST_WIDENED;
            if let Some(wider) = more.then(|| wider(&place, pieces, self.end)).flatten() {
                self.widened += 1;
                return Some(wider);
            }
            self.unsure = self.unsure.or(Some(place.from));
        }
        None
    }
}

/// The last tracks of zones that are as long as the others: one may be two, that are a whole one together.
fn last_of_zones(pieces: &Pieces) -> Vec<OddTrack> {
    let list = &pieces.list;
    let zones = stretches(list).unwrap_or_default();
    let place = |lba: u64| {
        let behind = list.iter().position(|piece| piece.first_lba == lba)?;
        OddTrack::last_of(list.get(behind.checked_sub(1)?)?, &list[behind])
    };
    let whole = zones.iter().skip(1).filter(|zone| zone.before == Before::Whole);
    whole.filter_map(|zone| place(zone.first_lba)).collect()
}
