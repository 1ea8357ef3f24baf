//! Requests that somebody hands in one by one, and what became of them.

use super::{Over, Request, Source};
use platterlab_units::Stamp;
use std::collections::BTreeMap;
use std::convert::Infallible;

/// A source of requests that are handed in while the system is at work. Their tags are theirs alone.
#[derive(Clone, Debug, Default)]
pub struct Submitted {
    /// By arrival, and in the order they were handed in.
    waiting: BTreeMap<(Stamp, u64), Request>,
    /// When each that is not over arrives, by its tag.
    arrivals: BTreeMap<u64, Stamp>,
    over: Vec<Ended>,
}

/// A request that was handed in and is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The request.
    pub request: Request,
    /// When it arrived.
    pub arrival: Stamp,
    /// When it was over.
    pub completion: Stamp,
    /// Whether its data could not be had or kept, for too many devices have failed.
    pub lost: bool,
}

impl Submitted {
    /// Hands a request in, which arrives at `at`.
    pub(crate) fn submit(&mut self, at: Stamp, request: Request) {
        self.waiting.insert((at, request.tag), request);
        self.arrivals.insert(request.tag, at);
    }

    /// Requests that were handed in and are not over.
    pub(crate) fn in_flight(&self) -> usize {
        self.arrivals.len()
    }

    /// What is over and has not been asked for.
    pub(crate) fn over(&mut self) -> &mut Vec<Ended> {
        &mut self.over
    }
}

impl Source for Submitted {
    type Error = Infallible;

    fn next(&mut self) -> Option<Stamp> {
        self.waiting.first_key_value().map(|(&(at, _), _)| at)
    }

    fn act(&mut self, _: Stamp, out: &mut Vec<Request>) -> Result<(), Infallible> {
        out.extend(self.waiting.pop_first().map(|(_, request)| request));
        Ok(())
    }

    fn over(&mut self, now: Stamp, over: &Over, _: &mut Vec<Request>) -> Result<(), Infallible> {
        let Over { request, served } = *over;
        if let Some(arrival) = self.arrivals.remove(&request.tag) {
            self.over.push(Ended { request, arrival, completion: now, lost: !served });
        }
        Ok(())
    }
}
