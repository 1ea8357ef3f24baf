//! Several sources as one.

use super::{Over, Request, Source};
use platterlab_units::Stamp;

/// Several sources at once. Their tags have 48 bits each; at one instant the first goes first.
#[derive(Debug)]
pub struct Several<S> {
    sources: Vec<S>,
    turns: Turns,
    /// Sources to which something has happened since they were last asked for their turns.
    stirred: Vec<usize>,
}

/// When each source acts next, in a tree above them: of two, the earlier one is known one level up.
#[derive(Debug)]
struct Turns {
    /// The root is the second, the children of each are at twice its place; the last half is the
    /// sources' own.
    tree: Vec<Stamp>,
}

const TAG_BITS: u32 = 48;

impl Turns {
    fn new(sources: usize) -> Self {
        Self { tree: vec![Stamp::MAX; 2 * sources.next_power_of_two()] }
    }

    #[inline]
    fn set(&mut self, source: usize, next: Option<Stamp>) {
        let mut at = self.tree.len() / 2 + source;
        self.tree[at] = next.unwrap_or(Stamp::MAX);
        while at > 1 {
            at /= 2;
            self.tree[at] = self.tree[2 * at].min(self.tree[2 * at + 1]);
        }
    }

    #[inline]
    fn next(&self) -> Option<Stamp> {
        Some(self.tree[1]).filter(|next| *next < Stamp::MAX)
    }

    /// The first of the earliest.
    #[inline]
    fn first(&self) -> usize {
        let (mut at, own) = (1, self.tree.len() / 2);
        while at < own {
            at *= 2;
            at += usize::from(self.tree[at + 1] < self.tree[at]);
        }
        at - own
    }
}

impl<S: Source> Several<S> {
    /// Up to 65,536 sources.
    pub fn new(sources: Vec<S>) -> Self {
        let (turns, stirred) = (Turns::new(sources.len()), (0..sources.len()).collect());
        Self { sources, turns, stirred }
    }

    /// The sources, in their order.
    pub fn sources(&self) -> impl Iterator<Item = &S> {
        self.sources.iter()
    }

    /// The same, to be asked for what they only find out at the end.
    pub fn sources_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.stirred = (0..self.sources.len()).collect();
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

    fn next(&mut self) -> Option<Stamp> {
        for index in self.stirred.drain(..) {
            self.turns.set(index, self.sources[index].next());
        }
        self.turns.next()
    }

    fn act(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), S::Error> {
        if self.next().is_none() {
            return Ok(());
        }
        let index = self.turns.first();
        let kept = out.len();
        self.stirred.push(index);
        self.sources[index].act(now, out)?;
        Self::mark(index, &mut out[kept..]);
        Ok(())
    }

    fn over(&mut self, now: Stamp, over: &Over, out: &mut Vec<Request>) -> Result<(), S::Error> {
        let (index, request) = Self::of(&over.request);
        let kept = out.len();
        self.stirred.push(index);
        self.sources[index].over(now, &Over { request, ..*over }, out)?;
        Self::mark(index, &mut out[kept..]);
        Ok(())
    }

    fn take_awaited(&mut self) -> Option<u64> {
        // Only a source to which something has happened can know of anything new.
        self.stirred.sort_unstable();
        let Self { sources, stirred, .. } = self;
        let marked =
            |&index: &usize| Some(sources[index].take_awaited()? | (index as u64) << TAG_BITS);
        stirred.iter().find_map(marked)
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    type Error = S::Error;

    fn next(&mut self) -> Option<Stamp> {
        (**self).next()
    }

    fn act(&mut self, now: Stamp, out: &mut Vec<Request>) -> Result<(), S::Error> {
        (**self).act(now, out)
    }

    fn over(&mut self, now: Stamp, over: &Over, out: &mut Vec<Request>) -> Result<(), S::Error> {
        (**self).over(now, over, out)
    }

    fn take_awaited(&mut self) -> Option<u64> {
        (**self).take_awaited()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_earliest_goes_first() {
        let mut state = 7_u64;
        for sources in [0, 1, 2, 3, 8, 13] {
            let mut turns = Turns::new(sources);
            let mut times = vec![None; sources];
            assert_eq!(turns.next(), None);
            for _ in 0..200 * sources {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (source, time) = ((state >> 33) as usize % sources, (state >> 20) % 8);
                times[source] = (time > 0).then(|| Stamp::from_ps(time.into()));
                turns.set(source, times[source]);
                let all = times.iter().enumerate();
                let first = all.filter_map(|(index, time)| Some(((*time)?, index))).min();
                assert_eq!(turns.next(), first.map(|(time, _)| time));
                if let Some((_, index)) = first {
                    assert_eq!(turns.first(), index);
                }
            }
        }
    }
}
