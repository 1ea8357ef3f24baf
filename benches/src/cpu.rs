//! The processor's time, which other work on the machine disturbs less than the clock's.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// A point in time of this thread.
///
/// Of the clock that counts to the present: what `/proc/thread-self/schedstat` says is as old as the last
/// tick, so that a repeat of 7 ms seemed to take 4.
pub(crate) struct CpuTime(Duration);

impl CpuTime {
    pub(crate) fn now() -> Self {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Self(Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    /// What the thread has had of a processor since then.
    pub(crate) fn elapsed_s(&self) -> f64 {
        (Self::now().0 - self.0).as_secs_f64()
    }
}
