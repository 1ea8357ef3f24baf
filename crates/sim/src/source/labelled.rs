//! Labels on requests: their stream and their queue tag.

use super::{Request, Tap, Tapped};
use crate::scheduler::TagRule;
use platterlab_units::Stamp;

/// What a workload says of all its requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The stream they make.
    pub stream: u16,
    /// How drives are to queue them; by each drive's own rule where this is not given.
    pub tags: Option<TagRule>,
}

impl Label {
    /// Puts it on a request.
    #[inline]
    pub(super) fn put(&self, request: &mut Request) {
        request.stream = self.stream;
        request.order = self.tags.map(|rule| rule.of(request.criticality, request.operation));
    }
}

/// A source whose requests bear a label.
pub type Labelled<S> = Tapped<S, Label>;

impl<S> Labelled<S> {
    /// Puts `label` on what `source` asks for.
    pub fn new(source: S, label: Label) -> Self {
        Self { source, tap: label }
    }
}

impl Tap for Label {
    fn pass(&mut self, _: Stamp, out: &mut Vec<Request>, kept: usize) {
        out[kept..].iter_mut().for_each(|request| self.put(request));
    }
}
