//! What kind of layout skews, lengths of tracks and movements between them allow.

use super::asked::{Asked, Why};
use super::movements::Movements;
use super::pattern::PatternSearch;
use super::pieces::{Pieces, cycle};
use crate::{Estimate, Status};
use schemars::JsonSchema;
use serde::Serialize;

/// Passes to either side of one that are compared with it.
const NEIGHBOURS: usize = 12;
/// Passes that are compared with their neighbours.
const REFERENCES: usize = 4;

/// A property that is a word, or why there is none.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Finding {
    /// The word; none where it would be a guess.
    pub value: Option<&'static str>,
    /// Share of the evidence that speaks for it, from 0 to 1.
    pub confidence: f64,
    /// What else it may be.
    pub alternatives: Vec<&'static str>,
    /// What it was read off from.
    pub method: &'static str,
    /// Whether it can be used.
    pub status: Status,
}

impl Finding {
    fn is(value: &'static str, confidence: f64, method: &'static str) -> Self {
        let status = if confidence >= 0.75 { Status::Ok } else { Status::Ambiguous };
        Self { value: Some(value), confidence, alternatives: Vec::new(), method, status }
    }

    fn one_of(alternatives: Vec<&'static str>, method: &'static str) -> Self {
        Self { value: None, confidence: 0.0, alternatives, method, status: Status::Ambiguous }
    }

    pub(super) fn unsupported(method: &'static str) -> Self {
        Self {
            value: None,
            confidence: 0.0,
            alternatives: Vec::new(),
            method,
            status: Status::Unsupported,
        }
    }
}

/// The layout as far as it shows.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct LayoutGuess {
    /// `head-first`, `seek-first` or `one-surface`.
    pub class: Finding,
    /// The profile's word for the order.
    pub order: Finding,
    /// Whether groups of passes (cylinders, where heads come first) start on the same surface
    /// each time: `forward` or `alternating`.
    pub surface_order: Finding,
    /// Whether passes start at the same cylinder each time: `forward` or `alternating`.
    pub seek_direction: Finding,
    /// Recording surfaces.
    pub surfaces: Estimate,
    /// Cylinders that a serpentine passes over before it changes the surface.
    pub serpentine_cylinders: Estimate,
}

/// The movements that tell layouts apart, and those of the seek profile.
pub(super) fn questions(pattern: &PatternSearch, pieces: &Pieces) -> Vec<Asked> {
    let total = pieces.tracks();
    let middle = total / 2;
    let mut asked = Vec::new();
    let mut away = 1;
    while away < total - middle {
        asked.push(Asked { why: Why::Profile(away), from: middle, to: middle + away });
        away = (away * 3 / 2).max(away + 1);
    }
    if let Some((first, period)) = short_cycle(pattern) {
        asked.extend(
            (1..2 * period)
                .map(|on| Asked { why: Why::Cycle(on), from: first, to: first + on })
                .filter(|asked| asked.to < total),
        );
    }
    let passes: Vec<(u64, u64)> = widths(pattern);
    let count = passes.len();
    for number in 0..REFERENCES.min(count) {
        let one = (2 * number + 1) * count / (2 * REFERENCES.min(count));
        let (from, width) = passes[one];
        let at = |pass: usize, quarters: u64| passes[pass].0 + passes[pass].1 * quarters / 4;
        asked.push(Asked {
            why: Why::Quarter(one),
            from: from + width / 2,
            to: from + width / 2 + width / 4,
        });
        for other in one.saturating_sub(NEIGHBOURS)..count.min(one + NEIGHBOURS + 1) {
            if other != one {
                let why = Why::Middles(one, other);
                asked.push(Asked { why, from: at(one, 2), to: at(other, 2) });
            }
        }
        if one + 1 < count {
            let next = one + 1;
            asked.push(Asked { why: Why::Same(one), from: at(one, 1), to: at(next, 1) });
            asked.push(Asked { why: Why::Mirrored(one), from: at(one, 1), to: at(next, 3) });
        }
    }
    asked
}

