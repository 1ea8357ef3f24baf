//! What kind of layout skews, lengths of tracks and movements between them allow.

use super::falling::falls;
use super::movements::Movements;
use super::orders::{MOST_SURFACES, Order};
use super::passes::{Passes, usual_passes};
use super::pattern::PatternSearch;
use super::pieces::{Pieces, cycle};
use super::possible::{all_doubted, doubted_over_the_middle, passes_of_any_width, possible};
use super::short_groups::by_groups;
use super::two_skews::{Within, within};
use crate::{Estimate, Status};
use schemars::JsonSchema;
use serde::Serialize;

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
    fn is(value: &'static str, method: &'static str) -> Self {
        let alternatives = Vec::new();
        Self { value: Some(value), confidence: 0.99, alternatives, method, status: Status::Ok }
    }

    /// What all of the words say, if they agree.
    fn agreed(mut words: Vec<&'static str>, method: &'static str) -> Self {
        words.sort_unstable();
        words.dedup();
        match words[..] {
            [] => Self::unsupported(method),
            [word] => Self::is(word, method),
            _ => Self::one_of(words, method),
        }
    }

    /// No longer trusted: the word is one of those that it may be.
    pub(crate) fn doubt(&mut self) {
        if let Some(word) = self.value.take() {
            *self = Self::one_of(vec![word], self.method);
        }
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
    /// Which of two skews in turn is that within a cylinder or a pass.
    #[serde(skip)]
    pub(crate) within: Within,
}

impl LayoutGuess {
    /// No longer trusted, in any part.
    pub(crate) fn doubt(&mut self, why: &str) {
        let words =
            [&mut self.class, &mut self.order, &mut self.surface_order, &mut self.seek_direction];
        words.into_iter().filter(|word| word.status == Status::Ok).for_each(Finding::doubt);
        for count in [&mut self.surfaces, &mut self.serpentine_cylinders] {
            count.doubt(why);
        }
    }
}

const METHOD: &str = "orders that movements between tracks do not contradict";
/// Groups of passes beyond which movements are farther the more tracks they go over.
const FEW_GROUPS: u64 = 4;
/// Tracks whose lengths are looked at.
const LENGTHS: u64 = 400;
/// Zones that tell whether tracks are short of spares.
const ZONES: usize = 64;

/// What all of it allows; by the pace of the sectors on tracks of a length.
pub(super) fn guess(
    pattern: &PatternSearch,
    movements: &Movements,
    pieces: &Pieces,
    pace: impl Fn(u64) -> Option<f64>,
) -> LayoutGuess {
    let mut orders = possible(pattern, movements, pieces);
    if all_doubted(&orders, pattern, movements) {
        return anything();
    }
    let passing = pattern.along_ms.is_some() && usual_passes(pattern).is_none();
    if passing && pattern.short_cycle().is_none() && !orders.is_empty() {
        // First sectors that lie in passes of no one width are those of cylinders no more than of passes.
        orders.extend(passes_of_any_width(pattern));
    }
    let orders = by_lengths(orders, pattern, pieces, &pace);
    let orders = by_groups(orders, &pieces.list);
    if orders.is_empty() {
        return anything();
    }
    let words = |word: &dyn Fn(&Order) -> Option<&'static str>| {
        Finding::agreed(orders.iter().filter_map(word).collect(), METHOD)
    };
    let direction = |back: bool| if back { "alternating" } else { "forward" };
    let mut seek_direction = words(&|order| order.width.map(|_| direction(order.passes_back)));
    if orders.iter().any(|order| order.width.is_none()) {
        // There may be no passes.
        seek_direction.doubt();
    }
    let mut guess = LayoutGuess {
        class: words(&|order| Some(class(order))),
        order: words(&|order| Some(named(order))),
        surface_order: words(&|order| Some(direction(order.surfaces_back))),
        seek_direction,
        surfaces: agreed(&orders, |order| Some(order.surfaces)),
        serpentine_cylinders: agreed(&orders, |order| order.width),
        within: within(pattern, &orders),
    };
    let wide: Vec<Order> = orders.iter().filter(|order| order.width.is_some()).copied().collect();
    if let Some(why) = left_over(&guess, pattern, movements, pieces.tracks()) {
        guess.doubt(why);
    } else if doubted_over_the_middle(&wide, pattern, movements) {
        guess.doubt("movements over the middle contradict it");
    }
    guess
}

