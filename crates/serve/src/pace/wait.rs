//! Waiting for a deadline or for a socket: asleep for most of it, awake for the last part.

use super::{Margin, now_ns};
use rustix::event::{PollFd, Timespec, poll};
use std::io;

/// Before a deadline the thread is awake for so long, at least and at most: a host wakes it up later than
/// asked for, and one whose processor slept, much later.
const AWAKE_NS: [u64; 2] = [100_000, 2_000_000];
/// Where nothing is due the thread looks for so long before it sleeps: who asks again as soon as it is
/// answered is heard without a host that has to wake it up.
const LINGER_NS: u64 = 50_000;
/// Over a window of this length the thread is awake for half of it at most, for those it serves need
/// a processor too, and Linux stops real-time threads that are always awake.
const WINDOW_NS: u64 = 20_000_000;

/// What ended a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Woken {
    /// The deadline is there.
    Deadline,
    /// A descriptor is ready.
    Ready,
}

/// Waits, and keeps account of how long it was awake.
#[derive(Debug)]
pub(crate) struct Waiter {
    /// With one processor those who are waited for could not run.
    may_spin: bool,
    window_from_ns: u64,
    awake_ns: u64,
    /// How long before a deadline the thread is to be awake: as long as the host is late to wake it up.
    ahead: Margin,
    /// Since then the thread has been awake for a deadline, and till when it is.
    alert: Option<(u64, u64)>,
}

impl Waiter {
    pub(crate) fn new(processors: usize) -> Self {
        Self {
            may_spin: processors > 1,
            window_from_ns: now_ns(),
            awake_ns: 0,
            ahead: Margin::new(AWAKE_NS),
            alert: None,
        }
    }

    /// Waits until `deadline_ns`, if there is one, or until a descriptor is ready.
    ///
    /// # Errors
    /// What the system says of the descriptors.
    pub(crate) fn wait(
        &mut self,
        deadline_ns: Option<u64>,
        fds: &mut [PollFd<'_>],
    ) -> io::Result<Woken> {
        let Some(deadline_ns) = deadline_ns else {
            if !self.linger(fds)? {
                ready(fds, None)?;
            }
            return Ok(Woken::Ready);
        };
        let now = now_ns();
        if let Some((from_ns, till_ns)) = self.alert.take() {
            self.awake_ns += till_ns.min(now) - from_ns;
        }
        let until_ns = deadline_ns.saturating_sub(self.ahead_ns(now));
        if now < until_ns && ready(fds, Some(until_ns - now))? {
            return Ok(Woken::Ready);
        }
        let from = now_ns();
        if now < until_ns {
            // Twice as long: of those that are later than most, few are twice as late.
            self.ahead.learn(2 * from.saturating_sub(until_ns));
        }
        let woken = spin(deadline_ns, fds)?;
        match woken {
            Woken::Deadline => self.alert = Some((from, deadline_ns.max(from))),
            Woken::Ready => self.awake_ns += now_ns() - from,
        }
        Ok(woken)
    }

    /// Looks at the descriptors for a while: whether one is ready.
    fn linger(&mut self, fds: &mut [PollFd<'_>]) -> io::Result<bool> {
        let from = now_ns();
        let until = if self.has_budget(from) { from + LINGER_NS } else { from };
        let mut is_ready = false;
        while !is_ready && now_ns() < until {
            is_ready = ready(fds, Some(0))?;
        }
        self.awake_ns += now_ns() - from;
        Ok(is_ready)
    }

    /// How long before a deadline the thread is to be awake, as things are.
    fn ahead_ns(&mut self, now: u64) -> u64 {
        if self.has_budget(now) { self.ahead.ns() } else { 0 }
    }

    fn has_budget(&mut self, now: u64) -> bool {
        if now - self.window_from_ns > WINDOW_NS {
            (self.window_from_ns, self.awake_ns) = (now, 0);
        }
        self.may_spin && self.awake_ns < WINDOW_NS / 2
    }
}

/// Looks at the descriptors until the deadline, and once where it has passed: who speaks is heard also
/// while one deadline follows upon the other.
fn spin(deadline_ns: u64, fds: &mut [PollFd<'_>]) -> io::Result<Woken> {
    loop {
        if ready(fds, Some(0))? {
            return Ok(Woken::Ready);
        }
        if now_ns() >= deadline_ns {
            return Ok(Woken::Deadline);
        }
    }
}

/// Looks at the clock alone until an instant, which is near.
pub(crate) fn stay_awake_until(ns: u64) {
    while now_ns() < ns {
        std::hint::spin_loop();
    }
}

/// Whether a descriptor is ready within this many nanoseconds.
fn ready(fds: &mut [PollFd<'_>], within_ns: Option<u64>) -> io::Result<bool> {
    let timeout = within_ns.map(|ns| Timespec {
        tv_sec: (ns / 1_000_000_000) as i64,
        tv_nsec: (ns % 1_000_000_000) as _,
    });
    match poll(fds, timeout.as_ref()) {
        Ok(ready) => Ok(ready > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn who_speaks_is_heard_although_a_deadline_has_passed() {
        let (reader, mut writer) = std::os::unix::net::UnixStream::pair().unwrap();
        let mut fds = [PollFd::new(&reader, rustix::event::PollFlags::IN)];
        let mut waiter = Waiter::new(2);
        assert_eq!(waiter.wait(Some(0), &mut fds).unwrap(), Woken::Deadline);
        writer.write_all(&[1]).unwrap();
        assert_eq!(waiter.wait(Some(0), &mut fds).unwrap(), Woken::Ready);
    }

    #[test]
    fn one_that_used_its_share_of_a_processor_sleeps() {
        let mut waiter = Waiter::new(2);
        waiter.awake_ns = WINDOW_NS;
        assert_eq!(waiter.ahead_ns(waiter.window_from_ns), 0);
        assert_eq!(Waiter::new(1).ahead_ns(now_ns()), 0);
    }
}