/// First track of a cycle in the middle of those looked at, and the cycle's length.
fn short_cycle(pattern: &PatternSearch) -> Option<(u64, u64)> {
    let skews = pattern.skews.as_ref()?;
    let period = skews.surfaces.ok()? as u64;
    Some((pattern.field.0 + skews.phase? as u64 + 1, period))
}

/// First track and length of each pass.
fn widths(pattern: &PatternSearch) -> Vec<(u64, u64)> {
    pattern.passes.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect()
}

/// What all of it allows.
pub(super) fn guess(
    pattern: &PatternSearch,
    movements: &Movements,
    pieces: &Pieces,
) -> LayoutGuess {
    let time = |why: Why| movements.time(why);
    if short_cycle(pattern).is_some() {
        return of_cycle(pattern, pieces, &time);
    }
    of_passes(pattern, pieces, &time)
}

type Times<'a> = &'a dyn Fn(Why) -> Option<(f64, f64)>;

/// Whether the first of two times is clearly the shorter one.
fn shorter(one: Option<(f64, f64)>, other: Option<(f64, f64)>) -> Option<bool> {
    let ((one, wide), (other, as_wide)) = (one?, other?);
    Some(one + wide + as_wide < other)
}

const CYCLE: &str = "skews recur after a few tracks";

/// Skews recur after a few tracks: heads first, or serpentines of a few cylinders.
fn of_cycle(pattern: &PatternSearch, pieces: &Pieces, time: Times<'_>) -> LayoutGuess {
    let (_, period) = short_cycle(pattern).unwrap_or((0, 1));
    let surfaces = pattern
        .skews
        .as_ref()
        .map_or_else(|| Estimate::unsupported(CYCLE, "no pattern"), |skews| skews.surfaces.clone());
    // Along a serpentine the arm goes further with every track; in a cylinder it stays.
    let grows = shorter(time(Why::Cycle(1)), time(Why::Cycle(period - 1)));
    if grows == Some(true) && period > 2 {
        let what = "a serpentine of a few cylinders: how many surfaces it has does not show";
        return LayoutGuess {
            class: Finding::one_of(vec!["seek-first", "head-first"], CYCLE),
            order: Finding::one_of(SEEK_FIRST.to_vec(), CYCLE),
            surface_order: Finding::one_of(vec!["forward", "alternating"], CYCLE),
            seek_direction: Finding::one_of(vec!["forward", "alternating"], CYCLE),
            surfaces: Estimate::ambiguous(CYCLE, what),
            serpentine_cylinders: Estimate::exact(period, CYCLE),
        };
    }
    let order = surface_order(period, pieces, time);
    let name = match order.value {
        Some("forward") => Finding { value: Some("traditional"), ..order.clone() },
        Some(_) => Finding { value: Some("cylinder-serpentine"), ..order.clone() },
        None => Finding::one_of(vec!["traditional", "cylinder-serpentine"], order.method),
    };
    // With two tracks to a cycle there is nothing for movements to grow along.
    let sure = if period > 2 && grows.is_some() { 0.99 } else { 0.8 };
    LayoutGuess {
        class: Finding::is("head-first", sure, CYCLE),
        order: name,
        surface_order: order,
        seek_direction: Finding::unsupported("belongs to orders that seek first"),
        surfaces,
        serpentine_cylinders: Estimate::unsupported(CYCLE, "belongs to orders that seek first"),
    }
}

