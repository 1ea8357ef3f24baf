//! Limits of the host: how late it wakes a thread, how long it takes one away, and what it
//! grants to one that has to be on time.

use super::now_ns;
use platterlab_device::linux::Scheduling;
use platterlab_results::Histogram;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::mm::{MlockAllFlags, mlockall, munlockall};
use rustix::thread::set_current_timer_slack;
use std::io::{self, Read, Write};
use std::num::NonZeroU64;
use std::os::unix::net::UnixStream;

/// What the host granted the calling thread; when this is dropped, the policy goes back to what it
/// was, and the process's memory is free again.
#[derive(Debug)]
pub(crate) struct Favours {
    /// Real-time scheduling, if it was granted.
    pub(crate) real_time: Option<Scheduling>,
    /// Whether no page of the process can be taken away.
    pub(crate) locked: bool,
    /// Whether its waits are not rounded.
    pub(crate) exact_timers: bool,
}

impl Favours {
    /// Asks for all that can be had.
    pub(crate) fn ask(wanted: bool) -> Self {
        if !wanted {
            return Self { real_time: None, locked: false, exact_timers: false };
        }
        Self {
            exact_timers: set_current_timer_slack(NonZeroU64::new(1)).is_ok(),
            // What is touched later is locked then: the store need not fit.
            locked: mlockall(MlockAllFlags::CURRENT | MlockAllFlags::ONFAULT).is_ok(),
            real_time: Scheduling::set(None, true).ok(),
        }
    }
}

impl Drop for Favours {
    fn drop(&mut self) {
        // Others in this process may have to give pages back, which the system refuses of locked ones.
        if self.locked {
            let _ = munlockall();
        }
    }
}

/// How the host did in a short trial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    /// A byte to another thread and back, in the middle of many.
    pub(crate) floor_us: f64,
    /// Gaps of more than 20 us in which a busy thread did not run, per second.
    pub(crate) gaps_per_s: f64,
    /// The longest of them.
    pub(crate) longest_gap_us: f64,
    /// The share of time that went into them.
    pub(crate) lost_share: f64,
}

impl Measured {
    /// Tries it, for a tenth of a second.
    ///
    /// # Errors
    /// The system has no sockets or threads to give.
    pub(crate) fn try_out() -> io::Result<Self> {
        let floor_us = floor_us()?;
        let (from, mut last) = (now_ns(), now_ns());
        let (mut gaps, mut longest, mut lost) = (0_u32, 0, 0);
        while last - from < 50_000_000 {
            let now = now_ns();
            let gap = now - last;
            if gap > 20_000 {
                (gaps, longest, lost) = (gaps + 1, gap.max(longest), lost + gap);
            }
            last = now;
        }
        let all = (last - from) as f64;
        Ok(Self {
            floor_us,
            gaps_per_s: f64::from(gaps) / all * 1e9,
            longest_gap_us: longest as f64 / 1e3,
            lost_share: lost as f64 / all,
        })
    }
}

/// A byte to another thread that waits for it and back, over sockets as clients have them.
fn floor_us() -> io::Result<f64> {
    let (mut here, mut there) = UnixStream::pair()?;
    let echo = std::thread::Builder::new().name("floor".to_owned()).spawn(move || {
        let mut byte = [0];
        while let Ok(1) = there.read(&mut byte) {
            if there.write_all(&byte).is_err() {
                return;
            }
        }
    })?;
    let mut times = Histogram::<9>::default();
    for _ in 0..200 {
        let from = now_ns();
        here.write_all(&[1])?;
        let timeout = Timespec { tv_sec: 1, tv_nsec: 0 };
        poll(&mut [PollFd::new(&here, PollFlags::IN)], Some(&timeout))?;
        here.read_exact(&mut [0])?;
        times.add(now_ns() - from);
    }
    drop(here);
    // It ends with its socket and has nothing to say.
    let _ = echo.join();
    Ok(times.quantile(0.5) / 1e3)
}
