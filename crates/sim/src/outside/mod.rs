//! Deciders outside the simulator in place of a policy of its own. One file per kind of
//! decision, each with its contract; the simulator holds every answer to what it asked.
//!
//! What keeps to none of a contract harms nobody: an answer that is none is replaced by a legal one,
//! and [`Makes::failure`] is to say why.

mod read_choice;
mod replacement;
mod scheduler;

pub use read_choice::{MirrorCopy, ReadChooser};
pub use replacement::{CacheLine, Evictor};
pub use scheduler::{Chooser, WaitingRequest};

use std::fmt::Debug;
use std::sync::Arc;

/// Makes deciders of one kind: one for each place that needs one.
pub trait Makes<D: ?Sized>: Send + Sync + Debug {
    /// One that has decided nothing yet.
    fn make(&self) -> Box<D>;

    /// What one of those made did wrong, if any has.
    fn failure(&self) -> Option<String>;
}

/// A maker that replications share.
pub type Maker<D> = Arc<dyn Makes<D>>;

/// The deciders of a system that are not its own.
#[derive(Clone, Debug, Default)]
pub struct Outside {
    /// In place of the driver's scheduler.
    pub scheduler: Option<Maker<dyn Chooser>>,
    /// In place of every cache's replacement.
    pub replacement: Option<Maker<dyn Evictor>>,
    /// In place of every mirror's choice of the copy that is read.
    pub read_choice: Option<Maker<dyn ReadChooser>>,
}

impl Outside {
    /// Whether all decisions are the system's own.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scheduler.is_none() && self.replacement.is_none() && self.read_choice.is_none()
    }

    /// What one of them did wrong, if any has.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        let Self { scheduler, replacement, read_choice } = self;
        let scheduler = scheduler.as_ref().and_then(|made| made.failure());
        scheduler
            .or_else(|| replacement.as_ref().and_then(|made| made.failure()))
            .or_else(|| read_choice.as_ref().and_then(|made| made.failure()))
    }
}