/// Whether cylinders start on the same surface each time: by the tracks' lengths, or by which track
/// of the next cylinder is reached without a head switch.
fn surface_order(period: u64, pieces: &Pieces, time: Times<'_>) -> Finding {
    let lengths: Vec<u64> =
        (0..pieces.tracks().min(400)).filter_map(|track| Some(pieces.track(track)?.1)).collect();
    if let Some(found) = by_lengths(&lengths, period) {
        return found;
    }
    let method = "which track of the next cylinder needs no head switch";
    let next = |on: u64| time(Why::Cycle(period + on));
    let (straight, back) = (next(0), time(Why::Cycle(2 * period - 1)));
    match (shorter(straight, back), shorter(back, straight)) {
        (Some(true), _) => Finding::is("forward", 0.95, method),
        (_, Some(true)) => Finding::is("alternating", 0.95, method),
        _ => Finding::one_of(vec!["forward", "alternating"], method),
    }
}

/// Surfaces that differ in the lengths of their tracks show their order.
fn by_lengths(lengths: &[u64], surfaces: u64) -> Option<Finding> {
    let method = "surfaces differ in the lengths of their tracks";
    let recurring = cycle(lengths);
    let count = recurring.len() as u64;
    if count < 2 || (count != surfaces && count != 2 * surfaces) {
        return None;
    }
    let word = if count == surfaces { "forward" } else { "alternating" };
    // A cycle and its mirror image are one where there are two surfaces or two lengths.
    Some(Finding::is(word, 0.95, method))
}

const PASSES: &str = "where skews differ from those along a pass";
const SEEK_FIRST: [&str; 4] = [
    "hybrid-serpentine",
    "surface-serpentine",
    "alternating-hybrid-serpentine",
    "alternating-surface-serpentine",
];

/// Long passes with the same skew.
fn of_passes(pattern: &PatternSearch, pieces: &Pieces, time: Times<'_>) -> LayoutGuess {
    let passes = widths(pattern);
    if passes.len() < 2 {
        let note = "all tracks follow each other with the same skew: one surface, or passes that \
                    do not end where tracks were mapped";
        return LayoutGuess {
            class: Finding::one_of(vec!["one-surface", "seek-first", "head-first"], PASSES),
            order: Finding::unsupported(PASSES),
            surface_order: Finding::unsupported(PASSES),
            seek_direction: Finding::unsupported(PASSES),
            surfaces: Estimate::ambiguous(PASSES, note),
            serpentine_cylinders: Estimate::ambiguous(PASSES, note),
        };
    }
    let surfaces = count_surfaces(pattern, &passes, time);
    let lengths: Vec<u64> =
        passes.iter().filter_map(|(first, _)| Some(pieces.track(*first)?.1)).collect();
    let surface_order =
        surfaces.ok().and_then(|count| by_lengths(&lengths, count as u64)).unwrap_or_else(|| {
            let method = "surfaces that do not differ in the lengths of their tracks";
            Finding::one_of(vec!["forward", "alternating"], method)
        });
    let seek_direction = direction(&passes, time);
    let order = match (seek_direction.value, surface_order.value) {
        (Some(seek), Some(surfaces)) => {
            let confidence = seek_direction.confidence.min(surface_order.confidence);
            Finding::is(named(seek, surfaces), confidence, "directions")
        }
        (Some(seek), None) => Finding::one_of(
            vec![named(seek, "forward"), named(seek, "alternating")],
            surface_order.method,
        ),
        _ => Finding::one_of(SEEK_FIRST.to_vec(), seek_direction.method),
    };
    LayoutGuess {
        class: Finding::is("seek-first", 0.99, PASSES),
        order,
        surface_order,
        seek_direction,
        surfaces,
        serpentine_cylinders: width(pattern, &passes),
    }
}

fn named(seek: &str, surfaces: &str) -> &'static str {
    match (seek, surfaces) {
        ("forward", "forward") => SEEK_FIRST[0],
        (_, "forward") => SEEK_FIRST[1],
        ("forward", _) => SEEK_FIRST[2],
        _ => SEEK_FIRST[3],
    }
}

