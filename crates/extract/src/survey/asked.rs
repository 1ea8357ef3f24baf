//! The movements that are wanted: those of the seek profile, and those by which orders of tracks
//! differ.

use super::passes::{Passes, usual_passes};
use super::pattern::{Cycle, PatternSearch};
use super::pieces::Pieces;

/// Tracks, cycles of tracks or passes to either side that are looked at: more than any drive had
/// surfaces.
const AROUND: u64 = 26;
/// Places at which passes are compared with their neighbours, and cycles.
const REFERENCES: u64 = 3;
/// Places at which tracks that are all alike are compared with those behind them.
const PLACES: u64 = 3;
/// Cycles in a row of which the ends are compared.
const SUCCESSIVE: u64 = 8;
/// Tracks from one to another that a cache does not have with it.
const NEAR: usize = 3;
/// Movements over the middle.
const OVER: usize = 4;
/// Movements within a cycle, at most.
const WITHIN: u64 = 24;
/// Where all tracks are alike, distances over which the mean of many movements counts, and from how
/// many tracks in a row.
const MEANS: [(u64, u64); 8] =
    [(1, 96), (2, 64), (3, 96), (5, 64), (7, 32), (9, 32), (12, 32), (15, 32)];
/// Places all over such tracks from which the same distances have to take the same, and the least of
/// these distances.
const EVERYWHERE: u64 = 8;
const OCTAVES: u64 = 8;
/// From one distance from the first track to the next: within a quarter more, a pass of any width
/// that follows is near its first cylinder, or its last one.
const FURTHER: f64 = 1.25;

/// Why a movement is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// For the seek profile: so many tracks away.
    Profile(u64),
    /// For the same over the middle of the drive.
    Over(u64),
    /// To tell orders apart.
    Order,
    /// To tell them apart by the mean of many that are as far, of which one was timed.
    Mean,
    /// For a seek.
    Seek,
    /// For what a request takes without one.
    Still,
    /// To tell orders apart by what it takes more with one.
    Rest,
}

impl Why {
    /// Whether the arm rests.
    pub(super) fn rests(self) -> bool {
        matches!(self, Self::Still | Self::Rest)
    }
}

/// A movement that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) why: Why,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// The movements that tell layouts apart, and those of the seek profile; `apart`, such that hardly two begin on
/// the same track, which a cache would have. Where all tracks are alike, each goes its own way by any order.
pub(super) fn questions(pattern: &PatternSearch, pieces: &Pieces, apart: bool) -> Vec<Asked> {
    let total = pieces.tracks();
    let middle = total / 2;
    let lengths = std::iter::successors(Some(1), |away: &u64| Some((away * 3 / 2).max(away + 1)));
    let lengths: Vec<u64> = lengths.take_while(|away| *away < total - middle).collect();
    let mut profile: Vec<(u64, u64)> = lengths.iter().map(|on| (middle, middle + on)).collect();
    let (mut pairs, end, step) = if let Some(cycle) = pattern.short_cycle() {
        (of_cycle(cycle), cycle.end, 2 * cycle.period)
    } else if let Some(passes) = usual_passes(pattern) {
        (of_passes(passes), passes.tracks.1, 2 * passes.width)
    } else {
        (of_alike(pattern.field), pattern.field.1, AROUND + 1)
    };
    if apart {
        pairs = spread(pairs, end, step);
        profile = if pattern.short_cycle().is_some() && middle < end {
            spread(profile, end, step)
        } else {
            // From within a pass it goes as far, wherever that is.
            let on = profile.into_iter().zip((0..).step_by(NEAR));
            on.map(|((from, to), on)| (from + on, to + on)).filter(|it| it.1 < total).collect()
        };
    }
    let mut asked: Vec<Asked> = profile
        .into_iter()
        .map(|(from, to)| Asked { why: Why::Profile(to - from), from, to })
        .collect();
    let inside = |(from, to): &(u64, u64)| from != to && (*from).max(*to) < pattern.field.1;
    let mut pairs: Vec<(u64, u64)> = pairs.into_iter().filter(inside).collect();
    // One after the other from different tracks, so that no cache holds the next one.
    pairs.sort_unstable_by_key(|(from, to)| (from.abs_diff(*to), *from, *to));
    pairs.dedup();
    asked.extend(pairs.into_iter().map(|(from, to)| Asked { why: Why::Order, from, to }));
    let over = over_the_middle(&lengths, middle).into_iter();
    asked.extend(over.map(|(from, to)| Asked { why: Why::Over(to - from), from, to }));
    asked
}

/// Far movements from before the middle track to behind it, between those of the profile in length: a drive
/// of two stacks, one behind the other in the addresses, begins there on cylinders where it has been before.
fn over_the_middle(lengths: &[u64], middle: u64) -> Vec<(u64, u64)> {
    let between = lengths.windows(2).rev().take(OVER).map(|two| (two[0] * two[1]).isqrt());
    between
        .filter(|away| *away > 1)
        .map(|away| (middle - away / 2, middle - away / 2 + away))
        .collect()
}

