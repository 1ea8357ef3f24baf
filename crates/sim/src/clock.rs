use platterlab_units::{Span, Stamp, Time};

/// Stamps of a trace of any length on the drive's 64-bit clock.
///
/// The clock holds 213 days. Before it runs out its origin moves, and the drive with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    origin_ps: u128,
}

/// The origin moves when the clock shows more than this: about 53 days.
const LATEST: Time = Time::from_ps(1 << 62);

/// What stays on the clock of the past when the origin moves: over an hour.
const PAST: Span = Span::from_ps(1 << 52);

impl Clock {
    /// The stamp on the clock, if it does not lie beyond what the clock can show.
    fn read(&self, stamp: Stamp) -> Option<Time> {
        let ps = u64::try_from(stamp.as_ps().saturating_sub(self.origin_ps)).ok()?;
        Some(Time::from_ps(ps)).filter(|time| *time <= LATEST)
    }

    /// The stamp on the clock; where its origin has to move, each move is told to `rebase`.
    pub(crate) fn time(&mut self, stamp: Stamp, mut rebase: impl FnMut(Span)) -> Time {
        loop {
            if let Some(time) = self.read(stamp) {
                return time;
            }
            let ahead = stamp.as_ps() - self.origin_ps;
            let by = u64::try_from(ahead - u128::from(PAST.as_ps())).unwrap_or(u64::MAX);
            self.origin_ps += u128::from(by);
            rebase(Span::from_ps(by));
        }
    }

    /// The instant as a stamp.
    pub(crate) fn stamp(&self, time: Time) -> Stamp {
        Stamp::from_ps(self.origin_ps + u128::from(time.as_ps()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_follows_a_trace_of_years() {
        let mut clock = Clock::default();
        let day = 86_400_000_000_u64;
        let mut moved = 0_u128;
        for days in [0, 50, 60, 400, 4_000, 40_000] {
            let stamp = Stamp::from_us(days * day);
            let time = clock.time(stamp, |by| moved += u128::from(by.as_ps()));
            assert!(time <= LATEST);
            assert_eq!(clock.stamp(time), stamp);
            assert_eq!(moved + u128::from(time.as_ps()), stamp.as_ps());
        }
        assert!(moved > 0);
    }
}
