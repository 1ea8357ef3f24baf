use super::{Completion, Request, Source};
use platterlab_units::Time;

/// A source that comes to its end: after so many requests, at an instant, or when told to.
///
/// What is under way then is served to its end; only nothing new is let through.
#[derive(Debug)]
pub struct Gate<S> {
    source: S,
    /// Requests still let through.
    left: u64,
    until: Time,
}

impl<S> Gate<S> {
    /// At most `requests` of `source`, none after `until`.
    pub fn new(source: S, requests: u64, until: Time) -> Self {
        Self { source, left: requests, until }
    }

    /// Lets nothing more through.
    pub fn shut(&mut self) {
        self.left = 0;
    }

    /// The source behind it.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The same, to be asked for what it only finds out at the end.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// Takes out of `out` what came after its first `kept` requests and is too late.
    fn let_through(&mut self, now: Time, out: &mut Vec<Request>, kept: usize) {
        let room = if now > self.until { 0 } else { self.left };
        let fresh = (out.len() - kept) as u64;
        let passed = fresh.min(room);
        out.truncate(kept + passed as usize);
        self.left -= passed;
    }
}

impl<S: Source> Source for Gate<S> {
    type Error = S::Error;

    fn next(&mut self) -> Option<Time> {
        if self.left == 0 {
            return None;
        }
        self.source.next().filter(|at| *at <= self.until)
    }

    fn act(&mut self, now: Time, out: &mut Vec<Request>) -> Result<(), S::Error> {
        let kept = out.len();
        self.source.act(now, out)?;
        self.let_through(now, out, kept);
        Ok(())
    }

    fn completed(
        &mut self,
        now: Time,
        completion: &Completion,
        out: &mut Vec<Request>,
    ) -> Result<(), S::Error> {
        let kept = out.len();
        self.source.completed(now, completion, out)?;
        self.let_through(now, out, kept);
        Ok(())
    }

    fn refused(
        &mut self,
        now: Time,
        request: &Request,
        out: &mut Vec<Request>,
    ) -> Result<(), S::Error> {
        let kept = out.len();
        self.source.refused(now, request, out)?;
        self.let_through(now, out, kept);
        Ok(())
    }
}
