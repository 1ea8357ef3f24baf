//! CPU affinity and real-time priority of the measuring thread.

#![allow(unsafe_code)] // rustix has no call to change the scheduling policy.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;
use std::marker::PhantomData;

/// The calling thread set apart from the others of the host, until this is dropped.
///
/// It belongs to that thread and cannot leave it.
#[derive(Debug)]
#[must_use = "the thread goes back to what it was when this is dropped"]
pub struct Scheduling {
    affinity: Option<CpuSet>,
    policy: Option<(libc::c_int, libc::sched_param)>,
    stays_on_its_thread: PhantomData<*const ()>,
}

impl Scheduling {
    /// Pins the calling thread to `cpu`, where given, and makes it a real-time one (`SCHED_FIFO`,
    /// lowest priority) where asked for.
    ///
    /// # Errors
    /// A processor that does not exist, or a process that may not do it: real time takes root or
    /// `CAP_SYS_NICE`. Then nothing has changed.
    pub fn set(cpu: Option<usize>, real_time: bool) -> io::Result<Self> {
        let mut before = Self { affinity: None, policy: None, stays_on_its_thread: PhantomData };
        if let Some(cpu) = cpu {
            if cpu >= CpuSet::MAX_CPU {
                return Err(io::Error::from(io::ErrorKind::InvalidInput));
            }
            let affinity = sched_getaffinity(None)?;
            let mut only = CpuSet::new();
            only.set(cpu);
            sched_setaffinity(None, &only)?;
            before.affinity = Some(affinity);
        }
        if real_time {
            let policy = policy()?;
            // SAFETY: the call has no preconditions and gets nothing but numbers.
            let lowest = unsafe { libc::sched_get_priority_min(libc::SCHED_FIFO) };
            set_policy(libc::SCHED_FIFO, libc::sched_param { sched_priority: lowest })?;
            before.policy = Some(policy);
        }
        Ok(before)
    }
}

impl Drop for Scheduling {
    fn drop(&mut self) {
        // Neither can fail: both give back what the thread had.
        if let Some((policy, priority)) = self.policy.take() {
            let _ = set_policy(policy, priority);
        }
        if let Some(affinity) = self.affinity.take() {
            let _ = sched_setaffinity(None, &affinity);
        }
    }
}

/// The calling thread's policy and priority.
fn policy() -> io::Result<(libc::c_int, libc::sched_param)> {
    let mut priority = libc::sched_param { sched_priority: 0 };
    // SAFETY: 0 is the calling thread, and `priority` outlives the call that fills it.
    let policy = unsafe {
        if libc::sched_getparam(0, &raw mut priority) != 0 {
            return Err(io::Error::last_os_error());
        }
        libc::sched_getscheduler(0)
    };
    if policy < 0 { Err(io::Error::last_os_error()) } else { Ok((policy, priority)) }
}

fn set_policy(policy: libc::c_int, priority: libc::sched_param) -> io::Result<()> {
    // SAFETY: 0 is the calling thread, and `priority` outlives the call that reads it.
    match unsafe { libc::sched_setscheduler(0, policy, &raw const priority) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_goes_back_to_what_it_was() {
        let allowed = sched_getaffinity(None).unwrap();
        let cpu = (0..CpuSet::MAX_CPU).find(|cpu| allowed.is_set(*cpu)).unwrap();
        let pinned = Scheduling::set(Some(cpu), false).unwrap();
        assert_eq!(sched_getaffinity(None).unwrap().count(), 1);
        drop(pinned);
        assert_eq!(sched_getaffinity(None).unwrap(), allowed);
        assert!(Scheduling::set(Some(usize::MAX), false).is_err());
        let (before, _) = policy().unwrap();
        if let Ok(real_time) = Scheduling::set(None, true) {
            assert_eq!(policy().unwrap().0, libc::SCHED_FIFO);
            drop(real_time);
        }
        assert_eq!(policy().unwrap().0, before);
    }
}
