//! The processor's time, which other work on the machine disturbs less than the clock's.

use std::time::Instant;

/// A point in time of this thread.
pub(crate) struct CpuTime {
    clock: Instant,
    /// Where the system says.
    on_cpu_ns: Option<u64>,
}

impl CpuTime {
    pub(crate) fn now() -> Self {
        Self { clock: Instant::now(), on_cpu_ns: on_cpu_ns() }
    }

    /// What the thread has had of a processor since then; the clock's time where nothing tells.
    pub(crate) fn elapsed_s(&self) -> f64 {
        match (self.on_cpu_ns, on_cpu_ns()) {
            (Some(then), Some(now)) if now > then => (now - then) as f64 / 1e9,
            _ => self.clock.elapsed().as_secs_f64(),
        }
    }
}

/// What Linux has counted for this thread, to the nanosecond.
fn on_cpu_ns() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