/// Why the orders that are left may all be wrong: the drive's may be none of those that are known.
fn left_over(
    guess: &LayoutGuess,
    pattern: &PatternSearch,
    movements: &Movements,
    tracks: u64,
) -> Option<&'static str> {
    let count = |estimate: &Estimate| estimate.ok().map(|count| count as u64);
    let (surfaces, width) = (count(&guess.surfaces), count(&guess.serpentine_cylinders));
    let from_tracks = match (guess.class.value?, surfaces, width) {
        ("seek-first", None, None) => return Some("orders that are left agree on no count"),
        ("seek-first", _, Some(width))
            if pattern.short_cycle().is_some_and(|cycle| cycle.period < width) =>
        {
            return Some("skews change within passes");
        }
        ("seek-first", Some(surfaces), Some(width)) if 2 * surfaces * width > tracks => {
            return Some("passes are too wide to be seen to come again");
        }
        // Within a few groups of passes the arm goes back and forth.
        ("seek-first", surfaces, width) => FEW_GROUPS * surfaces? * width?,
        (_, surfaces, _) => FEW_GROUPS * surfaces.unwrap_or(1),
    };
    let falls = falls(movements.profile().chain(movements.over_the_middle()), from_tracks);
    falls.then_some("farther movements take less than nearer ones")
}

/// Where no order explains the movements, or too few were timed: nothing is excluded.
fn anything() -> LayoutGuess {
    const WHY: &str = "no order explains the movements, or too few were timed";
    let open = |words: &[&'static str]| Finding::one_of(words.to_vec(), METHOD);
    LayoutGuess {
        class: open(&["head-first", "one-surface", "seek-first"]),
        order: open(&ORDERS),
        surface_order: open(&["alternating", "forward"]),
        seek_direction: open(&["alternating", "forward"]),
        surfaces: Estimate::ambiguous(METHOD, WHY),
        serpentine_cylinders: Estimate::ambiguous(METHOD, WHY),
        within: Within::default(),
    }
}

fn class(order: &Order) -> &'static str {
    match (order.width, order.surfaces) {
        (_, 1) => "one-surface",
        (None, _) => "head-first",
        (Some(_), _) => "seek-first",
    }
}

const ORDERS: [&str; 6] = [
    "traditional",
    "cylinder-serpentine",
    "hybrid-serpentine",
    "surface-serpentine",
    "alternating-hybrid-serpentine",
    "alternating-surface-serpentine",
];

fn named(order: &Order) -> &'static str {
    let (back, surfaces_back) = (usize::from(order.passes_back), usize::from(order.surfaces_back));
    ORDERS[if order.width.is_none() { surfaces_back } else { 2 + back + 2 * surfaces_back }]
}

/// A count on which all orders agree.
fn agreed(orders: &[Order], count: impl Fn(&Order) -> Option<u64>) -> Estimate {
    let mut counts: Vec<Option<u64>> = orders.iter().map(count).collect();
    counts.sort_unstable();
    counts.dedup();
    match counts[..] {
        [] => Estimate::unsupported(METHOD, "no order is left"),
        [None] => Estimate::unsupported(METHOD, "belongs to orders that seek first"),
        [Some(count)] => Estimate::exact(count, METHOD),
        _ => {
            let listed: Vec<u64> = counts.into_iter().flatten().take(8).collect();
            Estimate::ambiguous(METHOD, format!("movements allow {listed:?}"))
        }
    }
}

