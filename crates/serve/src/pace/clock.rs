//! The host's clock and the model's timeline on it.

use platterlab_units::{Span, Stamp};
use rustix::time::{ClockId, clock_gettime};
use std::num::NonZeroU64;

/// How fast the model's time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// In thousandths of the host's.
    Thousandths(NonZeroU64),
    /// As fast as the host can: nothing is waited for, and the model's time is that of its requests.
    Unpaced,
}

impl Speed {
    /// The host's own.
    pub const REAL: Self = Self::Thousandths(NonZeroU64::new(1000).unwrap());
}

/// The host's clock, in nanoseconds since some instant.
pub(crate) fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    // The clock begins at zero and its seconds fit for five centuries.
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// The model's timeline on the host's clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeline {
    base_ns: u64,
    base: Stamp,
    thousandths: NonZeroU64,
}

impl Timeline {
    /// One on which it is `base` at the host's `now_ns`.
    pub(crate) fn new(now_ns: u64, base: Stamp, thousandths: NonZeroU64) -> Self {
        Self { base_ns: now_ns, base, thousandths }
    }

    /// The model's time at the host's; before the timeline begins it stands still.
    pub(crate) fn stamp(&self, ns: u64) -> Stamp {
        // A nanosecond is a thousand picoseconds, of which the rate's thousandths pass.
        let passed =
            u128::from(ns.saturating_sub(self.base_ns)) * u128::from(self.thousandths.get());
        Stamp::from_ps(self.base.as_ps() + passed)
    }

    /// The first instant of the host's clock at which the model's time is reached.
    pub(crate) fn deadline_ns(&self, stamp: Stamp) -> u64 {
        let ahead = stamp.since(self.base).as_ps().div_ceil(u128::from(self.thousandths.get()));
        self.base_ns + u64::try_from(ahead).unwrap_or(u64::MAX / 2)
    }

    /// A length of the model's time on the host's clock, in nanoseconds.
    pub(crate) fn host_ns(&self, span: Span) -> u64 {
        span.as_ps() / self.thousandths.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_the_first_instant_that_is_not_early() {
        for thousandths in [1, 100, 999, 1000, 1001, 10_000] {
            let line = Timeline::new(77, Stamp::from_us(5), NonZeroU64::new(thousandths).unwrap());
            for ps in [5_000_000, 5_000_001, 5_999_999, 8_123_456, 9_000_000_000_001] {
                let stamp = Stamp::from_ps(ps);
                let ns = line.deadline_ns(stamp);
                assert!(line.stamp(ns) >= stamp, "{thousandths} {ps}");
                assert!(ns == 77 || line.stamp(ns - 1) < stamp, "{thousandths} {ps}");
            }
        }
    }
}
