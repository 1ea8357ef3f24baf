//! Tracks that were looked at, and what those leapt over may hide.

/// How often nothing happened of which there are at most so many, with 95 %: the rule of three.
const RULE_OF_THREE: f64 = 3.0;

/// Counts of tracks both ends of which were looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LookedAt {
    /// One after the other.
    pub(super) in_turn: u64,
    /// Among those that were leapt over.
    pub(super) sampled: u64,
}

impl LookedAt {
    pub(super) fn tracks(&self) -> u64 {
        self.in_turn + self.sampled
    }

    /// Of so many tracks, those at most, in percent, that differ from those around them and were not
    /// seen: none of the samples did.
    pub(super) fn most_missed_pct(&self, tracks: u64) -> f64 {
        let unseen = tracks.saturating_sub(self.tracks()) as f64;
        let share = (RULE_OF_THREE / self.sampled.max(1) as f64).min(1.0);
        if tracks == 0 { 0.0 } else { 100.0 * share * unseen / tracks as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_leapt_over_may_hide_some() {
        let seen = |in_turn, sampled| LookedAt { in_turn, sampled };
        assert_eq!(seen(100, 0).most_missed_pct(100), 0.0);
        assert_eq!(seen(0, 0).most_missed_pct(0), 0.0);
        let half_pct = seen(0, 600).most_missed_pct(60_000);
        assert!((half_pct - 0.5).abs() < 0.01, "{half_pct}");
        assert!(seen(300, 600).most_missed_pct(60_000) < half_pct);
    }
}