/// Leaves out the orders that the lengths of tracks contradict, where surfaces differ in them.
fn by_lengths(
    orders: Vec<Order>,
    pattern: &PatternSearch,
    pieces: &Pieces,
    pace: &dyn Fn(u64) -> Option<f64>,
) -> Vec<Order> {
    let length = |track: u64| Some(pieces.track(track)?.1);
    let (from, lengths, heads_first): (u64, Vec<u64>, bool) = match usual_passes(pattern) {
        Some(Passes { tracks, width }) => {
            let firsts = (tracks.0..tracks.1).step_by(width as usize);
            (tracks.0, firsts.filter_map(length).collect(), false)
        }
        None => (0, (0..pieces.tracks().min(LENGTHS)).filter_map(length).collect(), true),
    };
    let cycle = cycle(&lengths);
    let recurring = cycle.len() as u64;
    if recurring < 2 {
        return orders;
    }
    let spares = is_spared(cycle, pieces, pace);
    // A cycle and its mirror image are one where there are two surfaces or two lengths.
    // Lengths that recur after a few tracks are those of surfaces that the head changes between.
    let switched = heads_first && recurring <= 2 * MOST_SURFACES;
    // Of passes as wide as there are surfaces, lengths of tracks recur as those of heads that go back would.
    let by_passes = |order: &Order| {
        order.width.filter(|_| heads_first).is_some_and(|width| {
            recurring.is_multiple_of(width)
                && (2 * width * order.surfaces).is_multiple_of(recurring)
        })
    };
    // Forwards and backwards come the same lengths; the cycle is the last of them.
    let both_ways = |order: &Order| {
        let begins = order.begins_at(from, recurring) + cycle.len() - lengths.len() % cycle.len();
        recurring == order.surfaces && is_palindrome(cycle, begins)
    };
    let fits = |order: &Order| {
        by_passes(order)
            || both_ways(order)
            || (order.width.is_none() != heads_first && !switched)
            || order.surfaces == 1
            || order.surfaces_back && spares != Some(true) && recurring == 2 * order.surfaces
            || (!order.surfaces_back || spares != Some(false)) && recurring == order.surfaces
    };
    let kept: Vec<Order> = orders.iter().copied().filter(fits).collect();
    if kept.is_empty() { orders } else { kept }
}

/// Whether a cycle that begins there is its own mirror image.
fn is_palindrome(cycle: &[u64], begins: usize) -> bool {
    let at = |index: usize| cycle[(begins + index) % cycle.len()];
    (0..cycle.len()).all(|index| at(index) == at(cycle.len() - 1 - index))
}

/// Whether one track of a cylinder, or one pass of a group, may be short of its spares, which come last whichever way
/// it is gone through: one is shorter, and of two its sectors are not as much wider. Of a length that tracks of other
/// zones have too, the pace tells nothing; nor of two that hardly differ, which then may be either, `None`.
fn is_spared(cycle: &[u64], pieces: &Pieces, pace: &dyn Fn(u64) -> Option<f64>) -> Option<bool> {
    let most = cycle.iter().max()?;
    let alone = cycle.iter().filter(|length| *length != most).count() == 1;
    let list = &pieces.list;
    let has = |at: usize, length: &u64| list.get(at).is_some_and(|it| it.sectors.contains(length));
    // Passes are pieces of one length each.
    let with = |at: usize, length: &u64| match list[at].sectors.len() {
        1 => (at.saturating_sub(1)..=at + 1).any(|it| has(it, length)),
        _ => has(at, length),
    };
    let own = |one: &u64, other: &u64| {
        (0..list.len())
            .all(|at| (!has(at, one) || with(at, other)) && (!has(at, other) || with(at, one)))
    };
    let wide = |cycle: &[u64]| {
        let [one, other] = *cycle else { return None };
        let (most, least) = (one.max(other), one.min(other));
        are_apart(most, least).then_some(())?;
        let (short, long) = pace(least).zip(pace(most)).filter(|_| own(&most, &least))?;
        Some(short / long >= f64::midpoint(1.0, most as f64 / least as f64))
    };
    // All zones are alike in that: those tell whose lengths no others have.
    let zones = list.iter().filter(|piece| piece.sectors.len() == 2).take(ZONES);
    let told: Vec<bool> =
        zones.map(|piece| &piece.sectors[..]).chain([cycle]).filter_map(wide).collect();
    let wide = told.iter().filter(|wide| **wide).count();
    match cycle {
        _ if !alone => Some(false),
        [one, other] if told.is_empty() && !are_apart(*one.max(other), *one.min(other)) => None,
        _ => Some(cycle.len() != 2 || 2 * wide <= told.len()),
    }
}

