//! The host's raw monotonic clock, from the moment a device was opened.

use platterlab_units::Time;
use rustix::time::{ClockId, clock_gettime};

/// `CLOCK_MONOTONIC_RAW`, which nobody steps or slews, from the moment a device was opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    origin_ns: i128,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { origin_ns: raw_ns() }
    }

    /// Now; the last instant of the clock after 213 days.
    #[inline]
    pub(super) fn now(self) -> Time {
        let ps = (raw_ns() - self.origin_ns) * 1_000;
        Time::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

#[inline]
fn raw_ns() -> i128 {
    let now = clock_gettime(ClockId::MonotonicRaw);
    i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec)
}
