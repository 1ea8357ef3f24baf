//! Tracks that lie a known number of cylinders apart, by all orders that are possible.

use super::asked::{Asked, Why};
use super::movements::Movements;
use super::orders::Order;
use super::pattern::PatternSearch;
use super::pieces::{Piece, Pieces, SEVERAL};
use super::possible::{all_doubted, count_alike, known_field, possible};
use super::read_pair::PAIRS;
use super::short_groups::by_groups;
use super::timed_movement::Still;
use crate::Estimate;
use crate::arm::ArmPlaces;

/// Tracks among which a pair of neighbouring cylinders is looked for.
const AMONG: u64 = 64;

/// Tracks between which the arm moves over one cylinder, or over all of them, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Strokes {
    /// The track on which the arm rests.
    still: u64,
    /// The last one, if it is as long as others.
    last: Option<u64>,
    next: Vec<(u64, u64)>,
    ends: Vec<(u64, u64)>,
}

/// What of a turn holds no data leaves a seek open, in milliseconds, where it is more.
const GAP_MS: f64 = 0.03;

impl Strokes {
    /// Lets the arm rest on the last track, if tracks have such a gap that read-ahead may leave them
    /// there: behind that one it has nowhere to go.
    pub(super) fn rest_within(mut self, gap_ms: impl Fn(u64) -> Option<f64>) -> Self {
        let gap = gap_ms(self.still).is_some_and(|gap| gap > GAP_MS);
        self.still = self.last.filter(|_| gap).unwrap_or(self.still);
        self
    }

    /// By first sector and length.
    pub(super) fn places(&self, pieces: &Pieces) -> ArmPlaces {
        let both = |(from, to): &(u64, u64)| pieces.track(*from).zip(pieces.track(*to));
        let tracks = |pairs: &[(u64, u64)]| pairs.iter().filter_map(both).collect();
        ArmPlaces { next: tracks(&self.next), ends: tracks(&self.ends) }
    }

    /// The movements by which both are timed, and what they take without the arm.
    pub(super) fn asked(&self) -> Vec<Asked> {
        let asked = |why: Why| move |(from, to): &(u64, u64)| Asked { why, from: *from, to: *to };
        let next = self.next.iter().map(asked(Why::Seek));
        // Not right after reads of the last track.
        let still = [(self.still, self.still)];
        let still = still.iter().map(asked(Why::Still));
        next.chain(still).chain(self.ends.iter().map(asked(Why::Seek))).collect()
    }

    /// Whether what they take without the arm was timed on many tracks.
    pub(super) fn is_of_many_tracks(&self, movements: &Movements) -> bool {
        let still = movements
            .list
            .iter()
            .find(|it| it.asked.why == Why::Still && it.asked.from == self.still);
        still.is_some_and(|still| still.alike > 2 * PAIRS)
    }

    /// What they take without the arm and without the sector.
    pub(super) fn still(&self, movements: &Movements) -> Option<Still> {
        let (time, width_ms, sector) = movements.timed(self.still, self.still)?;
        Some(Still { time_ms: time - sector, width_ms })
    }

    /// The least and the longest seek, as these movements tell them.
    pub(super) fn seeks_ms(&self, movements: &Movements) -> [Estimate; 2] {
        let still = self.still(movements);
        let seek = |(from, to): &(u64, u64)| {
            let ((time, width, sector), still) = (movements.timed(*from, *to)?, still?);
            Some(still.added(time - sector, width))
        };
        let extreme = |pairs: &[(u64, u64)], longest: bool, method: &'static str| {
            let all = pairs.iter().map(seek).collect::<Option<Vec<_>>>();
            let most = all.and_then(|all| {
                let by = |a: &(f64, f64), b: &(f64, f64)| a.0.total_cmp(&b.0);
                if longest { all.into_iter().max_by(by) } else { all.into_iter().min_by(by) }
            });
            match most {
                Some((seek, width)) => Estimate::new(seek, width, method),
                None => Estimate::unsupported(method, "the movement could not be timed"),
            }
        };
        [
            extreme(&self.next, false, "pairs of reads to the next cylinder"),
            extreme(&self.ends, true, "pairs of reads from the first cylinder to the last"),
        ]
    }
}

pub(super) fn strokes(
    pattern: &PatternSearch,
    movements: &Movements,
    pieces: &Pieces,
) -> Option<Strokes> {
    let orders = by_groups(possible(pattern, movements, pieces), &pieces.list);
    (count_alike(&orders) && !all_doubted(&orders, pattern, movements)).then_some(())?;
    let field = known_field(pattern);
    let middle = u64::midpoint(field.0, field.1);
    let among = middle..(middle + AMONG).min(field.1);
    let pairs = among.clone().flat_map(|from| (from + 1..among.end).map(move |to| (from, to)));
    let pairs: Vec<(u64, u64)> = pairs
        .filter(|(from, to)| orders.iter().all(|order| order.movement(*from, *to).0 == 1))
        .collect();
    // Under the same head by one order each: a head switch makes no movement shorter.
    let straight =
        |order: &Order| pairs.iter().find(|(from, to)| !order.movement(*from, *to).1).copied();
    let mut next = orders.iter().map(straight).collect::<Option<Vec<_>>>()?;
    next.sort_unstable();
    next.dedup();
    let (still, _) = *next.first()?;
    let last = pieces.tracks().checked_sub(1)?;
    // The very last tracks may be shortened by spares, and no other is as long: what their sectors
    // take is not known.
    let several = |piece: &&Piece| piece.tracks() >= SEVERAL;
    let usual = pieces.list.iter().rfind(several).map(|it| it.first_track + it.tracks() - 1);
    // The last pass over the surfaces may go back: then it begins at the last cylinder.
    let back = orders.iter().filter_map(|order| Some((last + 1).saturating_sub(order.width?)));
    let mut ends: Vec<(u64, u64)> = usual.into_iter().chain(back).map(|last| (0, last)).collect();
    ends.sort_unstable();
    ends.dedup();
    Some(Strokes { still, last: usual.filter(|usual| *usual == last), next, ends })
}
