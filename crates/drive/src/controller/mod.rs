//! What the controller's processor costs, by kind of command, cache outcome and what came before.

use crate::ControllerParams;
use platterlab_units::{Operation, Span};

/// The controller of one drive.
#[derive(Clone, Debug)]
pub struct Controller {
    params: ControllerParams,
    previous: Option<Operation>,
}

impl Controller {
    pub(crate) fn new(params: &ControllerParams) -> Self {
        Self { params: params.clone(), previous: None }
    }

    /// From the command's arrival until mechanism or buffer is set to work. The first command
    /// counts as following one of its own kind.
    #[must_use]
    #[inline]
    pub fn overhead(&self, operation: Operation, hit: bool) -> Span {
        let previous = self.previous.unwrap_or(operation);
        self.params.overhead[operation.index()][usize::from(hit)][previous.index()]
    }

    /// From the last byte until the host sees the completion.
    #[must_use]
    #[inline]
    pub fn completion(&self, operation: Operation) -> Span {
        self.params.completion[operation.index()]
    }

    #[inline]
    pub(crate) fn remember(&mut self, operation: Operation) {
        self.previous = Some(operation);
    }
}