/// Whether tracks of two lengths differ by so much that the pace of their sectors tells which are wider.
pub(crate) fn are_apart(most: u64, least: u64) -> bool {
    const APART: f64 = 0.005;
    (most - least) as f64 >= APART * most as f64
}

#[cfg(test)]
mod tests {
    use super::super::pieces::Pieces;
    use super::{ORDERS, is_palindrome, is_spared};
    use platterlab_drive::TrackOrder;
    use serde::Deserialize;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};

    #[test]
    fn each_order_is_a_word_of_the_profile_file() {
        for word in ORDERS {
            let read: StrDeserializer<'_, Error> = word.into_deserializer();
            assert!(TrackOrder::deserialize(read).is_ok(), "{word}");
        }
    }

    #[test]
    fn lengths_are_the_same_both_ways_from_where_a_cylinder_begins() {
        for (begins, alike) in [(0, true), (1, false), (2, true), (3, false), (4, true)] {
            assert_eq!(is_palindrome(&[60, 57, 57, 60], begins), alike, "{begins}");
        }
        assert!(!is_palindrome(&[60, 57, 55, 60], 0));
    }

    #[test]
    fn the_pace_of_a_length_that_another_zone_has_tells_no_surface() {
        let zones = |zones: &[[u64; 2]]| {
            let (mut pieces, mut at) = (Pieces::default(), 0);
            for cycle in zones {
                pieces.push_cycles(at, cycle, 40);
                at += 40 * cycle.iter().sum::<u64>();
            }
            pieces
        };
        let (alone, both) = (zones(&[[218, 212]]), zones(&[[218, 212], [212, 206]]));
        // Sectors as wide as their tracks have room for, and as wide on both tracks of a cylinder.
        let own = |length: u64| Some(1.0 / length as f64);
        let (one, told) = ([218, 212], [Some(false), Some(true)]);
        assert_eq!(is_spared(&one, &alone, &own), told[0]);
        assert_eq!(is_spared(&one, &alone, &|_| Some(1.0)), told[1]);
        assert_eq!(is_spared(&one, &both, &own), told[1]);
        let several = zones(&[[218, 212], [212, 206], [199, 193]]);
        assert_eq!(is_spared(&one, &several, &own), told[0]);
        // Of 218 and 217 the pace of either is the same, as far as it is known.
        assert_eq!(is_spared(&[218, 217], &zones(&[[218, 217]]), &own), None);
        // Passes over two surfaces are pieces of one length each.
        let (mut passes, mut at) = (Pieces::default(), 0);
        for length in [218, 212, 218, 212, 209, 203, 209, 203] {
            passes.push_cycles(at, &[length], 10);
            at += 10 * length;
        }
        assert_eq!(is_spared(&one, &passes, &own), told[0]);
        assert_eq!(is_spared(&one, &passes, &|_| Some(1.0)), told[1]);
        for length in [212, 206, 212, 206] {
            passes.push_cycles(at, &[length], 10);
            at += 10 * length;
        }
        assert_eq!(is_spared(&one, &passes, &own), told[1]);
    }
}
