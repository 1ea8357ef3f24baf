use super::{Completion, Request, Source};
use platterlab_units::Time;

/// Several sources at once. Their tags have 48 bits each; at one instant the first goes first.
#[derive(Debug)]
pub struct Several<S> {
    sources: Vec<S>,
}

const TAG_BITS: u32 = 48;

impl<S: Source> Several<S> {
    /// Up to 65,536 sources.
    pub fn new(sources: Vec<S>) -> Self {
        Self { sources }
    }

    /// The sources, in their order.
    pub fn sources(&self) -> impl Iterator<Item = &S> {
        self.sources.iter()
    }

    /// The same, to be asked for what they only find out at the end.
    pub fn sources_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.sources.iter_mut()
    }

    fn mark(index: usize, fresh: &mut [Request]) {
        for request in fresh {
            request.tag |= (index as u64) << TAG_BITS;
        }
    }

    /// Whose request it is, and the request as its source knows it.
    fn of(request: &Request) -> (usize, Request) {
        let index = (request.tag >> TAG_BITS) as usize;
        (index, Request { tag: request.tag & ((1 << TAG_BITS) - 1), ..*request })
    }
}

impl<S: Source> Source for Several<S> {
    type Error = S::Error;

    fn next(&mut self) -> Option<Time> {
        self.sources.iter_mut().filter_map(S::next).min()
    }

    fn act(&mut self, now: Time, out: &mut Vec<Request>) -> Result<(), S::Error> {
        let first = self
            .sources
            .iter_mut()
            .enumerate()
            .filter_map(|(index, source)| Some((source.next()?, index)))
            .min();
        let Some((_, index)) = first else { return Ok(()) };
        let kept = out.len();
        self.sources[index].act(now, out)?;
        Self::mark(index, &mut out[kept..]);
        Ok(())
    }

    fn completed(
        &mut self,
        now: Time,
        completion: &Completion,
        out: &mut Vec<Request>,
    ) -> Result<(), S::Error> {
        let (index, request) = Self::of(&completion.request);
        let kept = out.len();
        let own = Completion { request, ..*completion };
        self.sources[index].completed(now, &own, out)?;
        Self::mark(index, &mut out[kept..]);
        Ok(())
    }

    fn refused(
        &mut self,
        now: Time,
        request: &Request,
        out: &mut Vec<Request>,
    ) -> Result<(), S::Error> {
        let (index, own) = Self::of(request);
        let kept = out.len();
        self.sources[index].refused(now, &own, out)?;
        Self::mark(index, &mut out[kept..]);
        Ok(())
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    type Error = S::Error;

    fn next(&mut self) -> Option<Time> {
        (**self).next()
    }

    fn act(&mut self, now: Time, out: &mut Vec<Request>) -> Result<(), S::Error> {
        (**self).act(now, out)
    }

    fn completed(
        &mut self,
        now: Time,
        completion: &Completion,
        out: &mut Vec<Request>,
    ) -> Result<(), S::Error> {
        (**self).completed(now, completion, out)
    }

    fn refused(
        &mut self,
        now: Time,
        request: &Request,
        out: &mut Vec<Request>,
    ) -> Result<(), S::Error> {
        (**self).refused(now, request, out)
    }
}
