//! Fast answers near what was read before: a cache's, where they are more than come by chance.

use std::collections::VecDeque;

/// Requests near what was read before that are looked at together.
const WINDOW: usize = 32;
/// So many fast answers among them come by chance once in a million times, as its logarithm.
const SURE: f64 = 13.8;

/// The last requests near what was read before: how many requests ago that was, and whether they
/// were answered fast.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(VecDeque<(usize, bool)>);

impl Seen {
    pub(super) fn add(&mut self, age: usize, hit: bool) {
        self.0.push_front((age, hit));
        self.0.truncate(WINDOW);
    }

    /// How long ago what is held was read, usually; none where fast answers may be chance: the
    /// sector that happens to come by, as one in so many does.
    pub(super) fn age(&mut self, chance: f64) -> Option<usize> {
        let mut ages: Vec<usize> = self.0.iter().filter(|seen| seen.1).map(|seen| seen.0).collect();
        let share = ages.len() as f64 / self.0.len().max(1) as f64;
        if share <= chance || self.0.len() as f64 * divergence(share, chance) < SURE {
            return None;
        }
        // What comes later is seen with other requests between.
        self.0.clear();
        ages.sort_unstable();
        ages.get(ages.len() / 2).copied()
    }
}

/// The Kullback-Leibler divergence of one share from another, which bounds how often so large a
/// share comes about by chance (Chernoff).
fn divergence(share: f64, chance: f64) -> f64 {
    let part = |one: f64, other: f64| if one > 0.0 { one * (one / other).ln() } else { 0.0 };
    part(share, chance) + part(1.0 - share, 1.0 - chance)
}
