//! The end of a source: by number of requests, by time, or when told to.

use super::{Request, Tap, Tapped};
use platterlab_units::Stamp;

/// A source that comes to its end: after this many requests, at an instant, or when told to.
///
/// What is under way then is served to its end; only nothing new is let through.
pub type Gate<S> = Tapped<S, Limits>;

/// What a [`Gate`] still lets through.
#[derive(Debug)]
pub struct Limits {
    /// Requests.
    left: u64,
    until: Stamp,
}

impl<S> Gate<S> {
    /// At most `requests` of `source`, none after `until`.
    pub fn new(source: S, requests: u64, until: Stamp) -> Self {
        Self { source, tap: Limits { left: requests, until } }
    }

    /// Lets nothing more through.
    pub fn shut(&mut self) {
        self.tap.left = 0;
    }
}

impl Tap for Limits {
    fn next(&self, next: Stamp) -> Option<Stamp> {
        (self.left > 0 && next <= self.until).then_some(next)
    }

    fn pass(&mut self, now: Stamp, out: &mut Vec<Request>, kept: usize) {
        let room = if now > self.until { 0 } else { self.left };
        let fresh = (out.len() - kept) as u64;
        let passed = fresh.min(room);
        out.truncate(kept + passed as usize);
        self.left -= passed;
    }
}