/// From the first, the middle and the last track of a cycle to those around, and to cycles further
/// away; all where the cycle is one and the same.
fn of_cycle(cycle: Cycle) -> Vec<(u64, u64)> {
    let Cycle { first, end, period, .. } = cycle;
    let mut pairs = Vec::new();
    let step = (2 * period).div_ceil(WITHIN);
    let mut origins = vec![0, period / 2, period - 1];
    origins.dedup();
    // Behind the last place there is room to look around, where there are so many cycles.
    let room = cycle.count().saturating_sub(AROUND + 1);
    for (number, within) in origins.into_iter().enumerate() {
        let from = first + room * number as u64 / REFERENCES * period + within;
        let near = (1..2 * period).filter(|on| on % step == 0 || *on == 1 || *on + 1 == period);
        pairs.extend(near.chain([period, 2 * period - 1]).map(|on| (from, from + on)));
        // From the last track to the first ones: near, where every second pass goes back.
        let to = if within + 1 == period { from - within } else { from };
        pairs.extend((1..=AROUND).map(|cycles| (from, to + cycles * period)));
    }
    // From the end of successive cycles into the next: all of them are ends of cylinders, or not;
    // and within them, where nothing is passed but heads.
    for start in (0..SUCCESSIVE).map(|cycle| first + cycle * period) {
        let last = start + period - 1;
        pairs.extend([(last, last + 1), (last, last + 2), (start, start + 1), (start, last)]);
        // Passes over few surfaces are near and far in turn, cylinders never.
        pairs.extend([1, 3, 5].map(|cycles| (start, start + cycles * period)));
        pairs.extend([1, 3].map(|cycles| (start, last + cycles * period)));
    }
    pairs.retain(|(_, to)| *to < end);
    pairs
}

/// The same movements, those that would begin on the same track spread over what lies behind it: by a multiple of
/// `step` tracks, two cylinders or two passes, so that each goes the same way as from there.
fn spread(mut pairs: Vec<(u64, u64)>, end: u64, step: u64) -> Vec<(u64, u64)> {
    pairs.sort_unstable();
    pairs.dedup();
    let alike = pairs.chunk_by_mut(|one, other| one.0 == other.0);
    for alike in alike {
        let count = alike.len() as u64;
        for ((from, to), number) in alike.iter_mut().zip(0..) {
            // Where it ends behind them, nothing there is known to be like anything else.
            let last = if (*from).max(*to) < end { (*from).max(*to) } else { *from };
            let room = end.saturating_sub(last + 1) / step.max(1);
            let further = room * number / count * step;
            (*from, *to) = (*from + further, *to + further);
        }
    }
    pairs
}

/// Movements by which orders that are still possible differ, once the others are excluded; `again`,
/// those by which one surface and passes of any width do, and of cycles the same elsewhere.
pub(super) fn more_questions(
    pattern: &PatternSearch,
    tracks: u64,
    (again, apart): (bool, bool),
) -> Vec<Asked> {
    let asked = |why| move |(from, to)| Asked { why, from, to };
    let alike = usual_passes(pattern).is_none();
    match pattern.short_cycle() {
        Some(cycle) => {
            let mut pairs = more_of_cycle(cycle, again);
            if apart {
                pairs = spread(pairs, cycle.end, 2 * cycle.period);
            }
            pairs.into_iter().map(asked(Why::Order)).collect()
        }
        None if !alike && !again => {
            let passes = usual_passes(pattern);
            passes.into_iter().flat_map(ends_of_passes).map(asked(Why::Order)).collect()
        }
        None if alike && again => {
            far_of_alike(pattern.field, tracks).map(asked(Why::Order)).collect()
        }
        None if alike => near_of_alike(pattern.field).map(asked(Why::Mean)).collect(),
        None => Vec::new(),
    }
}

/// What a request takes where the arm rests: on another track than where seeks are timed.
pub(super) fn rest(pattern: &PatternSearch) -> Asked {
    let track = pattern.field.0 + (pattern.field.1 - pattern.field.0) / 3;
    Asked { why: Why::Rest, from: track, to: track }
}

/// From the first track of a pass to the last of the next one, and from the last to the first of the next but one:
/// where these are cylinders, the arm goes over one and over two, and the longer way is the shorter one.
fn ends_of_passes(passes: Passes) -> impl Iterator<Item = (u64, u64)> {
    let Passes { tracks: (first, _), width } = passes;
    let starts = (0..SUCCESSIVE.min(passes.count())).map(move |pass| first + pass * width);
    starts.flat_map(move |start| {
        let last = start + width - 1;
        [(start, last + width), (last, last + width + 1)]
    })
}