/// The usual width of a pass.
fn width(pattern: &PatternSearch, passes: &[(u64, u64)]) -> Estimate {
    let whole = &passes[..passes.len() - usize::from(pattern.complete && passes.len() > 2)];
    let mut counts: Vec<u64> = whole.iter().map(|(_, width)| *width).collect();
    counts.sort_unstable();
    let usual = counts.chunk_by(|a, b| a == b).max_by_key(|same| same.len());
    let Some(usual) = usual else { return Estimate::unsupported(PASSES, "no pass was seen") };
    let found = Estimate::exact(usual[0], PASSES);
    if usual.len() * 2 > counts.len() {
        return found.noted(format!("{} of {} passes", usual.len(), counts.len()));
    }
    found.doubted(format!("{} of {} passes agree", usual.len(), counts.len()))
}

/// Passes over the same cylinders are near each other, wherever their addresses lie.
fn count_surfaces(pattern: &PatternSearch, passes: &[(u64, u64)], time: Times<'_>) -> Estimate {
    const METHOD: &str = "passes that are reached without a seek";
    const ALONE: &str =
        "no pass is near another: one surface, or what ends passes is something else";
    let mut votes: Vec<u64> = Vec::new();
    for one in 0..passes.len() {
        let quarter = time(Why::Quarter(one));
        if quarter.is_none() {
            continue;
        }
        let near = |other: usize| {
            let there = time(Why::Middles(one, other));
            match (shorter(there, quarter), shorter(quarter, there)) {
                (Some(true), _) => Some(true),
                (_, Some(true)) => Some(false),
                _ => None,
            }
        };
        let group_ends = |near: &mut dyn Iterator<Item = Option<bool>>, edge: bool| {
            let mut count = 0;
            for answer in near {
                match answer {
                    Some(true) => count += 1,
                    Some(false) => return Some(count),
                    None => return None,
                }
            }
            edge.then_some(count)
        };
        let below = group_ends(&mut (one.saturating_sub(NEIGHBOURS)..one).rev().map(near), {
            one <= NEIGHBOURS
        });
        let last = passes.len().min(one + NEIGHBOURS + 1);
        let at_end = last == passes.len() && pattern.complete;
        let above = group_ends(&mut (one + 1..last).map(near), at_end);
        if let (Some(below), Some(above)) = (below, above) {
            votes.push(1 + below + above);
        }
    }
    votes.sort_unstable();
    let usual = votes.chunk_by(|a, b| a == b).max_by_key(|same| same.len());
    match usual {
        None => Estimate::ambiguous(METHOD, "near and far passes are not told apart"),
        Some(usual) if usual[0] == 1 => Estimate::ambiguous(METHOD, ALONE),
        Some(usual) if usual.len() * 4 >= votes.len() * 3 => Estimate::exact(usual[0], METHOD)
            .noted(format!("{} of {} passes say so", usual.len(), votes.len())),
        Some(_) => Estimate::ambiguous(METHOD, format!("passes say {votes:?}")),
    }
}

/// Whether passes start at the same end.
fn direction(passes: &[(u64, u64)], time: Times<'_>) -> Finding {
    let method = "which end of the next pass is near";
    let (mut forward, mut back) = (0_u32, 0_u32);
    for one in 0..passes.len() {
        // Of another group both ends are far.
        let near = shorter(time(Why::Middles(one, one + 1)), time(Why::Quarter(one)));
        if near != Some(true) {
            continue;
        }
        let (same, mirrored) = (time(Why::Same(one)), time(Why::Mirrored(one)));
        forward += u32::from(shorter(same, mirrored) == Some(true));
        back += u32::from(shorter(mirrored, same) == Some(true));
    }
    let all = f64::from(forward + back);
    if forward > back {
        Finding::is("forward", f64::from(forward) / all, method)
    } else if back > forward {
        Finding::is("alternating", f64::from(back) / all, method)
    } else {
        Finding::one_of(vec!["forward", "alternating"], method)
    }
}
