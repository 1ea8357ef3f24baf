//! Pairs of reads that time a movement: what is asked, and what was seen.

/// Pairs of reads in a round.
pub(super) const PAIRS: u64 = 16;

/// What one pair showed: the first completion less its sector's angle, from completion to completion, what
/// of it was waited, and the angle from one sector to the other but for a constant; in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenPair {
    pub(super) round: u32,
    pub(super) first: f64,
    pub(super) time: f64,
    pub(super) wait: f64,
    pub(super) straight: f64,
}

/// A sector to begin on, one to go to, and how long to wait on the way, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadPair {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) wait: f64,
}

/// What a round of pairs searches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) low: f64,
    pub(super) high: f64,
    /// From angle to time.
    pub(super) constant: f64,
    pub(super) period: f64,
}

impl Window {
    /// From one pair to the next.
    pub(super) fn step(&self) -> f64 {
        (self.high - self.low) / PAIRS as f64
    }
}