fn more_of_cycle(cycle: Cycle, again: bool) -> Vec<(u64, u64)> {
    let Cycle { first, end, period, .. } = cycle;
    let cycles = cycle.count();
    let room = cycles.saturating_sub(AROUND + 1);
    let first = if again { first + room / (2 * REFERENCES) * period } else { first };
    let last = first + room * 2 / REFERENCES * period + period - 1;
    // To the track that is as far from the other end of its cycle, and to the same one.
    let mut pairs: Vec<(u64, u64)> = (1..=AROUND)
        .flat_map(|on| [(first, first + period - 1 + on * period), (last, last + on * period)])
        .collect();
    // By then passes over all surfaces, there and back, have come to the same one again.
    let middle = first + period + period / 2;
    pairs.extend((AROUND + 1..2 * AROUND).map(|on| on * period).flat_map(|on| {
        [(first, first + on), (first, first + period - 1 + on), (middle, middle + on)]
    }));
    if !again {
        // From their last tracks to the first of the next but one the arm goes over two, if they are cylinders.
        let lasts = (0..SUCCESSIVE).map(|cycle| first + (cycle + 1) * period - 1);
        pairs.extend(lasts.map(|last| (last, last + period + 1)));
    }
    pairs.retain(|(_, to)| *to < end);
    pairs
}

/// From many tracks in a row to near ones, so that means tell counts of heads apart.
fn near_of_alike(field: (u64, u64)) -> impl Iterator<Item = (u64, u64)> {
    let middle = u64::midpoint(field.0, field.1);
    let near = MEANS
        .into_iter()
        .flat_map(move |(on, count)| (middle..middle + count).map(move |from| (from, from + on)));
    near.filter(move |(_, to)| *to < field.1)
}

/// Over the same distances from everywhere, as the arm does where no head changes; and further and
/// further from the first track.
fn far_of_alike(field: (u64, u64), tracks: u64) -> impl Iterator<Item = (u64, u64)> {
    let length = field.1 - field.0;
    let octaves = std::iter::successors(Some(OCTAVES), |on| Some(2 * on));
    let everywhere = octaves.take_while(move |on| 4 * on <= length).flat_map(move |on| {
        let place = move |number| field.0 + (length - on) * number / EVERYWHERE + 7 * number;
        (0..EVERYWHERE).map(place).map(move |from| (from, from + on))
    });
    let everywhere = everywhere.filter(move |(_, to)| *to < field.1);
    let far = std::iter::successors(Some(OCTAVES as f64), |on| Some(on * FURTHER));
    let far = far.map(|on| on as u64).take_while(move |on| *on < tracks).map(|on| (0, on));
    everywhere.chain(far).chain(tracks.checked_sub(1).map(|last| (0, last)))
}

/// From the middle of some passes to that of those around, and to their quarters.
fn of_passes(passes: Passes) -> Vec<(u64, u64)> {
    let count = passes.count();
    let at = |pass: u64, quarters: u64| {
        passes.tracks.0 + pass * passes.width + passes.width * quarters / 4
    };
    let mut pairs = Vec::new();
    for number in 0..REFERENCES {
        let one = (2 * number + 1) * count / (2 * REFERENCES);
        let around = one.saturating_sub(AROUND)..count.min(one + AROUND + 1);
        pairs.extend(around.map(|other| (at(one, 2), at(other, 2))));
        pairs.extend([(at(one, 2), at(one, 3)), (at(one, 1), at(one, 3))]);
        for next in one + 1..count.min(one + 4) {
            pairs.extend([(at(one, 1), at(next, 1)), (at(one, 1), at(next, 3))]);
            // A little further: where one pass is a way there and back, that is not near.
            pairs.push((at(one, 1), at(next, 1) + passes.width / 8));
        }
    }
    pairs
}

/// From two neighbouring tracks in several places to those behind them; and from the first of all
/// further and further.
fn of_alike(field: (u64, u64)) -> Vec<(u64, u64)> {
    let place = |number: u64| field.0 + (field.1 - field.0) * number / (PLACES + 1);
    // The places must not all be at the same track of a cylinder.
    let origins = (0..PLACES).map(|number| place(number) + 7 * number);
    let origins = origins.flat_map(|first| [first, first + 1]);
    let near = origins.flat_map(|from| (1..=AROUND).map(move |on| (from, from + on)));
    let far = (0..40).map(|power| 1.5_f64.powi(power)).map(|on| (place(0), place(0) + on as u64));
    near.chain(far.filter(|(_, to)| *to < field.1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn movements_from_one_track_are_spread_over_like_ones() {
        let pairs: Vec<(u64, u64)> = (1..=20).map(|on| (100, 100 + on)).chain([(7, 9)]).collect();
        let spread = spread(pairs, 1_000, 8);
        assert_eq!(spread.len(), 21);
        let mut begun: Vec<u64> = spread.iter().map(|(from, _)| *from).collect();
        begun.dedup();
        assert_eq!(begun.len(), 21, "{spread:?}");
        assert!(
            spread.iter().all(|(from, to)| *to < 1_000 && from % 8 == 4 || (*from, *to) == (7, 9))
        );
        let ways: Vec<u64> = spread[1..].iter().map(|(from, to)| to - from).collect();
        assert_eq!(ways, (1..=20).collect::<Vec<u64>>());
        // Without room they stay where they are.
        assert_eq!(super::spread(vec![(1, 2), (1, 3)], 4, 8), [(1, 2), (1, 3)]);
    }
}
