//! Adapters around a source: what they see and change of its requests.

use super::{Over, Request, Source};
use platterlab_units::Stamp;

/// What is done to the requests of a source as they come out of it.
pub trait Tap {
    /// When something of the source can still come out, if it acts at `next`.
    fn next(&self, next: Stamp) -> Option<Stamp> {
        Some(next)
    }

    /// Sees what comes out at `now`: the requests of `out` after the first `kept`.
    fn pass(&mut self, now: Stamp, out: &mut Vec<Request>, kept: usize);
}

/// A source and the tap that its requests come through.
#[derive(Debug)]
pub struct Tapped<S, T> {
    pub(super) source: S,
    pub(super) tap: T,
}

impl<S, T> Tapped<S, T> {
    /// The source behind it.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The source, to be asked for what it only finds out at the end.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }
}

impl<S: Source, T: Tap> Source for Tapped<S, T> {
    type Error = S::Error;

    fn next(&mut self) -> Option<Stamp> {
        self.source.next().and_then(|at| self.tap.next(at))
    }

    fn act(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), S::Error> {
        let kept = out.len();
        self.source.act(now, out)?;
        self.tap.pass(now, out, kept);
        Ok(())
    }

    fn over(&mut self, now: Stamp, over: &Over, out: &mut Vec<Request>) -> Result<(), S::Error> {
        let kept = out.len();
        self.source.over(now, over, out)?;
        self.tap.pass(now, out, kept);
        Ok(())
    }

    fn take_awaited(&mut self) -> Option<u64> {
        self.source.take_awaited()
    }
}
