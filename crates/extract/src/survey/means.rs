//! Where all tracks are alike: what many movements say that single ones do not.
//!
//! By an order, a movement takes what its cylinders and its head switch take, whatever the tracks'
//! numbers. Means over many tracks in a row show a part of the host's jitter.

use super::orders::{MOST_SURFACES, Order, Timing};
use super::pieces::Pieces;
use crate::stats::{MEDIAN_ERROR, mad, median};
use std::collections::BTreeMap;

/// Movements of a mean, at least.
const FEWEST: usize = 4;
/// Standard errors by which means differ.
const DIFFERENT: f64 = 5.0;
/// Counts of tracks after which what another order does would come back.
const RECURRENCES: std::ops::RangeInclusive<u64> = 2..=8;

/// Movements that take the same: how long, and the standard error of it.
#[derive(Clone, Copy, Debug)]
struct Mean {
    time: f64,
    error: f64,
}

/// Whether means of near movements contradict an order: some take longer than others that go over no
/// fewer cylinders and change heads.
pub(super) fn contradict(order: &Order, timings: &[Timing], resolution_ms: f64) -> bool {
    let near: Vec<&Timing> =
        timings.iter().filter(|it| it.from.abs_diff(it.to) <= 2 * MOST_SURFACES).collect();
    let mut counts = RECURRENCES.chain(std::iter::once(order.surfaces));
    counts.any(|count| {
        let means = means(&near, |it| {
            (order.movement(it.from, it.to), it.from.abs_diff(it.to), it.from % count)
        });
        means.iter().any(|(((cylinders, switch), ..), one)| {
            means
                .iter()
                .filter(|(((other, switches), ..), _)| cylinders <= other && switch <= switches)
                .any(|(_, other)| {
                    let errors = DIFFERENT * one.error.hypot(other.error);
                    one.time - other.time > errors + resolution_ms
                })
        })
    })
}

fn means<K: Ord + Copy>(timings: &[&Timing], key: impl Fn(&Timing) -> K) -> Vec<(K, Mean)> {
    let mut classes: BTreeMap<K, Vec<f64>> = BTreeMap::new();
    for timing in timings {
        classes.entry(key(timing)).or_default().push(timing.likely);
    }
    classes.retain(|_, times| times.len() >= FEWEST);
    let off: Vec<f64> = classes
        .values()
        .filter_map(|times| Some((median(times)?, times)))
        .flat_map(|(middle, times)| times.iter().map(move |time| time - middle))
        .collect();
    // Of few movements each, their scatter about the middle is less than what one has.
    let scatter = MEDIAN_ERROR * mad(&off).unwrap_or(0.0);
    let mean = |times: &Vec<f64>| {
        let error = MEDIAN_ERROR * scatter / (times.len() as f64).sqrt();
        median(times).map(|time| Mean { time, error })
    };
    classes.into_iter().filter_map(|(key, times)| Some((key, mean(&times)?))).collect()
}

/// Whether one arm with one head moves: the same distances take the same from everywhere, and from
/// the first of all tracks to the last the arm takes longer the further it goes.
/// A pass begins with the drive's first track.
pub(super) fn one_pass(timings: &[Timing], field: (u64, u64), pieces: &Pieces) -> bool {
    let whole = pieces.track(0).is_some_and(|(first_lba, _)| first_lba == 0);
    whole && even(timings, field) && rises(timings, pieces.tracks())
}

/// Whether distances of eight and more tracks take the same from everywhere, over each that is
/// a power of two up to a quarter of the field.
fn even(timings: &[Timing], field: (u64, u64)) -> bool {
    let mut octaves = std::iter::successors(Some(8), |on| Some(2 * on))
        .take_while(|on| 4 * on <= field.1 - field.0);
    octaves.all(|on| {
        let inside = |it: &&Timing| field.0 <= it.from && it.to < field.1;
        let alike = timings.iter().filter(|it| it.from + on == it.to).filter(inside);
        let alike: Vec<&Timing> = alike.collect();
        let times: Vec<f64> = alike.iter().map(|it| it.time).collect();
        let Some(middle) = median(&times).filter(|_| times.len() > FEWEST) else { return false };
        let strays = alike.iter().filter(|it| (it.time - middle).abs() > 2.0 * it.width).count();
        strays <= 1
    })
}

/// Whether no far track takes less than a nearer one, or as little as one at a fourth of its distance:
/// the first of a second pass would.
fn rises(timings: &[Timing], tracks: u64) -> bool {
    /// Nearer ones are told by [`even`].
    const FROM: u64 = 128;
    /// One that could not be timed may be missing: with what comes before it, a pass still shows.
    const GAP: f64 = 1.6;
    /// The second pass begins within half of the tracks.
    const LAST: f64 = 0.7;
    let mut far: Vec<&Timing> = timings.iter().filter(|it| it.from == 0 && it.to > 0).collect();
    far.sort_unstable_by_key(|it| it.to);
    let to_the_end = far.last().is_some_and(|last| last.to as f64 >= LAST * tracks as f64);
    let beyond: Vec<&&Timing> = far.iter().filter(|it| it.to >= FROM / 4).collect();
    let no_gap = beyond.windows(2).all(|pair| pair[1].to as f64 <= GAP * pair[0].to as f64 + 1.0);
    let never_less = far.iter().enumerate().all(|(index, one)| {
        far[index + 1..].iter().all(|other| other.time + other.width >= one.time - one.width)
    });
    let longer = beyond.iter().filter(|it| it.to >= FROM).all(|one| {
        let mut nearer = far.iter().filter(|other| 4 * other.to <= one.to);
        nearer.all(|other| one.time - other.time > one.width.max(other.width))
    });
    to_the_end && no_gap && never_less && longer
}
